"""The two options of Corellian Pitch that take free values: the randomizer, and the time when a session ends."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from domain.rejections import NotOffered
from domain.rules.choices import ORIENTATIONS, Partners
from domain.rules.model import Randomizer, Rules
from domain.rules.variants.corellian_versions import VERSIONS
from domain.rules.variants.options import Option, OptionField, parse_time

PARTNERS = tuple(str(each) for each in (*ORIENTATIONS, Partners.CALL))
MAX_TURNS = 1_000_000
"""The largest b of the odds [a, b]: a times in b turns."""
DEFAULT: dict[str, Any] = {
    "when": [1, 16],
    "end": [1, 240],
    "points": ["4", "5", "7", "8", "10", "11", "13", "14"],
    "dirty": True,
    "reverse": True,
    "partners": list(PARTNERS),
}


def _parse_randomizer(value: Any) -> dict[str, Any] | None:
    """Return the odds and the rules that may change, with defaults filled in; None for a table without a randomizer."""
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() - DEFAULT.keys():
        raise NotOffered(f"Set randomizer to null or to an object with some of {', '.join(DEFAULT)}.")
    chosen = deepcopy(DEFAULT | value)
    _require_odds("when", chosen["when"])
    if chosen["end"] is not None:
        _require_odds("end", chosen["end"])
    _require_names("points", chosen["points"], tuple(VERSIONS))
    _require_names("partners", chosen["partners"], PARTNERS)
    for switch in ("dirty", "reverse"):
        if type(chosen[switch]) is not bool:
            raise NotOffered(f"Set randomizer.{switch} to true or false.")
    return chosen


def _apply_randomizer(rules: Rules, chosen: dict[str, Any] | None) -> Rules:
    """Return the rules with the menu, its versions and the odds.

    Without a randomizer the menu is the default one, for tables at which the host changes the rules.
    """
    source = chosen or DEFAULT
    versions = tuple(VERSIONS[name] for name in dict.fromkeys([*source["points"], rules.version]))
    changes = replace(rules.changes, menu=_menu(source), versions=versions)
    if chosen is not None:
        end = None if chosen["end"] is None else _odds(chosen["end"])
        changes = replace(changes, randomizer=Randomizer(_odds(chosen["when"]), end))
    return replace(rules, changes=changes)


def _odds(pair: list[int]) -> tuple[int, int]:
    a, b = pair
    return a, b


def _menu(chosen: dict[str, Any]) -> tuple[str, ...]:
    """Return the single changes, like `points:7`, in the order in which a draw counts them."""
    return (
        *(f"points:{name}" for name in chosen["points"]),
        *(("dirty:on", "dirty:off") if chosen["dirty"] else ()),
        *(("reverse:on", "reverse:off") if chosen["reverse"] else ()),
        *(f"partners:{name}" for name in chosen["partners"]),
    )


def _require_odds(field_name: str, odds: Any) -> None:
    is_pair = isinstance(odds, list) and len(odds) == 2 and all(type(each) is int for each in odds)
    if not is_pair or not 0 <= odds[0] <= odds[1] <= MAX_TURNS or odds[1] == 0:
        raise NotOffered(
            f"Set randomizer.{field_name} to [a, b] for a times in b turns: a from 0 to b, b from 1 to {MAX_TURNS}."
        )


def _require_names(field_name: str, names: Any, offered: tuple[str, ...]) -> None:
    known = isinstance(names, list) and all(isinstance(each, str) and each in offered for each in names)
    if not known or len(set(names)) < len(names):
        raise NotOffered(f"Set randomizer.{field_name} to a list of {', '.join(offered)}, each at most once.")


def _parse_end(value: Any) -> str | None:
    """Return the time when the session ends, as events write it; None for a session without one."""
    if value is None:
        return None
    return parse_time(value, "ends_at")


FIELDS = (
    OptionField("when", "odds", DEFAULT["when"], "how often a rule changes before a turn: [a, b], a times in b"),
    OptionField(
        "end", "odds", DEFAULT["end"], "how often the session ends before a turn, null for never", nullable=True
    ),
    OptionField(
        "points", "list", DEFAULT["points"], "the versions that the points may change to", choices=tuple(VERSIONS)
    ),
    OptionField("dirty", "flag", DEFAULT["dirty"], "whether dirty may be switched on and off"),
    OptionField("reverse", "flag", DEFAULT["reverse"], "whether the ranks may be reversed and put right again"),
    OptionField("partners", "list", DEFAULT["partners"], "the partnerships that may come into force", choices=PARTNERS),
)

RANDOMIZER = Option(
    "randomizer",
    (DEFAULT, None),
    DEFAULT,
    "how often rules change and the session ends, a times in b turns, and which rules may change; null for never",
    _apply_randomizer,
    parse=_parse_randomizer,
    value_format=(
        "null or an object; a missing field takes its default, a and b are whole numbers, "
        f"0 <= a <= b, 1 <= b <= {MAX_TURNS}"
    ),
    fields=FIELDS,
)
ENDS_AT = Option(
    "ends_at",
    (None,),
    None,
    "when the session ends",
    lambda rules, _: rules,
    parse=_parse_end,
    value_format="null or a time in UTC, like 2026-11-21T08:00:00Z",
)
