"""The variants of this server as data: all that a client needs for a form that opens a game."""

from typing import Any

from flask import Blueprint, Response

from api.http.responses import json_response
from api.services.open_game import BOT_PREFIX
from domain.rules.variants import VARIANTS, Option, Variant
from domain.rules.variants.options import OptionField
from projections.bots import BOTS

variants = Blueprint("variants", __name__)


@variants.get("/variants")
def list_variants() -> Response:
    """Return 200 `{"items": [...], "bots": [...]}`: each variant with its options and its default rules."""
    bots = [BOT_PREFIX + bot for bot in BOTS]
    return json_response({"items": [_variant(each) for each in VARIANTS.values()], "bots": bots})


def _variant(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "title": variant.title,
        "says": variant.summary,
        "seats": variant.rules.seats,
        "options": [_option(option) for option in variant.options],
        "rules": variant.compose({})[0],
    }


def _option(option: Option) -> dict[str, Any]:
    shown = {"name": option.name, "values": option.values, "default": option.default, "says": option.description}
    fields = [_part(part) for part in option.fields]
    return shown | {"ruling": option.ruling, "takes": option.value_format, "parts": fields}


def _part(part: OptionField) -> dict[str, Any]:
    shown = {"name": part.name, "kind": part.kind, "default": part.default, "says": part.description}
    return shown | {"of": part.choices, "null": part.nullable}
