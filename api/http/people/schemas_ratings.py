"""Schemas for queries of ratings."""

from marshmallow import fields, validate

from api.http.people.schemas_standings import HistoryQuery
from domain.rules.variants import VARIANTS
from projections.ratings.places import EVERY_KIND, KINDS

CHOICES = "Must be one of: {choices}."


class RatingsQuery(HistoryQuery):
    """`GET /ratings` and `GET /ratings/changes`"""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS), error=CHOICES))
    kind = fields.String(load_default=EVERY_KIND, validate=validate.OneOf((EVERY_KIND, *KINDS), error=CHOICES))


RATINGS_QUERY, PLAYER_RATINGS_QUERY = RatingsQuery(), HistoryQuery()
