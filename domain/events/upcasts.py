"""Reading facts written by older versions. An upcast writes the old behaviour out; stored bytes are never rewritten.

An entry of FACTS takes the data of a fact at one version to the next; an entry of RULES does the same for the rules
inside a fact, whatever fact holds them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.rules.model import RULES_VERSION

Data = dict[str, Any]
Upcast = Callable[[Data], Data]

FACTS: Mapping[tuple[str, int], Upcast] = {}
RULES: Mapping[int, Upcast] = {}


class NoUpcast(LookupError):
    """A version nothing here can read: newer than this program, or never written."""


def upcast(
    fact: str,
    v: int,
    data: Data,
    to: int,
    facts: Mapping[tuple[str, int], Upcast] = FACTS,
    rules: Mapping[int, Upcast] = RULES,
    rules_to: int = RULES_VERSION,
) -> Data:
    """`data` of version `v` of a fact as version `to` has it, with any rules in it brought to `rules_to`."""
    for step in _steps(fact, v, to):
        if (fact, step) not in facts:
            raise NoUpcast(f"{fact} version {step} cannot be read here")
        data = facts[fact, step](data)
    if "rules" not in data:
        return data
    return data | {"rules": _rules(data["rules"], rules, rules_to)}


def _rules(written: Data, upcasts: Mapping[int, Upcast], to: int) -> Data:
    for step in _steps("rules", written["rules_v"], to):
        if step not in upcasts:
            raise NoUpcast(f"rules version {step} cannot be read here")
        written = upcasts[step](written)
    return written | {"rules_v": to}


def _steps(what: str, v: int, to: int) -> range:
    if v > to:
        raise NoUpcast(f"{what} version {v} is newer than this program, which knows {to}")
    return range(v, to)
