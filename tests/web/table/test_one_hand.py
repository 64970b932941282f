"""A hand of each game on the page of a player and of a watcher: what is read out, and that nothing hidden is there."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.step_limit import steps
from tests.web.table.room import WHOLE_HANDS, Person, Room, View, nobody, opened, page_of, seat_to_move, until_told
from tests.web.table.secrecy import hidden_cards, search, search_heap
from tests.web.table.spoken import LISTEN, check_spoken, lines

SIZES = {"pitch": 2, "setback": 4, "blackout": 4, "corellian": 4}
HEAPS = {"auction", "play"}
REST = [pytest.param(variant, marks=pytest.mark.slow) for variant in SIZES if variant != "pitch"]


@pytest.mark.parametrize("variant", ["pitch", *REST])
def test_a_hand_is_read_out_and_no_page_holds_a_hidden_card(
    variant: str, browser: Browser, people: list[Person]
) -> None:
    players = people[: SIZES[variant]]
    room, watcher = without_misdeal(players, variant, options=WHOLE_HANDS.get(variant, {})), nobody(players[0].url)
    for person in players:
        person.got.clear()
    viewer = next(each for each in players if room.seat_of(each) not in room.public()["turn"]["seats"])
    with page_of(browser, room, viewer) as page, page_of(browser, room, watcher) as watching:
        before = room.public()["version"]
        page.evaluate(LISTEN)
        play_hand(room, {page: viewer, watching: watcher})
        events = [event for event in room.events() if event["version"] > before]
        check_spoken(page, lines(events, room.names, room.seat_of(viewer)))


def without_misdeal(players: list[Person], variant: str, options: View | None = None) -> Room:
    """Open a game whose first deal counts. A deal that doesn't is open to everybody, and has the same cards."""
    spent = steps(50)
    while (room := opened(players, variant, options=options or {})).public()["hand"]["redeal"]:
        next(spent)
    return room


def play_hand(room: Room, pages: dict[Page, Person]) -> None:
    """Make moves through the API until a hand is scored. At each fact, search every page for what it may not hold.

    A card that is called to find a partner is named to everybody. A page that asks for one names every card in memory.
    """
    spent, heaps, named, callers = steps(200), set[str](), set[str](), set[int | None]()
    while (public := room.public())["last_hand"] is None:
        next(spent)
        own_views, turn = [room.view(seat)["you"] for seat in range(len(room.people))], seat_to_move(public)
        named.add(public["hand"]["called"])
        callers |= seats_to_call(own_views)
        for page, viewer in pages.items():
            until_told(page, public["version"])
            seat = room.seat_of(viewer)
            cards = hidden_cards(own_views, seat) - named
            search(page, viewer, cards)
            if public["phase"] in HEAPS - heaps and seat not in callers:
                search_heap(page, cards)
            if seat in public["turn"]["seats"]:
                page.wait_for_function("() => !globalThis.table.game.sayTimer")  # it says whose turn it is
        heaps.add(public["phase"])
        room.move(turn)
    for page in pages:
        until_told(page, room.public()["version"])


def seats_to_call(own_views: list[View]) -> set[int | None]:
    """Return the seats whose page offers every card to call."""
    return {view["seat"] for view in own_views if (view["choose"] or {}).get("type") == "call_partner"}


def test_a_choice_of_a_card_to_call_is_no_hidden_card(browser: Browser, people: list[Person]) -> None:
    options = {"randomizer": None, "host_changes": True}
    room, spent = without_misdeal(people[:4], "corellian", options=options), steps(20)
    people[0].call("POST", f"/games/{room.game}/moves", {"type": "change_rules", "change": "partners:call"})
    while not (callers := seats_to_call(own_views := [room.view(seat)["you"] for seat in range(4)])):
        next(spent)
        room.move(seat_to_move(room.public()))
    (seat,) = callers
    caller = room.by_seat(seat or 0)
    caller.got.clear()  # cards of a deal that doesn't count are open
    with page_of(browser, room, caller) as page:
        expect(page.locator(".call-cards .call")).to_have_count(13)
        search(page, caller, hidden_cards(own_views, seat))
        page.locator(".call-suits [data-suit=H]").click()
        expect(page.get_by_role("button", name="Call ace of hearts")).to_be_visible()
        search(page, caller, hidden_cards(own_views, seat))


def test_the_search_finds_a_card_that_is_there(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    people[0].got.clear()
    with page_of(browser, room, people[0]) as page:
        own = room.view(0)["you"]["cards"] if room.seats[0] == people[0].id else room.view(1)["you"]["cards"]
        with pytest.raises(AssertionError, match="is on the page"):
            search(page, people[0], {own[0]})
        with pytest.raises(AssertionError, match="in memory"):
            search_heap(page, {own[0]})
