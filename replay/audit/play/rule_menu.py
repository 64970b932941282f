"""The menu of rule changes: the entries that would change something, and the rules that a change makes (R-C44)."""

from dataclasses import replace

from domain.memo import memoize_by_identity
from domain.rules.choices import Hold, Partners
from domain.rules.model import Rules
from replay.fold import Position


def rules_to_come(position: Position) -> Rules:
    """Return the rules after all deferred changes have taken effect."""
    waiting = position.hand.deferred if position.hand else ()
    return waiting[-1].rules if waiting else position.rules


def menu_entries(position: Position) -> list[str]:
    """Return the entries of the menu that would change something, in order: the ones that a draw picks from."""
    return _entries(rules_to_come(position)).copy()


def has_menu_entries(position: Position) -> bool:
    """Tell whether an entry of the menu would change something."""
    return bool(_entries(rules_to_come(position)))


@memoize_by_identity
def _entries(rules: Rules) -> list[str]:
    return [entry for entry in rules.changes.menu if _changes_setting(rules, entry)]


def _changes_setting(rules: Rules, entry: str) -> bool:
    """Tell whether an entry is valid and would change something, without making the rules that it makes."""
    name, _, value = entry.partition(":")
    if name == "points":
        return value != rules.version and any(each.name == value for each in rules.changes.versions)
    if name == "partners":
        return value != rules.partners and value in list(Partners)
    return name in {"dirty", "reverse"} and value == ("off" if getattr(rules, name) else "on")


@memoize_by_identity
def _rules_by_entry(rules: Rules) -> dict[str, Rules | None]:
    """Return a dict that keeps the rules after each entry."""
    return {}


def rules_after(rules: Rules, entry: str) -> Rules | None:
    """Return the rules after one change, such as "points:7", or None if the entry is invalid."""
    known = _rules_by_entry(rules)
    if entry not in known:
        known[entry] = _make_rules(rules, entry)
    return known[entry]


def _make_rules(rules: Rules, entry: str) -> Rules | None:
    name, _, value = entry.partition(":")
    if name == "points":
        version = next((each for each in rules.changes.versions if each.name == value), None)
        return None if version is None else replace(rules, version=value, points=version.points, off=version.off)
    if name == "partners" and value in list(Partners):
        return replace(rules, partners=Partners(value))
    if name in {"dirty", "reverse"} and value in {"on", "off"}:
        on = value == "on"
        return replace(rules, dirty=on) if name == "dirty" else replace(rules, reverse=on)
    return None


def is_change_held_back(position: Position) -> bool:
    """Tell whether a change must be deferred because delay of game was called in this hand (C30, R-C41)."""
    hand = position.hand
    if hand is None or hand.over or not hand.held:
        return False
    return position.rules.changes.hold is Hold.HAND or not hand.acquitted
