"""The options of Corellian Pitch that are more than one of a few values: the randomizer, and when a session ends."""

import re
from contextlib import suppress
from copy import deepcopy
from datetime import datetime
from typing import Any

from domain.catalogue.options import Option, Part
from domain.catalogue.versions import VERSIONS
from domain.choices import ORIENTATIONS, Partners
from domain.rejections import NotOffered

PARTNERS = tuple(str(each) for each in (*ORIENTATIONS, Partners.CALL))
MOST = 1_000_000
"""The longest odds a table may ask for: once in so many turns."""
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z")
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


def moment(asked: Any, what: str) -> str:
    """A time like 2026-11-21T08:00:00Z with six decimals; refuses all else, other time zones too."""
    if isinstance(asked, str) and MOMENT.fullmatch(asked):
        with suppress(ValueError):
            return datetime.fromisoformat(asked[:-1]).isoformat(timespec="microseconds") + "Z"
    raise NotOffered(f"{what} is null or a time in UTC, like 2026-11-21T08:00:00Z")


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
    lambda rules, _: rules,
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
