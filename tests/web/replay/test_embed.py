"""A finished hand in a page of another site: shown without a cookie, and checked in the reader's browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.web.pages.visitors import violations
from tests.web.replay.other_site import other_site
from tests.web.replay.pages import replay_page, tab
from tests.web.replay.playing import play
from tests.web.replay.test_stepping import facts
from tests.web.table.room import WHOLE_HANDS, Person, Room, context_of, opened
from tests.web.table.spoken import words

RIGHT = "Checked in your browser: deal and log"


@pytest.fixture
def page(browser: Browser, people: list[Person]) -> Iterator[Page]:
    """A tab of a player who is signed in, with a cookie."""
    with context_of(browser, people[0]) as context, tab(context) as made:
        yield made


def requests_of(page: Page) -> list[Request]:
    """Return the list to which the page's requests are added."""
    sent = list[Request]()

    def keep(request: Request) -> None:
        sent.append(request)

    page.on("request", keep)
    return sent


def embed(room: Room, hand: int) -> str:
    """Return the address of a hand's page."""
    return f"{room.people[0].url}/embed/games/{room.board}/hands/{hand}"


def test_another_site_can_frame_a_hand_by_the_line_that_the_replay_offers(
    browser: Browser, room: Room, people: list[Person], page: Page
) -> None:
    with replay_page(browser, room, people[0], "?at=12") as replay:
        replay.get_by_text("Embed this hand").click()
        line = replay.get_by_label("Line of HTML").input_value()
    played, sent = facts(room, "CardPlayed"), requests_of(page)
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


@pytest.mark.parametrize(
    "path",
    [
        "/games/{board}/replay",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("/games/{board}", "/", "/verify")),
    ],
)
def test_no_other_page_can_be_framed(room: Room, browser: Browser, path: str) -> None:
    address = room.people[0].url + path.format(board=room.board)
    with other_site(f'<iframe src="{address}"></iframe>') as site, context_of(browser, None) as context:
        page, refused = context.new_page(), list[str]()
        page.on("console", lambda message: refused.append(message.text))
        page.goto(site)
        expect(page.frame_locator("iframe").locator("main")).to_have_count(0)
        assert any("frame-ancestors" in text for text in refused)


@pytest.mark.slow
def test_a_signed_in_reader_sends_no_cookie_either(room: Room, page: Page) -> None:
    sent = requests_of(page)
    page.goto(embed(room, 1))
    expect(page.locator("[data-check] strong")).to_have_text(RIGHT)
    assert [each.url for each in sent if "/api/" in each.url and "cookie" in each.all_headers()] == []


def test_a_live_hand_and_a_private_game_are_not_shown(room: Room, people: list[Person], page: Page) -> None:
    page.goto(embed(room, 2))
    expect(page.get_by_role("heading", level=1)).to_have_text("Not yet")
    hidden = opened(people, "pitch", watch={"public": False, "delay": 0})
    page.goto(embed(hidden, 1))
    expect(page.get_by_role("heading", level=1)).to_have_text("No hand to show")
    assert page.locator(".seat").count() == 0


def test_a_record_that_was_changed_is_said_to_be_wrong(room: Room, page: Page) -> None:
    played = facts(room, "CardPlayed")[0]
    text = f'"card":"{played["data"]["card"]}"'

    def forge(route: Route) -> None:
        lines = route.fetch().text().split("\n")
        assert text in lines[played["version"]]
        lines[played["version"]] = lines[played["version"]].replace(text, '"card":"' + other_card(room) + '"')
        route.fulfill(body="\n".join(lines), content_type="application/x-ndjson")

    page.route("**/export", forge)
    page.goto(embed(room, 1))
    check = page.locator("[data-check]")
    expect(check.locator("strong")).to_have_text("Something is wrong with this game")
    expect(check).to_contain_text(f"Event {played['version']}")


def other_card(room: Room) -> str:
    """Return a card of the same seat that it plays later."""
    first, *later = facts(room, "CardPlayed")
    return str(next(each["data"]["card"] for each in later if each["data"]["seat"] == first["data"]["seat"]))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["setback", "blackout", "corellian"])
def test_every_step_of_a_hand_agrees_with_its_record(people: list[Person], page: Page, variant: str) -> None:
    dee = Person(people[0].url, f"embedded-{variant}").register()
    room = opened([*people, dee], variant, options=WHOLE_HANDS.get(variant, {}))
    play(room, lambda view: bool(view["last_hand"]))
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


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_an_embedded_hand_is_accessible_and_fits_320_pixels(browser: Browser, room: Room, scheme: str) -> None:
    with context_of(browser, None, width=320, color_scheme=scheme) as context, tab(context) as page:
        page.goto(embed(room, 1))
        expect(page.locator("[data-check] strong")).to_have_text(RIGHT)
        page.keyboard.press("ArrowDown")
        expect(page.locator("[data-say]")).to_contain_text("Trick 1 goes to")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
