"""Views of a seat, reduced to the fields that a bot may read, each with one decision to make."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.cards import SUITS
from domain.engine.rule_menu import with_version
from domain.rules.choices import Partners
from domain.rules.model import Rules
from domain.rules.variants import VARIANTS
from domain.rules.variants.corellian_versions import VERSIONS
from projections.bots import Move, Pick
from projections.bots import choose as choose_move

View = dict[str, Any]

SEATS = 4
STANDARD = {"points": "10", "total": 10, "dirty": False, "reverse": False, "partners": "across"}
"""The rules that the view of a new Corellian Pitch game shows (R-C47)."""


def rules_of(view: Mapping[str, Any]) -> Rules:
    """Return the rules of a variant as a view shows them."""
    rules, shown = VARIANTS[view.get("variant", "pitch")].rules, view.get("rules", {})
    if "points" in shown:
        rules = with_version(rules, VERSIONS[shown["points"]])
        rules = replace(rules, reverse=shown["reverse"], partners=Partners(shown["partners"]))
    return replace(rules, dirty=shown.get("dirty", rules.dirty))


def choose(strategy: str, view: Mapping[str, Any], pick: Pick) -> Move:
    """Return a bot's move in a game with the default options."""
    return choose_move(strategy, view, rules_of(view), pick)


def seen(cards: str | None, **asked: Any) -> View:
    """Return a view of seat 0 with these fields of the view, its `hand` and its `you`, distinguished by name."""
    you: View = {"seat": 0, "cards": cards and cards.split(), "sees": {}, "legal": [], "choose": None, "may": []}
    hand: View = {"eldest": 1, "bids": [None] * SEATS, "pitcher": None, "trump": None, "upcard": None, "trick": None}
    held = len(you["cards"] or "?")
    seats = [{"seat": seat, "count": held, "tricks": 0} for seat in range(SEATS)]
    view: View = {"variant": "pitch", "rules": {}, "seats": seats, "sides": [[seat] for seat in range(SEATS)]}
    for part in (you, hand, view):
        part |= {name: asked.pop(name) for name in part.keys() & asked.keys()}
    return view | {"hand": hand, "you": you} | asked


def auction(said: Sequence[str | int], cards: str | None, **asked: Any) -> View:
    """Return a view of a seat that must bid; each bid so far is "pass" or a number."""
    legal = [{"type": "pass"} if each == "pass" else {"type": "bid", "bid": each} for each in said]
    return seen(cards, legal=legal, **asked)


def naming(cards: str, **asked: Any) -> View:
    """Return a view of a seat that must name trump."""
    legal = [{"type": "name_trump", "suit": suit} for suit in SUITS]
    return seen(cards, legal=legal, variant="corellian", rules=asked.pop("rules", STANDARD), **asked)


def play(lies: str, cards: str, trump: str | None, **asked: Any) -> View:
    """Return a view of a seat that must play one of the legal `cards` to a trick like "2: 9C 3:10C", "" for a lead."""
    plays = [{"seat": int(seat), "card": card} for seat, card in (each.split(":") for each in _joined(lies))]
    trick = {"number": 1, "leader": plays[0]["seat"] if plays else 0, "plays": plays}
    legal = [{"type": "play", "card": card} for card in cards.split()]
    return seen(cards, legal=legal, trump=trump, trick=trick, **asked)


def _joined(lies: str) -> list[str]:
    return lies.replace(": ", ":").split()
