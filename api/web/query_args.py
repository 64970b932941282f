"""The arguments of a query."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Request, current_app, g
from flask.typing import RouteCallable
from marshmallow import Schema, fields

from api.schemas import StrictSchema
from api.web.strict_json import read_query

ViewFunction = TypeVar("ViewFunction", bound=RouteCallable)

NO_ARGS = StrictSchema()
_schemas: dict[RouteCallable, Schema] = {}


def query(schema: Schema) -> Callable[[ViewFunction], ViewFunction]:
    """Declare the schema of a view's `query_args()`; place it below the route."""

    def declare(view: ViewFunction) -> ViewFunction:
        _schemas[view] = schema
        return view

    return declare


def query_schema(view: RouteCallable | None) -> Schema:
    """Return the schema of a view's query parameters."""
    return NO_ARGS if view is None else _schemas.get(view, NO_ARGS)


def check_query(request: Request) -> None:
    """Answer 400 for query parameters that the route doesn't accept or that are invalid."""
    view = current_app.view_functions.get(request.endpoint or "")
    schema = query_schema(view)
    if view is not None and (request.query_string or schema is not NO_ARGS):
        g.query_args = schema.load(read_query(request, lists_in(schema)))


def lists_in(schema: Schema) -> set[str]:
    """Return the parameters that may come several times."""
    return {name for name, field in schema.fields.items() if isinstance(field, fields.List)}


def query_args() -> dict[str, Any]:
    """Return the query parameters of the current request, loaded by the view's schema."""
    args: dict[str, Any] = g.query_args
    return args
