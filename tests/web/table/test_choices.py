"""A player's choices beside the cards: resigning with a question, keys, autoplay, comments, and the host's changes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.step_limit import steps
from tests.web.conftest import Village
from tests.web.table.hands import by_pointer, focused
from tests.web.table.room import (
    Person,
    Room,
    context_of,
    model,
    nobody,
    opened,
    page_of,
    seat_to_move,
    tab_of,
    until_free,
    until_told,
)

SEATS = ["ann", "bot:simple", "bot:simple", "bot:simple"]
LATER = "(version) => globalThis.table.game.model.view.version > version"
TICK_MS = 3000
SILENT = """globalThis.sounds = 0;
  const Real = AudioContext;
  globalThis.AudioContext = class extends Real { constructor() { super(); globalThis.sounds += 1; } };"""
SOON_AFTER = """() => {
  const { game } = globalThis.table;
  game.now = () => Date.parse(game.model.view.turn.since) + 700;
  globalThis.waits = [];
  const wait = setTimeout;
  globalThis.setTimeout = (work, ms, ...more) => {
    const isTick = ms > 2000 && ms <= 3000 && game.waits;
    if (isTick) globalThis.waits.push([game.model.view.you.legal.length === 1, ms]);
    return wait(work, isTick ? 0 : ms, ...more);
  };
}"""
"""Hold the page's clock 700 ms after each turn began, and note the waits of autoplay, which then take no time."""


def test_resigning_is_asked_for_and_then_ends_the_game(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with page_of(browser, room, people[0]) as page:
        page.locator(".menu summary").click()
        page.get_by_role("button", name="Resign…").click()
        page.get_by_role("button", name="Cancel").click()
        assert room.public()["status"] == "active"
        page.get_by_role("button", name="Resign…").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".headline-text")).to_have_text(re.compile("^bob won with "))


def test_the_second_half_of_a_double_click_makes_no_move(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:1], "pitch", seats=["ann", "bot:simple"])
    with page_of(browser, room, people[0]) as page:
        view, sent = until_free(page), list[str]()
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        bid = page.locator(".bid-pass, .bid").last
        bid.dispatch_event("click", {"detail": 2, "bubbles": True})
        assert page.evaluate("() => fetch('/api/v1/variants').then(({ status }) => status)") == 200
        assert sent == []
        bid.click()
        page.wait_for_function(LATER, arg=view["version"])
        assert len(sent) == 1


def test_a_bid_that_the_last_bidder_may_not_make_says_why(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:4], "blackout")
    for _ in range(3):
        room.move(room.public()["turn"]["seats"][0], {"type": "bid", "bid": 0})
    last = room.by_seat(room.public()["turn"]["seats"][0])
    with page_of(browser, room, last) as page:
        until_free(page)
        refused = page.get_by_role("button", name="Bid 1, not allowed now")
        refused.click(force=True)
        expect(page.locator(".refusal")).to_contain_text("With 1, the bids would add up to 1, the number of tricks.")
        expect(page.locator(".refusal").get_by_role("link", name="Read the rule")).to_be_visible()
        assert model(page)["phase"] == "auction"


@pytest.fixture(scope="module")
def room(people: list[Person]) -> Room:
    """A game of ann and bob in which nobody moves."""
    return opened(people[:2], "pitch")


@pytest.fixture(scope="module")
def tables(browser: Browser, room: Room) -> Iterator[tuple[Page, Page]]:
    with page_of(browser, room, room.people[0]) as one, page_of(browser, room, room.people[1]) as other:
        yield one, other


def test_keys_say_what_they_name_and_are_off_while_one_types(tables: tuple[Page, Page]) -> None:
    page, _ = tables
    said = page.locator("[data-say]")
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Message").press_sequentially("tsch")
    expect(page.get_by_label("Message")).to_have_value("tsch")
    page.keyboard.press("Enter")
    expect(page.locator(".message").filter(has_text="tsch")).to_have_count(1)
    page.get_by_role("tab", name="What happened").click()
    page.wait_for_function("() => !globalThis.table.game.sayTimer")
    page.keyboard.press("s")
    expect(said).to_have_text(re.compile(r"^Scores: ann 0 and bob 0|^Scores: bob 0 and ann 0"))
    page.keyboard.press("t")
    expect(said).to_have_text(re.compile(r"^(Your bid|bob to bid)"))
    page.keyboard.press("c")
    expect(said).to_have_text(re.compile("^No trick has been taken in this hand"))
    page.keyboard.press("h")
    assert (focused(page) or "").startswith("card ")


