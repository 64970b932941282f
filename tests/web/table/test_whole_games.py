"""Two people play through their pages, one of them by keyboard only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.step_limit import steps
from tests.web.table.hands import by_keyboard, by_pointer
from tests.web.table.room import Person, Room, model, opened, page_of, seat_to_move, until_free, until_told

BOTS = ["ann", "bot:simple", "bob", "bot:simple"]
OPTIONS = {
    "pitch": {"win": 7},
    "setback": {},
    "blackout": {"inorder": True},
    "corellian": {
        "randomizer": {
            "when": [1, 6],
            "end": [1, 120],
            "points": ["4", "7", "10", "13"],
            "dirty": True,
            "reverse": True,
            "partners": ["across", "left", "call"],
        }
    },
}


def play(browser: Browser, room: Room, hands: int | None) -> int:
    """Play until that many hands are scored, or to the end. Return how many moves the two made."""
    first, second = room.people[:2]
    with page_of(browser, room, first) as pointed, page_of(browser, room, second) as keyed:
        pages = {room.seat_of(first): (pointed, by_pointer), room.seat_of(second): (keyed, by_keyboard)}
        spent = steps(2000)
        while True:
            moves = next(spent)
            view = room.public()
            if view["status"] == "finished" or (hands and (view["last_hand"] or {"hand": 0})["hand"] >= hands):
                break
            page, move = pages[seat_to_move(view)]
            until_told(page, view["version"])
            move(page, until_free(page))
            page.wait_for_function(
                "(version) => globalThis.table.game.model.view.version > version", arg=view["version"]
            )
        for page, _ in pages.values():
            until_told(page, room.public()["version"])
            assert model(page)["version"] == room.public()["version"]
            assert page.evaluate("() => globalThis.table.game.model.log.wrong") is None
    return moves


def test_two_people_play_a_hand_and_agree_to_end_the_game(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch", options={"win": 7})
    play(browser, room, hands=1)
    with page_of(browser, room, people[0]) as one, page_of(browser, room, people[1]) as other:
        one.locator(".menu summary").click()
        one.get_by_role("button", name="Propose to end without a winner").click()
        expect(other.locator(".ask.proposal")).to_contain_text("ann proposes to end the game without a winner")
        other.get_by_role("button", name="Agree").click()
        for page in (one, other):
            expect(page.locator(".headline")).to_contain_text("The game is over, and nobody won")
            expect(page.locator(".summary")).to_contain_text("Everybody agreed to end the game.")
            expect(page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", OPTIONS)
def test_two_people_play_a_whole_game_to_its_end(
    variant: str, browser: Browser, people: list[Person], record_property: Callable[[str, object], None]
) -> None:
    room, moves, spent = None, 0, steps(50)
    while room is None or room.public()["last_hand"] is None:  # the randomizer may end a game in its first hand
        next(spent)
        room = opened(people[:2], variant, seats=BOTS, options=OPTIONS[variant])
        moves = play(browser, room, hands=None)
    record_property("moves", moves)
    record_property("facts", room.public()["version"])
    record_property("hands", room.public()["last_hand"]["hand"])
    assert room.public()["status"] == "finished"
