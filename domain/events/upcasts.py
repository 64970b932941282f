"""Upcasts: how facts of older versions are read. Stored bytes are never rewritten."""

from collections.abc import Mapping

from domain.events import FACTS
from domain.events.declaring import DECLARATIONS, Data, Upcast
from domain.rules.model import RULES_VERSION

FACT_UPCASTS: Mapping[tuple[str, int], Upcast] = {
    (name, v): older.upcast for name, kind in FACTS.items() for v, older in enumerate(DECLARATIONS[kind].older, 1)
}


def _name_choices_of_house_rules(rules: Data) -> Data:
    """Return rules of version 1, which lacked choices, as version 2: each choice, as the program then played."""
    quirks = ["empty_draws", "scaled_least", "pegging_list", "low_joker", "called_card_thrown"]
    return rules | {
        "auction": rules["auction"] | {"moon": "none"},
        "removed": [],
        "kitty": 0,
        "throw": "points_stay",
        "most_thrown": None,
        "opening_lead": "trump",
        "miss": "nothing",
        "fixed_trump": None,
        "joker_count": 0,
        "quirks": quirks,
    }


RULES_UPCASTS: Mapping[int, Upcast] = {1: _name_choices_of_house_rules}
"""By the version they start from: those of facts by (fact, version), those of the rules inside any fact by version."""


def _require_every_upcast() -> None:
    """Raise TypeError if an older version of the rules can't be read."""
    if missing := [f"rules version {v}" for v in range(1, RULES_VERSION) if v not in RULES_UPCASTS]:
        raise TypeError(f"{__name__} has no entry for {', '.join(missing)}")


_require_every_upcast()


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
    return data | {"rules": upcast_rules(data["rules"], rules, rules_to)}


def upcast_rules(data: Data, upcasts: Mapping[int, Upcast] = RULES_UPCASTS, to: int = RULES_VERSION) -> Data:
    """Return rules of the version that they name as version `to`. Raise NoUpcast if it isn't known."""
    for step in _steps("rules", data["rules_v"], to):
        if step not in upcasts:
            raise NoUpcast(f"rules version {step} can't be read by this program")
        data = upcasts[step](data)
    return data | {"rules_v": to}


def _steps(subject: str, v: int, to: int) -> range:
    if v > to:
        raise NoUpcast(f"{subject} version {v} is newer than this program, which reads up to {to}")
    return range(v, to)
