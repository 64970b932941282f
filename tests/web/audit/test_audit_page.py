"""The page that checks a game, in a real browser: what it says of games that are over, live, busy, and wrong."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.conftest import Village
from tests.web.pages.visitors import Visitor, check_access, visitor
from tests.web.table.room import Room

AUDIT = "**/api/v1/games/*/audit"


@pytest.fixture
def player(browser: Browser, village: Village) -> Iterator[Visitor]:
    with visitor(browser, village.url) as made:
        yield made.sign_in(village.people["ann"])


@pytest.fixture(scope="module")
def over(village: Village) -> Room:
    """A game of ann against two bots that ended because ann left in the second hand."""
    return village.rooms["over"]


@pytest.fixture(scope="module")
def live(village: Village) -> Room:
    """A game of ann against two bots, in the second hand."""
    return village.rooms["live"]


def verdict(page: Page) -> Locator:
    return page.locator("#verdict h2")


def hand(page: Page, number: int) -> Locator:
    return page.locator(f'details[data-hand="{number}"]')


def states(page: Page) -> dict[str, str]:
    """Return how each check came out."""
    found: dict[str, str] = page.eval_on_selector_all(
        "#checks li", "all => Object.fromEntries(all.map(({ dataset }) => [dataset.check, dataset.state]))"
    )
    return found


SHIFTS = """globalThis.shifts = 0;
new PerformanceObserver((found) => found.getEntries().forEach(({ value }) => { globalThis.shifts += value; }))
  .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_while_the_page_checks(player: Visitor, over: Room, width: int) -> None:
    player.context.add_init_script(SHIFTS)
    page = player.context.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/games/{over.board}/audit")
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#checks li")).not_to_have_count(0)
    assert page.evaluate("globalThis.shifts") <= 0.02


def test_a_game_that_is_over_fits_in_both_readings_and_its_deal_is_shown_step_by_step(
    player: Visitor, over: Room
) -> None:
    page = player.page(f"/games/{over.board}/audit")
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#verdict")).to_contain_text(
        "The server and this browser checked the game separately, and agree."
    )
    right = dict.fromkeys(("log", "deals", "play", "receipts", "rules"), "right")
    assert states(page) == {**right, "people": "none"}
    hand(page, 1).locator("summary").first.click()
    steps = hand(page, 1).locator(".steps")
    expect(steps).to_contain_text("This browser computed its fingerprint: the same as promised.")
    expect(steps.locator(".hands dt")).to_have_text(["ann", "Bot 1", "Bot 2"])
    dealt = over.people[0].call("GET", f"/games/{over.game}/hands/1/deal")["deals"][0]
    expect(steps.locator(".hash")).to_have_text([dealt["commit"], dealt["seed"]])
    expect(steps.locator(".hands dd").nth(1).locator(".mini")).to_have_count(len(dealt["hands"][1]))
    hand(page, 1).get_by_text("What the server says about this deal").click()
    expect(hand(page, 1).locator("pre")).to_contain_text("the deck is right")
    hand(page, 2).locator("summary").first.click()
    expect(page.locator(".steps")).to_have_count(2)
    check_access(page, 360, "dark")


def test_a_live_hand_is_not_revealed(player: Visitor, live: Room) -> None:
    page = player.page(f"/games/{live.board}/audit")
    expect(verdict(page)).to_have_text("Everything fits so far")
    expect(page.locator("#verdict")).to_contain_text("one deal isn't revealed yet")
    hand(page, 2).locator("summary").first.click()
    expect(hand(page, 2)).to_contain_text("The seed stays secret until the hand is over.")
    assert hand(page, 2).locator(".mini").count() == 0
    assert states(page)["deals"] == "waits"


def test_a_busy_server_is_waited_for_in_words(stranger: Visitor, over: Room) -> None:
    refused = [429, 503]

    def busy(route: Route) -> None:
        if not refused:
            return route.continue_()
        return route.fulfill(status=refused.pop(), headers={"Retry-After": "1"}, json={"type": "/problems/busy"})

    page = stranger.context.new_page()
    page.route(AUDIT, busy)
    page.goto(f"/games/{over.board}/audit")
    expect(page.get_by_text("The server is busy with other checks. It's asked again in a second.")).to_be_visible()
    expect(page.get_by_text("takes only some checks at a time from each address")).to_be_visible()
    expect(verdict(page)).to_have_text("Everything fits")


def test_a_log_that_was_changed_in_the_store_is_said_with_its_event(stranger: Visitor, over: Room) -> None:
    found = {"version": 9, "says": "its bytes were changed: seat 0 plays KH"}
    report = over.people[0].call("GET", f"/games/{over.game}/audit")
    report |= {"hands": [], "verdict": {"code": 1, "says": "a check failed", "findings": 1}}
    report["log"] |= {"ok": False, "findings": [found]}
    page = stranger.context.new_page()
    page.route(AUDIT, lambda route: route.fulfill(json=report))
    corrupt = {"type": "/problems/corrupt-log", "detail": "The log of this game was changed after it was written."}
    page.route("**/export", lambda route: route.fulfill(status=500, json=corrupt))
    page.goto(f"/games/{over.board}/audit")
    expect(verdict(page)).to_have_text("Something is wrong")
    expect(page.locator("#verdict")).to_contain_text("The log of this game was changed after it was written.")
    expect(page.locator("#verdict li")).to_have_text("Event 9: its bytes were changed: seat 0 plays K♥\ufe0e")
    assert states(page)["log"] == "wrong"


def test_a_receipt_is_kept_and_compared_and_what_the_browser_saw_at_the_table_too(
    player: Visitor, over: Room, live: Room
) -> None:
    player.expected.add("404")
    page = player.page(f"/games/{over.board}")
    page.wait_for_function("(game) => localStorage.getItem(`trickbook:log:${game}`) !== null", arg=over.game)
    page.goto(f"/games/{over.board}/audit")
    expect(verdict(page)).to_be_visible()
    assert states(page)["seen"] == "right"
    note = page.locator("#keep pre").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the receipt").click()
    assert saved.value.path().read_text(encoding="utf-8").strip() == note.strip()
    page.get_by_text("Compare with a receipt that you kept").click()
    kept, compare = page.get_by_label("Receipts or roots"), page.get_by_role("button", name="Compare")
    kept.fill(note)
    compare.click()
    expect(page.locator("#verdict")).to_contain_text("It's also the game of what you kept.")
    kept.fill(live.people[0].call("POST", f"/games/{live.game}/receipts", {})["note"])
    compare.click()
    expect(verdict(page)).to_have_text("Something is wrong")
    expect(page.locator("#receipts")).to_contain_text("It's for another game.")
    kept.fill("my notes")
    compare.click()
    expect(page.get_by_role("alert")).to_contain_text("What you kept can't be compared")
    board = player.open_game("ann", "open", "open")
    page.goto(f"/games/{board}/audit")
    expect(page.get_by_text("This table still waits for players.")).to_be_visible()
