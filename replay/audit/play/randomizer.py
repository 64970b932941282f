"""The randomizer's draws of a hand, recomputed from the seed: the end of the session and changes of the rules."""

from typing import NamedTuple

from domain.protocols import fairdeal
from domain.rules.choices import Stop
from replay.audit.play.rule_menu import has_menu_entries
from replay.fold import HandRead, Position


class RandomizerDraws(NamedTuple):
    """The randomizer's draws before a turn: whether the session ends and whether a rule changes; None if unknown."""

    ends: bool | None
    changes: bool | None


NO_DRAWS = RandomizerDraws(False, False)
_AT_ONCE = Stop.AT_ONCE


def randomizer_draws(position: Position, key: bytes | None) -> RandomizerDraws:
    """Return the draws of this turn by the deal's `key`: first the end, then a change (R-C45, R-C46)."""
    chance, hand = position.rules.changes.randomizer, position.hand
    if chance is None or hand is None or hand.over:
        return NO_DRAWS
    at_once = chance.end is not None and position.rules.stop is _AT_ONCE
    ends = _comes_true(key, f"randomizer {hand.turns} end", chance.end) if at_once else False
    may_change = hand.drawn != hand.turns and has_menu_entries(position)
    changes = _comes_true(key, f"randomizer {hand.turns} when", chance.when) if may_change else False
    return RandomizerDraws(ends, changes)


def _comes_true(key: bytes | None, label: str, odds: tuple[int, int] | None) -> bool | None:
    """Tell whether a chance comes true; None if the key is unknown, False if the odds are missing or invalid."""
    if key is None:
        return None
    try:
        return odds is not None and fairdeal.chance(key, label, *odds)
    except ValueError:
        return False


def session_end_labels(position: Position, hand: HandRead, key: bytes | None) -> list[str] | None:
    """Return the labels of the draws that ended a session that plays out its hand, or None if the key is unknown."""
    chance = position.rules.changes.randomizer
    if chance is None or chance.end is None or position.rules.stop is Stop.AT_ONCE:
        return []
    if key is None:
        return None
    labels = [f"randomizer {turn} end" for turn in range(hand.turns)]
    return [label for label in labels if _comes_true(key, label, chance.end)]


def pick(key: bytes, label: str, of: int) -> int | None:
    """Return the number below `of` that a draw picks, or None if `of` is invalid."""
    try:
        return fairdeal.pick(key, label, of)
    except ValueError:
        return None
