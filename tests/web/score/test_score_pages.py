"""The pages of scores, standings and players: what they show, live and as ruled. Their access: test_every_page.py."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Village
from tests.web.pages.visitors import OVERFLOW, Visitor, check_access
from tests.web.played import BOARDS, HANDS, RULED
from tests.web.table.room import opened

REST = ("pitch", "setback", "blackout")
TOTALS = "table.hands tfoot td"


@pytest.mark.parametrize("variant", ["corellian", *(pytest.param(each, marks=pytest.mark.slow) for each in REST)])
def test_the_hands_are_a_table_and_a_picture_with_a_text(stranger: Visitor, variant: str) -> None:
    # given the scoreboard of the API
    page = stranger.page(f"/games/{BOARDS[variant]}/score")
    board = stranger.ask("GET", f"/games/{BOARDS[variant]}/scoreboard")
    hands = [hand["hand"] for hand in board["hands"]]
    # then each hand is a row whose number leads to the replay of the moment at which it was scored
    rows = page.locator("table.hands tbody th[scope=row] a")
    expect(rows).to_have_text(list(map(str, hands)))
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


def minus(number: int) -> str:
    return str(number).replace("-", "\N{MINUS SIGN}")


def test_long_names_stand_whole_below_the_picture_of_a_phone(stranger: Visitor) -> None:
    page = stranger.page(f"/games/{BOARDS['corellian']}/score")
    page.set_viewport_size({"width": 390, "height": 844})
    lines = [{"name": "Theodora-with-a-name-of-32-signs", "totals": [7]}, {"name": "una", "totals": [-3]}]
    address = page.locator("script[src*='/score-page.js']").get_attribute("src")
    drawn = page.evaluate(
        """async ([address, lines]) => {
          const { drawNames, drawPicture } = await import(address.replace("joined/score-page", "score/picture"));
          const drawn = [drawPicture({ lines, hands: [1], goal: null }, 340, "x"), drawNames(lines, 340)];
          document.querySelector("main").replaceChildren(...drawn);
          return [...document.querySelectorAll("svg.picture text.end")].map((each) => each.textContent);
        }""",
        [address, lines],
    )
    assert drawn == ["7", minus(-3)]
    expect(page.locator(".picture-names li")).to_have_text(
        [" Theodora-with-a-name-of-32-signs: 7", f" una: {minus(-3)}"]
    )


def test_rulings_can_be_left_out(stranger: Visitor) -> None:
    page = stranger.page(f"/games/{BOARDS['pitch']}/score")
    board = stranger.ask("GET", f"/games/{BOARDS['pitch']}/scoreboard")
    expect(page.locator(TOTALS)).to_have_text([minus(each) for each in board["ruled"]["scores"]])
    expect(page.locator(".ruled-note")).to_have_text(f"with a ruling: una +4 and vic {minus(-3)}")
    page.get_by_label("As played").check()
    expect(page.locator(TOTALS)).to_have_text([minus(each) for each in board["totals"]])
    expect(page.locator(".ruled-note")).to_have_count(0)
    page.goto(f"/games/{BOARDS['setback']}/score")
    expect(page.locator(TOTALS)).to_have_count(2)
    assert page.get_by_label("As played").count() == 0


def test_a_new_hand_appears_by_itself(stranger: Visitor, village: Village) -> None:
    room = opened([village.people["ann"]], "pitch", ["ann", "bot:simple"])
    page = stranger.page(f"/games/{room.board}/score")
    expect(page.get_by_text("No hand is over yet.")).to_be_visible()
    room.play(lambda view: view["last_hand"])
    expect(page.locator("table.hands tbody th[scope=row]")).to_have_count(1)
    expect(page.locator("svg.picture polyline")).to_have_count(2)


def test_standings_are_chosen_by_game_and_period(stranger: Visitor) -> None:
    page = stranger.page("/standings")
    names = page.locator("table.figures tbody th")
    expect(names.filter(has_text=re.compile("^(una|vic|wes)$"))).to_have_count(3)  # and players of other tests
    page.get_by_label("Game").select_option("blackout")
    found = stranger.ask("GET", "/standings?variant=blackout")
    listed = [found["names"][item["player"]] for item in found["items"]]
    assert {"una", "vic", "wes", "xia"} <= set(listed)
    expect(names).to_have_text(listed)
    page.get_by_label("Period").select_option(index=3)  # the year before last
    expect(page.get_by_text("No games count yet in this period.")).to_be_visible()
    assert re.search(r"/standings#blackout/\d{4}$", page.url)
    page.go_back()
    expect(names).to_have_text(listed)


def test_the_list_can_be_that_of_ratings(stranger: Visitor) -> None:
    page = stranger.page("/standings")
    page.get_by_label("Order").select_option("rating-two")
    expect(page.get_by_text("Nobody has met five opponents yet.")).to_be_visible()
    expect(page.get_by_label("Period")).to_have_count(0)
    assert page.url.endswith("/standings#pitch/rating-two")
    # and it says whom a ruling moved, or that there is nobody
    moved = page.locator(".rating-changes")
    expect(moved.locator("tbody tr")).to_have_count(2)
    link = moved.get_by_role("link", name=f"board {RULED}, dispute 1")
    expect(link.first).to_have_attribute("href", f"/games/{RULED}/disputes")
    for text in ("wes", "xia", "score changed"):
        expect(moved.locator("tbody")).to_contain_text(text)
    check_access(page)
    page.get_by_label("Order").select_option("rating-partners")
    expect(moved).to_contain_text("No ruling on a finished game has moved a rating.")
    page.get_by_label("Order").select_option("won")
    expect(moved).to_have_count(0)
    expect(page.get_by_label("Period")).to_be_visible()


def test_a_button_adds_older_changes_of_ratings(stranger: Visitor) -> None:
    # given a list that comes change by change
    page = stranger.page("/standings")
    page.route("**/ratings/changes?*", lambda route: route.continue_(url=route.request.url.replace("=25", "=1")))
    page.get_by_label("Order").select_option("rating-two")
    rows = page.locator(".rating-changes tbody tr")
    expect(rows).to_have_count(1)
    # when the visitor asks for more, then one more is there, and no button
    more = page.locator(".rating-changes button")
    more.click()
    expect(rows).to_have_count(2)
    expect(more).to_have_count(0)


def test_a_player_s_page_has_ratings_history_figures_and_games_against_the_visitor(
    stranger: Visitor, village: Village
) -> None:
    page = stranger.page("/players/una")
    # provisional ratings are there, too
    ratings = stranger.ask("GET", "/players/una/ratings?limit=1")["ratings"]
    rows = page.locator("section:has(h2:text-is('Ratings')) tbody tr")
    expect(rows).to_have_count(len(ratings))
    assert len(ratings) >= 8
    for row, item in zip(rows.all(), ratings, strict=True):
        expect(row).to_contain_text(item["shown"])
    assert "provisional (1 of 20)" in ratings[0]["shown"]
    finished = page.locator("section:has(h2:text-is('Finished games')) li.row")
    expect(finished).to_have_count(4)
    expect(page.get_by_role("heading", name="Against you")).to_have_count(0)
    stranger.sign_in(village.people["vic"])
    page.reload()
    expect(finished).to_have_count(5)
    expect(finished.first).to_contain_text("private: doesn't count")
    met = page.locator(".meetings li")
    expect(met.filter(has_text=re.compile("^gamerz Pitch: 1 game. You have "))).to_have_count(1)
    figures = page.locator("section:has(h2:text-is('Games that count')) tbody tr")
    expect(figures).to_have_count(4)
    ranks = [item["rank"] for item in stranger.ask("GET", "/players/una/standings")["items"]]
    assert None not in ranks
    assert [row.locator("td").first.text_content() for row in figures.all()] == [str(rank) for rank in ranks]
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(OVERFLOW) == 0
    stranger.expected.add("404")
    page.goto("/players/nobody-at-all")
    expect(page.get_by_text("There is no player")).to_be_visible()
