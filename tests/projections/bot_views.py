"""Views as seats get them, cut down to what a bot may look at, each with one question to it."""

from collections.abc import Sequence
from typing import Any

from domain.cards import SUITS
from projections.views.seat import View

SEATS = 4
STANDARD = {"points": "10", "total": 10, "dirty": False, "reverse": False, "partners": "across"}
"""What the table shows of Corellian Pitch as it begins (R-C47)."""


def seen(cards: str | None, **asked: Any) -> View:
    """The view of seat 0; fields of the view, of `hand` and of `you` are told apart by their names."""
    you: View = {"seat": 0, "cards": cards and cards.split(), "sees": {}, "legal": [], "choose": None, "may": []}
    hand: View = {"eldest": 1, "bids": [None] * SEATS, "pitcher": None, "trump": None, "upcard": None, "trick": None}
    held = len(you["cards"] or "?")
    seats = [{"seat": seat, "count": held, "tricks": 0} for seat in range(SEATS)]
    view: View = {"variant": "pitch", "rules": {}, "seats": seats, "sides": [[seat] for seat in range(SEATS)]}
    for part in (you, hand, view):
        part |= {name: asked.pop(name) for name in part.keys() & asked.keys()}
    return view | {"hand": hand, "you": you} | asked


def auction(said: Sequence[str | int], cards: str | None, **asked: Any) -> View:
    """To bid: "pass" or a number each."""
    legal = [{"type": "pass"} if each == "pass" else {"type": "bid", "bid": each} for each in said]
    return seen(cards, legal=legal, **asked)


def naming(cards: str, **asked: Any) -> View:
    """To name trump."""
    legal = [{"type": "name_trump", "suit": suit} for suit in SUITS]
    return seen(cards, legal=legal, variant="corellian", rules=asked.pop("rules", STANDARD), **asked)


def play(lies: str, cards: str, trump: str | None, **asked: Any) -> View:
    """To play one of `cards`, all of them legal, to what lies on the table: "2: 9C 3:10C", nothing to lead."""
    plays = [{"seat": int(seat), "card": card} for seat, card in (each.split(":") for each in _joined(lies))]
    trick = {"number": 1, "leader": plays[0]["seat"] if plays else 0, "plays": plays}
    legal = [{"type": "play", "card": card} for card in cards.split()]
    return seen(cards, legal=legal, trump=trump, trick=trick, **asked)


def _joined(lies: str) -> list[str]:
    return lies.replace(": ", ":").split()
