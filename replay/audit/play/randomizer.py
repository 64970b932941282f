"""What the randomizer draws in a hand, drawn again from the seed: the end of the session, and changes of the rules."""

from typing import NamedTuple

from domain.protocols import fairdeal
from domain.rules.choices import Stop
from replay.audit.play.rule_menu import menu_entries
from replay.fold import HandRead, Position


class RandomizerDraws(NamedTuple):
    """What the randomizer draws before a turn: whether the session ends, whether a rule changes; None: not known."""

    ends: bool | None
    changes: bool | None


NO_DRAWS = RandomizerDraws(False, False)


def randomizer_draws(position: Position, key: bytes | None) -> RandomizerDraws:
    """What it draws now, by the deal's `key`: the end first, then a change, once each turn (R-C45, R-C46)."""
    chance, hand = position.rules.changes.randomizer, position.hand
    if chance is None or hand is None or hand.over:
        return NO_DRAWS
    at_once = chance.end is not None and position.rules.stop is Stop.AT_ONCE
    ends = _fires(key, f"randomizer {hand.turns} end", chance.end) if at_once else False
    may_change = hand.drawn != hand.turns and bool(menu_entries(position))
    changes = _fires(key, f"randomizer {hand.turns} when", chance.when) if may_change else False
    return RandomizerDraws(ends, changes)


def _fires(key: bytes | None, label: str, odds: tuple[int, int] | None) -> bool | None:
    """Whether a chance comes true; None where the seed is not known, False for odds that are none."""
    if key is None:
        return None
    try:
        return odds is not None and fairdeal.chance(key, label, *odds)
    except ValueError:
        return False


def session_end_labels(position: Position, hand: HandRead, key: bytes | None) -> list[str] | None:
    """The labels under which the randomizer has ended a session that plays its hand out; None where it is not known."""
    chance = position.rules.changes.randomizer
    if chance is None or chance.end is None or position.rules.stop is Stop.AT_ONCE:
        return []
    if key is None:
        return None
    labels = [f"randomizer {turn} end" for turn in range(hand.turns)]
    return [label for label in labels if _fires(key, label, chance.end)]


def pick(key: bytes, label: str, of: int) -> int | None:
    """Which of `of` a draw picks; None for a number nothing can be picked from."""
    try:
        return fairdeal.pick(key, label, of)
    except ValueError:
        return None
