"""Texts of people who mean harm: markup, long words, marks that stack and signs that turn the text around."""

import re

from playwright.sync_api import Page, expect

from tests.api.conftest import PASSWORD
from tests.web.conftest import Village
from tests.web.pages.visitors import OVERFLOW, Visitor

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
    assert page.evaluate(OVERFLOW) == 0
    assert page.locator("main :is(img, script)").count() == 0
    assert "run" not in page.title()


def test_a_table_shows_hostile_messages_and_the_longest_name_as_text(stranger: Visitor) -> None:
    stranger.sign_up(LONGEST_NAME)
    board = stranger.open_game(LONGEST_NAME, "bot:simple", "bot:simple")
    for text in TEXTS.values():
        assert stranger.ask("POST", f"/games/{board}/chat", {"text": text, "to": "table"})["text"] == text
    page = stranger.page(f"/games/{board}")
    page.get_by_role("tab", name="Chat").click()
    messages = page.locator(".message p")
    expect(messages).to_have_count(len(TEXTS))
    assert messages.evaluate_all(BOXES) == [[text, False] for text in TEXTS.values()]
    fits_320_pixels(page)
    for path in (f"/players/{LONGEST_NAME}", *(f"/games/{board}/{part}" for part in ("replay", "score", "text"))):
        page.goto(path)
        expect(page.locator("h1").first).to_be_attached()
        expect(page.locator(".loading")).to_have_count(0)
        fits_320_pixels(page)


def test_a_label_a_statement_and_an_address_stay_text(stranger: Visitor, village: Village) -> None:
    room = village.rooms["alone"]
    stranger.sign_in(room.people[0])
    stranger.ask("POST", "/tokens", {"name": "ann", "password": PASSWORD, "label": MARKUP[:64]})
    page = stranger.page("/me")
    expect(page.get_by_text(MARKUP[:64])).to_be_visible()
    fits_320_pixels(page)
    body = {"hand": 1, "kind": "conduct", "text": MARKUP + TEXTS["a long word"]}
    stranger.ask("POST", f"/games/{room.board}/disputes", body)
    page.goto(f"/games/{room.board}/disputes")
    expect(page.get_by_text(MARKUP)).to_be_visible()
    fits_320_pixels(page)
    stranger.expected.add("404")
    for path, shown in (
        ("%3Cimg%20src=x%20onerror=alert(1)%3E", "<img src=x onerror=alert(1)>"),
        (f"%E2%80%AEabc{'W' * 200}", f"abc{'W' * 200}"),
    ):
        page.goto(f"/players/{path}")
        expect(page.get_by_role("heading", level=1)).to_have_text(shown)
        expect(page).to_have_title(re.compile(f"^{re.escape(shown)} · trickbook$"))
        fits_320_pixels(page)
