"""The bell on every page, answers to a dispute, seats that are taken back, rematches, and friends."""

import re

from playwright.sync_api import Page, Route, expect

from tests.web.pages.test_lobby import BOARD
from tests.web.pages.visitors import Visitor, check_access

WATCHED = re.compile(r"/api/v1/games/[0-9a-f-]{36}$")
"""The address of a game's view as watchers see it."""


def bell(page: Page, waits: str) -> None:
    """Open the list of what waits for the player, once the bell says this."""
    expect(page.get_by_role("button", name=waits)).to_be_visible()
    page.get_by_role("button", name=waits).click()
    expect(page.get_by_role("heading", name="What waits for you")).to_be_visible()


def pair(stranger: Visitor, friend: Visitor, name: str, other: str) -> int:
    """Let two players open a game, and return its board. The friend is at seat 0."""
    stranger.sign_up(name)
    board = friend.sign_up(other).open_game(other, name, fairness={"cuts": "none"})
    stranger.ask("POST", f"/games/{board}/seats", {})
    return board


def moves(who: Visitor, board: int, *all_moves: dict[str, object]) -> None:
    for move in all_moves:
        who.ask("POST", f"/games/{board}/moves", move)


def mover(board: int, *people: Visitor) -> tuple[Visitor, Visitor]:
    """Return the visitor whose turn it is, and the other one."""
    one, two = people
    seats = one.ask("GET", f"/games/{board}")["turn"]["seats"]
    own = [seat["player"] for seat in one.ask("GET", f"/games/{board}")["seats"]].index(one.ask("GET", "/me")["id"])
    return (one, two) if own in seats else (two, one)


def test_a_question_and_a_turn_wait_on_every_page_until_they_are_answered(stranger: Visitor, friend: Visitor) -> None:
    page = stranger.sign_up("pippa").page("/standings")
    expect(page.get_by_role("button", name="Nothing waits for you")).to_be_visible()
    board = friend.sign_up("quirin").open_game("quirin", "pippa", "bot:simple")
    page.goto("/privacy")
    bell(page, "1 thing waits for you")
    check_access(page)
    page.get_by_role("link", name="quirin asks you to play Pitch").click()
    expect(page).to_have_url(re.compile(rf"/games/{board}$"))
    expect(page.get_by_role("button", name="Nothing waits for you")).to_be_visible()
    stranger.open_game("pippa", "bot:simple", "bot:simple", fairness={"cuts": "none"})
    page.goto("/standings")
    bell(page, "2 things wait for you")
    expect(page.get_by_role("link", name="Your turn in Pitch")).to_be_visible()


def test_an_accused_player_is_led_to_the_dispute_and_answers_in_their_words(stranger: Visitor, friend: Visitor) -> None:
    board = pair(stranger, friend, "rosina", "sam")
    accused = {"accused": {"seat": 1}}
    body = {"hand": 1, "kind": "conduct", "text": "rosina looked", "details": accused}
    friend.ask("POST", f"/games/{board}/disputes", body)
    page = stranger.page("/standings")
    expect(page.locator(".bell-count")).to_be_visible()
    page.locator(".bell").click()
    page.get_by_role("link", name="you are accused in a dispute").click()
    expect(page).to_have_url(re.compile(rf"/games/{board}/disputes#dispute-1$"))
    dispute = page.locator("#dispute-1")
    dispute.get_by_text("Say your side").click()
    dispute.get_by_label("Your answer").fill("The cards lay open.")
    dispute.get_by_role("button", name="Send the answer").click()
    expect(dispute.get_by_text("The cards lay open.").first).to_be_visible()
    check_access(page)
    other = friend.page(f"/games/{board}/disputes")
    expect(other.get_by_role("heading", name="rosina answers")).to_be_visible()
    assert "lay open" not in other.content(), "the hand is live"
    expect(other.get_by_label("Your answer")).to_have_count(0)


