"""Reports of audits (trickbook-audit/1)."""

from api.description.answers.fields import (
    HASH,
    UUID,
    AnswerSchema,
    choice,
    flag,
    numbers,
    of_schema,
    part,
    reference,
    several,
    string,
    whole_number,
)
from api.description.answers.views import DISPUTE_STATES, StandingSchema
from domain.events.dispute_codes import DisputeKind, Ruling
from replay.audit.report import FORMAT

NOTE = {"at": {"type": "string"}, "what": {"type": "string"}}


class FaultSchema(AnswerSchema):
    """A fault in one sentence, and the version of its event; null if it's about the log as a whole."""

    version = whole_number(null=True)
    says = string()


class SectionSchema(AnswerSchema):
    """A section of a report: whether it's in order, and its findings."""

    ok = flag()
    findings = several(FaultSchema)


class CosignatureSchema(AnswerSchema):
    """A witness that has signed a receipt, and when, by its own clock."""

    witness = string("The name and id of its key.")
    at = string("A time in UTC.")


class CheckedReceiptSchema(AnswerSchema):
    """A receipt and the result of its check."""

    source = string("trailer, kept, or the name it was given with.")
    state = string()
    size = whole_number(null=True)
    root = string(null=True, **HASH)
    key = string(null=True)
    trust = string(null=True)
    cosigned = several(CosignatureSchema, "The witnesses that signed it too.")
    says = string(null=True)


class LogSectionSchema(SectionSchema):
    """The log's links, and its receipts."""

    size = whole_number()
    root = string(null=True, **HASH)
    withheld = whole_number("How many events the caller may not see.")
    receipts = of_schema(
        {
            "anyOf": [
                {"type": "string", "enum": ["absent"]},
                {"type": "array", "items": {"$ref": "#/components/schemas/CheckedReceipt"}},
            ]
        }
    )
    unjudged = part(FaultSchema, "From which event on nothing was checked, and why.", null=True)


class DealScoreSchema(AnswerSchema):
    """A hand's score as recorded and as recomputed."""

    recorded = numbers()
    recomputed = numbers()
    scores = numbers()
    made = flag(null=True)


class PromisedDealSchema(AnswerSchema):
    """The commitment that was published before a deal."""

    n = whole_number("The number of the ceremony.")
    subject = string()
    commit = string(**HASH)


class AuditedDealSchema(PromisedDealSchema, SectionSchema):
    """A deal, and the hand played with it."""

    hand = whole_number(null=True)
    redeal = whole_number(null=True)
    dealer = whole_number(null=True)
    grade = string(null=True)
    missing = numbers("The seats that had sealed a cut for the deal and withheld it.")
    missing_beacon = string("The round of a beacon that was named for the deal and didn't come in time.", null=True)
    deck = choice("right", "wrong", "unrevealed")
    voided = flag()
    revealed = flag()
    moves = whole_number()
    taken_back = whole_number()
    changes = whole_number()
    ended = string("How the hand ended.")
    score = part(DealScoreSchema, null=True)


class AuditedRulingSchema(AnswerSchema):
    """An arbiter's ruling."""

    decision = choice(*Ruling)
    changes = numbers()
    voids = whole_number(null=True)
    basis = string(null=True)
    standard = string()
    evidence = reference("Evidence")


class AuditedDisputeSchema(AnswerSchema):
    """A dispute with its ruling."""

    dispute = whole_number()
    seat = whole_number()
    hand = whole_number()
    at_version = whole_number()
    kind = choice(*DisputeKind)
    status = choice(*DISPUTE_STATES)
    arbiter = string(null=True)
    ruling = part(AuditedRulingSchema, null=True)


class RulingSectionSchema(SectionSchema):
    """The disputes, and the result as played and as ruled."""

    disputes = several(AuditedDisputeSchema)
    as_played = part(StandingSchema)
    as_ruled = part(StandingSchema, null=True)


class RejudgeSectionSchema(SectionSchema):
    """Today's rules judged every move again."""

    commands = whole_number("How many were judged.")
    upto = whole_number("The last judged version.")
    waits = string("Why judging stopped before the end.", null=True)


class VerdictSchema(AnswerSchema):
    """The result: 0 if everything is right, 1 if something is wrong, 2 if it isn't known yet."""

    code = whole_number()
    says = string()
    findings = whole_number()


class AuditReportSchema(AnswerSchema):
    """The report of an audit."""

    audit = choice(FORMAT)
    game = string(**UUID)
    board = whole_number("0 if it isn't known.")
    variant = string()
    complete = flag("Whether the game is over.")
    log = part(LogSectionSchema)
    table = part(SectionSchema)
    hands = several(AuditedDealSchema)
    unrevealed = several(PromisedDealSchema)
    rulings = part(RulingSectionSchema)
    journal = several(
        of_schema({"type": "object", "properties": NOTE, "required": [*NOTE], "additionalProperties": True}),
        "What the operator did to the stores or this game, such as a restore.",
    )
    rejudge = part(RejudgeSectionSchema, null=True)
    verdict = part(VerdictSchema)
