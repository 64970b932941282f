"""Addresses: Flask's rules as paths of OpenAPI, and their parameters."""

import re
from collections.abc import Mapping
from typing import Any

from werkzeug.routing import Rule

from api.web.strict_json import GameReference

JsonObject = dict[str, Any]
MAX_PATH_INTEGER = 10**9 - 1  # nine digits
VARIABLE = re.compile(r"<(?:[a-z_]+:)?([a-z_]+)>")
NUMBER: JsonObject = {"type": "integer", "minimum": 0, "maximum": MAX_PATH_INTEGER}
NAME: JsonObject = {"type": "string", "pattern": "^[A-Za-z0-9._-]+$"}
PUBLIC_NAMES: Mapping[str, str] = {"reference": "game"}
"""Variables of rules that have another name in the description."""
VARIABLES: Mapping[str, tuple[str, JsonObject, Any]] = {
    "game": (
        "The id of a game, or its board number.",
        {"type": "string", "pattern": f"^({GameReference.regex})$"},
        "1",
    ),
    "seat": ("The number of a seat.", NUMBER, 0),
    "hand": ("The number of a hand, from 1.", NUMBER, 1),
    "dispute": ("The number of a dispute in the game, from 1.", NUMBER, 1),
    "slug": ("A type of problem without its path.", NAME, "must-follow"),
    "file": ("The name of a file.", NAME, "verify.js"),
    "token": ("The id of a token in a list, or the token of an invitation.", NAME, "0a1b2c3d4e5f"),
    "version": ("The version of the pages' files.", NAME, "0123456789ab"),
    "asset": ("A file of the folder.", NAME, "dom.js"),
    "folder": ("A folder of the pages' files.", NAME, "base"),
    "sheet": ("The name of a rule sheet.", NAME, "pitch"),
    "invitation": ("The id of an invitation.", NAME, "i_0123456789abcdef"),
    "name": ("The name of a player.", {"type": "string"}, "bob"),
    "opponent": ("The name of another player.", {"type": "string"}, "ann"),
    "message": ("The id of a message.", NAME, "m_0123456789abcdef01234567"),
    "report": ("The id of a report.", NAME, "r_0123456789abcdef01234567"),
    "step": ("The id of a step.", NAME, "s_0123456789abcdef01234567"),
    "webhook": ("The id of a webhook.", NAME, "w_0123456789abcdef01234567"),
    "key": ("The last part of a link in a mail.", {"type": "string"}, "0123456789abcdef"),
    "offer": ("The id of an offer.", NAME, "537cbd82a1f04c55"),
}
"""Each variable of a path: its description, its schema and an example."""


def path_of(rule: Rule) -> str:
    """Return a rule's address with its variables in braces: `/api/v1/games/{game}/seats/{seat}`."""
    return VARIABLE.sub(lambda found: f"{{{_public(found[1])}}}", rule.rule)


def variables_of(rule: Rule) -> list[str]:
    """Return the names of a path's variables, in order."""
    return [_public(name) for name in VARIABLE.findall(rule.rule)]


def path_parameters() -> dict[str, JsonObject]:
    """Return the parameter of each variable, by name."""
    return {
        name: {"name": name, "in": "path", "required": True, "description": says, "schema": schema, "example": example}
        for name, (says, schema, example) in VARIABLES.items()
    }


def _public(name: str) -> str:
    return PUBLIC_NAMES.get(name, name)
