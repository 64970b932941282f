"""The page recovers from a lost answer, a lost network, sleep and a second tab, and nothing counts twice."""

import re

from playwright.sync_api import Browser, Page, Route, expect

from tests.step_limit import steps
from tests.web.table.hands import by_pointer
from tests.web.table.room import (
    Person,
    Room,
    context_of,
    opened,
    page_of,
    suspended,
    tab_of,
    until,
    until_free,
    until_told,
)

SEATS = ["ann", "bot:simple"]
TWICE = "(card) => { document.querySelector(card).click(); document.querySelector(card)?.click(); }"


def at_play(room: Room, page: Page) -> None:
    """Play until the own seat has a card to play."""
    spent = steps(60)
    while until_free(page)["phase"] != "play":
        next(spent)
        before = room.public()["version"]
        by_pointer(page, until_free(page))
        page.wait_for_function("(version) => globalThis.table.game.model.view.version > version", arg=before)


def plays(room: Room) -> list[str]:
    """Return the cards that the first player has played."""
    seat = room.seat_of(room.people[0])
    played = [each["data"] for each in room.events() if each["fact"] == "CardPlayed"]
    return [data["card"] for data in played if data["seat"] == seat]


def test_an_answer_that_is_lost_is_asked_for_again_with_the_same_key(browser: Browser, people: list[Person]) -> None:
    room, keys = opened(people[:1], "pitch", seats=SEATS), list[str]()

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()  # the server does it, and nobody hears of it
        return route.abort()

    with page_of(browser, room, people[0], away=True) as page:
        at_play(room, page)
        before = plays(room)
        page.route("**/moves", lose_the_first)
        card = page.locator(".own-card.lit").first
        name = card.get_attribute("data-card")
        card.click()
        page.wait_for_function("() => !globalThis.table.game.sender.pending")
        assert plays(room)[: len(before) + 1] == [*before, name]
        assert len(set(keys)) == 1 < len(keys)


def test_a_page_without_a_network_says_so_and_after_it_or_a_sleep_shows_the_game_as_it_is(
    browser: Browser, people: list[Person]
) -> None:
    room = opened(people[:2], "pitch")
    with page_of(browser, room, people[0], away=True) as page:
        page.context.set_offline(True)
        expect(page.locator(".zone-alerts")).to_contain_text("You are offline.")
        room.move(room.public()["turn"]["seats"][0])
        page.context.set_offline(False)
        expect(page.locator(".zone-alerts")).to_be_empty()
        until_told(page, room.public()["version"])
        with suspended(page):
            for _ in range(3):
                room.move(room.public()["turn"]["seats"][0])
        until_told(page, room.public()["version"])


def test_two_tabs_play_a_card_once(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:1], "pitch", seats=SEATS)
    with context_of(browser, people[0]) as context:
        one, other = tab_of(context, room, people[0]), tab_of(context, room, people[0])
        at_play(room, one)
        until_told(other, room.public()["version"])
        before = plays(room)
        card = f".own-card[data-card='{one.locator('.own-card.lit').first.get_attribute('data-card')}']"
        held = list[Route]()

        def hold(route: Route) -> None:
            held.append(route)

        for page in (one, other):
            page.route("**/moves", hold, times=1)
            page.evaluate(TWICE, card)
        until(one, lambda: len(held) == 2)  # until the server hears of one, the other tab has the card, too
        for route in held:
            route.continue_()
        for page in (one, other):
            page.wait_for_function("() => !globalThis.table.game.sender.pending")
            until_told(page, room.public()["version"])
        assert len(plays(room)) == len(before) + 1


def test_a_line_with_a_wrong_link_is_shown(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with context_of(browser, people[0]) as context:
        context.route(re.compile(r"/events\?after=0&limit"), _forge)
        page = tab_of(context, room, people[0])
        alert = page.locator(".alert.wrong")
        expect(alert).to_contain_text("Event 2 doesn't fit the record of this game: its hash is another one.")


def _forge(route: Route) -> None:
    answer = route.fetch()
    body = answer.json()
    body["items"][1]["event"]["at"] = "2026-01-01T00:00:00.000000Z"
    route.fulfill(response=answer, json=body)
