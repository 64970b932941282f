"""Standings and ratings; the figures, the history and the opponents of a player, and whom rulings moved."""

from typing import Any

from marshmallow import fields

from api.description.answers.fields import (
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
from api.description.answers.views import ResultSchema
from projections.ratings.places import EVERY_KIND, KINDS
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


def _kind() -> fields.String:
    return choice(EVERY_KIND, *KINDS, says="`all` for pbmserv's rating; otherwise the kind of table, for the skill.")


def _exact(says: str, *types: str) -> fields.Field[Any]:
    return of_schema({"type": types[0] if len(types) == 1 else list(types)}, says)


class RatingNumberSchema(AnswerSchema):
    """A rating by pbmserv's formula, or a skill by openskill."""

    rating = whole_number("The number to show.")
    plus_minus = whole_number("How uncertain a skill is, in the same points; null for a rating.", null=True)
    shown = string("As text, for example `1623 ± 140, provisional (7 of 20)`.")
    provisional = flag("Whether fewer than 20 games are counted.")
    games = whole_number("The games counted.")
    value = _exact("The exact number, to a millionth: the rating, or openskill's `mu`.", "number")
    spread = _exact("openskill's `sigma`, to a millionth; null for a rating.", "number", "null")


class PlayedRatingSchema(RatingNumberSchema):
    """A rating, and what it rests on."""

    opponents = whole_number("How many different opponents the player has met.")
    last = string("When the last of these games ended.", **TIME)


class RatingLineSchema(PlayedRatingSchema):
    """A player's line in the ratings."""

    rank = whole_number("From 1.")
    player = string("The player's id.")


class RatingsSchema(AnswerSchema):
    """A page of the ratings."""

    variant = string()
    kind = _kind()
    items = several(RatingLineSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()


class PoolRatingSchema(PlayedRatingSchema):
    """A player's rating in a variant."""

    variant = string()
    kind = _kind()
    rank = whole_number("From 1; null behind the first 1,000, and before five opponents.", null=True)


class RatingStepSchema(AnswerSchema):
    """What a game did to a player's rating."""

    id = string(**UUID)
    board = whole_number()
    variant = string()
    kind = _kind()
    ended = string(**TIME)
    place = whole_number("The player's place, from 1.")
    sides = whole_number("How many were placed: players, or sides of partners.")
    weight = _exact("1, or 0.5 if the same people had played ten games in a week.", "number")
    before = part(RatingNumberSchema)
    after = part(RatingNumberSchema)


class PlayerRatingsSchema(AnswerSchema):
    """A player's ratings, and a page of what their games did to them, the last game first."""

    player = string("The player's id.")
    ratings = several(PoolRatingSchema)
    items = several(RatingStepSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()


class RatingChangeSchema(AnswerSchema):
    """A player whom a ruling moved."""

    at = string("When the ruling was given.", **TIME)
    id = string("The game that it was about.", **UUID)
    board = whole_number()
    version = whole_number("The ruling's number among the events of the game.")
    dispute = whole_number("The number of the dispute.")
    decision = choice("none", "adjust", "void", "upheld", "reversed", says="What was decided.")
    player = string("The player's id.")
    before = part(RatingNumberSchema, "Just before the ruling.")
    after = part(RatingNumberSchema, "Just after it, with all later games rated again.")


class RatingChangesSchema(AnswerSchema):
    """A page of the players whom rulings moved, the latest ruling first."""

    variant = string()
    kind = _kind()
    items = several(RatingChangeSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()
