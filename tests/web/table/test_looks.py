"""How the table looks and moves: two decks, three felts, pictures of players, and motion that can be switched off."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from api.pages.static_files import FILES, JOINED
from tests.web.table.pages import show
from tests.web.table.recorded import Moment, history, moments, one_of_each

View = dict[str, Any]
DRAWN = """async (deck) => {
  document.documentElement.dataset.deck = deck;
  const { face, RANKS, SUITS } = await import("/static/base/cards.js");
  const cards = [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), "X1", "X2"];
  const drawn = cards.map((card) => [card, face(card).outerHTML]);
  delete document.documentElement.dataset.deck;
  return Object.fromEntries(drawn);
}"""
CONTRASTS = """(felt) => {
  document.documentElement.dataset.felt = felt;
  const light = (color) => {
    const whole = color.startsWith("rgb") ? 255 : 1;
    const [r, g, b] = color.match(/-?[\\d.]+/g).slice(0, 3).map((part) => part / whole)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const main = document.querySelector(".table-main");
  const probe = main.appendChild(document.createElement("i"));
  const color = (name) => { probe.className = `probe-${name}`; return light(getComputedStyle(probe).color); };
  const sheet = new CSSStyleSheet();
  const names = ["text", "soft", "accent", "felt", "plate", "raised", "on-accent"];
  sheet.replaceSync(names.map((name) => `.probe-${name} { color: var(--${name}) }`).join(""));
  document.adoptedStyleSheets = [sheet];
  const lights = Object.fromEntries(names.map((name) => [name, color(name)]));
  probe.remove();
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const grounds = ["felt", "plate", "raised"];
  const inks = ["text", "soft", "accent"];
  const found = inks.flatMap((ink) => grounds.map((ground) => ratio(lights[ink], lights[ground])));
  delete document.documentElement.dataset.felt;
  document.adoptedStyleSheets = [];
  return Math.min(...found, ratio(lights["on-accent"], lights.accent));
}"""
MOVE = """async ([fact, before, after]) => {
  const { animate } = await import("/static/table/motion.js");
  const { draw } = await import("/static/table/zones.js");
  const { show } = await import("/gallery.js");
  const main = document.querySelector("#main");
  const next = show(document.createElement("div"), after);
  const model = show(main, before);
  const page = main.firstElementChild;
  const waits = animate(page, fact, model, { ...next, prefs: { ...next.prefs, pace: "normal" } });
  const seen = () => document.getAnimations().flatMap((each) => {
    const { delay, endTime } = each.effect.getComputedTiming();
    const changes = each.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
    return [{ changes, ms: endTime, delay, on: each.effect.target.getAttribute("class") }];
  });
  const leaving = waits ? seen() : [];
  const then = await waits;
  draw(page, next);
  const rest = then?.();
  const arriving = seen();
  await rest;
  return { leaving, arriving };
}"""
ALLOWED = {"transform", "opacity", "offset", "computedOffset", "easing", "composite"}


@pytest.mark.parametrize("deck", ["large", "classic"])
def test_every_card_of_a_deck_looks_different_and_court_cards_have_figures(deck: str, page: Page) -> None:
    drawn: dict[str, str] = page.evaluate(DRAWN, deck)
    assert len(drawn) == len(set(drawn.values())) == 54
    figures = {card for card, svg in drawn.items() if 'class="court"' in svg}
    assert figures == {f"{rank}{suit}" for rank in "JQK" for suit in "CDHS"}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("felt", ["green", "blue", "plum"])
def test_texts_can_be_read_on_every_felt(felt: str, theme: str, page: Page) -> None:
    show(page, one_of_each("Pitch")["play play turn"])
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    assert page.evaluate(CONTRASTS, felt) >= 4.5


def test_a_player_has_two_letters_and_keeps_their_color(page: Page) -> None:
    show(page, one_of_each("Pitch")["play play turn"])
    read = "all => all.map((one) => [one.textContent, one.querySelector('rect').getAttribute('fill')])"
    seats = page.eval_on_selector_all(".seat .avatar", read)
    assert {letters for letters, _ in seats} == {"AN", "BO", "CY", "DE", "MO"}
    show(page, one_of_each("Pitch")["auction watcher"])
    assert sorted(page.eval_on_selector_all(".seat .avatar", read)) == sorted(seats)


def test_the_side_tells_bids_points_so_far_and_each_trick(page: Page) -> None:
    moment = next(
        each
        for each in moments(history("Pitch"), 0)
        if ((each.view["hand"] or {}).get("trick") or {"number": 0})["number"] > 3
    )
    show(page, moment)
    seats = moment.view["seats"]
    expect(page.locator(".now-seats tbody tr")).to_have_count(len(seats))
    expect(page.locator(".now-seats .pitching td").first).to_have_text(str(moment.view["hand"]["bid"]))
    assert {*page.locator(".now-point").all_inner_texts()} == {"High", "Low", "Jack", "Game"}
    expect(page.locator(".now-tricks > li")).to_have_count(moment.view["hand"]["trick"]["number"] - 1)
    expect(page.locator(".now-cards").first.locator(".cardlet")).to_have_count(len(seats))


def test_cards_that_lie_face_down_are_shown_nowhere(page: Page) -> None:
    moment = next(each for each in moments(history("Setback"), 0) if ((each.view["hand"] or {}).get("last_trick")))
    show(page, moment)
    expect(page.locator(".now-tricks > li")).not_to_have_count(0)
    assert page.locator(".now .cardlet").count() == 0


def steps_of(game: str, fact: str) -> tuple[View, Moment, Moment]:
    """Return a fact, and the moments before and after it."""
    for before, after in pairwise(moments(history(game), 0)):
        for item in after.items[len(before.items) :]:
            if item.get("event", {}).get("fact") == fact:
                return item["event"], before, after
    raise AssertionError(f"{fact} doesn't happen in {game}.")


@pytest.mark.parametrize("fact", ["HandDealt", "CardPlayed", "TrickTaken", "HandScored"])
def test_facts_move_by_transform_and_opacity_alone_and_not_for_long(fact: str, page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 1280, "height": 800})
    event, before, after = steps_of("Pitch", fact)
    moved = page.evaluate(MOVE, [event, vars(before), vars(after)])
    moves = moved["leaving"] if fact == "TrickTaken" else moved["arriving"]
    assert moves
    for each in moves:
        assert set(each["changes"]) <= ALLOWED
        assert 150 <= each["ms"] <= 300


def test_nothing_moves_for_those_who_want_that(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    event, before, after = steps_of("Pitch", "CardPlayed")
    assert page.evaluate(MOVE, [event, vars(before), vars(after)]) == {"leaving": [], "arriving": []}
    page.emulate_media(reduced_motion="no-preference")


def test_the_zones_of_the_table_take_their_colors_from_one_file() -> None:
    for part in JOINED["table/table.css"]:
        style = FILES[f"table/{part}.css"].body.decode()
        colors = re.findall(r"#[0-9a-f]{6}\b", style)
        assert len(colors) == len(set(colors)) if part == "colors" else not colors, part
