"""Which rules can change: the table's menu of single changes, and the rules that each of them makes (R-C44)."""

from dataclasses import replace

from domain.memo import memoize_by_identity
from domain.rules.choices import Partners
from domain.rules.model import Rules, Version

SWITCH_VALUES = {"on": True, "off": False}


@memoize_by_identity
def _rules_by_change(rules: Rules) -> dict[str, Rules]:
    """Cache the rules after each change of these rules."""
    return {}


def apply_change(rules: Rules, change: str) -> Rules:
    """Return `rules` after one change, such as "points:7", "dirty:on", or "partners:call".

    Raise LookupError for a version that the rules don't have, ValueError for a word that isn't a change.
    """
    cache = _rules_by_change(rules)
    if change not in cache:
        cache[change] = _change_rules(rules, change)
    return cache[change]


def _change_rules(rules: Rules, change: str) -> Rules:
    what, _, to = change.partition(":")
    if what == "points":
        version = next((each for each in rules.changes.versions if each.name == to), None)
        if version is None:
            raise LookupError(f"the rules have no version {to!r}")
        return with_version(rules, version)
    if what == "partners":
        return replace(rules, partners=Partners(to))
    if what == "dirty" and to in SWITCH_VALUES:
        return replace(rules, dirty=SWITCH_VALUES[to])
    if what == "reverse" and to in SWITCH_VALUES:
        return replace(rules, reverse=SWITCH_VALUES[to])
    raise ValueError(f"{change!r} isn't a change of rules")


def with_version(rules: Rules, version: Version) -> Rules:
    """Return `rules` with the points of `version`."""
    return replace(rules, version=version.name, points=version.points, off=version.off)


def available_changes(rules: Rules) -> tuple[str, ...]:
    """Return the menu's changes that would change something, in its order; a draw picks one of them."""
    now = current_choices(rules)
    return tuple([change for change in rules.changes.menu if change not in now])


def current_choices(rules: Rules) -> tuple[str, ...]:
    """Return the settings in force, in the words of the menu."""
    on = {True: "on", False: "off"}
    return (
        f"points:{rules.version}",
        f"dirty:{on[rules.dirty]}",
        f"reverse:{on[rules.reverse]}",
        f"partners:{rules.partners}",
    )
