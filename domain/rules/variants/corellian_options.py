"""The options of Corellian Pitch that are more than one of a few values: the randomizer, and when a session ends."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from domain.rejections import NotOffered
from domain.rules.choices import ORIENTATIONS, Partners
from domain.rules.model import Randomizer, Rules
from domain.rules.variants.corellian_versions import VERSIONS
from domain.rules.variants.options import Option, Part, moment

PARTNERS = tuple(str(each) for each in (*ORIENTATIONS, Partners.CALL))
MOST = 1_000_000
"""The longest odds a table may ask for: once in so many turns."""
DEFAULT: dict[str, Any] = {
    "when": [1, 16],
    "end": [1, 240],
    "points": ["4", "5", "7", "8", "10", "11", "13", "14"],
    "dirty": True,
    "reverse": True,
    "partners": list(PARTNERS),
}


def _randomizer(asked: Any) -> dict[str, Any] | None:
    """What the table may switch among, and how often; None for a table without a randomizer."""
    if asked is None:
        return None
    if not isinstance(asked, dict) or asked.keys() - DEFAULT.keys():
        raise NotOffered(f"randomizer is null or an object of {', '.join(DEFAULT)}")
    chosen = deepcopy(DEFAULT | asked)
    _must_be_odds("when", chosen["when"])
    if chosen["end"] is not None:
        _must_be_odds("end", chosen["end"])
    _must_be_of("points", chosen["points"], tuple(VERSIONS))
    _must_be_of("partners", chosen["partners"], PARTNERS)
    for switch in ("dirty", "reverse"):
        if type(chosen[switch]) is not bool:
            raise NotOffered(f"randomizer.{switch} is true or false")
    return chosen


def _randomized(rules: Rules, chosen: dict[str, Any] | None) -> Rules:
    """The rules with a menu, the versions it names and the odds; the usual menu, for a host, without a randomizer."""
    menu_of = chosen or DEFAULT
    versions = tuple(VERSIONS[name] for name in dict.fromkeys([*menu_of["points"], rules.version]))
    changes = replace(rules.changes, menu=_menu(menu_of), versions=versions)
    if chosen is not None:
        end = None if chosen["end"] is None else _chance(chosen["end"])
        changes = replace(changes, randomizer=Randomizer(_chance(chosen["when"]), end))
    return replace(rules, changes=changes)


def _chance(pair: list[int]) -> tuple[int, int]:
    a, b = pair
    return a, b


def _menu(chosen: dict[str, Any]) -> tuple[str, ...]:
    """The flat list of single changes (docs/rules/corellian.md)."""
    return (
        *(f"points:{name}" for name in chosen["points"]),
        *(("dirty:on", "dirty:off") if chosen["dirty"] else ()),
        *(("reverse:on", "reverse:off") if chosen["reverse"] else ()),
        *(f"partners:{name}" for name in chosen["partners"]),
    )


def _must_be_odds(what: str, odds: Any) -> None:
    whole = isinstance(odds, list) and len(odds) == 2 and all(type(each) is int for each in odds)
    if not whole or not 0 <= odds[0] <= odds[1] <= MOST or odds[1] == 0:
        raise NotOffered(f"randomizer.{what} is [a, b]: a times in b turns, a from 0 to b, b at most {MOST}")


def _must_be_of(what: str, names: Any, offered: tuple[str, ...]) -> None:
    known = isinstance(names, list) and all(isinstance(each, str) and each in offered for each in names)
    if not known or len(set(names)) < len(names):
        raise NotOffered(f"randomizer.{what} is a list of {', '.join(offered)}, each at most once")


def _time(asked: Any) -> str | None:
    """A moment in UTC, as events write it; None for no predetermined end."""
    if asked is None:
        return None
    return moment(asked, "ends_at")


PARTS = (
    Part("when", "odds", DEFAULT["when"], "how often a rule changes before a turn: [a, b], a times in b"),
    Part("end", "odds", DEFAULT["end"], "how often the session ends before a turn, null for never", null=True),
    Part("points", "list", DEFAULT["points"], "the versions there are to change to", of=tuple(VERSIONS)),
    Part("dirty", "flag", DEFAULT["dirty"], "whether dirty may be switched on and off"),
    Part("reverse", "flag", DEFAULT["reverse"], "whether the ranks may be reversed and put right again"),
    Part("partners", "list", DEFAULT["partners"], "which partnerships there are to change to", of=PARTNERS),
)

RANDOMIZER = Option(
    "randomizer",
    (DEFAULT, None),
    DEFAULT,
    "how often rules change and the session ends, a times in b turns, and what there is to change; null for never",
    _randomized,
    read=_randomizer,
    takes=f"null or an object; a field left out is as usual, a and b are whole, 0 <= a <= b, 1 <= b <= {MOST}",
    parts=PARTS,
)
ENDS_AT = Option(
    "ends_at",
    (None,),
    None,
    "when the session ends",
    lambda rules, _: rules,
    read=_time,
    takes="null or a time in UTC, like 2026-11-21T08:00:00Z",
)
