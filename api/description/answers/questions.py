"""Answers to questions about a game (docs/questions.md)."""

from api.description.answers.audits import FaultSchema, PromisedDealSchema
from api.description.answers.fields import (
    CARD,
    HASH,
    TIME,
    UUID,
    AnswerSchema,
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
    string,
    whole_number,
)
from api.description.answers.views import SandboxViewSchema, StandingSchema


class QuestionAnswerSchema(AnswerSchema):
    """An answer: what is wrong, what isn't revealed yet, and 0 in order, 1 wrong, 2 not known yet."""

    question = string()
    game = string(**UUID)
    board = whole_number()
    variant = string()
    findings = several(FaultSchema)
    cannot_tell = several(string())
    code = whole_number()


class HandAnswerSchema(QuestionAnswerSchema):
    """An answer about a hand, or about the whole game."""

    hand = whole_number(null=True)


class FollowRuleSchema(AnswerSchema):
    """The rule of following that was in force."""

    follow = string()
    says = string()
    points = string(required=False)
    dirty = flag(required=False)
    reverse = flag(required=False)
    partners = string(required=False)


class OffSuitCardSchema(AnswerSchema):
    """A card that didn't follow."""

    version = whole_number()
    hand = whole_number()
    trick = whole_number()
    seat = whole_number()
    card = string(**CARD)
    leader = whole_number()
    led = string(**CARD)
    trump = string(null=True)
    held = card_list()
    allowed = flag()
    taken_back = flag()
    could_follow = flag()
    following = card_list("The cards that would have followed.")
    rules = part(FollowRuleSchema)


class RevokesSchema(HandAnswerSchema):
    """The cards that didn't follow."""

    cards = several(OffSuitCardSchema)


class DrawSchema(AnswerSchema):
    """A chance drawn."""

    version = whole_number()
    n = whole_number("The number of the ceremony.")
    label = string()
    odds = numbers("a in b, or null.", null=True)
    drawn = of_schema({}, "The number, the order of seats or the entry that the seed draws; null if it isn't known.")
    fired = flag("Whether a draw with odds came true.", null=True)
    recorded = of_schema({}, "What the log has.")
    came = whole_number("The event that it brought.", null=True)
    right = flag(null=True)


class DrawsSchema(HandAnswerSchema):
    """Every chance drawn."""

    draws = several(DrawSchema)


class ChoiceOptionSchema(AnswerSchema):
    """A move that a strong bot tried."""

    move = reference("Move")
    gain = of_schema({"type": "number"}, "The seat's points less the average of the others', on average.")
    best = whole_number("In how many deals no other move came to more.")


class AnalysisSchema(AnswerSchema):
    """What a choice rests on."""

    seat = whole_number()
    worlds = whole_number("How many deals were drawn; 0 if there was no choice.")
    options = several(ChoiceOptionSchema)
    chosen = reference("Move", "The move with the highest gain.")


class HintSchema(AnalysisSchema):
    """What the strong bot would do."""

    version = whole_number("The version of the view that it looked at.")


class StrongChoiceSchema(AnalysisSchema):
    """A choice of a strong bot, worked out again."""

    version = whole_number("The event of its move.")
    label = string("The label of its draws (fairdeal/1).")
    played = reference("Move", "The move in the log.")
    right = flag("Whether that's the move with the highest gain.")
    hurried = flag("Whether the bot had no time, and played the simple bot's move.")


class StrongChoicesSchema(HandAnswerSchema):
    """How the strong bots of a hand chose."""

    choices = several(StrongChoiceSchema)


class HandResultSchema(AnswerSchema):
    """A hand's points and changes."""

    pegs = several(reference("Peg"))
    counts = numbers()
    made = flag(null=True)
    changes = numbers()


class CheckedHandSchema(AnswerSchema):
    """A hand's score as recorded and as recomputed."""

    version = whole_number()
    hand = whole_number()
    bids = numbers(with_nulls=True)
    tricks = numbers()
    recorded = part(HandResultSchema)
    recomputed = part(HandResultSchema)
    scores = numbers()


