"""Moves in the words of the command line: `ad`, `3`, `smudge`, `hearts`, `call KH`, `throw 2C 3D`, `delay 2`."""

import re
from collections.abc import Callable
from typing import Any

from domain.cards import SUIT_NAMES, Card, NotACard, parse_card
from domain.rules.choices import Trump
from domain.rules.model import Rules

Move = dict[str, Any]
SMUDGE = "smudge"
"""A point of Pitch, and the word for a bid of all there is where that point can be won."""
ALL_OF_PITCH = 5
"""What `smudge` bids (S12)."""
MAX_LENGTH = 120
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_BETWEEN = re.compile(r"[ ,]+")


class MalformedMove(ValueError):
    """It is no move of any game; a move that is one and breaks a rule is the domain's to refuse."""


def _card(text: str) -> Card:
    try:
        return parse_card(text)
    except NotACard as error:
        raise MalformedMove(str(error)) from error


def _called(card: str) -> Move:
    return {"type": "call_partner", "card": _card(card)}


def _thrown(cards: str) -> Move:
    return {"type": "discard", "cards": [_card(card) for card in _BETWEEN.split(cards)]}


def _delayed(seat: str) -> Move:
    if _NUMBER.fullmatch(seat) is None:
        raise MalformedMove(f"delay of game is called on a seat, like delay 2, not on {seat!r}")
    return {"type": "call_delay", "accused": int(seat)}


def _changed(change: str) -> Move:
    return {"type": "change_rules", "change": change}


WORDS: dict[str, Move] = {
    "pass": {"type": "pass"},
    "undo": {"type": "undo"},
    "propose": {"type": "propose_draw"},
    "propose(draw)": {"type": "propose_draw"},
    "accept": {"type": "accept"},
    "reject": {"type": "reject"},
    "resign": {"type": "resign"},
    "guilty": {"type": "vote", "guilty": True},
    "not guilty": {"type": "vote", "guilty": False},
    **{said: {"type": "name_trump", "suit": suit} for suit, word in SUIT_NAMES.items() for said in (word, word[0])},
}
"""What is a move by itself."""
VERBS: dict[str, Callable[[str], Move]] = {"call": _called, "throw": _thrown, "delay": _delayed, "change": _changed}
"""Words that something follows, and the move they make of it."""
COMMON_WORDS = ("pass", "undo", "propose", "accept", "reject", "resign")


def parse_text_move(text: str, rules: Rules | None = None) -> Move:
    """The move that `text` is in the words of the command line, in either case, blanks around it or not (R-P12).

    A number or smudge is a bid (S11, S12), a card is a card (S19, R-S18), whichever the phase hears: one that comes in
    the wrong phase is a move all the same, and the rules refuse it (S8, R-S6). `rules` are those of the table, where
    smudge is a word only if it is a point, and what the sentence of a refusal names. Malformed when it is no move.
    """
    if len(text) > MAX_LENGTH:
        raise MalformedMove(f"a move as text has at most {MAX_LENGTH} characters")
    text = text.strip(" ")
    said = text.lower() if text.isascii() else text
    if said in WORDS:
        return dict(WORDS[said])
    if said == SMUDGE and _smudged(rules):
        return {"type": "bid", "bid": ALL_OF_PITCH}
    if _NUMBER.fullmatch(said):
        return {"type": "bid", "bid": int(said)}
    verb, _, rest = said.partition(" ")
    if rest and verb in VERBS:
        return VERBS[verb](rest.strip(" "))
    try:
        return {"type": "play", "card": parse_card(text)}
    except NotACard:
        raise MalformedMove(f"{text[:40]!r} is no move; say {_sayable(rules)}") from None


def _smudged(rules: Rules | None) -> bool:
    return rules is None or any(point.name == SMUDGE for point in rules.points)


def _sayable(rules: Rules | None) -> str:
    """What there is to say at a table, in words."""
    words = [*([SMUDGE] if _smudged(rules) else []), *COMMON_WORDS]
    if rules is not None and rules.trump is Trump.NAMED:
        words = ["hearts", "throw 2C 3D", "call KH", *words]
    if rules is not None and rules.delay is not None:
        words += ["delay 2", "guilty", "not guilty"]
    if rules is not None and rules.changes.host:
        words.append("change dirty:on")
    return f"a number, a card like AD, or one of {', '.join(words)}"
