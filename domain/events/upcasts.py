"""Upcasts: how facts of older versions are read. Stored bytes are never rewritten.

An upcast is a function from the JSON data of one version to that of the next. It writes out what the old version meant.
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.rules.model import RULES_VERSION

Data = dict[str, Any]
Upcast = Callable[[Data], Data]


def _game_opened_1(data: Data) -> Data:
    """Before version 2 no game had limits, a rating or a clock, everybody could watch, and an undo needed consent."""
    watch = {"public": True, "delay": 0}
    return data | {
        "timing": data["timing"] | {"pace": None},
        "limits": None,
        "rated": None,
        "watch": watch,
        "undo": "consent",
        "autopilot": "forfeit",
    }


def _game_opened_2(data: Data) -> Data:
    """Before version 3 no table asked for a beacon."""
    return data | {"fairness": data["fairness"] | {"beacon": None}}


def _without_beacon(data: Data) -> Data:
    """Before version 2 no ceremony named a round of a beacon."""
    return data | {"beacon": None}


def _ruling_given_1(data: Data) -> Data:
    """Before version 2 a ruling that ended a live hand also ended an open delay call, without a fact of its own."""
    return data | {"drops_call": data["voids"] is not None}


def _held_for_no_time(data: Data) -> Data:
    """Before version 2, no time was given back to a seat."""
    return data | {"held_ms": 0}


def _turn_goes_on(data: Data) -> Data:
    """Before version 2, no turn began if the same seats had to move as before."""
    return data | {"begins_turn": False}


FACT_UPCASTS: Mapping[tuple[str, int], Upcast] = {
    ("CeremonyOpened", 1): _without_beacon,
    ("GameOpened", 1): _game_opened_1,
    ("GameOpened", 2): _game_opened_2,
    ("MovesTakenBack", 1): _turn_goes_on,
    ("PartnerCalled", 1): _turn_goes_on,
    ("RulingGiven", 1): _ruling_given_1,
    ("SeatForfeited", 1): _held_for_no_time,
    ("TurnReminded", 1): _held_for_no_time,
}
RULES_UPCASTS: Mapping[int, Upcast] = {}
"""By the version they start from: those of facts by (fact, version), those of the rules inside any fact by version."""


class NoUpcast(LookupError):
    """The version is newer than this program, or no version ever had this number."""


def upcast(
    fact: str,
    v: int,
    data: Data,
    to: int,
    facts: Mapping[tuple[str, int], Upcast] = FACT_UPCASTS,
    rules: Mapping[int, Upcast] = RULES_UPCASTS,
    rules_to: int = RULES_VERSION,
) -> Data:
    """Return `data` of version `v` of a fact as version `to`, with the rules in it, if any, as version `rules_to`."""
    for step in _steps(fact, v, to):
        if (fact, step) not in facts:
            raise NoUpcast(f"{fact} version {step} can't be read by this program")
        data = facts[fact, step](data)
    if "rules" not in data:
        return data
    return data | {"rules": _upcast_rules(data["rules"], rules, rules_to)}


def _upcast_rules(data: Data, upcasts: Mapping[int, Upcast], to: int) -> Data:
    for step in _steps("rules", data["rules_v"], to):
        if step not in upcasts:
            raise NoUpcast(f"rules version {step} can't be read by this program")
        data = upcasts[step](data)
    return data | {"rules_v": to}


def _steps(subject: str, v: int, to: int) -> range:
    if v > to:
        raise NoUpcast(f"{subject} version {v} is newer than this program, which reads up to {to}")
    return range(v, to)