class CheckedRulingSchema(AnswerSchema):
    """A ruling, or the decision on its appeal, and the scores after it."""

    version = whole_number()
    dispute = whole_number()
    hand = whole_number(null=True)
    decision = string()
    changes = numbers(null=True)
    ruled = part(StandingSchema, null=True)
    recomputed = numbers(null=True)
    after_the_end = flag()


class ScoresSchema(HandAnswerSchema):
    """Points recorded and recomputed, as played and as ruled."""

    hands = several(CheckedHandSchema)
    rulings = several(CheckedRulingSchema)
    as_played = part(StandingSchema)
    as_ruled = part(StandingSchema, null=True)


class TurnTimeSchema(AnswerSchema):
    """A turn and its time."""

    version = whole_number()
    hand = whole_number()
    seat = whole_number()
    fact = string()
    since = whole_number("The version at which the turn began.", null=True)
    took_ms = whole_number(null=True)
    limit_ms = whole_number(null=True)
    by_house = flag()
    over_ms = whole_number(null=True)


class SeatTimeSchema(AnswerSchema):
    """A seat's turns."""

    seat = whole_number()
    turns = whole_number()
    took_ms = whole_number()
    longest_ms = whole_number()
    late = whole_number()


class DelayCallTimeSchema(AnswerSchema):
    """A delay call, and the time by the log."""

    version = whole_number()
    seat = whole_number()
    accused = whole_number()
    told_ms = whole_number()
    waited_ms = whole_number(null=True)
    limit_ms = whole_number(null=True)


class ReminderSchema(AnswerSchema):
    """A reminder, or the loss of a seat by time."""

    version = whole_number()
    fact = string()
    seat = whole_number()
    waited_ms = whole_number(null=True)
    held_ms = whole_number()


class OpenTurnSchema(AnswerSchema):
    """The turn that isn't over."""

    seats = numbers()
    since = string(**TIME)
    version = whole_number(null=True)


class TimesSchema(HandAnswerSchema):
    """How long each turn took."""

    limits = of_schema({"type": "object"}, "The table's time limits.")
    turns = several(TurnTimeSchema)
    seats = several(SeatTimeSchema)
    delay_calls = several(DelayCallTimeSchema)
    reminded = several(ReminderSchema)
    cuts = several(of_schema({"type": "object"}), "The deals with cuts.")
    waiting = part(OpenTurnSchema, null=True)


class MomentSchema(AnswerSchema):
    """An event and its time."""

    version = whole_number()
    at = string(**TIME)


class EventSightSchema(AnswerSchema):
    """Since when each seat, and everybody, can see an event. All is null if the event is withheld."""

    version = whole_number()
    fact = string(null=True)
    by = string(null=True)
    withheld = flag()
    seen_by = numbers(null=True)
    public = part(MomentSchema, null=True)
    seats = of_schema(
        {
            "type": ["array", "null"],
            "items": {"anyOf": [{"$ref": "#/components/schemas/Moment"}, {"type": "null"}]},
        }
    )


class SightAnswerSchema(HandAnswerSchema):
    """The events that each seat could see."""

    seats = whole_number()
    events = several(EventSightSchema)


class CommitSchema(AnswerSchema):
    """The events of one command."""

    first = whole_number()
    last = whole_number()
    at = string(**TIME)
    by = string()
    command = string()
    follows = flag("Whether the server made it in answer to the command before.")
    after_ms = whole_number(null=True)
    facts = several(string(null=True))


class CommitsBaseSchema(QuestionAnswerSchema):
    """What happened between two events, command by command."""

    to = whole_number()
    commits = several(CommitSchema)


CommitsSchema = CommitsBaseSchema.from_dict({"from": whole_number()}, name="Commits")


class ComparisonSchema(QuestionAnswerSchema):
    """Whether the log once had a given root."""

    size = whole_number()
    root = string(**HASH)
    ours = string(null=True, **HASH)
    became = choice("same", "two")


