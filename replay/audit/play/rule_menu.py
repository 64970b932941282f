"""The menu of changes, read anew: what of it is not in force, and the rules that a change makes (R-C44)."""

from dataclasses import replace

from domain.memo import memoize_by_identity
from domain.rules.choices import Hold, Partners
from domain.rules.model import Rules
from replay.fold import Position


def rules_to_come(position: Position) -> Rules:
    """The rules in force once everything held back has come in."""
    waiting = position.hand.deferred if position.hand else ()
    return waiting[-1].rules if waiting else position.rules


def menu_entries(position: Position) -> list[str]:
    """What of the menu would change something, in its order: what a draw picks from."""
    return _entries(rules_to_come(position)).copy()


@memoize_by_identity
def _entries(rules: Rules) -> list[str]:
    return [
        word for word in rules.changes.menu if (after := rules_after(rules, word)) and after.setting != rules.setting
    ]


def rules_after(rules: Rules, word: str) -> Rules | None:
    """The rules after one change, such as "points:7"; None for a word that is none."""
    what, _, to = word.partition(":")
    if what == "points":
        named = [version for version in rules.changes.versions if version.name == to]
        points = [replace(rules, version=to, points=each.points, off=each.off) for each in named]
        return points[0] if points else None
    if what == "partners" and to in list(Partners):
        return replace(rules, partners=Partners(to))
    if what in {"dirty", "reverse"} and to in {"on", "off"}:
        on = to == "on"
        return replace(rules, dirty=on) if what == "dirty" else replace(rules, reverse=on)
    return None


def is_change_held_back(position: Position) -> bool:
    """Whether a change has to wait, because delay of game was called in this hand (C30, R-C41)."""
    hand = position.hand
    if hand is None or hand.over or not hand.held:
        return False
    return position.rules.changes.hold is Hold.HAND or not hand.acquitted
