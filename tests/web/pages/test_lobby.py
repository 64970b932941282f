"""The lobby: a stranger plays after one click, tables are made and joined, and waiting games are counted."""

import re

from playwright.sync_api import expect

from tests.web.pages.visitors import TOKEN, Visitor

BOARD = re.compile(r".*/games/[1-9][0-9]*$")


def test_a_stranger_has_cards_after_one_click_and_no_script_has_the_token(stranger: Visitor) -> None:
    page = stranger.page()
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/session" in answer.url else None)
    page.get_by_role("radio", name="Setback").check()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(BOARD)
    board = page.url.rsplit("/", 1)[1]
    view = stranger.ask("GET", f"/api/v1/games/{board}/seats/0")
    assert (view["variant"], len(view["you"]["cards"]), len(view["seats"])) == ("setback", 6, 4)
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })").find("tb_") == -1
    assert bodies
    assert not any(TOKEN.search(body) for body in bodies)
    cookie = next(each for each in stranger.context.cookies() if each["name"] == "trickbook")
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")


def test_play_now_takes_the_last_free_seat_of_a_table_before_it_takes_bots(stranger: Visitor, friend: Visitor) -> None:
    friend.sign_up("greta")
    page = friend.page("/new")
    page.get_by_label("Which game?").select_option("blackout")
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_role("button", name="Make the table").click()
    page.wait_for_url(BOARD)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Blackout, board"))
    other = stranger.page()
    other.get_by_role("radio", name="Blackout").check()
    other.get_by_role("button", name="Play now").click()
    other.wait_for_url(BOARD)
    assert other.url == page.url
    game = stranger.ask("GET", f"/api/v1/games/{page.url.rsplit('/', 1)[1]}")
    assert sorted(seat["kind"] for seat in game["seats"]) == ["bot", "bot", "human", "human"]


def test_waiting_games_are_counted_in_the_title_and_listed_first(stranger: Visitor) -> None:
    stranger.sign_up("heidi")
    stranger.page()
    for seats in (["heidi", "bot:simple"], ["heidi", "open"]):
        stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": seats})
    page = stranger.page()
    mine = page.locator("section", has=page.get_by_role("heading", name="Your games"))
    expect(mine.get_by_role("listitem")).to_have_count(2)
    expect(mine.get_by_role("listitem").first).to_contain_text("Your turn")
    expect(mine.get_by_role("heading")).to_have_text("Your games1 game waits for you")
    expect(page).to_have_title("(1) Play cards · trickbook")
    expect(page.locator("#icon")).to_have_attribute("href", re.compile("waiting-1.svg$"))


def test_a_finished_game_leads_to_its_replay_and_scores(stranger: Visitor) -> None:
    stranger.sign_up("nils")
    stranger.page()
    board = stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["nils", "bot:simple"]})["board"]
    stranger.ask("POST", f"/api/v1/games/{board}/moves", {"type": "resign"})
    page = stranger.page()
    for name, path in (("Replay", "replay"), ("Scores", "score")):
        link = page.get_by_role("link", name=f"{name} of board {board}")
        expect(link).to_have_attribute("href", f"/games/{board}/{path}")


def test_a_question_to_sit_down_arrives_by_itself_and_is_answered(stranger: Visitor, friend: Visitor) -> None:
    stranger.sign_up("iris")
    friend.sign_up("jana")
    page, _ = stranger.page(), friend.page()
    expect(page.get_by_text("No game is running.")).to_be_visible()
    friend.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["jana", "iris"]})
    expect(page.get_by_text("jana asks you to play gamerz Pitch")).to_be_visible()
    page.get_by_role("button", name="Sit down").first.click()
    page.wait_for_url(BOARD)


def test_all_tabs_of_a_browser_share_one_stream(stranger: Visitor) -> None:
    stranger.sign_up("kira")
    first = stranger.page()
    tabs = [first, *(stranger.page() for _ in range(3))]
    streams = [each for each in stranger.requests if "/me/events?after=" in each and not each.endswith("=end")]
    stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["kira", "bot:simple"]})
    for tab in tabs:
        expect(tab).to_have_title("(1) Play cards · trickbook")
    assert len(set(streams)) <= 1


def test_without_a_secure_context_each_tab_follows_by_itself(stranger: Visitor) -> None:
    stranger.sign_up("maud")
    stranger.context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined });")
    page = stranger.page()
    expect(page.get_by_text("No game is running.")).to_be_visible()
    stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["maud", "bot:simple"]})
    expect(page).to_have_title("(1) Play cards · trickbook")


def test_the_own_page_names_others_only_and_leads_to_the_turn(stranger: Visitor, friend: Visitor) -> None:
    stranger.sign_up("orla")
    stranger.page()
    seats = ["orla", "bot:simple", "bot:simple"]
    board = stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": seats, "fairness": {"cuts": "none"}})
    path = f"/games/{board['board']}"
    own, seen = stranger.page("/players/orla"), friend.page("/players/orla")
    for page, button in ((own, "Play"), (seen, "Watch")):
        row = page.locator(".row", has_text="with 2 simple bots")
        expect(row.get_by_role("link", name=button, exact=True)).to_have_attribute("href", path)
        expect(row).not_to_contain_text("orla")
