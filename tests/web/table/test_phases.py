"""Every phase of the four games, drawn from its view: all that it offers, and nothing lies over something else."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.table.pages import show
from tests.web.table.recorded import MADE, PLAYED, Moment, one_of_each

GAMES = (*PLAYED, *MADE)
WIDTHS = (320, 1440)
READ = """() => {
  const read = (one, name) => (name ? one.getAttribute(name) : one.textContent);
  const all = (what, name) => [...document.querySelectorAll(what)].map((one) => read(one, name));
  const moves = all("[data-move]", "data-move").map((each) => JSON.parse(each));
  return {
    moves,
    held: all(".own-card", "data-card"),
    lit: all(".own-card.lit[data-do=play]", "data-card"),
    free: all(".own-card[data-do=mark]:not([aria-disabled])", "data-card"),
    names: all(".seat-name"),
    scores: all(".seat-score"),
    plays: document.querySelectorAll(".trick .play").length,
    last: document.querySelectorAll(".last .mini").length,
    headline: all("h1")[0],
    stops: document.querySelectorAll('.hand [tabindex="0"]').length,
  };
}"""
CROWDED = """() => {
  const OVER = ".places, .zone-summary";
  const shown = [...document.querySelectorAll("button, a, .seat, .play, .chip, .mini, h1, .last-text, .own-card")]
    .filter((one) => one.checkVisibility() && !one.closest("details:not([open])"))
    .filter((one) => !document.querySelector(".summary") || !one.closest(".felt"))
    .map((one) => [one, one.getBoundingClientRect()]);
  const found = [];
  const name = (one) => `${one.className} ${one.textContent}`;
  for (const [one, box] of shown) {
    if (box.right > innerWidth + 0.5 || box.left < -0.5) found.push(`beyond the edge: ${name(one)}`);
    for (const [other, there] of shown) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      if (one.closest(OVER) !== other.closest(OVER)) continue; // these lie over the felt until they are answered
      const wide = Math.min(box.right, there.right) - Math.max(box.left, there.left);
      const high = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
      if (wide > 1 && high > 1) found.push(`${name(one)} lies over ${name(other)}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}"""


@pytest.mark.parametrize("name", GAMES)
def test_a_view_is_on_the_page_with_all_it_offers_and_nothing_lies_over_something_else(name: str, page: Page) -> None:
    for kind, moment in one_of_each(name).items():
        show(page, moment)
        check(moment, page.evaluate(READ), f"{name}: {kind}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(CROWDED) == [], f"{name}: {kind}"


def check(moment: Moment, read: dict[str, Any], kind: str) -> None:
    view, you = moment.view, moment.view.get("you") or {"legal": [], "may": [], "cards": [], "choose": None}
    hand = view["hand"] or {"trick": None, "last_trick": None}
    offered = [move for move in you["legal"] if move["type"] != "play"]
    assert [move for move in read["moves"] if move in offered] == offered, kind
    assert {move["type"] for move in read["moves"]} <= {move["type"] for move in offered} | allowed(you), kind
    assert sorted(read["lit"]) == sorted(move["card"] for move in you["legal"] if move["type"] == "play"), kind
    assert sorted(card for card in read["held"] if card) == sorted(you["cards"] or []), kind
    choose = you["choose"] or {}
    assert sorted(read["free"]) == sorted(choose.get("from", []) if choose.get("type") == "discard" else []), kind
    assert sorted(read["names"]) == sorted(shown_name(moment, each) for each in view["seats"]), kind
    assert read["plays"] == len(hand["trick"]["plays"] if hand["trick"] else []), kind
    if hand["last_trick"]:
        assert read["last"] == len(hand["last_trick"]["plays"]), kind
    assert read["headline"], kind
    assert read["stops"] <= 1, kind


def shown_name(moment: Moment, seat: dict[str, Any]) -> str:
    if seat["seat"] == moment.seat:
        return "You"
    return moment.view["names"].get(seat["player"]) or f"Bot {seat['player'].split(':')[-1]}"


def allowed(you: dict[str, Any]) -> set[str]:
    """Return the types of moves beside those of the turn."""
    choose = {you["choose"]["type"]} if you["choose"] else set[str]()
    return set(you["may"]) | choose
