"""A finished hand in a page of another site: shown without a cookie, and checked in the reader's browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.web.pages.visitors import Visitor, check_access, visitor
from tests.web.replay.other_site import OTHER_SITES, other_site
from tests.web.replay.pages import facts, replay_page
from tests.web.table.room import WHOLE_HANDS, Person, Room, opened
from tests.web.table.spoken import words

RIGHT = "Checked in your browser: deal and log"
FRAMED = ("/games/{board}/replay", "/games/{board}", "/", "/verify")


@pytest.fixture
def page(browser: Browser, people: list[Person]) -> Iterator[Page]:
    """An empty tab of a player who is signed in, with a cookie."""
    with visitor(browser, people[0].url, people[0], reduced_motion="reduce") as made:
        made.others.append(OTHER_SITES)
        made.expected.add("404")  # of a hand that isn't shown
        yield made.page("about:blank")


def embed(room: Room, hand: int) -> str:
    return f"{room.people[0].url}/embed/games/{room.board}/hands/{hand}"


def test_another_site_can_frame_a_hand_by_the_line_that_the_replay_offers(
    browser: Browser, room: Room, people: list[Person], page: Page
) -> None:
    with replay_page(browser, room, people[0], "?at=12") as replay:
        replay.get_by_text("Embed this hand").click()
        line = replay.get_by_label("Line of HTML").input_value()
    played, sent = facts(room, "CardPlayed"), list[Request]()
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # playwright marks its handlers
    with other_site(line) as site:
        page.goto(site)
        frame = page.frame_locator("iframe")
        expect(frame.locator("[data-check] strong")).to_have_text(RIGHT)
        expect(frame.locator("[data-check]")).to_contain_text("Nobody cut it")
        frame.get_by_role("button", name="one trick on").click()
        expect(frame.locator("[data-say]")).to_contain_text("Trick 1 goes to")
        last = frame.get_by_role("region", name="Last trick")
        expect(last).to_contain_text(words(played[0]["data"]["card"]))
        for event in played[: len(room.seats)]:
            expect(frame.locator(".seen-card").get_by_label(words(event["data"]["card"]))).to_have_count(0)
    asked = [request for request in sent if "/api/" in request.url]
    assert len(asked) >= 4
    assert [request.url for request in asked if "cookie" in request.all_headers()] == []
    assert [request.url for request in sent if "/session" in request.url] == []


def test_no_other_page_can_be_framed(room: Room, stranger: Visitor) -> None:
    addresses = [room.people[0].url + path.format(board=room.board) for path in FRAMED]
    frames = "".join(f'<iframe src="{address}"></iframe>' for address in addresses)
    stranger.others.append(OTHER_SITES)
    page, refused = stranger.context.new_page(), list[str]()
    page.on("console", lambda message: refused.append(message.text))
    with other_site(frames) as site:
        page.goto(site)
        assert sum("frame-ancestors" in text for text in refused) == len(FRAMED)
        for place in range(len(FRAMED)):
            expect(page.frame_locator("iframe").nth(place).locator("main")).to_have_count(0)


def test_a_signed_in_reader_sends_no_cookie_and_sees_no_live_hand_or_private_game(
    room: Room, people: list[Person], page: Page
) -> None:
    sent = list[Request]()
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # playwright marks its handlers
    page.goto(embed(room, 1))
    expect(page.locator("[data-check] strong")).to_have_text(RIGHT)
    assert [each.url for each in sent if "/api/" in each.url and "cookie" in each.all_headers()] == []
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-say]")).to_contain_text("Trick 1 goes to")
    check_access(page, 320)
    page.goto(embed(room, 2))
    expect(page.get_by_role("heading", level=1)).to_have_text("Not yet")
    hidden = opened(people, "pitch", watch={"public": False, "delay": 0})
    page.goto(embed(hidden, 1))
    expect(page.get_by_role("heading", level=1)).to_have_text("No hand to show")
    assert page.locator(".seat").count() == 0


def test_a_record_that_was_changed_is_said_to_be_wrong(room: Room, page: Page) -> None:
    played, *later = facts(room, "CardPlayed")
    text = f'"card":"{played["data"]["card"]}"'
    other = next(each["data"]["card"] for each in later if each["data"]["seat"] == played["data"]["seat"])

    def forge(route: Route) -> None:
        lines = route.fetch().text().split("\n")
        assert text in lines[played["version"]]
        lines[played["version"]] = lines[played["version"]].replace(text, f'"card":"{other}"')
        route.fulfill(body="\n".join(lines), content_type="application/x-ndjson")

    page.route("**/export", forge)
    page.goto(embed(room, 1))
    check = page.locator("[data-check]")
    expect(check.locator("strong")).to_have_text("Something is wrong with this game")
    expect(check).to_contain_text(f"Event {played['version']}")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["setback", "blackout", "corellian"])
def test_every_step_of_a_hand_agrees_with_its_record(people: list[Person], page: Page, variant: str) -> None:
    room = opened(people, variant, options=WHOLE_HANDS.get(variant, {}))
    room.play(lambda view: view["last_hand"])
    page.goto(embed(room, 1))
    check, slider = page.locator("[data-check] strong"), page.locator(".replay-slider")
    expect(check).to_have_text(RIGHT)
    last = people[0].call("GET", f"/games/{room.game}/hands/1")["last"]
    expect(slider).to_have_attribute("max", str(last))  # the first view may come after the check
    while slider.input_value() != str(last):
        shown = page.locator("[data-say]").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-say]")).not_to_have_text(shown)
    expect(page.locator(".zone-result")).to_contain_text("Hand 1, scored")
    expect(check).to_have_text(RIGHT)


@pytest.mark.slow
def test_a_table_that_is_not_that_of_the_record_is_said_to_be_wrong(room: Room, page: Page) -> None:
    first, second = facts(room, "CardPlayed")[:2]

    def lie(route: Route) -> None:
        body = route.fetch().json()
        for each in (body["hand"]["trick"] or {"plays": []})["plays"]:
            each["card"] = second["data"]["card"] if each["card"] == first["data"]["card"] else each["card"]
        route.fulfill(json=body)

    page.route("**/replay?at=*", lie)
    page.goto(embed(room, 1))
    expect(page.locator("[data-check] strong")).to_have_text(RIGHT)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-check]")).to_contain_text("isn't the one of the record")
    page.unroute_all(behavior="wait")
