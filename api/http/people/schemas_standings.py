"""Schemas for queries of standings and histories."""

from marshmallow import fields, validate

from api.http.schemas import query_integer_field
from api.http.schemas_games import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, WaitQuery
from domain.rules.variants import VARIANTS
from projections.lists.standings_results import ALL_TIME, BAD_PERIOD, PERIOD


def _period_field() -> fields.String:
    return fields.String(load_default=ALL_TIME, validate=validate.Regexp(PERIOD, error=BAD_PERIOD))


class HistoryQuery(WaitQuery):
    """`GET /players/{name}/history`"""

    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)
    cursor = fields.String()


class StandingsQuery(HistoryQuery):
    """`GET /standings`"""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS), error="Must be one of: {choices}."))
    period = _period_field()


class FiguresQuery(WaitQuery):
    """`GET /players/{name}/standings`"""

    period = _period_field()


STANDINGS_QUERY, FIGURES_QUERY, HISTORY_QUERY = StandingsQuery(), FiguresQuery(), HistoryQuery()
