"""The table as text: commands, live updates, and use without eyes."""

from playwright.sync_api import Page, expect

from tests.web.pages.visitors import Visitor, violations

SENTENCES_END_INSIDE = """(board) => [...board.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .every((node) => {
      const range = new Range();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().right <= board.getBoundingClientRect().right;
    })"""


def open_text(made: Visitor, name: str) -> tuple[Page, int]:
    """Sign up, open a game with a bot, and return its text page."""
    made.sign_up(name)
    made.page()
    board = made.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": [name, "bot:simple"]})["board"]
    page = made.page(f"/games/{board}/text")
    expect(page.get_by_role("region", name="Board")).to_contain_text(f"Waiting for: {name}")
    return page, board


def last_call(made: Visitor, board: int) -> str:
    """Return the highest bid that the player may make, or "pass" if the bot has bid as much; it ends the auction."""
    move = made.ask("GET", f"/api/v1/games/{board}/seats/0")["you"]["legal"][-1]
    return str(move.get("bid", "pass"))


def write(page: Page, text: str) -> None:
    """Write a line in the box."""
    page.get_by_label("Command", exact=True).fill(text)
    page.keyboard.press("Enter")


def test_on_a_phone_sentences_are_wrapped_and_a_table_that_scrolls_has_a_shadow(stranger: Visitor) -> None:
    page, _ = open_text(stranger, "Theodora-with-a-name-of-32-signs")
    page.set_viewport_size({"width": 360, "height": 740})
    board = page.get_by_role("region", name="Board")
    assert board.evaluate(SENTENCES_END_INSIDE)
    assert board.evaluate("(one) => one.scrollWidth > one.clientWidth")
    assert "linear-gradient" in board.evaluate("(one) => getComputedStyle(one).backgroundImage")
    board.evaluate("(one) => one.addEventListener('scroll', () => one.setAttribute('data-moved', 'yes'))")
    board.press("ArrowRight")
    expect(board).to_have_attribute("data-moved", "yes")
    check_access(page)


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
    check_access(page)
    page.get_by_role("navigation", name="Pages of this game").get_by_role("link", name="Table", exact=True).click()
    page.wait_for_url(f"{stranger.home}/games/{board}")
    assert stranger.complaints == []


def check_access(page: Page) -> None:
    """Check that the page is accessible in both themes, has one live region, and fits 320 pixels."""
    assert page.locator("main").locator("[aria-live], [role=status], [role=alert]").count() == 1
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_page_follows_the_moves_of_others(stranger: Visitor) -> None:
    page, board = open_text(stranger, "theo")
    call = last_call(stranger, board)
    stranger.ask("POST", f"/api/v1/games/{board}/moves", {"text": call})
    expect(page.get_by_role("log")).to_contain_text(call)
    expect(page.get_by_role("region", name="Board")).to_contain_text("pitcher")
