"""The lobby: a stranger plays after one click, tables are made and joined, and waiting games are counted."""

import re

from playwright.sync_api import expect

from tests.web.pages.visitors import TOKEN, Visitor, choose_game

BOARD = re.compile(r".*/games/[1-9][0-9]*$")
WAITING = "(1) Play cards · trickbook"


def test_a_stranger_has_cards_after_one_click_and_no_script_has_the_token(stranger: Visitor) -> None:
    page = stranger.page()
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/session" in answer.url else None)
    choose_game(page, re.compile("^Setback Three"))
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(BOARD)
    board = page.url.rsplit("/", 1)[1]
    view = stranger.ask("GET", f"/games/{board}/seats/0")
    assert (view["variant"], len(view["you"]["cards"]), len(view["seats"])) == ("setback", 6, 4)
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })").find("tb_") == -1
    assert bodies
    assert not any(TOKEN.search(body) for body in bodies)
    cookie = next(each for each in stranger.context.cookies() if each["name"] == "trickbook")
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")


def test_play_now_takes_the_last_free_seat_of_a_table_before_it_takes_bots(stranger: Visitor, friend: Visitor) -> None:
    seats = ("greta", "open", "bot:simple", "bot:simple")
    board = friend.sign_up("greta").open_game(*seats, variant="blackout")
    page = stranger.page()
    choose_game(page, "Blackout")
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(BOARD)
    assert page.url == f"{stranger.home}/games/{board}"
    game = stranger.ask("GET", f"/games/{board}")
    assert sorted(seat["kind"] for seat in game["seats"]) == ["bot", "bot", "human", "human"]


def test_waiting_games_are_counted_by_all_tabs_over_one_stream_and_listed_first(stranger: Visitor) -> None:
    stranger.sign_up("heidi")
    over = stranger.open_game("heidi", "bot:simple")
    stranger.ask("POST", f"/games/{over}/moves", {"type": "resign"})
    stranger.open_game("heidi", "open", "open")
    page = stranger.page()
    tabs = [page, stranger.page(), stranger.page()]
    streams = [each for each in stranger.requests if "/me/events?after=" in each and not each.endswith("=end")]
    stranger.open_game("heidi", "bot:simple")
    for tab in tabs:
        expect(tab).to_have_title(WAITING)
    assert len(set(streams)) <= 1
    mine = page.locator("section", has=page.get_by_role("heading", name="Your games"))
    expect(mine.get_by_role("listitem")).to_have_count(2)
    expect(mine.get_by_role("listitem").first).to_contain_text("Your turn")
    expect(mine.get_by_role("heading")).to_have_text("Your games1 game waits for you")
    expect(page.locator("#icon")).to_have_attribute("href", re.compile("waiting-1.svg$"))
    for name, path in (("Replay", "replay"), ("Scores", "score")):
        link = page.get_by_role("link", name=f"{name} of board {over}")
        expect(link).to_have_attribute("href", f"/games/{over}/{path}")


def test_a_question_to_sit_down_arrives_by_itself_and_is_answered(stranger: Visitor, friend: Visitor) -> None:
    page = stranger.sign_up("iris").page()
    expect(page.get_by_text("No game is running.")).to_be_visible()
    friend.sign_up("jana").ask("POST", "/games", {"variant": "pitch", "seats": ["jana", "iris"]})
    expect(page.get_by_text("jana asks you to play gamerz Pitch")).to_be_visible()
    page.get_by_role("button", name="Sit down").first.click()
    expect(page).to_have_url(BOARD)


def test_the_own_page_names_others_only_and_leads_to_the_turn(stranger: Visitor, friend: Visitor) -> None:
    board = stranger.sign_up("orla").open_game("orla", "bot:simple", "bot:simple", fairness={"cuts": "none"})
    for page, button in ((stranger.page("/players/orla"), "Play"), (friend.page("/players/orla"), "Watch")):
        row = page.locator(".row", has_text="with 2 simple bots")
        expect(row.get_by_role("link", name=button, exact=True)).to_have_attribute("href", f"/games/{board}")
        expect(row).not_to_contain_text("orla")
