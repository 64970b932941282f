"""Moves as text: `ad`, `A♦`, `3`, `bid 3`, `smudge`, `moon`, `hearts`, `call KH`, `throw 2C 3D`, `delay 2`."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from domain.cards import SUIT_NAMES, SUIT_SYMBOLS, Card, NotACard, parse_card
from domain.engine.auction import moon_bid
from domain.rules.choices import Trump
from domain.rules.model import Rules

Move = dict[str, Any]
SMUDGE, MOON, PASS = "smudge", "moon", "pass"
"""A point of Pitch, and the word for a bid of five if the table has that point; the word for a bid of the moon."""
ALL_OF_PITCH = 5
"""The bid of `smudge` (S12)."""
MAX_LENGTH = 120
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_SEPARATORS = re.compile(r"[ ,]+")


class MalformedMove(ValueError):
    """The input isn't a move of any game. The domain refuses well-formed moves that break a rule."""


def _card(text: str) -> Card:
    try:
        return parse_card(text)
    except NotACard as error:
        raise MalformedMove(str(error)) from error


def _call(card: str) -> Move:
    return {"type": "call_partner", "card": _card(card)}


def _throw(cards: str) -> Move:
    return {"type": "discard", "cards": [_card(card) for card in _SEPARATORS.split(cards)]}


def _play(card: str) -> Move:
    return {"type": "play", "card": _card(card)}


def _bid(bid: str) -> Move:
    word = bid.lower() if bid.isascii() else bid
    if word == PASS:
        return {"type": "pass"}
    if word != SMUDGE and _NUMBER.fullmatch(word) is None:
        raise MalformedMove(f"a bid needs a number, like bid 3, not {bid!r}")
    return {"type": "bid", "bid": ALL_OF_PITCH if word == SMUDGE else int(word)}


def _delay(seat: str) -> Move:
    if _NUMBER.fullmatch(seat) is None:
        raise MalformedMove(f"delay of game needs the number of a seat, like delay 2, not {seat!r}")
    return {"type": "call_delay", "accused": int(seat)}


def _change(change: str) -> Move:
    return {"type": "change_rules", "change": change}


WORDS: dict[str, Move] = {
    "pass": {"type": "pass"},
    "undo": {"type": "undo"},
    "propose": {"type": "propose_draw"},
    "propose(draw)": {"type": "propose_draw"},
    "accept": {"type": "accept"},
    "reject": {"type": "reject"},
    "resign": {"type": "resign"},
    "agree": {"type": "answer_handover", "accept": True},
    "refuse": {"type": "answer_handover", "accept": False},
    "claim": {"type": "claim_time"},
    "return": {"type": "return_seat"},
    "guilty": {"type": "vote", "guilty": True},
    "not guilty": {"type": "vote", "guilty": False},
    **{word: {"type": "name_trump", "suit": suit} for suit, name in SUIT_NAMES.items() for word in (name, name[0])},
}
"""Words that are a move by themselves."""
VERBS: dict[str, Callable[[str], Move]] = {
    "play": _play,
    "bid": _bid,
    "call": _call,
    "throw": _throw,
    "delay": _delay,
    "change": _change,
}
"""Words that need an argument, and the function that makes a move of it."""
_WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "bid": lambda move: f"bid {move['bid']}",
    "play": lambda move: str(move["card"]),
    "name_trump": lambda move: SUIT_NAMES[move["suit"]],
    "call_partner": lambda move: f"call {move['card']}",
    "discard": lambda move: f"throw {' '.join(move['cards'])}",
    "call_delay": lambda move: f"delay {move['accused']}",
    "vote": lambda move: "guilty" if move["guilty"] else "not guilty",
    "change_rules": lambda move: f"change {move['change']}",
    "answer_handover": lambda move: "agree" if move["accept"] else "refuse",
}
"""How each type of move that has fields is written; a move without fields is one of `WORDS`."""
COMMON_WORDS = ("pass", "undo", "propose", "accept", "reject", "resign")


def parse_text_move(text: str, rules: Rules | None = None) -> Move:
    """Return the move that `text` means; case and outer spaces don't matter (R-P12).

    A number or smudge is a bid (S11, S12), a card is a play (S19, R-S18), in every phase: the rules refuse a move in
    the wrong phase (S8, R-S6). With the `rules` of a table, smudge is a word only if it is a point there, moon only if
    the moon can be bid, and error messages name only the words of that table. Without them, a moon has no number: it's
    a bid of None. Raise MalformedMove if the text isn't a move.
    """
    if len(text) > MAX_LENGTH:
        raise MalformedMove(f"a move as text has at most {MAX_LENGTH} characters")
    text = text.strip(" ").translate(SUIT_SYMBOLS)
    word = text.lower() if text.isascii() else text
    if word in WORDS:
        return dict(WORDS[word])
    if word == SMUDGE and _has_smudge(rules):
        return {"type": "bid", "bid": ALL_OF_PITCH}
    if _NUMBER.fullmatch(word):
        return {"type": "bid", "bid": int(word)}
    verb, _, rest = word.partition(" ")
    if MOON in (word, rest.strip(" ") if verb == "bid" else "") and has_moon(rules):
        return {"type": "bid", "bid": rules and moon_bid(rules)}
    if rest and verb in VERBS and (_has_smudge(rules) or rest.strip(" ") != SMUDGE):
        return VERBS[verb](rest.strip(" "))
    try:
        return {"type": "play", "card": parse_card(text)}
    except NotACard:
        raise MalformedMove(f"{text[:40]!r} isn't a move; you can write {valid_inputs(rules)}") from None


def move_text(move: Mapping[str, Any], moon: int | None = None) -> str:
    """Return a move in JSON as its player would write it, so that `parse_text_move` reads it.

    `moon` is the bid that is the moon at this table, if any. A cut and a signature of a beacon, which nobody writes by
    hand, are named by one word.
    """
    if moon is not None and move.get("bid") == moon:
        return MOON
    write = _WRITERS.get(move["type"])
    return write(move) if write else next((word for word, each in WORDS.items() if each == move), move["type"])


def _has_smudge(rules: Rules | None) -> bool:
    return rules is None or any(point.name == SMUDGE for point in rules.points)


def has_moon(rules: Rules | None) -> bool:
    """Return whether the moon can be bid; without `rules`, it can be at some table."""
    return rules is None or moon_bid(rules) is not None


def valid_inputs(rules: Rules | None) -> str:
    """Return a list of the valid inputs, in words."""
    words = [*([SMUDGE] if _has_smudge(rules) else []), *([MOON] if has_moon(rules) else []), *COMMON_WORDS]
    if rules is not None and rules.trump is Trump.NAMED:
        words = ["hearts", "throw 2C 3D", "call KH", *words]
    if rules is not None and rules.delay is not None:
        words += ["delay 2", "guilty", "not guilty"]
    if rules is not None and rules.changes.host:
        words.append("change dirty:on")
    return f"a number, a card like AD, or one of {', '.join(words)}"
