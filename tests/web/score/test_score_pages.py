"""The pages of scores, standings and players: what they show, live and as ruled; access in both themes; no overflow."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.api.conftest import PASSWORD
from tests.web.pages.visitors import Visitor, violations
from tests.web.score.conftest import BOARDS, HANDS

ADDRESSES = {name: f"/games/{board}/score" for name, board in BOARDS.items()} | {
    "running": "/games/6/score",
    "standings": "/standings",
    "player": "/players/ann",
}
REST = ("pitch", "setback", "blackout")
TOTALS = "table.hands tfoot td"


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.page().close()
    page = visitor.page()
    assert visitor.ask("POST", "/session", {"name": name, "password": PASSWORD})["player"]["name"] == name
    page.close()


def open_page(visitor: Visitor, path: str) -> Page:
    """Open a page, and wait until its content is there."""
    page = visitor.page(path)
    expect(page.locator(".loading")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def fits(page: Page) -> bool:
    page.set_viewport_size({"width": 320, "height": 640})
    return bool(page.evaluate("document.documentElement.scrollWidth === document.documentElement.clientWidth"))


@pytest.mark.parametrize("name", ["pitch", "standings"])
def test_a_page_is_accessible_in_both_themes_and_fits_320_pixels(stranger: Visitor, name: str) -> None:
    page = open_page(stranger, ADDRESSES[name])
    for scheme, width in (("light", 1280), ("dark", 360)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        assert violations(page) == []
    assert fits(page)
    stranger.check()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("name", ADDRESSES)
def test_every_page_is_accessible_at_every_width(stranger: Visitor, name: str, width: int, scheme: str) -> None:
    page = open_page(stranger, ADDRESSES[name])
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 900})
    assert violations(page) == []
    assert fits(page)


@pytest.mark.parametrize("variant", ["corellian", *(pytest.param(each, marks=pytest.mark.slow) for each in REST)])
def test_the_hands_are_a_table_and_a_picture_with_a_text(stranger: Visitor, variant: str) -> None:
    # given the scoreboard of the API
    page = open_page(stranger, ADDRESSES[variant])
    board = stranger.ask("GET", f"/api/v1/games/{BOARDS[variant]}/scoreboard")
    hands = [hand["hand"] for hand in board["hands"]]
    # then each hand is a row whose number leads to the replay of the moment at which it was scored
    rows = page.locator("table.hands tbody th[scope=row] a")
    assert rows.all_text_contents() == list(map(str, hands))
    moments = [f"/games/{BOARDS[variant]}/replay?at={hand['last_version']}" for hand in board["hands"]]
    assert [row.get_attribute("href") for row in rows.all()] == moments
    # and the picture has a line for each column, its names and scores at the ends, and says the same in words
    columns = 2 if variant == "setback" else len(board["players"])
    expect(page.locator("svg.picture polyline")).to_have_count(columns)
    expect(page.locator(TOTALS)).to_have_count(columns)
    ends = [text.rsplit(": ", 1)[1] for text in page.locator("svg.picture text.end").all_text_contents()]
    assert sorted(ends) == sorted(page.locator(TOTALS).all_text_contents())
    picture = page.locator("svg.picture")
    expect(picture).to_have_attribute("aria-label", re.compile(f"over {HANDS} hands"))
    expect(page.locator(f"#{picture.get_attribute('aria-describedby')}")).to_contain_text(f"After hand {hands[-1]}, ")
    assert page.locator("table.hands tr.note").count() >= (variant == "corellian")
    stranger.check()


def scores_of(board: dict[str, Any]) -> dict[str, list[int]]:
    return {"As ruled": board["ruled"]["scores"], "As played": board["totals"]}


def minus(number: int) -> str:
    """Return a number as the pages show it."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def test_rulings_can_be_left_out(stranger: Visitor) -> None:
    page = open_page(stranger, ADDRESSES["pitch"])
    board = stranger.ask("GET", "/api/v1/games/1/scoreboard")
    texts = {which: [minus(each) for each in scores] for which, scores in scores_of(board).items()}
    expect(page.locator(TOTALS)).to_have_text(texts["As ruled"])
    expect(page.locator(".ruled-note")).to_have_text(f"with a ruling: ann +4 and bob {minus(-3)}")
    page.get_by_label("As played").check()
    expect(page.locator(TOTALS)).to_have_text(texts["As played"])
    expect(page.locator(".ruled-note")).to_have_count(0)
    assert open_page(stranger, ADDRESSES["setback"]).get_by_label("As played").count() == 0


