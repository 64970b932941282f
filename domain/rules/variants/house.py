"""Games by house rules: their facts hold the rules whole, and the address of the rulebook (docs/rules/README.md)."""

import re
from dataclasses import replace
from typing import Any

from domain.rejections import NotOffered
from domain.rules.variants.options import Option, Sheet, Variant
from domain.rules.variants.pitch import PITCH

HOUSE = "house"
RULEBOOK = "rulebook"
"""The option that holds the address of a game's rulebook."""
_ADDRESS = re.compile("[0-9a-f]{64}")


def _address(value: Any) -> str:
    if isinstance(value, str) and _ADDRESS.fullmatch(value):
        return value
    raise NotOffered("Set rulebook to the address of a rulebook: 64 lower-case hex digits.")


VARIANT = Variant(
    HOUSE,
    "House rules",
    "The rules of a club or a family, written down as a rulebook.",
    replace(PITCH, variant=HOUSE),
    (
        Option(
            RULEBOOK,
            (),
            None,
            "the address of the rulebook",
            lambda rules, _: rules,
            parse=_address,
            value_format="64 lower-case hex digits",
        ),
    ),
    sheet=Sheet("house", "House rules", "L", 1, 0),
)
