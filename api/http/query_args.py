"""What each route takes after the question mark: nothing, unless its view says `@takes(SCHEMA)`."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app, g, request
from flask.typing import RouteCallable
from marshmallow import Schema

from api.http.schemas import StrictSchema
from api.http.strict_json import read_query

View = TypeVar("View", bound=RouteCallable)

NO_ARGS = StrictSchema()
_schemas: dict[RouteCallable, Schema] = {}


def query(schema: Schema) -> Callable[[View], View]:
    """Declare what a view finds in `asked()`; stands below the route."""

    def declare(view: View) -> View:
        _schemas[view] = schema
        return view

    return declare


def check_query() -> None:
    """400 for a parameter that the route does not take, or that is not as it must be; on every route."""
    view = current_app.view_functions.get(request.endpoint or "")
    if view is not None:
        g.query_args = _schemas.get(view, NO_ARGS).load(read_query(request))


def query_args() -> dict[str, Any]:
    """The parameters of the present request, as its view's schema gives them."""
    found: dict[str, Any] = g.query_args
    return found
