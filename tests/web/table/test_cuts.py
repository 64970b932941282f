"""Pages cut by themselves: the second deal is F2, and a sealed cut stays in its browser until it's opened."""

import json

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.step_limit import steps
from tests.web.table.room import (
    LIVE,
    Person,
    Room,
    context_of,
    opened,
    page_of,
    tab_of,
    until_free,
    until_told,
    watched_tab,
)

SEALED = {"cuts": "sealed", "window_s": 600}
KEPT = """() => {
  const cuts = Object.entries(localStorage).filter(([name]) => name.startsWith("trickbook:cut:"));
  return cuts.map(([, cut]) => cut);
}"""
DEALT = "(hand) => globalThis.table.game.model.view.hand?.number === hand"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
OFF = """localStorage.setItem("trickbook.settings", JSON.stringify({ cut: false }));"""


def play_to_hand(room: Room, hand: int, pages: list[Page]) -> None:
    """Play through the API until a hand is dealt; the pages cut for it."""
    spent = steps(200)
    while True:
        next(spent)
        public = room.public()
        if public["hand"] and public["hand"]["number"] >= hand:
            break
        if public["turn"]["seats"]:
            room.move(public["turn"]["seats"][0])
        else:
            pages[0].wait_for_timeout(50)
    for page in pages:
        page.wait_for_function(DEALT, arg=hand)


def test_from_the_second_deal_on_the_grade_is_f2(browser: Browser, people: list[Person]) -> None:
    room, sent = opened(people[:2], "pitch", fairness=SEALED), list[str]()
    with page_of(browser, room, people[0]) as one, page_of(browser, room, people[1]) as other:
        one.on("request", lambda request: sent.append(request.post_data or ""))
        play_to_hand(room, 1, [one, other])
        assert room.public()["hand"]["grade"] == "F1"
        until_told(one, room.public()["version"])
        [secret] = one.evaluate(KEPT)
        play_to_hand(room, 2, [one, other])
        assert room.public()["hand"]["grade"] == "F2"
        cuts = [body for body in map(json.loads, filter(None, sent)) if body.get("type") == "cut"]
        assert [body["cut"] for body in cuts if body["n"] == 2] == [secret]
        assert not [body for body in cuts if body["n"] == 1 and secret in body.values()]
        expect(one.locator(".force")).to_contain_text("This deal can be checked")


def test_with_cutting_switched_off_there_is_a_button_and_an_explanation(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch", fairness=SEALED)
    with context_of(browser, people[0]) as context:
        context.add_init_script(OFF)
        page = tab_of(context, room, people[0])
        expect(page.locator(".ask.cut")).to_contain_text("You have switched off that this browser cuts for you.")
        page.get_by_role("button", name="How cutting works").click()
        expect(page.get_by_role("dialog")).to_contain_text("The secret stays in this browser until it's used.")
        page.get_by_role("button", name="Close").click()
        assert room.public()["ceremony"]["cuts"] == []
        page.get_by_role("button", name="Cut", exact=True).click()
        expect(page.locator(".ask.cut")).to_contain_text("You have cut. Waiting for bob.")
        assert room.public()["ceremony"]["cuts"] == [room.seat_of(people[0])]


def test_a_deal_that_waits_for_the_beacon_says_so(browser: Browser, people: list[Person]) -> None:
    fairness = {"cuts": "sealed", "window_s": 604_800, "beacon": "drand/quicknet"}
    room = opened(people[:1], "pitch", seats=["ann", "bot:simple"], fairness=fairness)
    with page_of(browser, room, people[0]) as page:
        source = room.public()["ceremony"]["beacon"]["source"]
        expect(page.locator(".ask.cut")).to_contain_text(f"Waiting for the round {source} of the beacon.")
        expect(page.get_by_role("heading", name="The deal waits for the public beacon")).to_be_visible()


def test_after_play_now_the_first_deal_is_cut_and_the_second_is_f2(browser: Browser, people: list[Person]) -> None:
    ann = people[0]
    with context_of(browser, ann) as context:
        page = watched_tab(context, ann)
        page.goto(ann.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_function(LIVE)
        view = until_free(page)
        room = Room([ann], view["id"], view["board"], [seat["player"] for seat in view["seats"]])
        play_to_hand(room, 2, [page])
        page.get_by_role("button", name="This deal can be checked").click()
        expect(page.get_by_role("dialog")).to_contain_text("every person cut this deck, with cuts sealed before")
        audited = ann.call("GET", f"/games/{view['id']}/audit")["hands"]
        first, second = [hand for hand in audited if hand["hand"]][:2]
        assert (first["grade"], second["grade"], first["deck"]) == ("F1", "F2", "right")


@pytest.mark.slow
def test_a_cut_that_the_server_deals_without_is_kept_and_said(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch", fairness={"cuts": "sealed", "window_s": 4})
    held = list[Route]()
    with context_of(browser, people[0]) as context:
        page = tab_of(context, room, people[0])
        play_to_hand(room, 1, [page])
        context.route("**/moves", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks its handlers
        play_to_hand(room, 2, [page])
        late = page.locator(".ask.cut.late")
        [cut] = held
        sent = json.loads(cut.request.post_data or "")
        expect(late).to_contain_text("This browser sent your cut for hand 2 at")
        expect(late).to_contain_text("the server dealt without it. It may have been lost.")
        expect(late).to_contain_text(f"Your cut was {sent['cut']}.")
        kept = page.evaluate("(name) => JSON.parse(localStorage.getItem(name))", f"trickbook:sent-cut:{room.game}")
        assert (kept["n"], kept["commit"], kept["cut"]) == (sent["n"], sent["commit"], sent["cut"])
        cut.continue_()
        page.wait_for_function("() => !globalThis.table.game.model.cutting.busy")
        expect(late).to_be_visible()


def test_a_browser_that_keeps_nothing_seals_nothing_and_says_so(browser: Browser, people: list[Person]) -> None:
    room, sent = opened(people[:2], "pitch", fairness=SEALED), list[str]()
    with context_of(browser, people[0]) as context:
        context.add_init_script(FULL)
        context.on("request", lambda request: sent.append(request.post_data or ""))
        page = tab_of(context, room, people[0])
        expect(page.locator(".ask.cut")).to_contain_text("This browser keeps nothing, so the next cut isn't sealed.")
        expect(page.locator(".ask.cut")).to_contain_text("You have cut.")
    [cut] = [body for body in map(json.loads, filter(None, sent)) if body.get("type") == "cut"]
    assert cut["next_seal"] is None
