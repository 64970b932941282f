"""Standings, and the figures, the history and the opponents of a player."""

from typing import Any

from marshmallow import fields

from api.http.openapi.answers.fields import (
    TIME,
    UUID,
    AnswerSchema,
    choice,
    flag,
    name_map,
    of_schema,
    part,
    several,
    string,
    whole_number,
)
from api.http.openapi.answers.views import ResultSchema
from projections.views.uncounted_games import REASONS


def _rate() -> fields.Field[Any]:
    share = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    return of_schema(share, "`set` of all `bids`, to a thousandth; null without bids.")


class FiguresSchema(AnswerSchema):
    """What a player did in the games that count."""

    games = whole_number("Finished games.")
    won = whole_number("Games won, as ruled.")
    hands = whole_number("Hands played.")
    hands_won = whole_number("Hands in which no seat's score rose more.")
    bids = whole_number("Bids that the player had to make.")
    made = whole_number("Bids made.")
    set = whole_number("Bids that weren't made.")
    set_rate = _rate()
    points = whole_number("The sum of the final scores, as ruled.")


class StandingLineSchema(FiguresSchema):
    """A player's line in the standings."""

    rank = whole_number("From 1.")
    player = string("The player's id.")


class StandingsSchema(AnswerSchema):
    """A page of the standings."""

    variant = string()
    period = string("`all`, a year or a month.")
    items = several(StandingLineSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()


class VariantFiguresSchema(FiguresSchema):
    """A player's figures in a variant."""

    variant = string()
    rank = whole_number("From 1; null behind the first 1,000, and for a guest.", null=True)


class PlayerFiguresSchema(AnswerSchema):
    """A player's figures by variant."""

    player = string("The player's id.")
    period = string("`all`, a year or a month.")
    items = several(VariantFiguresSchema)
    names = name_map()


class HistorySeatSchema(AnswerSchema):
    """A seat of a finished game."""

    seat = whole_number()
    player = string()
    kind = choice("human", "bot")


class HistoryGameSchema(AnswerSchema):
    """A finished game of the player."""

    id = string(**UUID)
    board = whole_number()
    variant = string()
    ended = string(**TIME)
    public = flag("Whether everybody may see the game.")
    seat = whole_number("The seat that the player held.")
    seats = several(HistorySeatSchema, "The players at the end.")
    won = flag("Whether the seat won, as ruled.")
    points = whole_number("The final score of the seat, as ruled.")
    result = part(ResultSchema)
    counts = flag("Whether the game counts for this player.")
    reason = choice(*REASONS, says="Why it doesn't count.", null=True)


class HistorySchema(AnswerSchema):
    """A page of a player's finished games, the last first."""

    player = string("The player's id.")
    items = several(HistoryGameSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()


class MeetingsSchema(AnswerSchema):
    """What became of two players' games against each other, in a variant."""

    variant = string()
    games = whole_number("Games in which they were opponents.")
    won = whole_number("Games that the player won.")
    lost = whole_number("Games that the opponent won.")


class HeadToHeadSchema(AnswerSchema):
    """The games of two players against each other, by variant."""

    player = string("The player's id.")
    opponent = string("The opponent's id.")
    items = several(MeetingsSchema)
    names = name_map()
