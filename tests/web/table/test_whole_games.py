"""Two people play through their pages, one by pointer and one by keyboard, or both by touch on their phones."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.step_limit import steps
from tests.web.table.hands import MOST_TABS, View, by_keyboard, by_pointer, by_touch
from tests.web.table.room import (
    LIVE,
    Person,
    Room,
    context_of,
    model,
    opened,
    page_of,
    seat_to_move,
    until_told,
    until_turn,
    watched_tab,
)

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


PHONE: dict[str, Any] = {"pace": "quick", "has_touch": True, "is_mobile": True}
HELD, TURNED = {"width": 390, "height": 844} | PHONE, {"width": 844, "height": 390} | PHONE
Way = tuple[Callable[[Page, View], None], dict[str, Any]]
"""How somebody moves, and in what kind of browser."""
POINTED: Way = (by_pointer, {})
KEYED: Way = (by_keyboard, {})
WAYS: dict[str, tuple[Way, Way]] = {
    "pointer and keyboard": (POINTED, KEYED),
    "touch": ((by_touch, HELD), (by_touch, TURNED)),
}
ALONE: dict[str, Way] = {"pointer": POINTED, "touch": (by_touch, HELD), "keyboard": KEYED}


def play(browser: Browser, room: Room, hands: int | None, ways: tuple[Way, Way] = (POINTED, KEYED)) -> int:
    """Play until that many hands are scored, or to the end. Return how many moves the two made."""
    with ExitStack() as stack:
        pages = dict[int | None, tuple[Page, Callable[[Page, View], None]]]()
        for person, (move, options) in zip(room.people[:2], ways, strict=True):
            pages[room.seat_of(person)] = stack.enter_context(page_of(browser, room, person, **options)), move
        spent = steps(2000)
        while True:
            moves = next(spent)
            view = room.public()
            if view["status"] == "finished" or (hands and (view["last_hand"] or {"hand": 0})["hand"] >= hands):
                break
            page, move = pages[seat_to_move(view)]
            until_told(page, view["version"])
            make(page, move, until_turn(page))
        for page, _ in pages.values():
            until_told(page, room.public()["version"])
            assert model(page)["version"] == room.public()["version"]
            assert page.evaluate("() => globalThis.table.game.model.log.wrong") is None
    return moves


def make(page: Page, move: Callable[[Page, View], None], view: View) -> None:
    """Make a move, for which nobody has to scroll."""
    move(page, view)
    page.wait_for_function("(version) => globalThis.table.game.model.view.version > version", arg=view["version"])
    assert page.evaluate("() => scrollY") == 0, view["phase"]


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
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", OPTIONS)
def test_two_people_play_a_whole_game_to_its_end(
    variant: str, way: str, browser: Browser, people: list[Person], record_property: Callable[[str, object], None]
) -> None:
    room, moves, spent = None, 0, steps(50)
    while room is None or room.public()["last_hand"] is None:  # the randomizer may end a game in its first hand
        next(spent)
        room = opened(people[:2], variant, seats=BOTS, options=OPTIONS[variant])
        moves = play(browser, room, None, WAYS[way])
    record_property("moves", moves)
    record_property("facts", room.public()["version"])
    record_property("hands", room.public()["last_hand"]["hand"])
    assert room.public()["status"] == "finished"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("way", ALONE)
@pytest.mark.parametrize(("preset", "players"), [("Ten-point Pitch in teams", 6), ("Pedro", 4)])
def test_a_guest_opens_a_preset_from_the_page_and_plays_it_to_its_end(
    preset: str, players: int, way: str, browser: Browser, home: str, record_property: Callable[[str, object], None]
) -> None:
    move, options = ALONE[way]
    complaints, spent = list[str](), steps(2000)
    with context_of(browser, None, **options) as context:
        page = watched_tab(context, None, complaints)
        page.goto(f"{home}/new")
        if move is by_keyboard:
            write_into(page, "Which game?", preset)
            write_into(page, "How many players?", str(players))
            tab_to(page, "Make the table")
            page.keyboard.press("Enter")
        else:
            page.get_by_label("Which game?").select_option(label=preset)
            page.get_by_label("How many players?").select_option(str(players))
            button = page.get_by_role("button", name="Make the table")
            button.tap() if move is by_touch else button.click()
        page.wait_for_function(LIVE)
        while (view := until_turn(page))["status"] == "active":
            next(spent)
            make(page, move, view)
        assert len(view["seats"]) == players
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
        record_property("moves", next(spent))
        record_property("hands", view["last_hand"]["hand"])
        record_property("result", view["result"])
    assert complaints == []


def write_into(page: Page, label: str, text: str) -> None:
    """Choose by keyboard alone what begins so in a field with this label."""
    tab_to(page, label)
    page.keyboard.type(text)


def tab_to(page: Page, name: str) -> None:
    """Go to the field or button of this name with the Tab key."""
    spent = steps(MOST_TABS)
    while page.evaluate("() => (document.activeElement.labels?.[0] ?? document.activeElement).textContent") != name:
        next(spent)
        page.keyboard.press("Tab")