class TriedMoveSchema(AnswerSchema):
    """The verdict on a move."""

    move = reference("Move")
    legal = flag()
    code = string("The type of problem without its path.", null=True)
    says = string(null=True)
    clauses = several(string())


class LegalMovesSchema(QuestionAnswerSchema):
    """A seat's legal moves at a moment."""

    at = whole_number()
    seat = whole_number()
    phase = string()
    turn = numbers()
    cards = card_list(null=True)
    legal = several(reference("Move"))
    choose = reference("Choice", null=True)
    may = several(string())
    tried = part(TriedMoveSchema, null=True)


class DealOrderSchema(AnswerSchema):
    """The version of each step of a deal."""

    opened = whole_number(null=True)
    cuts = by_key(whole_number())
    dealt = whole_number(null=True)
    first_bid = whole_number(null=True)
    revealed = whole_number(null=True)


class CheckedCutSchema(AnswerSchema):
    """A cut that counts."""

    source = string()
    cut = string()
    sealed = flag()
    fits = flag("Whether it's the cut that was sealed.")


class CheckedBeaconSchema(AnswerSchema):
    """The round of a beacon that a deal named."""

    source = string()
    published = string("When the round is published.", null=True, **TIME)
    version = whole_number("The version at which its signature was recorded.", null=True)
    signature = string(null=True)
    signed = flag("Whether it's the signature of that round.", null=True)
    counts = flag("Whether the deal rests on it.")


class CheckedDealSchema(PromisedDealSchema):
    """A deal as recorded and as recomputed; what isn't revealed is null."""

    redeal = whole_number(null=True)
    dealer = whole_number(null=True)
    eldest = whole_number(null=True)
    order = part(DealOrderSchema)
    seals = by_key(string())
    cuts = several(CheckedCutSchema)
    beacon = part(CheckedBeaconSchema, null=True)
    missing = numbers()
    grade = string(null=True)
    revealed = flag()
    seed = string(null=True)
    commit_recomputed = string(null=True)
    key = string(null=True)
    deck = card_list(null=True)
    hands = several(card_list(), null=True)
    stock = card_list(null=True)
    recorded = by_key(card_list())
    check = choice("right", "wrong", "unrevealed")


class VoidedDealSchema(PromisedDealSchema):
    """A ceremony that ended without a deal."""

    reason = string(null=True)
    seed = string(null=True)


class DealAnswerSchema(HandAnswerSchema):
    """How a hand was dealt."""

    deals = several(CheckedDealSchema)
    voided = several(VoidedDealSchema)


class BranchFactSchema(AnswerSchema):
    """A fact of a branch."""

    version = whole_number()
    fact = string()
    by = string()
    data = of_schema({"type": "object"})
    says = string()


class BranchScoreSchema(AnswerSchema):
    """A hand's score."""

    hand = whole_number()
    made = flag(null=True)
    changes = numbers()
    scores = numbers()


class BranchViewSchema(AnswerSchema):
    """A view of a branch."""

    seat = whole_number("null for a spectator.", null=True)
    view = part(SandboxViewSchema)


class BranchSchema(QuestionAnswerSchema):
    """A hand played on in a sandbox."""

    sandbox = string()
    at = whole_number()
    root = string(null=True)
    facts = several(BranchFactSchema)
    score = part(BranchScoreSchema, null=True)
    as_played = part(BranchScoreSchema, null=True)
    stopped = string("Why the branch ended.")
    views = several(BranchViewSchema)


class HandSummarySchema(AnswerSchema):
    """A hand and its result."""

    hand = whole_number()
    status = choice("live", "scored", "thrown_in", "broken_off")
    first = whole_number("The first version that it spans.")
    last = whole_number("The last one so far.")
    dealer = whole_number()
    eldest = whole_number()
    redeal = whole_number()
    bids = numbers(with_nulls=True)
    pitcher = whole_number(null=True)
    bid = whole_number(null=True)
    trump = string(null=True)
    upcard = string(null=True, **CARD)
    called = string(null=True, **CARD)
    score = reference("HandScored", null=True)
    revealed = flag()
    names = name_map()
