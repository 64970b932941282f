"""Tables that form, invitations, and seats that change hands."""

from collections.abc import Mapping

from api.description.answers import tables, views
from api.description.model import Content, DescribedAnswer, Operation, empty_answer, json_answer
from api.description.operations.games import OPENED
from api.description.problem_groups import COMMAND, GAME, HANDOVERS, OPENING, RARE, REMATCH, SEATS, TURNS
from api.play.services.game_schemas import NO_FIELDS, NewHandover
from api.tables.services.schemas import Claim, NewInvitation, NewSeating, Rematch, Start
from api.web.responses import JSON

NOTHING = type(NO_FIELDS)
OFFERED = DescribedAnswer(
    201,
    "The table is asked, or the person.",
    (Content(JSON, (views.CommandResultSchema, tables.NewOfferSchema)),),
    ("Move-ETag", "Trickbook-Position"),
)
OWN = ("not-found", "forbidden")
SAT = ("not-found", *OPENING, *SEATS)
ACCEPTED = (
    *GAME,
    "handover-open",
    "no-handover",
    "deal-pending",
    "seated-before",
    "too-many",
    "game-over",
    "race-lost",
)
HANDED = (*GAME, *COMMAND, *HANDOVERS, *TURNS, *RARE, "too-many", "proposal-open")

OPERATIONS: Mapping[str, Operation] = {
    "forming.cancel": Operation(
        "cancel a table that forms, as its opener",
        (empty_answer("The table is cancelled."),),
        token="needed",
        problems=(*OWN, "table-closed"),
    ),
    "forming.claim": Operation(
        "take a seat at a table that forms",
        (OPENED,),
        token="needed",
        bodies=(Claim,),
        example={"seat": 2},
        problems=SAT,
        asks=("If-Match-Table",),
    ),
    "forming.leave": Operation(
        "leave your seat, or decline it",
        (empty_answer("The seat is free."),),
        token="needed",
        problems=("not-found", "seat-taken", "table-closed"),
    ),
    "forming.start": Operation(
        "start with bots in the empty seats, as the opener",
        (OPENED,),
        token="needed",
        bodies=(Start,),
        example={"bots": "bot:simple"},
        problems=(*SAT, "forbidden"),
        asks=("If-Match-Table",),
    ),
    "forming.questions": Operation(
        "the tables that ask you to sit down", (json_answer(tables.TablesSchema),), token="needed"
    ),
    "invitations.invite": Operation(
        "make an invitation to a table, as its opener",
        (json_answer(tables.IssuedInvitationSchema, status=201),),
        token="needed",
        bodies=(NewInvitation,),
        example={"uses": 1, "expires_s": 86400},
        problems=(*OWN, "too-many", "table-closed"),
    ),
    "invitations.list_invitations": Operation(
        "the invitations to a table, for its opener",
        (json_answer(tables.InvitationsSchema),),
        token="needed",
        problems=OWN,
    ),
    "invitations.revoke": Operation(
        "revoke an invitation",
        (empty_answer("Nobody can use it from now on."),),
        token="needed",
        problems=OWN,
    ),
    "invitations.invited_table": Operation(
        "the table that an invitation is for",
        (json_answer(tables.TableSchema, "ETag"),),
        problems=("not-found",),
    ),
    "opening.rematch": Operation(
        "play again with the same players and options",
        (OPENED,),
        token="needed",
        bodies=(Rematch,),
        example={},
        problems=(*GAME, *OPENING, *REMATCH),
        asks=("Idempotency-Key",),
    ),
    "seating.read_seating": Operation(
        "the players who may seat you at once", (json_answer(tables.SeatingAllowanceSchema),), token="needed"
    ),
    "seating.set_seating": Operation(
        "change them",
        (json_answer(tables.SeatingAllowanceSchema),),
        token="needed",
        bodies=(NewSeating,),
        example={"at_once": False, "friends": ["bob"]},
        problems=("no-such-player",),
    ),
    "handovers.ask": Operation(
        "hand your seat over to a person or a bot",
        (OFFERED,),
        token="needed",
        bodies=(NewHandover,),
        example={"to": "bot:simple"},
        problems=(*HANDED, "no-such-player"),
        asks=("Idempotency-Key", "If-Match"),
    ),
    "handovers.list_offers": Operation(
        "the open offers of seats that you made or got, in a game",
        (json_answer(tables.OffersSchema),),
        token="needed",
        problems=GAME,
    ),
    "handovers.own_offers": Operation("those in all games", (json_answer(tables.OffersSchema),), token="needed"),
    "handovers.accept": Operation(
        "take the seat that you were offered, if the table agrees",
        (empty_answer("The table is asked."),),
        token="needed",
        bodies=(NOTHING,),
        example={},
        problems=ACCEPTED,
    ),
    "handovers.decline": Operation(
        "decline it",
        (empty_answer("The table isn't asked."),),
        token="needed",
        bodies=(NOTHING,),
        example={},
        problems=(*GAME, "no-handover"),
    ),
    "handovers.withdraw": Operation(
        "withdraw an offer of yours",
        (empty_answer("The offer is closed."),),
        token="needed",
        problems=(*GAME, "no-handover"),
    ),
    "handovers.take_back": Operation(
        "take back the seat that you handed over",
        (json_answer(views.CommandResultSchema, "ETag", "Trickbook-Position", status=201),),
        token="needed",
        bodies=(NOTHING,),
        example={},
        problems=HANDED,
        asks=("Idempotency-Key", "If-Match"),
    ),
}
