"""What of the rules can change: the table's menu of single changes, and the rules each of them makes (R-C44)."""

from dataclasses import replace

from domain.rules.choices import Partners
from domain.rules.model import Rules, Version

SWITCH_VALUES = {"on": True, "off": False}


def apply_change(rules: Rules, change: str) -> Rules:
    """`rules` after one change, a word such as "points:7", "dirty:on" or "partners:call".

    LookupError for a version the rules do not hold, ValueError for a word that is no change.
    """
    what, _, to = change.partition(":")
    if what == "points":
        version = next((each for each in rules.changes.versions if each.name == to), None)
        if version is None:
            raise LookupError(f"the rules hold no version {to!r}")
        return with_version(rules, version)
    if what == "partners":
        return replace(rules, partners=Partners(to))
    if what == "dirty" and to in SWITCH_VALUES:
        return replace(rules, dirty=SWITCH_VALUES[to])
    if what == "reverse" and to in SWITCH_VALUES:
        return replace(rules, reverse=SWITCH_VALUES[to])
    raise ValueError(f"{change!r} is no change of rules")


def with_version(rules: Rules, version: Version) -> Rules:
    """`rules` with the points of a version."""
    return replace(rules, version=version.name, points=version.points, off=version.off)


def available_changes(rules: Rules) -> tuple[str, ...]:
    """What of the menu would change something, in its order: what a draw picks from."""
    now = current_choices(rules)
    return tuple(change for change in rules.changes.menu if change not in now)


def current_choices(rules: Rules) -> tuple[str, ...]:
    """The setting in force, in the words of the menu."""
    on = {True: "on", False: "off"}
    return (
        f"points:{rules.version}",
        f"dirty:{on[rules.dirty]}",
        f"reverse:{on[rules.reverse]}",
        f"partners:{rules.partners}",
    )
