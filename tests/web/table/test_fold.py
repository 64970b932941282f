"""While it's a player's turn, nothing that they need lies under the fold, and the hand has one place in every phase."""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from domain.cards import DECK_52
from tests.web.table.pages import show
from tests.web.table.recorded import PLAYED, Moment, one_of_each

SIZES = ((390, 844), (844, 390), (1280, 800))
NEEDED = """() => {
  const shown = document.querySelectorAll("h1, .own-area button, .zone-hand .own-card, .trick .play, .places button");
  const hand = document.querySelector(".zone-hand").getBoundingClientRect();
  const cut = [...shown].filter((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    const isOut = top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
    return one.checkVisibility() && width && isOut;
  });
  const cards = [...document.querySelectorAll(".zone-hand .own-card")].map((one) => one.getBoundingClientRect());
  const named = cut.map((one) => `${one.className} ${one.textContent}`);
  const out = cards.filter((box) => box.bottom > hand.bottom + 1 || box.top < hand.top - 12).length;
  return { cut: named, out, hand: [Math.round(hand.top), Math.round(hand.bottom)] };
}"""
"""The things that need scrolling, the number of cards outside the hand's place, and that place."""


def with_cards(moment: Moment, count: int) -> Moment:
    """Return the moment with `count` own cards."""
    you = moment.view["you"]
    held = you["cards"] or []
    cards = [*held, *(card for card in DECK_52 if card not in held)][:count]
    return Moment(moment.seat, moment.view | {"you": you | {"cards": cards}}, moment.items)


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_that_is_needed_lies_under_the_fold(name: str, width: int, height: int, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=width, height=height))
    wrong, places = list[Any](), set[tuple[int, int]]()
    for kind, moment in one_of_each(name, (0,)).items():
        you = moment.view["you"]
        if not (you["legal"] or you["choose"]):
            continue
        for each in (moment, with_cards(moment, 15)):
            show(page, each)
            found = page.evaluate(NEEDED)
            places.add(tuple(found["hand"]))
            if found["cut"] or found["out"]:
                wrong.append((kind, found))
    assert wrong == []
    assert len(places) == 1
