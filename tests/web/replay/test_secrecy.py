"""The replay of a live game shows no card of another seat: not in its nodes, answers, storage or memory."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.web.replay.pages import moment, replay_page, wait_for
from tests.web.table.room import WHOLE_HANDS, Person, Room, View, nobody, opened
from tests.web.table.secrecy import hidden_cards, search, search_heap

VARIANTS = ("pitch", "setback", "blackout", "corellian")
OPEN_SEATS = "each => [...each.options].filter(({ disabled }) => !disabled).map(({ value }) => value)"
VISITS = 4
MOVES_BETWEEN = {"blackout": 1}
MOVES = 4
"""Moves between two visits. The first hand is searched: after it, every card has been shown in some hand."""


def test_the_replay_of_a_live_hand_holds_no_hidden_card(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    room.play(moves(MOVES))
    visit(browser, room, people[0])


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_replay_holds_no_hidden_card_at_any_time(browser: Browser, people: list[Person], variant: str) -> None:
    room = opened(people, variant, options=WHOLE_HANDS.get(variant, {}))
    for _ in range(VISITS):
        view = room.play(moves(MOVES_BETWEEN.get(variant, MOVES)))
        if view["hand"] is None or view["hand"]["number"] > 1:
            break
        for viewer in (people[0], nobody(people[0].url)):
            visit(browser, room, viewer)


def moves(count: int) -> Callable[[View], bool]:
    """Return whether that many moves were made since."""
    left = iter(range(count))
    return lambda _: next(left, None) is None


def visit(browser: Browser, room: Room, viewer: Person) -> None:
    """Step through the replay of a live game as somebody, ask for the other seats, and search."""
    viewer.got.clear()
    seat = room.seat_of(viewer)
    hidden = hidden_cards([room.view(each)["you"] for each in range(len(room.seats))], seat)
    assert hidden
    with replay_page(browser, room, viewer, f"?at={room.public()['version']}&seat={0 if seat else 1}") as page:
        for key in ("End", "ArrowLeft", "ArrowUp", "ArrowUp", "Home", "End"):
            page.keyboard.press(key)
            moment(page)
        look_everywhere(page)
        wait_for(page, room.public()["version"])
        assert len(viewer.got) > 3
        search(page, viewer, hidden)
        search_heap(page, hidden)


def look_everywhere(page: Page) -> None:
    """Open what is folded, and go through the eyes that are allowed."""
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    chooser = page.locator("#replay-seat")
    for value in chooser.evaluate(OPEN_SEATS):
        chooser.select_option(value)
        moment(page)