def test_who_asked_reads_that_the_others_answer_and_can_withdraw_and_reads_a_refusal(
    stranger: Visitor, friend: Visitor
) -> None:
    board = pair(stranger, friend, "tilda", "uwe")
    asker, other = mover(board, stranger, friend)
    moves(asker, board, {"text": "2"}, {"type": "undo"})
    page = asker.page(f"/games/{board}")
    expect(page.get_by_text("You asked to take back your move. The others answer")).to_be_visible()
    expect(page.get_by_role("button", name="Agree")).to_have_count(0)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    expect(page.get_by_text("You withdraw your question.").first).to_be_visible()
    moves(asker, board, {"type": "undo"})
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    moves(other, board, {"type": "reject"})
    expect(page.locator(".refusal")).to_contain_text("refuses, so your move stays as it is.")


def test_a_player_whose_seat_a_bot_has_is_told_and_takes_it_back(stranger: Visitor, friend: Visitor) -> None:
    board = pair(stranger, friend, "vida", "winona")
    friend.ask("POST", f"/games/{board}/handovers", {"to": "bot:simple"})
    moves(stranger, board, {"type": "answer_handover", "accept": True})
    page = friend.page("/standings")
    bell(page, "1 thing waits for you")
    page.get_by_role("link", name="a bot plays your seat. You can take it back").click()
    expect(page.get_by_text("A bot plays your seat now")).to_be_visible()
    expect(
        page.get_by_text("winona wants to hand the seat over to").first
    ).to_be_visible()  # though a bot sits there now
    held: list[Route] = []
    page.route(WATCHED, lambda route: held.append(route))  # noqa: PLW0108 a built-in method isn't taken
    with page.expect_request(WATCHED):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#own-hand")).to_be_visible()
    with page.expect_response(WATCHED):
        held[0].continue_(headers={**held[0].request.headers, "if-none-match": '"another"'})
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect(page.get_by_role("button", name="Take it back")).to_have_count(0)
    expect(page.locator("#own-hand")).to_be_visible()


def test_the_finished_table_says_who_wants_a_rematch_and_both_get_one_game(stranger: Visitor, friend: Visitor) -> None:
    board = pair(stranger, friend, "xena", "yves")
    page, other = stranger.page(f"/games/{board}"), friend.page(f"/games/{board}")
    moves(friend, board, {"type": "resign"})
    other.get_by_role("button", name="Play again").first.click()
    expect(other).not_to_have_url(re.compile(rf"/games/{board}$"))
    expect(page.locator(".summary-rematch")).to_have_text("yves wants a rematch")
    page.get_by_role("button", name="Play again with yves").first.click()
    expect(page).to_have_url(other.url)


def test_a_friend_is_added_on_their_page_challenged_and_given_a_seat(stranger: Visitor, friend: Visitor) -> None:
    board = pair(stranger, friend, "zora", "abel")
    moves(friend, board, {"type": "resign"})
    page = stranger.page("/players/abel")
    expect(page.locator(".form .result")).to_have_count(1)
    expect(page.get_by_text("Plays gamerz Pitch most: 1 game that counts.")).to_be_visible()
    page.get_by_role("button", name="Add to my friends").click()
    expect(page.get_by_text("abel may seat you at a table without asking.")).to_be_visible()
    assert stranger.ask("GET", "/me/seating")["friends"] == ["abel"]
    check_access(page)
    page.get_by_role("link", name="Challenge").click()
    expect(page.get_by_label("Name of the player at seat 4")).to_have_value("abel")
    expect(page.get_by_role("heading", name="Give a friend a seat")).to_be_visible()
    page.goto("/players/zora")
    expect(page.get_by_role("link", name="Challenge abel")).to_be_visible()


def test_inviting_a_friend_is_the_first_button_and_makes_a_link(stranger: Visitor) -> None:
    page = stranger.sign_up("beata").page("/new")
    expect(page.locator("main").get_by_role("button").first).to_have_text("Invite a friend")
    page.get_by_role("button", name="Invite a friend").click()
    expect(page).to_have_url(BOARD)
    expect(page.get_by_label("The link")).to_have_value(re.compile("/join#"))
    expect(page.get_by_text("Free, with a link")).to_be_visible()
