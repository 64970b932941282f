"""Facts are shown one after another: a scored hand stays in view, a hidden tab jumps to now, and cards are planned."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.step_limit import steps
from tests.web.table.hands import by_pointer
from tests.web.table.room import Person, View, context_of, model, opened, tab_of, until, until_free, until_told

HIDE = "(isHidden) => Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })"
SEEN = "() => document.dispatchEvent(new Event('visibilitychange'))"


REST = re.compile(r"^Play last \d cards in this order$")


def until_last_cards(page: Page) -> None:
    """Bid and play until the own seat has three cards, all of which can be planned at once."""
    spent = steps(40)
    while len(until_free(page)["you"]["cards"]) > 3:
        next(spent)
        expect(page.get_by_role("button", name=REST)).to_have_count(0)
        by_pointer(page, model(page))
        page.wait_for_function("() => !globalThis.table.game.sender.pending")


def test_the_last_cards_are_played_in_order_and_the_scored_hand_stays_until_the_player_goes_on(
    browser: Browser, people: list[Person]
) -> None:
    room = opened(people[:1], "pitch", seats=["ann", "bot:simple"])
    with context_of(browser, people[0], pace="quick") as context:
        page = tab_of(context, room, people[0])
        until_last_cards(page)
        page.get_by_role("button", name=REST).click()
        summary = page.get_by_role("group", name="Hand 1, scored")
        expect(summary).to_be_visible()
        expect(summary.get_by_role("link", name="See this hand again")).to_have_attribute(
            "href", re.compile(rf"^/games/{room.board}/replay\?at=\d+&seat=\d$")
        )
        shown = model(page)
        assert shown["hand"]["number"] == shown["last_hand"]["hand"] == 1
        assert page.locator(".own-card.lit").count() == 0
        summary.get_by_role("button", name="Next hand").click()
        expect(summary).to_have_count(0)
        assert until_free(page)["hand"]["number"] == 2


def test_a_card_is_planned_before_the_turn_and_played_in_it(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    room.play(lambda view: view["phase"] == "play")
    other, waiting = (
        room.by_seat(seat) for seat in sorted(range(2), key=lambda s: s not in room.public()["turn"]["seats"])
    )
    with context_of(browser, waiting) as context:
        page = tab_of(context, room, waiting)
        held, card = model(page)["you"]["cards"], page.locator(".own-card").first
        name = card.get_attribute("data-card")
        card.click()
        expect(page.locator(".own-card.planned")).to_have_attribute("data-card", name or "")
        assert model(page)["you"]["cards"] == held
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".own-card.planned")).to_have_count(0)
        leader, planner = room.seat_of(other) or 0, room.seat_of(waiting) or 0
        shown = room.play(lambda view: is_last_turn(view, leader))
        until_told(page, shown["version"])
        page.get_by_role("button", name=REST).click()
        room.move(leader)
        if leader in room.public()["turn"]["seats"]:  # the leader took that trick
            room.move(leader)
        until(page, lambda: len(room.view(planner)["you"]["cards"]) < shown["seats"][planner]["count"])


def is_last_turn(view: View, seat: int) -> bool:
    """Return whether it's a seat's turn in the fourth trick of six: each seat has one in it, as leader or not."""
    place = view["phase"], view["turn"]["seats"], view["seats"][seat]["count"]
    return place == ("play", [seat], 3)


def test_a_hidden_tab_jumps_to_now_and_says_so(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with context_of(browser, people[0], pace="slow") as context:
        page = tab_of(context, room, people[0])
        page.evaluate(HIDE, True)
        room.play(lambda view: (view["hand"] or {}).get("last_trick"))
        until_told(page, room.public()["version"])
        page.evaluate(HIDE, False)
        page.evaluate(SEEN)
        expect(page.locator(".refusal")).to_contain_text(re.compile(r"^You missed \d+ moves"))
