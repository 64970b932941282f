"""How an endpoint is described: its summary, body, responses and problems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from marshmallow import Schema

from api.web.responses import JSON

Token = Literal["none", "optional", "needed"]
"""Whether a request may or must carry a token. `none` is for routes that ignore it."""
JsonSchema = Mapping[str, Any]
OneSchema = type[Schema] | JsonSchema
"""A marshmallow schema, or a JSON schema."""
AnySchema = OneSchema | tuple[OneSchema, ...]
"""A schema, or several of which a body fits one."""
TEXT_SCHEMA: JsonSchema = {"type": "string"}


@dataclass(frozen=True)
class Content:
    """A content type of a response, and the schema of its body; for a sequence also the schema of each `item`."""

    media: str
    schema: AnySchema
    item: AnySchema | None = None


@dataclass(frozen=True)
class DescribedAnswer:
    """A response that isn't a problem. `headers` are named as in `api.description.headers`."""

    status: int
    says: str
    contents: tuple[Content, ...] = ()
    headers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Operation:
    """The description of an endpoint.

    `summary` is the endpoint's line in the table of docs/http.md. `problems` are slugs beside those that every route of
    its kind can answer. `bodies` are the schemas that read a body, with the example to show first. `asks` are request
    headers.
    """

    summary: str
    answers: tuple[DescribedAnswer, ...]
    token: Token = "optional"
    bodies: tuple[OneSchema, ...] = ()
    example: Mapping[str, Any] | None = None
    problems: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


def json_answer(schema: AnySchema, *headers: str, status: int = 200, says: str = "OK") -> DescribedAnswer:
    """Return the description of a response with a JSON body."""
    return DescribedAnswer(status, says, (Content(JSON, schema),), headers)


def empty_answer(says: str, status: int = 204) -> DescribedAnswer:
    """Return the description of a response without a body."""
    return DescribedAnswer(status, says)
