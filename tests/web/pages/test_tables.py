"""Making a table, inviting by a link, sitting down, leaving, starting with bots."""

import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.web.pages.visitors import Visitor, choose_game

SEVERAL_WORDS = re.compile(r"\S+ .*\S+")
"""An option's label says what it does. Its name alone, such as "Settle", doesn't."""
BOARD = re.compile(r".*/games/[1-9][0-9]*$")


def make_table(made: Visitor, page: Page) -> dict[str, Any]:
    page.get_by_role("button", name="Make the table").click()
    expect(page).to_have_url(BOARD)
    table: dict[str, Any] = made.ask("GET", f"/games/{page.url.rsplit('/', 1)[1]}")
    return table


def test_the_form_has_every_option_with_its_clause_and_opens_what_it_shows(stranger: Visitor) -> None:
    page = stranger.sign_up("quin").page("/new")
    for variant in stranger.ask("GET", "/variants")["items"]:
        page.get_by_label("Which game?").select_option(variant["name"])
        for option in variant["options"]:
            expect(page.locator(f"#option-{option['name']}")).to_be_visible()
            expect(page.locator(f"label[for=option-{option['name']}]")).to_have_text(SEVERAL_WORDS)
            if option["ruling"]:
                link = page.get_by_role("link", name=f"Clause {option['ruling']}", exact=True)
                expect(link).to_have_attribute("href", f"/rules/{variant['name']}#{option['ruling']}")
    page.get_by_role("button", name="Corellian Pitch for two hours").click()
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_label("dirty").uncheck()
    page.get_by_label("Watching").select_option("private")
    table = make_table(stranger, page)
    assert (table["variant"], table["status"], table["watch"]["public"]) == ("corellian", "forming", False)
    assert table["options"]["randomizer"]["dirty"] is False
    assert table["options"]["ends_at"].endswith("Z")


def test_a_stranger_chooses_options_in_words_and_sits_at_the_table_as_a_guest(stranger: Visitor) -> None:
    page = stranger.page("/new")
    page.get_by_label("The fifth point, for high, low, jack and all tricks, goes to").select_option(
        "only a pitcher who bid five"
    )
    page.get_by_label("A pitcher who falls short of the bid").select_option("can win it by points that come first")
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_label("Watching").select_option("private")
    table = make_table(stranger, page)
    assert (table["options"]["fifth"], table["options"]["settle"]) == ("bid", "points_first")
    expect(page.locator("dl.facts dd").get_by_text("only a pitcher who bid five")).to_be_visible()
    page.goto("about:blank")  # the table asks for news, and would get a 401
    stranger.context.clear_cookies()
    page.goto("/new")
    expect(page.get_by_label("Seat 1", exact=True).locator("option:checked")).to_have_text("You, as a guest")
    page.get_by_label("How many players?").select_option("2")
    page.get_by_label("Cuts").select_option("none")
    view = stranger.ask("GET", f"/games/{make_table(stranger, page)['id']}/seats/0")
    name = view["names"][view["seats"][0]["player"]]
    assert name.startswith("guest-")
    page.goto("/new")
    own = page.get_by_label("Seat 1", exact=True).locator("option:checked")
    expect(own).to_have_text(f"You, Guest {name[6:10]}")
    assert len(view["you"]["cards"]) == 6


def test_a_friend_without_an_account_sits_down_by_a_link(stranger: Visitor, friend: Visitor) -> None:
    friend.expected.add("404")
    page = stranger.sign_up("rosa").page("/new")
    page.get_by_role("button", name="Quick Pitch to 7 with bots").click()
    page.get_by_label("Seat 2", exact=True).select_option("invite")
    page.get_by_label("Cuts").select_option("none")
    table = make_table(stranger, page)["id"]
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link").input_value()
    assert link.startswith(f"{stranger.home}/join#")
    other = friend.page(link)
    sign_up = other.get_by_role("link", name="Sign up first, so that the others know you")
    expect(sign_up).to_have_attribute("href", re.compile(f"^/sign-up#.*{link.partition('#')[2]}$"))
    other.get_by_role("button", name="Sit down here").click()
    expect(other).to_have_url(BOARD)
    assert other.url == page.url
    assert len(stranger.ask("GET", f"/games/{table}/seats/0")["you"]["cards"]) == 6
    again = friend.page(link)
    expect(again.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")


def test_a_link_to_a_table_that_only_invited_people_see_asks_for_nothing_that_is_hidden(
    stranger: Visitor, friend: Visitor
) -> None:
    table = stranger.sign_up("vita").open_game("vita", "invite", "invite", "bot:simple", variant="setback")
    made = stranger.ask("POST", f"/games/{table}/invitations", {"uses": 1})
    page = friend.page(f"/join#{made['token']}")
    expect(page.get_by_role("button", name="Sit down here")).to_be_visible()
    with page.expect_response(re.compile("/api/v1/(games|invitations)/")) as looked:
        pass
    assert looked.value.status == 200
    friend.expected.add("404")
    stranger.ask("DELETE", f"/games/{table}/invitations/{made['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")


def test_a_seat_is_left_and_the_opener_starts_with_bots(stranger: Visitor, friend: Visitor) -> None:
    board = stranger.sign_up("sara").open_game("sara", "open", "open", "bot:simple", variant="setback")
    page, other = stranger.page(f"/games/{board}"), friend.sign_up("tina").page(f"/games/{board}")
    other.get_by_role("button", name="Sit down here").click()
    expect(page.get_by_text("tina")).to_be_visible()
    other.get_by_role("button", name="Leave the seat").click()
    expect(page.get_by_text("tina")).to_have_count(0)
    page.get_by_role("button", name="Start now").click()
    expect(page.get_by_role("button", name="Start now")).to_have_count(0)
    assert stranger.ask("GET", f"/games/{board}")["status"] == "active"


def test_a_table_that_is_sent_without_an_answer_is_sent_again_and_opened_once(stranger: Visitor) -> None:
    page = stranger.sign_up("uma").page()
    keys: list[str] = []

    def lose_first_answer(route: Route) -> None:
        request = route.request
        keys.append(request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route(re.compile("/api/v1/games$"), lose_first_answer)
    choose_game(page, "Corellian")
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_text("Not sent yet.")).to_be_visible()
    expect(page).to_have_url(BOARD)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert len(stranger.ask("GET", "/games?player=uma&limit=10")["items"]) == 1