def test_a_card_that_cannot_be_played_says_why_with_its_clause(tables: tuple[Page, Page]) -> None:
    page, _ = tables
    page.locator(".own-card").first.click(force=True)
    expect(page.locator(".refusal")).to_contain_text(re.compile("turn|auction|bid"))
    expect(page.locator(".refusal .clause").first).to_have_attribute("href", re.compile(r"^/rules/pitch#S\d+$"))


def test_a_line_of_the_story_can_be_commented_on(tables: tuple[Page, Page]) -> None:
    page, _ = tables
    page.get_by_role("tab", name="What happened").click()
    page.locator(".comment").first.click()
    page.get_by_label(re.compile("^Message about “Hand 1: ")).fill("well dealt")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".message").filter(has_text="well dealt")).to_contain_text("on event ")


def test_a_message_arrives_by_itself_is_counted_and_read_out(tables: tuple[Page, Page]) -> None:
    one, other = tables
    one.get_by_role("tab", name="What happened").click()
    one.wait_for_function("() => globalThis.table.game.model.chat")
    expect(one.get_by_role("tab", name="Chat", exact=True)).to_be_visible()
    other.get_by_role("tab", name=re.compile("^Chat")).click()
    other.get_by_label("Message").fill("good luck")
    other.keyboard.press("Enter")
    expect(one.get_by_role("tab", name="Chat (1)")).to_be_visible()
    expect(one.locator("[data-say]")).to_contain_text("bob writes: good luck")
    one.get_by_role("tab", name="Chat (1)").click()
    expect(one.locator(".message").filter(has_text="good luck")).to_have_count(1)
    expect(one.get_by_role("tab", name="Chat", exact=True)).to_be_visible()


def test_the_menu_leads_to_all_pages_about_the_game(tables: tuple[Page, Page], room: Room) -> None:
    page, _ = tables
    links = page.locator(".menu-links a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    beside = [f"/games/{room.board}/{name}" for name in ("replay", "score", "audit", "disputes", "text")]
    assert links == [*beside, "/rules/pitch", f"/api/v1/games/{room.board}/export", "/verify"]
    page.get_by_role("button", name="Rules", exact=True).click()
    drawer = page.get_by_role("dialog", name="Rules in short")
    expect(drawer).to_be_visible()
    page.locator("#own-hand [tabindex='0']").focus()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_the_order_of_cards_is_the_same_choice_on_the_page_of_settings(tables: tuple[Page, Page], home: str) -> None:
    _, page = tables
    page.locator(".menu summary").click()
    orders = page.locator("[data-pref=order] option").evaluate_all("all => all.map(({ value }) => value)")
    page.get_by_label("Order of my cards").select_option("trump")
    settings = page.context.new_page()
    settings.goto(f"{home}/me")
    shown = settings.get_by_role("group", name="Order of my cards").get_by_role("radio")
    expect(shown).to_have_count(len(orders))
    assert shown.evaluate_all("all => all.map(({ value }) => value)") == orders
    expect(settings.get_by_label("By suit, trump first")).to_be_checked()
    settings.get_by_label("By rank").check()
    expect(page.get_by_label("Order of my cards")).to_have_value("ranks")
    settings.close()
    page.locator(".menu summary").click()


def test_the_own_seat_is_called_you_on_the_table_of_its_player_alone(browser: Browser, village: Village) -> None:
    room = village.rooms["second hand"]
    leader = room.by_seat(room.public()["turn"]["seats"][0])
    with page_of(browser, room, leader) as page, page_of(browser, room, nobody(leader.url)) as watching:
        expect(page.locator(".trick-empty")).to_have_text("You lead to trick 1")
        expect(page.locator(".force")).to_contain_text("You bid ")
        expect(watching.locator(".trick-empty")).to_have_text(f"{leader.name} leads to trick 1")
        expect(watching.locator(".force")).to_contain_text(f"{leader.name} bid ")


def test_the_host_changes_a_rule_and_the_page_says_what_and_why(browser: Browser, people: list[Person]) -> None:
    options = {"randomizer": None, "host_changes": True}
    room = opened(people[:1], "corellian", seats=SEATS, options=options)
    with page_of(browser, room, people[0]) as page:
        until_free(page)
        page.locator(".menu summary").click()
        page.get_by_label("Change a rule, as the host").select_option("points:7")
        page.get_by_role("button", name="Change", exact=True).click()
        page.wait_for_function("() => globalThis.table.game.model.view.rules.points === '7'")
        until_told(page, room.public()["version"])
        expect(page.locator(".story")).to_have_count(0)
        page.locator(".menu summary").click()
        page.get_by_role("tab", name="What happened").click()
        points = "7 points: jack, off jack, joker, ten, two, and ace"
        change = f"The rules change: {points}. 10 points on offer become 7. The host changed it."
        expect(page.locator(".story .is-change").filter(has_text=change)).to_have_count(1)


def test_nothing_sounds_or_plays_by_itself_until_somebody_chooses_it(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:1], "pitch", seats=["ann", "bot:simple"])
    with context_of(browser, people[0]) as context:
        context.add_init_script(SILENT)
        page = tab_of(context, room, people[0])
        page.locator(".menu summary").click()
        for name in ("Play my only legal card by itself", "Sounds"):
            expect(page.get_by_label(name)).not_to_be_checked()
        make_move(page)
        assert page.evaluate("() => globalThis.sounds") == 0
        page.get_by_label("Sounds").check()
        make_move(page)
        page.wait_for_function("() => globalThis.sounds > 0")


