"""With the colors of the system, everything can be read, and no background alone says a state."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from tests.web.pages.visitors import violations
from tests.web.table.pages import show
from tests.web.table.recorded import Moment, one_of_each

SHAPE = """(element) => {
  const { borderTopWidth, borderTopStyle, borderTopColor, borderBottomColor, fontWeight } = getComputedStyle(element);
  const paper = element.querySelector(".paper");
  const { stroke, strokeWidth, strokeDasharray } = paper ? getComputedStyle(paper) : {};
  const lines = [borderTopWidth, borderTopStyle, borderTopColor, borderBottomColor, fontWeight];
  return [...lines, stroke, strokeWidth, strokeDasharray].join(" ");
}"""
"""How an element looks without its backgrounds: its lines and the weight of its text."""
CONTRASTS = """(cards) => {
  const light = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return cards.flatMap((card) => {
    const paper = light(getComputedStyle(card.querySelector(".paper")).fill);
    return [...card.querySelectorAll("text, .pip-mark")].map((mark) => {
      const ink = light(getComputedStyle(mark).fill);
      return (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
    });
  });
}"""


@pytest.fixture(autouse=True, params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def _colors_of_the_system(page: Page, request: pytest.FixtureRequest) -> Iterator[None]:
    page.emulate_media(forced_colors="active", color_scheme=request.param)
    yield
    page.emulate_media(forced_colors="none", color_scheme="light")


def moment_with(game: str, *kinds: str) -> Moment:
    """Return the first moment of a game with all of these kinds."""
    return next(moment for kind, moment in one_of_each(game).items() if set(kinds) <= set(kind.split()))


def dull_moment() -> Moment:
    """Return a moment in which one of the own cards is legal and the others aren't."""
    moment = moment_with("Pitch", "play", "turn")
    you = moment.view["you"]
    return replace(moment, view=moment.view | {"you": you | {"legal": you["legal"][:1]}})


def looks(page: Page, selector: str) -> set[str]:
    """Return how the elements of a selector look. There must be one."""
    found: list[str] = [each.evaluate(SHAPE) for each in page.locator(selector).all()]
    assert found, selector
    return set(found)


def test_legal_cards_differ_from_the_others_by_their_lines(page: Page) -> None:
    show(page, dull_moment(), tab="talk")
    assert not looks(page, ".own-card.lit") & looks(page, ".own-card.dull")
    assert min(page.eval_on_selector_all(".card.face", CONTRASTS)) >= 4.5
    # trump is a word, and the taker of the last trick has a frame
    assert page.locator(".chip.trump").inner_text().startswith("Trump ")
    assert not looks(page, ".last .taker .card, .last .taker") & looks(page, ".last .mini:not(.taker)")
    assert violations(page) == []


def test_marked_cards_and_the_seat_that_moves_differ_by_their_lines(page: Page) -> None:
    show(page, moment_with("Corellian host", "discarding", "turn"), tab="scores")
    page.locator(".own-card.lit").first.evaluate("card => card.classList.replace('lit', 'marked')")
    assert not looks(page, ".own-card.marked") & looks(page, ".own-card.lit")
    assert not looks(page, ".seat.turn") & looks(page, ".seat:not(.turn)")
    assert page.locator(".seat.turn").first.inner_text().count("to move")
    assert not looks(page, ".tab[aria-selected=true]") & looks(page, ".tab[aria-selected=false]")
    assert violations(page) == []
