"""Texts of people who mean harm: markup, long words, marks that stack and signs that turn the text around."""

from playwright.sync_api import Page, expect

from tests.api.conftest import PASSWORD
from tests.web.pages.visitors import Visitor
from tests.web.pictures import play

LONGEST_NAME = "W" * 32
MARKUP = """<img src=x onerror="document.title='run'"><script>document.title='run'</script>"""
TEXTS = {
    "markup": MARKUP,
    "right to left": "\u202egnihtyreve esrever\u2066\u2067 abc",
    "a long word": "W" * 600,
    "zero width": "a\u200b" * 200 + "\u200d\u200e\u2060",
    "stacked marks": "Z" + "\u0301" * 120,
    "values of a message": "{name} {count} {n:card|cards}",
}
BOXES = """(all) => all.map((one) => [one.textContent, one.scrollHeight > one.clientHeight + 1 &&
    getComputedStyle(one).overflowY === "visible"])"""


def fits_320_pixels(page: Page) -> None:
    """Check that nothing is beyond the edge of the narrowest window, and that no markup became an element."""
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("main :is(img, script)").count() == 0
    assert "run" not in page.title()


def test_a_table_shows_hostile_messages_and_the_longest_name_as_text(stranger: Visitor) -> None:
    stranger.sign_up(LONGEST_NAME)
    stranger.page()
    seats = [LONGEST_NAME, "bot:simple", "bot:simple"]
    board = stranger.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": seats})["board"]
    for text in TEXTS.values():
        assert stranger.ask("POST", f"/api/v1/games/{board}/chat", {"text": text, "to": "table"})["text"] == text
    page = stranger.page(f"/games/{board}")
    page.get_by_role("tab", name="Chat").click()
    messages = page.locator(".message p")
    expect(messages).to_have_count(len(TEXTS))
    assert messages.evaluate_all(BOXES) == [[text, False] for text in TEXTS.values()]
    fits_320_pixels(page)
    for other in (
        f"/players/{LONGEST_NAME}",
        f"/games/{board}/replay",
        f"/games/{board}/score",
        f"/games/{board}/text",
    ):
        opened = stranger.page(other)
        expect(opened.locator(".loading")).to_have_count(0)
        fits_320_pixels(opened)


def test_the_account_page_shows_a_hostile_label_as_text(stranger: Visitor) -> None:
    stranger.sign_up("mallory")
    stranger.page()
    stranger.ask("POST", "/api/v1/tokens", {"name": "mallory", "password": PASSWORD, "label": MARKUP[:64]})
    page = stranger.page("/me")
    expect(page.get_by_text(MARKUP[:64])).to_be_visible()
    fits_320_pixels(page)


def test_a_dispute_shows_a_hostile_statement_as_text(stranger: Visitor) -> None:
    stranger.sign_up("mordred")
    stranger.page()
    body = {"variant": "pitch", "seats": ["mordred", "bot:simple"], "options": {"win": 7}, "fairness": {"cuts": "none"}}
    board = stranger.ask("POST", "/api/v1/games", body)["board"]
    play(stranger, board, lambda view: view["last_hand"] is not None)
    statement = MARKUP + TEXTS["a long word"]
    stranger.ask("POST", f"/api/v1/games/{board}/disputes", {"hand": 1, "kind": "conduct", "text": statement})
    page = stranger.page(f"/games/{board}/disputes")
    expect(page.get_by_text(MARKUP)).to_be_visible()
    fits_320_pixels(page)


def test_an_address_cannot_turn_the_heading_of_a_player_around(stranger: Visitor) -> None:
    page = stranger.page(f"/players/%E2%80%AEabc{'W' * 200}")
    expect(page.get_by_role("heading", level=1)).to_have_text("abc" + "W" * 200)
    assert page.title() == f"abc{'W' * 200} · trickbook"
    fits_320_pixels(page)
