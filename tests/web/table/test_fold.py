"""While it's a player's turn, nothing that they need lies under the fold or is cut, in each language.

The hand has one place in every phase.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from api.pages.languages import ENGLISH, OTHERS
from domain.cards import DECK_52
from tests.web.table.pages import show
from tests.web.table.recorded import PLAYED, Moment, one_of_each

SIZES = ((390, 844), (844, 390), (1280, 800))
WORDY = ("Pitch", "Blackout", "Corellian")
"""Games that show each word of a plate, for the languages beside English."""
NEEDED = """() => {
  const shown = document.querySelectorAll("h1, .own-area button, .zone-hand .own-card, .trick .play, .places button");
  const hand = document.querySelector(".zone-hand").getBoundingClientRect();
  const cut = [...shown].filter((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    const isOut = top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
    return one.checkVisibility() && width && isOut;
  });
  const cards = [...document.querySelectorAll(".zone-hand .own-card")].map((one) => one.getBoundingClientRect());
  const inside = (one, place) => {
    const [box, there] = [one.getBoundingClientRect(), place.getBoundingClientRect()];
    return box.right <= there.right + 1 && box.bottom <= there.bottom + 1;
  };
  const seen = (what) => [...document.querySelectorAll(what)]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).clipPath === "none");
  const notes = seen(".seat-notes > .note:not(.hidden-text)").filter((one) => !inside(one, one.parentElement));
  const texts = seen("h1, .own-area button, .places button, .choice-note")
    .filter((one) => one.scrollWidth > one.clientWidth + 1);
  const named = [...cut, ...notes, ...texts].map((one) => `${one.className} ${one.textContent}`);
  const out = cards.filter((box) => box.bottom > hand.bottom + 1 || box.top < hand.top - 12).length;
  return { cut: named, out, hand: [Math.round(hand.top), Math.round(hand.bottom)] };
}"""
"""The things that need scrolling or are cut, the number of cards outside the hand's place, and that place."""


def with_cards(moment: Moment, count: int) -> Moment:
    """Return the moment with `count` own cards."""
    you = moment.view["you"]
    held = you["cards"] or []
    cards = [*held, *(card for card in DECK_52 if card not in held)][:count]
    return Moment(moment.seat, moment.view | {"you": you | {"cards": cards}}, moment.items)


@pytest.mark.parametrize(("name", "language"), [*((name, ENGLISH) for name in PLAYED), *product(WORDY, OTHERS)])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_that_is_needed_lies_under_the_fold_or_is_cut(
    name: str, width: int, height: int, language: str, page_in: Callable[[str], Page]
) -> None:
    page = page_in(language)
    page.set_viewport_size(ViewportSize(width=width, height=height))
    wrong, places = list[Any](), set[tuple[int, int]]()
    for kind, moment in one_of_each(name, (0,)).items():
        you = moment.view["you"]
        if not (you["legal"] or you["choose"]):
            continue
        for each in (moment, with_cards(moment, 15), with_cards(moment, 3)):
            show(page, each)
            found = page.evaluate(NEEDED)
            places.add(tuple(found["hand"]))
            if found["cut"] or found["out"]:
                wrong.append((kind, found))
    assert wrong == []
    assert len(places) == 1


COVERED = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
    .map((one) => [one, one.getBoundingClientRect()]);
  const found = [];
  for (const [button, box] of boxes(".zone-actions button")) {
    for (const [card, there] of boxes(".zone-hand .own-card")) {
      const wide = Math.min(box.right, there.right) - Math.max(box.left, there.left);
      const high = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
      if (wide > 1 && high > 1) found.push(`${button.textContent} lies over ${card.dataset.card}`);
    }
  }
  for (const [name] of boxes(".seat-name")) {
    if (name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
      found.push(`${name.textContent} is cut`);
  }
  return found;
}"""
"""The own cards that a button covers, and the names that are cut."""
GUESTS = "guest-w7m5k2xq"


def as_guests(moment: Moment) -> Moment:
    """Return the moment with a guest in each seat."""
    return Moment(moment.seat, moment.view | {"names": dict.fromkeys(moment.view["names"], GUESTS)}, moment.items)


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_button_covers_a_card_and_no_name_of_a_guest_is_cut(name: str, width: int, height: int, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=width, height=height))
    wrong = list[Any]()
    for kind, moment in one_of_each(name, (0,)).items():
        show(page, as_guests(moment), news=0)
        if found := page.evaluate(COVERED):
            wrong.append((kind, found))
    assert wrong == []
