"""Lists of games, scoreboards, and the variants that the server offers."""

from api.description.answers.fields import (
    TIME,
    UUID,
    AnswerSchema,
    choice,
    flag,
    name_map,
    numbers,
    of_schema,
    part,
    reference,
    several,
    side_list,
    string,
    whole_number,
)
from api.description.answers.views import DisputeLineSchema, ResultSchema, SettingSchema, StandingSchema
from projections.views.uncounted_games import REASONS


class WatchSettingSchema(AnswerSchema):
    """Who may watch a game, and how late."""

    public = flag()
    delay = whole_number("By how many facts spectators see it late.")


class LobbySeatSchema(AnswerSchema):
    """A seat of a game in the lobby."""

    seat = whole_number()
    player = string()
    kind = choice("human", "bot")
    state = choice("in", "resigned", "forfeited")


class LobbyGameSchema(AnswerSchema):
    """A game in the lobby."""

    id = string(**UUID)
    board = whole_number()
    variant = string()
    status = choice("active", "finished")
    watch = part(WatchSettingSchema)
    seats = several(LobbySeatSchema)
    waiting = several(string(), "The ids of the players whose turn it is.")
    version = whole_number()
    created = string(**TIME)
    updated = string("The time of the last event.", **TIME)
    result = part(ResultSchema, null=True)
    unrated = choice(*REASONS, says="Why the game doesn't count, as far as its opening says it.", null=True)
    corrupt = flag("Whether an event of the game can't be read.")


class LobbySchema(AnswerSchema):
    """A page of games, the newest first."""

    items = several(LobbyGameSchema)
    next = string("The cursor of the next page, or null.", null=True)
    names = name_map()


class ScorePegSchema(AnswerSchema):
    """A point won."""

    point = string()
    worth = whole_number()
    credited = flag()


class ScoreLineSchema(AnswerSchema):
    """A hand's line for a seat."""

    seat = whole_number()
    points = whole_number("The points credited.")
    pegs = several(ScorePegSchema, "All points that it won.")
    count = whole_number("The game count.", null=True)
    tricks = whole_number()
    bid = whole_number(null=True)
    made = flag("Whether its side made the bid; null for other seats.", null=True)
    exact = flag("In Blackout, whether it took exactly as many tricks as it bid.", null=True)
    change = whole_number()
    total = whole_number()
    text = string("The line as text.")


class ScoredHandSchema(AnswerSchema):
    """A hand, as it was scored."""

    hand = whole_number()
    pitcher = whole_number(null=True)
    bid = whole_number(null=True)
    made = flag(null=True)
    sides = side_list()
    words = several(string(), "The points that there were, in pegging order.")
    marks = several(string(), "The points that stand at the end of a line.")
    setting = part(SettingSchema, null=True)
    first_version = whole_number("The version at which the hand was dealt.", null=True)
    last_version = whole_number("The version at which it was scored.", null=True)
    lines = several(ScoreLineSchema)


class DelayVerdictSchema(AnswerSchema):
    """A verdict on delay of game."""

    hand = whole_number()
    seat = whole_number()
    guilty = flag()
    change = whole_number()


class ScoreboardSchema(AnswerSchema):
    """The hands of a game, with a line for each seat."""

    game = string(**UUID)
    players = several(string(), "The ids by seat.")
    sides = side_list()
    goal = whole_number(null=True)
    words = several(string())
    marks = several(string())
    setting = part(SettingSchema, null=True)
    totals = numbers()
    delays = several(DelayVerdictSchema)
    disputes = several(DisputeLineSchema)
    result = part(ResultSchema, null=True)
    ruled = part(StandingSchema, null=True)
    unrated = choice(*REASONS, says="Why the game doesn't count, as far as its opening says it.", null=True)
    hands = several(ScoredHandSchema)
    names = name_map()


class OptionPartSchema(AnswerSchema):
    """A field of an option that is an object."""

    name = string()
    kind = choice("odds", "flag", "list")
    default = of_schema({})
    says = string()
    of = several(string(), null=True)
    null = flag("Whether null is valid, too.")


class GameOptionSchema(AnswerSchema):
    """An option of a variant."""

    name = string()
    values = several(of_schema({}), "What you can send, unless `takes` says more.")
    default = of_schema({})
    says = string()
    ruling = string("The number of the contested ruling that it answers.", null=True)
    takes = string("What you can send, if `values` isn't the full list.", null=True)
    parts = several(OptionPartSchema)


class VariantSchema(AnswerSchema):
    """A game that the server offers."""

    name = string()
    title = string()
    says = string("A description.")
    seats = numbers("How many can play.")
    options = several(GameOptionSchema)
    rules = reference("Rules", "With the default of each option.")


class VariantsSchema(AnswerSchema):
    """The games and bots that the server offers."""

    items = several(VariantSchema)
    bots = several(string())
