"""Three ways to make a move on the page: by pointer, by touch, and by keyboard alone."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import Page

from tests.api.live_server import first_move, last_move
from tests.step_limit import steps

View = dict[str, Any]
MOST_TABS = 200
CALM = "() => globalThis.table?.guard.forget()"
"""Let the next click count although it follows this one so soon, at the same place."""


def by_pointer(page: Page, view: View, press: Callable[[Page, str], None] = Page.click) -> None:
    """Make the last legal move with the pointer; bid low."""
    move = last_move(view)
    if move["type"] == "play":
        press(page, f".own-card[data-card='{move['card']}']")
    elif move["type"] == "discard":
        for card in move["cards"]:
            if card not in view["you"]["choose"]["must"]:
                press(page, f".own-card[data-card='{card}']")
        press(page, "[data-do=discard]")
    elif move["type"] == "call_partner":
        press(page, f"[data-suit={move['card'][-1]}]")
        press(page, button_of(move))
    else:
        press(page, button_of(move))
    page.evaluate(CALM)


by_touch = partial(by_pointer, press=Page.tap)


def by_keyboard(page: Page, view: View) -> None:
    """Make the first legal move, or a low bid: h goes to the hand, arrows along it, and Tab to the buttons."""
    move = last_move(view) if view["phase"] == "auction" else first_move(view)
    if move["type"] == "play":
        _to_card(page, move["card"])
        page.keyboard.press("Enter")
    elif move["type"] == "discard":
        for card in move["cards"]:
            if card not in view["you"]["choose"]["must"]:
                _to_card(page, card)
                page.keyboard.press("Space")
        _tab_to(page, "discard")
        page.keyboard.press("Enter")
    elif move["type"] == "call_partner":
        _tab_to(page, f"suit {move['card'][-1]}")
        page.keyboard.press("Enter")
        _press(page, move)
    else:
        _press(page, move)
    page.evaluate(CALM)


def button_of(move: View) -> str:
    """Return the selector of the button that makes a move as it stands."""
    return f"[data-move='{json.dumps(move, separators=(',', ':'))}']"


def _press(page: Page, move: View) -> None:
    _tab_to(page, json.dumps(move, separators=(",", ":")))
    page.keyboard.press("Enter")


def _to_card(page: Page, card: str) -> None:
    """Go to a card of the hand with h, Home and the right arrow."""
    page.keyboard.press("h")
    page.keyboard.press("Home")
    spent = steps(MOST_TABS)
    while focused(page) != f"card {card}":
        next(spent)
        page.keyboard.press("ArrowRight")


def _tab_to(page: Page, key: str) -> None:
    spent = steps(MOST_TABS)
    while focused(page) != key:
        next(spent)
        page.keyboard.press("Tab")


def focused(page: Page) -> str | None:
    key: str | None = page.evaluate("() => document.activeElement?.getAttribute('data-key')")
    return key
