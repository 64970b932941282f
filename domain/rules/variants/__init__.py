"""The variants, and the options that a table can choose when it opens a game.

A variant is a value of `domain.rules.model`, never a class with rules of its own. Nothing here judges a move.
"""

from collections import ChainMap
from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any

from domain.rejections import NotOffered
from domain.rules.model import Rules
from domain.rules.variants import (
    blackout,
    corellian,
    house,
    kitty,
    oh_hell,
    pedro,
    pitch,
    setback,
    smear,
    ten_point,
)
from domain.rules.variants.blackout import BLACKOUT
from domain.rules.variants.corellian import CORELLIAN
from domain.rules.variants.house import HOUSE
from domain.rules.variants.options import Option, Sheet, Variant
from domain.rules.variants.pitch import PITCH
from domain.rules.variants.setback import SETBACK

__all__ = [
    "BLACKOUT",
    "CORELLIAN",
    "HOUSE",
    "KNOWN",
    "PITCH",
    "SETBACK",
    "SHEETS",
    "VARIANTS",
    "Option",
    "Sheet",
    "Variant",
    "compose_rules",
    "variant",
]

VARIANTS: dict[str, Variant] = {
    each.name: each
    for each in (
        pitch.VARIANT,
        setback.VARIANT,
        blackout.VARIANT,
        corellian.VARIANT,
        *ten_point.VARIANTS,
        smear.VARIANT,
        *pedro.VARIANTS,
        *kitty.VARIANTS,
        *oh_hell.VARIANTS,
    )
}
"""Every variant that a table can choose by name."""
KNOWN: Mapping[str, Variant] = ChainMap({HOUSE: house.VARIANT}, VARIANTS)
"""Every variant that the facts of a game can name: also house rules, which a table chooses by their rulebook."""
SHEETS = tuple(dict.fromkeys(each.sheet for each in VARIANTS.values()))
"""Every rule sheet of a variant."""


def variant(name: str) -> Variant:
    """Return the variant with this name; raise NotOffered if there isn't one."""
    if name not in KNOWN:
        raise NotOffered(f"There's no variant {shortened(name)}. Choose from {', '.join(VARIANTS)}.")
    return KNOWN[name]


def compose_rules(name: str, options: Mapping[str, Any], seats: int | None = None) -> tuple[Rules, dict[str, Any]]:
    """Return the rules of a variant under `options` for `seats` players, and the options with defaults (R-S21)."""
    return variant(name).compose(options, seats)
