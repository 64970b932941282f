"""A hand of each game on the page of a player and of a watcher: what is read out, and that nothing hidden is there."""

import pytest
from playwright.sync_api import Browser, Page

from tests.step_limit import steps
from tests.web.table.room import Person, Room, nobody, opened, page_of, until_told
from tests.web.table.secrecy import hidden_cards, search, search_heap
from tests.web.table.spoken import LISTEN, check_spoken, lines

SIZES = {"pitch": 3, "setback": 4, "blackout": 4, "corellian": 4}
HEAPS = {"auction", "play"}


@pytest.mark.parametrize("variant", SIZES)
def test_a_hand_is_read_out_and_no_page_holds_a_hidden_card(
    variant: str, browser: Browser, people: list[Person]
) -> None:
    players = people[: SIZES[variant]]
    room, watcher = without_misdeal(players, variant), nobody(players[0].url)
    for person in players:
        person.got.clear()
    with page_of(browser, room, players[0]) as page, page_of(browser, room, watcher) as watching:
        before = room.public()["version"]
        page.evaluate(LISTEN)
        play_hand(room, {page: players[0], watching: watcher})
        events = [event for event in room.events() if event["version"] > before]
        check_spoken(page, lines(events, room.names))


def without_misdeal(players: list[Person], variant: str) -> Room:
    """Open a game whose first deal counts. A deal that doesn't is open to everybody, and has the same cards."""
    spent = steps(50)
    while (room := opened(players, variant)).public()["hand"]["redeal"]:
        next(spent)
    return room


def play_hand(room: Room, pages: dict[Page, Person]) -> None:
    """Make moves through the API until a hand is scored. At each fact, search every page for what it may not hold."""
    spent, heaps = steps(200), set[str]()
    while (public := room.public())["last_hand"] is None:
        next(spent)
        own_views = [room.view(seat)["you"] for seat in range(len(room.people))]
        for page, viewer in pages.items():
            until_told(page, public["version"])
            cards = hidden_cards(own_views, room.seat_of(viewer))
            search(page, viewer, cards)
            if public["phase"] in HEAPS - heaps:
                search_heap(page, cards)
        heaps.add(public["phase"])
        room.move(public["turn"]["seats"][0])
    for page in pages:
        until_told(page, room.public()["version"])


def test_the_search_finds_a_card_that_is_there(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    people[0].got.clear()
    with page_of(browser, room, people[0]) as page:
        own = room.view(0)["you"]["cards"] if room.seats[0] == people[0].id else room.view(1)["you"]["cards"]
        with pytest.raises(AssertionError, match="is on the page"):
            search(page, people[0], {own[0]})
        with pytest.raises(AssertionError, match="in memory"):
            search_heap(page, {own[0]})