def test_autoplay_sends_forced_and_free_cards_on_the_same_tick(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:1], "pitch", seats=["ann", "bot:simple"])
    with page_of(browser, room, people[0]) as page:
        page.evaluate("() => document.querySelector('[data-pref=auto]').click()")
        page.evaluate(SOON_AFTER)
        spent, waits = steps(60), list[list[Any]]()
        while {is_forced for is_forced, _ in waits} != {True, False}:
            next(spent)
            view = until_free(page)
            if len(view["you"]["legal"]) > 1:
                by_pointer(page, view)
            page.wait_for_function(LATER, arg=view["version"])
            waits = page.evaluate("() => globalThis.waits")
        assert {wait for _, wait in waits} == {TICK_MS - 700}


def make_move(page: Page) -> None:
    """Make a move with the pointer, and wait until the player is awaited again."""
    view = until_free(page)
    by_pointer(page, view)
    page.wait_for_function(LATER, arg=view["version"])
    until_free(page)


def test_a_refusal_goes_with_its_moment(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    first = room.public()["turn"]["seats"][0]
    waiting = next(each for each in room.people if room.seat_of(each) != first)
    with page_of(browser, room, waiting) as page:
        page.locator(".own-card").first.click(force=True)
        expect(page.locator(".refusal.refused")).to_be_visible()
        room.move(first)
        until_free(page)
        expect(page.locator(".refusal")).to_have_count(0)


CALLED_OFFLINE = """() => {
  const { game } = globalThis.table;
  for (let id = setTimeout(() => {}); id; id -= 1) clearTimeout(id); // it doesn't look by itself
  game.set({ presence: game.model.view.seats.map(({ seat }) => (seat === game.model.seat ? null : "offline")) });
}"""


def test_somebody_who_moves_is_looked_for_at_once_and_no_longer_called_offline(
    browser: Browser, people: list[Person]
) -> None:
    room = opened(people[:2], "pitch")
    seat = seat_to_move(room.public())
    mover = room.by_seat(seat)
    other = next(person for person in people[:2] if person is not mover)
    with page_of(browser, room, mover), page_of(browser, room, other) as page:
        until_told(page, room.public()["version"])
        page.evaluate(CALLED_OFFLINE)
        expect(page.locator(f"[data-seat='{seat}'] .presence.is-offline")).to_be_visible()
        room.move(seat)
        expect(page.locator(f"[data-seat='{seat}'] .presence.is-table")).to_be_visible()