def test_a_new_hand_appears_by_itself(stranger: Visitor) -> None:
    # given the scores of a game of ann against a bot, before its first hand is over
    sign_in(stranger, "ann")
    other = stranger.page("/rules")
    table = {"variant": "pitch", "seats": ["ann", "bot:simple"]}
    board = stranger.ask("POST", "/api/v1/games", table)["board"]
    page = open_page(stranger, f"/games/{board}/score")
    expect(page.get_by_text("No hand is over yet.")).to_be_visible()
    # when ann plays on in another tab
    other.evaluate(
        """async (game) => {
            const seat = `/api/v1/games/${game}/seats/0`;
            const view = async () => (await fetch(seat)).json();
            for (let now = await view(); now.status === "active" && !now.last_hand; now = await view()) {
                const legal = now.you.legal;
                const body = JSON.stringify(now.phase === "auction" && legal.length > 1 ? legal[1] : legal[0]);
                await fetch(`/api/v1/games/${game}/moves`, { method: "POST", body,
                    headers: { "Content-Type": "application/json" } });
            }
        }""",
        board,
    )
    # then the hand is in the table and in the picture
    expect(page.locator("table.hands tbody th[scope=row]")).to_have_count(1)
    expect(page.locator("svg.picture polyline")).to_have_count(2)
    stranger.check()


def test_standings_are_chosen_by_game_and_period(stranger: Visitor) -> None:
    page = open_page(stranger, "/standings")
    names = page.locator("table.figures tbody th")
    found = stranger.ask("GET", "/api/v1/standings?variant=pitch")
    expect(names).to_have_text([found["names"][item["player"]] for item in found["items"]])
    page.get_by_label("Game").select_option("blackout")
    expect(names).to_have_count(4)
    page.get_by_label("Period").select_option(index=3)  # the year before last
    expect(page.get_by_text("No games count yet in this period.")).to_be_visible()
    assert re.search(r"/standings#blackout/\d{4}$", page.url)
    page.go_back()
    expect(names).to_have_count(4)
    stranger.check()


def test_the_list_can_be_that_of_ratings(stranger: Visitor) -> None:
    page = open_page(stranger, "/standings")
    page.get_by_label("Order").select_option("rating-two")
    expect(page.get_by_text("Nobody has met five opponents yet.")).to_be_visible()
    expect(page.get_by_label("Period")).to_have_count(0)
    assert page.url.endswith("/standings#pitch/rating-two")
    # and it says whom a ruling moved, or that there is nobody
    moved = page.locator(".rating-changes")
    expect(moved.locator("tbody tr")).to_have_count(2)
    expect(moved.get_by_role("link", name="board 7, dispute 1").first).to_have_attribute("href", "/games/7/disputes")
    for text in ("dan", "fay", "score changed"):
        expect(moved.locator("tbody")).to_contain_text(text)
    assert fits(page)
    assert violations(page) == []
    page.get_by_label("Order").select_option("rating-partners")
    expect(moved).to_contain_text("No ruling on a finished game has moved a rating.")
    page.get_by_label("Order").select_option("won")
    expect(moved).to_have_count(0)
    expect(page.get_by_label("Period")).to_be_visible()
    # and a player's page has all ratings, provisional ones too
    page = open_page(stranger, "/players/ann")
    ratings = stranger.ask("GET", "/api/v1/players/ann/ratings?limit=1")["ratings"]
    rows = page.locator("section:has(h2:text-is('Ratings')) tbody tr")
    expect(rows).to_have_count(len(ratings))
    assert len(ratings) >= 8
    for row, item in zip(rows.all(), ratings, strict=True):
        expect(row).to_contain_text(item["shown"])
    assert "provisional (1 of 20)" in ratings[0]["shown"]
    assert violations(page) == []
    stranger.check()


def test_a_player_s_page_has_history_figures_and_games_against_the_visitor(stranger: Visitor) -> None:
    rows = "section:has(h2:text-is('Finished games')) li.row"
    page = open_page(stranger, "/players/ann")
    expect(page.locator(rows)).to_have_count(4)
    expect(page.get_by_role("heading", name="Against you")).to_have_count(0)
    sign_in(stranger, "bob")
    page = open_page(stranger, "/players/ann")
    expect(page.locator(rows)).to_have_count(5)
    expect(page.locator(rows).first).to_contain_text("private: doesn't count")
    met = page.locator(".meetings li")
    assert any(text.startswith("gamerz Pitch: 1 game. You have ") for text in met.all_text_contents())
    figures = "section:has(h2:text-is('Games that count')) tbody tr"
    expect(page.locator(figures)).to_have_count(4)
    assert violations(page) == []
    expect(open_page(stranger, "/players/nobody-at-all").get_by_text("There is no player")).to_be_visible()
    stranger.check()
