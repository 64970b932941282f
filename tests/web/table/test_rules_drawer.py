"""The rules in short at the table: two screens with cards, made from the rules' value and the hand that is played."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from api.pages.languages import ENGLISH, OTHERS
from tests.web.pages.visitors import violations
from tests.web.table.recorded import Moment, history, moments

OPEN = """(sent) => Promise.all([import("/static/table/rules-drawer.js"), import("/gallery.js")])
  .then(([{ rulesElement }, { show }]) => {
    const model = show(document.querySelector("#main"), JSON.parse(sent));
    document.querySelector("#main").prepend(rulesElement(model));
  })"""
TEXTS = """() => {
  const found = document.createTreeWalker(document.querySelector(".rules-short"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (found.nextNode()) texts.push(found.currentNode.data.trim());
  return texts;
}"""
WORDS = re.compile(r"[^\W\d_]{3}")
SAYS = {
  "Pitch": ("The suit of the pitcher's first card is trump.", "Smudge. Taking all tricks and points."),
  "Setback": ("The suit of the pitcher's first card is trump.", "Game, the highest count of cards taken."),
  "Blackout": ("The top card of the stock is turned up", "Exactly as many tricks as were bid score the bid"),
  "Corellian": ("Only trumps are played.", "A pitcher's side that falls short of its bid loses the bid instead."),
}  # fmt: skip


def own_turn(name: str) -> Moment:
    """Return the first moment in which the first seat follows in a trick."""
    return next(each for each in moments(history(name), 0) if follows(each.view))


def follows(view: dict[str, Any]) -> bool:
    trick = (view["hand"] or {}).get("trick")
    return bool(view["phase"] == "play" and view["you"]["legal"] and trick and trick["plays"] and view["you"]["cards"])


def opened(page: Page, moment: Moment) -> None:
    page.evaluate(OPEN, json.dumps(vars(moment)))


@pytest.mark.parametrize("name", SAYS)
def test_two_screens_say_what_may_be_played_and_how_the_hand_scores(name: str, page: Page) -> None:
    moment = own_turn(name)
    opened(page, moment)
    play, points = page.get_by_role("tabpanel", name="Play"), page.get_by_role("tabpanel", name="Points")
    expect(play).to_contain_text(SAYS[name][0])
    legal = len(moment.view["you"]["legal"])
    own = play.locator(".example-part", has_text="You can play")
    expect(own.locator(".example-card:not(.dim)")).to_have_count(legal)
    expect(own.locator(".example-card")).to_have_count(len(moment.view["you"]["cards"]))
    expect(points).to_be_hidden()
    page.get_by_role("tab", name="Play").press("ArrowRight")
    expect(page.get_by_role("tab", name="Points")).to_be_focused()
    expect(points).to_contain_text(SAYS[name][1])
    expect(play).to_be_hidden()
    assert violations(page, where=".rules-short") == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_another_language(language: str, page_in: Callable[[str], Page]) -> None:
    for name in SAYS:
        texts = list[set[str]]()
        for each in (ENGLISH, language):
            opened(page_in(each), own_turn(name))
            texts.append({text for text in page_in(each).evaluate(TEXTS) if WORDS.search(text)})
        assert len(texts[1]) > 20
        assert texts[0] & texts[1] <= {"smudge", "Smudge"}, name


def test_a_word_explains_itself_by_pointing_by_the_keyboard_and_by_a_tap(page: Page) -> None:
    opened(page, own_turn("Pitch"))
    word, tip = page.locator(".rules-short .term", has_text="pitcher").first, page.get_by_role("tooltip")
    word.hover()
    expect(tip).to_contain_text("The player with the highest bid.")
    expect(word).to_have_attribute("aria-describedby", "term-tip")
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()
    page.get_by_role("tab", name="Play").focus()
    page.keyboard.press("Tab")
    expect(tip).to_contain_text("To play a card of the suit that was led.")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    word.dispatch_event("click")
    expect(tip).to_contain_text("The player with the highest bid.")
    box = tip.bounding_box()
    assert box
    assert 0 <= box["x"] <= 1280 - box["width"]
