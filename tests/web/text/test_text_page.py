"""The table as text: commands, live updates, and use without eyes."""

from playwright.sync_api import Page, expect

from tests.web.pages.visitors import Visitor, check_access

SENTENCES_END_INSIDE = """(board) => [...board.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .every((node) => {
      const range = new Range();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().right <= board.getBoundingClientRect().right;
    })"""


def open_text(made: Visitor, name: str) -> tuple[Page, int]:
    """Sign up, open a game with a bot, and return its text page."""
    board = made.sign_up(name).open_game(name, "bot:simple")
    page = made.page(f"/games/{board}/text")
    expect(page.get_by_role("region", name="Board")).to_contain_text(f"Waiting for: {name}")
    return page, board


def last_call(made: Visitor, board: int) -> str:
    """Return the highest bid that the player may make, or "pass" if the bot has bid as much; it ends the auction."""
    move = made.ask("GET", f"/games/{board}/seats/0")["you"]["legal"][-1]
    return str(move.get("bid", "pass"))


def write(page: Page, text: str) -> None:
    page.get_by_label("Command", exact=True).fill(text)
    page.keyboard.press("Enter")


def test_on_a_phone_sentences_are_wrapped_and_moves_of_others_and_a_shadow_of_the_table_are_shown(
    stranger: Visitor,
) -> None:
    page, number = open_text(stranger, "Theodora-with-a-name-of-32-signs")
    page.set_viewport_size({"width": 360, "height": 740})
    board = page.get_by_role("region", name="Board")
    assert board.evaluate(SENTENCES_END_INSIDE)
    assert board.evaluate("(one) => one.scrollWidth > one.clientWidth")
    assert "linear-gradient" in board.evaluate("(one) => getComputedStyle(one).backgroundImage")
    board.evaluate("(one) => one.addEventListener('scroll', () => one.setAttribute('data-moved', 'yes'))")
    board.press("ArrowRight")
    expect(board).to_have_attribute("data-moved", "yes")
    call = last_call(stranger, number)
    stranger.ask("POST", f"/games/{number}/moves", {"text": call})
    expect(page.get_by_role("log")).to_contain_text(call)
    expect(board).to_contain_text("pitcher")
    check_access(page, 360, "dark")


def test_a_game_is_played_by_commands_and_read_out(stranger: Visitor) -> None:
    page, board = open_text(stranger, "tess")
    box, said = page.get_by_label("Command", exact=True), page.get_by_role("log")
    expect(box).to_be_focused()
    write(page, "9")
    expect(said).to_contain_text("9 isn't a bid")
    write(page, last_call(stranger, board))
    expect(page.get_by_role("region", name="Board")).to_contain_text("pitcher")
    write(page, "help queue")
    expect(said).to_contain_text("Keep a move until your turn comes")
    write(page, f"pitch show {board}#3")
    expect(said).to_contain_text("move #3")
    expect(box).to_be_focused()
    for key, line in (
        ("ArrowUp", f"pitch show {board}#3"),
        ("ArrowUp", "help queue"),
        ("ArrowDown", f"pitch show {board}#3"),
    ):
        box.press(key)
        expect(box).to_have_value(line)
    assert page.locator("main").locator("[aria-live], [role=status], [role=alert]").count() == 1
    check_access(page)
    page.get_by_role("navigation", name="Pages of this game").get_by_role("link", name="Table", exact=True).click()
    expect(page).to_have_url(f"{stranger.home}/games/{board}")
