"""A double click, a double tap and a held key make one move, however far apart their halves are, in every phase."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from tests.api.live_server import last_move
from tests.step_limit import steps
from tests.web.table.hands import CALM, button_of
from tests.web.table.room import Person, View, context_of, opened, tab_of, until_free

GAPS_MS = (50, 120, 250, 400, 600)
OPTIONS: dict[str, dict[str, Any]] = {"corellian": {"randomizer": {"end": None, "when": [1, 3], "partners": ["call"]}}}
QUIET = """() => {
  const { sender, waits, model } = globalThis.table.game;
  return !sender.pending && !waits && (!model.busy || model.summary);
}"""

PROMISED_MS, GRACE_MS = 600, 60
NOTE = "() => addEventListener('click', ({ timeStamp }) => (globalThis.clicks ??= []).push(timeStamp), true)"
FORGET = "() => { globalThis.clicks = []; }"
APART = "() => Math.max(...globalThis.clicks, 0) - Math.min(...globalThis.clicks)"
"""How far apart the clicks really came."""


def pointed(page: Page, at: tuple[float, float], gap: int) -> None:
    page.mouse.click(*at)
    page.wait_for_timeout(gap)
    page.mouse.click(*at)


def tapped(page: Page, at: tuple[float, float], gap: int) -> None:
    page.touchscreen.tap(*at)
    page.wait_for_timeout(gap)
    page.touchscreen.tap(at[0] + 6, at[1] - 4)


def held(page: Page, _at: tuple[float, float], gap: int) -> None:
    page.keyboard.down("Enter")
    for _ in range(4):
        page.wait_for_timeout(gap / 4)
        page.keyboard.down("Enter")  # the browser says that it's a repetition
    page.keyboard.up("Enter")


def pressed(page: Page, _at: tuple[float, float], gap: int) -> None:
    page.keyboard.press("Enter")
    page.wait_for_timeout(gap)
    page.keyboard.press("Enter")


WAYS: tuple[Callable[[Page, tuple[float, float], int], None], ...] = (pointed, tapped, held, pressed)


def target(page: Page, view: View) -> tuple[float, float]:
    """Do what comes before a move, focus what makes it, and return its middle."""
    move = last_move(view)
    if move["type"] == "discard":
        for card in move["cards"]:
            if card not in view["you"]["choose"]["must"]:
                page.click(f".own-card[data-card='{card}']")
    if move["type"] == "call_partner":
        page.click(f"[data-suit={move['card'][-1]}]")
    found = {"play": f".own-card[data-card='{move.get('card')}']", "discard": "[data-do=discard]"}
    button = page.locator(found.get(move["type"], button_of(move)))
    button.scroll_into_view_if_needed()
    button.focus()
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def noted(sent: list[str]) -> Callable[[Request], None]:
    """Return a listener that notes each move that leaves the page."""

    def note(request: Request) -> None:
        if request.url.endswith("/moves"):
            sent.append(request.url)

    return note


def try_out(browser: Browser, person: Person, variant: str, pace: str, tries: int) -> None:
    """Make moves twice each, and count the requests that leave the page.

    A busy machine can hold the second half back for longer than is promised: that try doesn't count.
    """
    chosen, done, spent, phases = random.Random(variant + pace), 0, steps(tries * 3), set[str]()
    with context_of(browser, person, pace=pace, has_touch=True) as context:
        while done < tries:
            next(spent)
            room = opened([person], variant, seats=[person.name, *["bot:simple"] * 3], options=OPTIONS.get(variant, {}))
            page, sent = tab_of(context, room, person), list[str]()
            page.on("request", noted(sent))
            page.evaluate(NOTE)
            while done < tries and (view := until_free(page))["status"] == "active":
                at, way, gap = target(page, view), chosen.choice(WAYS), chosen.choice(GAPS_MS)
                page.evaluate(CALM)  # this is a new intention
                page.evaluate(FORGET)
                before = len(sent)
                way(page, at, gap)
                page.wait_for_timeout(60)
                page.wait_for_function(QUIET)
                if page.evaluate(APART) > PROMISED_MS + GRACE_MS:
                    next(spent)
                    continue
                assert len(sent) == before + 1, (variant, view["phase"], way.__name__, gap)
                assert page.evaluate("() => globalThis.table.game.model.plan") == []
                phases.add(view["phase"])
                done += 1
            page.close()


def test_a_move_that_is_made_twice_counts_once(browser: Browser, people: list[Person]) -> None:
    try_out(browser, people[0], "pitch", "none", 12)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("pace", ["none", "quick"])
@pytest.mark.parametrize("variant", ["pitch", "setback", "blackout", "corellian"])
def test_400_moves_that_are_made_twice_count_once(
    variant: str, pace: str, browser: Browser, people: list[Person]
) -> None:
    try_out(browser, people[0], variant, pace, 50)
