"""Views of a game (docs/views.md), and responses to moves."""

from api.description.answers.fields import (
    CARD,
    HASH,
    TIME,
    UUID,
    AnswerSchema,
    Keywords,
    by_key,
    card_list,
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
from domain.events.dispute_codes import DisputeKind, Ruling
from domain.rules.choices import Phase
from projections.views.own_seat import OUT_OF_TURN_MOVES
from projections.views.uncounted_games import REASONS

DISPUTE_STATES = ("open", "ruled", "appealed", "upheld", "reversed")
SUITS: Keywords = {"pattern": "^[CDHS]$"}


class SettingSchema(AnswerSchema):
    """The rules of Corellian Pitch that can change."""

    points = string("The name of the version.")
    total = whole_number("The points that the version offers.")
    dirty = flag()
    reverse = flag("Whether the ranks are reversed.")
    partners = string("The rule that says which seat is the pitcher's partner.")


class TableRulesSchema(AnswerSchema):
    """What a player needs of the rules at the table; which fields there are depends on the game."""

    goal = whole_number("The score that wins.", null=True)
    points = string(required=False)
    total = whole_number(required=False)
    dirty = flag(required=False)
    reverse = flag(required=False)
    partners = string(required=False)
    deferred = several(SettingSchema, "The settings that wait for the end of the hand.", required=False)
    least_bid = whole_number(required=False)
    most_bid = whole_number(required=False)
    hook = flag(required=False)
    hands = whole_number(required=False)
    changes = several(string(), "The changes that the host can make now.", required=False)
    ends_at = string("When the game ends by time.", required=False, **TIME)
    undo = string("How moves are taken back, unless by consent.", required=False)


class EarlierHolderSchema(AnswerSchema):
    """A player who held a seat before, and the first and the last version of their time."""

    player = string()
    kind = choice("human", "bot")
    first = whole_number()
    last = whole_number()


class SeatLineSchema(AnswerSchema):
    """A seat as everybody sees it."""

    seat = whole_number()
    player = string("The player's id, or a bot's.")
    kind = choice("human", "bot")
    score = whole_number("The score as played.")
    count = whole_number("How many cards the seat holds.")
    tricks = whole_number("How many tricks it took in this hand.")
    state = choice("in", "resigned", "forfeited")
    earlier = several(EarlierHolderSchema)


class PlayedCardSchema(AnswerSchema):
    """A card on the table and the seat that played it."""

    seat = whole_number()
    card = string(**CARD)


class TableTrickSchema(AnswerSchema):
    """The trick on the table."""

    number = whole_number()
    leader = whole_number()
    plays = several(PlayedCardSchema)


class LastTrickSchema(AnswerSchema):
    """The trick gathered last; its plays are empty if won cards lie face down."""

    number = whole_number()
    seat = whole_number("The seat that took it.")
    plays = several(PlayedCardSchema)


class DealtRoundSchema(AnswerSchema):
    """The round of a beacon that the promise of a deal named."""

    source = string("The name of the round.")
    counts = flag("Whether the deal rests on it; false if its signature didn't come in time.")


class TableHandSchema(AnswerSchema):
    """The hand on the table. A field is null until there is a value for it."""

    number = whole_number()
    redeal = whole_number("How often it was dealt again.")
    dealer = whole_number()
    eldest = whole_number()
    bids = numbers("A bid for each seat as it stands.", with_nulls=True)
    passed = numbers("The seats that have passed.")
    pitcher = whole_number(null=True)
    bid = whole_number(null=True)
    trump = string(null=True, **SUITS)
    marker = string("The card that made trump by being led.", null=True, **CARD)
    upcard = string("The card that was turned up for trump.", null=True, **CARD)
    called = string("The card that the pitcher called.", null=True, **CARD)
    trick = part(TableTrickSchema, null=True)
    last_trick = part(LastTrickSchema, null=True)
    commit = string("The commitment of the deal.", **HASH)
    grade = string("How the deal's fairness is graded.")
    beacon = part(DealtRoundSchema, required=False)
    first_joker = string("The joker that was played first.", null=True, required=False, **CARD)


class NamedRoundSchema(AnswerSchema):
    """The round of a beacon that a waiting deal named."""

    source = string("The name of the round.")
    published = string("When the round is published.", **TIME)
    recorded = flag("Whether its signature is recorded.")


class WaitingDealSchema(AnswerSchema):
    """A deal that waits for cuts or a beacon."""

    n = whole_number()
    subject = string()
    commit = string(**HASH)
    seals = by_key(string(**HASH), "The seals of cuts promised before, by seat.")
    cuts = numbers("The seats that have cut.")
    waits_for = numbers("The seats that may still cut.")
    deadline = string("When the table deals without them.", **TIME)
    beacon = part(NamedRoundSchema, required=False)


class TurnSchema(AnswerSchema):
    """The seats that must move now, and their time."""

    seats = numbers()
    since = string("When the turn began.", null=True, **TIME)
    deadline = string("From when on the seat is out of time.", null=True, **TIME)


class PaceSchema(AnswerSchema):
    """A clock in seconds. A field that the table doesn't use is missing."""

    kind = choice("live", "daily", "bank")
    base_s = whole_number(required=False)
    move_s = whole_number(required=False)
    increment_s = whole_number(required=False)
    auction_s = whole_number(required=False)
    cap_s = whole_number(required=False)


class RunningClockSchema(AnswerSchema):
    """The clock of the turn. Its deadline is that of the turn."""

    seat = whole_number()
    since = string("When it began to run.", **TIME)
    left_ms = whole_number("The seat's time then.")
    held_ms = whole_number("For how long the clock was held in this turn.")
    closed = of_schema(
        {"type": "array", "items": {"type": "array", "items": {"type": "string", "format": "date-time"}}}
    )


class TableClockSchema(AnswerSchema):
    """The clock of the table, and what becomes of a seat that is out of time."""

    pace = part(PaceSchema, null=True)
    autopilot = string("`forfeit`, `claim`, or `bot:` and a strategy.")
    running = part(RunningClockSchema, null=True)
    left_ms = numbers("What each seat had left after its last turn; empty without a pace.", with_nulls=True)


class OwnSeatSchema(AnswerSchema):
    """What only the seat itself sees."""

    seat = whole_number()
    cards = card_list("Its cards, or null in a hand in which it doesn't see them.", null=True)
    sees = by_key(card_list(), "The cards of other seats, by seat.")
    legal = several(reference("Move"), "The moves of the turn. Each can be posted as it stands.")
    choose = reference("Choice", "A move that can't be listed.", null=True)
    may = several(choice(*OUT_OF_TURN_MOVES), "The types of moves that are accepted out of turn.")


class LastHandSchema(AnswerSchema):
    """The hand scored last, as played."""

    hand = whole_number()
    changes = numbers("The change of each seat's score.")
    scores = numbers("The scores after it.")


class ProposalSchema(AnswerSchema):
    """The open undo or draw."""

    kind = string()
    seat = whole_number("The seat that asked.")
    accepted = numbers("The seats that agree.")
    to_version = whole_number("The version that an undo goes back to.", null=True)


class OpenHandoverSchema(AnswerSchema):
    """The open question whether a seat changes hands."""

    seat = whole_number()
    to = string("The player or bot who would get it.")
    kind = choice("human", "bot")
    accepted = numbers("The seats that agree.")


class DelayVoteSchema(AnswerSchema):
    """A vote on a delay call."""

    seat = whole_number()
    guilty = flag()


class OpenDelayCallSchema(AnswerSchema):
    """The open call of delay of game."""

    seat = whole_number()
    accused = whole_number()
    waited_ms = whole_number()
    votes = several(DelayVoteSchema)


class DisputeLineSchema(AnswerSchema):
    """A dispute as a view shows it."""

    dispute = whole_number("Its number in the game.")
    seat = whole_number()
    hand = whole_number()
    at_version = whole_number()
    kind = choice(*DisputeKind)
    status = choice(*DISPUTE_STATES)
    decision = choice(*Ruling, null=True)
    changes = numbers("The changes of the scores by seat.", null=True)


class StandingSchema(AnswerSchema):
    """Scores, and the seats that won."""

    scores = numbers()
    winners = numbers()


class ResultSchema(AnswerSchema):
    """How the game ended."""

    reason = string()
    winners = numbers()
    scores = numbers("The scores as played.")
    ruled = part(StandingSchema, "With the rulings in force.", null=True)


class ViewSchema(AnswerSchema):
    """What one viewer sees of a game at one version."""

    id = string(**UUID)
    board = whole_number("The game's public number.")
    variant = string()
    version = whole_number("The number of the last event.")
    root = string("The root of the log at that version.", **HASH)
    status = choice("active", "finished")
    phase = choice(*(phase for phase in Phase if phase is not Phase.UNOPENED))
    rules = part(TableRulesSchema)
    seats = several(SeatLineSchema)
    sides = side_list()
    hand = part(TableHandSchema, null=True)
    ceremony = part(WaitingDealSchema, null=True)
    turn = part(TurnSchema)
    unrated = choice(*REASONS, says="Why the game counts for nobody. Missing if it can count.", required=False)
    clock = part(TableClockSchema, "Missing if time is in days and the clock takes seats.", required=False)
    you = part(OwnSeatSchema, "Only in the view of a seat.", required=False)
    last_hand = part(LastHandSchema, null=True)
    proposal = part(ProposalSchema, null=True)
    handover = part(OpenHandoverSchema, null=True)
    delay = part(OpenDelayCallSchema, null=True)
    disputes = several(DisputeLineSchema)
    ruled = part(StandingSchema, "The scores with the rulings in force, or null if they change none.", null=True)
    result = part(ResultSchema, null=True)


class NamedViewSchema(ViewSchema):
    """A view with the names of the players."""

    names = name_map()


class SeatViewSchema(NamedViewSchema):
    """The view of the caller's own seat."""

    you = part(OwnSeatSchema)


class SandboxViewSchema(ViewSchema):
    """A view of a branch: it's of no game, so it has no root."""

    root = string(null=True, enum=[None])
    sandbox = flag()


class CommandResultSchema(AnswerSchema):
    """The response to a command: the events that follow from it, and the view after them."""

    version = whole_number("The version after the command.")
    root = string(**HASH)
    events = several(reference("EventItem"), "As the caller may see them.")
    view = part(ViewSchema)
    names = name_map()
    receipt = string("A signed note of the log if a hand or the game ended.", null=True)


class OpenedGameSchema(CommandResultSchema):
    """The response to the opening of a game."""

    id = string(**UUID)
    board = whole_number("The game's public number.")


class DisputeResultSchema(CommandResultSchema):
    """The response to a command about a dispute."""

    dispute = whole_number("The number of the dispute in the game.")
