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
from tests.web.table.recorded import LARGE, PLAYED, Moment, history, moments, one_of_each

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
  const apart = (what, others) => {
    for (const [one, box] of boxes(what)) {
      for (const [other, there] of boxes(others)) {
        const wide = Math.min(box.right, there.right) - Math.max(box.left, there.left);
        const high = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
        if (wide > 1 && high > 1) found.push(`${what} ${one.textContent} lies over ${others} ${other.textContent}`);
      }
    }
  };
  apart(".zone-actions button", ".zone-hand .own-card");
  apart(".trick .play .card", ".seats .seat");
  apart(".seats .fan", ".seats :is(.note:not(.hidden-text), .seat-name, .seat-score)");
  apart(".headline-text", ".zone-quick :is(button, a)");
  for (const [name] of boxes(".seat-name")) {
    if (name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
      found.push(`${name.textContent} is cut`);
  }
  return found;
}"""
"""The things that lie over an own card, a plate, its text, or a button beside the headline, and names that are cut."""
GUESTS = "guest-w7m5k2xq"


def as_guests(moment: Moment) -> Moment:
    """Return the moment with a guest in each seat."""
    return Moment(moment.seat, moment.view | {"names": dict.fromkeys(moment.view["names"], GUESTS)}, moment.items)


@pytest.mark.parametrize("name", [*PLAYED, *LARGE])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_button_covers_a_card_and_no_name_of_a_guest_is_cut(name: str, width: int, height: int, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=width, height=height))
    wrong = list[Any]()
    for kind, moment in one_of_each(name, (0,)).items():
        show(page, as_guests(moment), news=0)
        if found := page.evaluate(COVERED):
            wrong.append((kind, found))
    assert wrong == []


HIDDEN_SCORES = """() => {
  const summary = document.querySelector(".summary");
  const buttons = document.querySelector(".summary-buttons").getBoundingClientRect();
  const cells = [...document.querySelectorAll(".summary-scores :is(th, td)")];
  return cells.filter((cell) => {
    const { right, bottom } = cell.getBoundingClientRect();
    return right > summary.getBoundingClientRect().right || bottom > buttons.top + 1;
  }).map((cell) => cell.textContent);
}"""


@pytest.mark.parametrize("name", ["Pitch", *LARGE])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_scores_of_a_hand_are_in_view_beside_all_its_points(name: str, width: int, height: int, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=width, height=height))
    events = [line.event for line in history(name).lines if line.event is not None]
    scored = next(event for event in events if event.fact == "HandScored")
    moment = next(each for each in moments(history(name), 0) if each.view["version"] >= scored.version)
    [data] = [item["event"]["data"] for item in moment.items if item.get("event", {}).get("version") == scored.version]
    over = moment.view | {"hand": moment.view["hand"] | {"number": data["hand"]}}
    summary = {"kind": "hand", "version": scored.version}
    show(page, Moment(0, over, moment.items), scored=data, summary=summary, busy=True)
    assert page.evaluate(HIDDEN_SCORES) == []


def test_the_menu_of_a_wide_window_opens_above_its_lower_edge(page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=1280, height=800))
    show(page, one_of_each("Pitch", (0,))["play play turn"])
    more = page.locator(".menu > summary")
    before = more.bounding_box()
    more.click()
    assert more.bounding_box() == before
    sheet = page.locator(".menu-sheet").bounding_box()
    assert before is not None
    assert sheet is not None
    assert before["y"] + before["height"] <= 800
    assert 0 <= sheet["y"] < sheet["y"] + sheet["height"] <= before["y"] + 1
