"""Disputes, and the arbiters' queue."""

from api.description.answers.fields import (
    CARD,
    TIME,
    UUID,
    AnswerSchema,
    choice,
    flag,
    name_map,
    numbers,
    part,
    reference,
    several,
    string,
    whole_number,
)
from api.description.answers.views import DISPUTE_STATES
from domain.events.dispute_codes import AppealOutcome, DisputeKind, Ruling, StandardOfProof


class DisputePartSchema(AnswerSchema):
    """A fact about a dispute. The last four fields are for the seats of the game and for arbiters."""

    version = whole_number()
    at = string(**TIME)
    by = string("The player's id.")
    text = string(null=True, required=False)
    salt = string(null=True, required=False)
    erased = flag("Whether a moderator has erased the text.", required=False)
    withheld = flag("Whether the text is withheld until the hand is over.", required=False)


class AccusedSchema(AnswerSchema):
    """Whose play is disputed, and which."""

    seat = whole_number()
    trick = whole_number(required=False)
    card = string(required=False, **CARD)


class DisputeDetailsSchema(AnswerSchema):
    """What the player named: the accused, and events of the questions about revokes and draws."""

    accused = part(AccusedSchema, required=False)
    revokes = several(whole_number(), required=False)
    draws = several(whole_number(), required=False)


class DisputeOpeningSchema(DisputePartSchema):
    """A player disputes a hand."""

    seat = whole_number()
    hand = whole_number()
    at_version = whole_number()
    kind = choice(*DisputeKind)
    note = string("The hash of the text, and of the details if there are any.")
    details = part(DisputeDetailsSchema, required=False)


class DisputeRulingSchema(DisputePartSchema):
    """An arbiter's ruling."""

    decision = choice(*Ruling)
    changes = numbers()
    voids = whole_number(null=True)
    basis = string("The clause that it rests on.", null=True)
    standard = choice(*StandardOfProof)
    evidence = reference("Evidence")
    note = string("The hash of the text.")
    ruled = reference("Ruled", null=True)
    drops_call = flag("Whether it also ended an open delay call, as rulings of version 1 did.")


class DisputeAppealSchema(DisputePartSchema):
    """A player's appeal."""

    seat = whole_number()


class DisputeDecisionSchema(DisputePartSchema):
    """Another arbiter's decision on the appeal."""

    decision = choice(*AppealOutcome)
    ruled = reference("Ruled", null=True)


class DisputeAnswerSchema(AnswerSchema):
    """What another player says about a dispute. No fact holds it, or its hash."""

    seat = whole_number()
    by = string("The player's id; null if their account was deleted.", null=True)
    at = string(**TIME)
    text = string(null=True)
    erased = flag("Whether the text was erased.")
    withheld = flag("Whether the text is withheld until the hand is over.")


class DisputeSchema(AnswerSchema):
    """A dispute with all of its facts, null until they exist."""

    dispute = whole_number("Its number in the game.")
    status = choice(*DISPUTE_STATES)
    opened = part(DisputeOpeningSchema)
    ruling = part(DisputeRulingSchema, null=True)
    appeal = part(DisputeAppealSchema, null=True)
    decision = part(DisputeDecisionSchema, null=True)
    answers = several(DisputeAnswerSchema, required=False)


class DisputesSchema(AnswerSchema):
    """The disputes of a game."""

    items = several(DisputeSchema)
    names = name_map()


class WaitingDisputeSchema(AnswerSchema):
    """A dispute that waits for an arbiter."""

    board = whole_number()
    variant = string()
    game = string(**UUID)
    dispute = whole_number()
    seat = whole_number()
    hand = whole_number()
    at_version = whole_number()
    kind = choice(*DisputeKind)
    status = choice(*DISPUTE_STATES)
    decision = choice(*Ruling, null=True)
    arbiter = string("The id of the arbiter who ruled.", null=True)
    since = string(**TIME)
    opened = string(**TIME)
    corrupt = flag()


class DisputeQueueSchema(AnswerSchema):
    """A page of disputes that wait, the oldest first."""

    items = several(WaitingDisputeSchema)
    next = string(null=True)
    names = name_map()
