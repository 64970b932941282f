"""Opens games; tables that form: claim a seat, leave it, start, cancel, invite; and whom a player lets seat them."""

from flask import Response

from api.play.services.game_reader import OpenedGame
from api.play.services.game_schemas import NewGame
from api.tables.services import invitations as services_of_invitations
from api.tables.services import opening as services_of_opening
from api.tables.services.invitations import (
    InvitationList,
    InvitationToken,
    SeatingAllowance,
    see_invited_table,
    show_seating,
)
from api.tables.services.opening import (
    cancel_table,
    leave_table,
    open_rematch,
    start_table,
    tables_that_ask,
    take_seat,
)
from api.tables.services.schemas import CLAIM, NEW_INVITATION, NEW_SEATING, REMATCH, START, RematchGame
from api.tables.services.table_views import ListedTables, NamedTable
from api.web.context import current_caller, current_services
from api.web.problems import GAME, OPENING, REMATCHES, SEATS
from api.web.request_input import sent_body, sent_new_command, sent_table_command
from api.web.responses import JSON, game_response, json_response, own_address
from api.web.route import SAME_GAME, Content, RouteAnswer, TaggedBlueprint, route

OPENED = RouteAnswer(
    201,
    "A game that has started, or a table that forms.",
    (Content(JSON, OpenedGame | NamedTable),),
    ("ETag", "Location", "Trickbook-Position"),
)
TAKING_SEATS = ("not-found", *OPENING, *SEATS)
OPENED_GAME = {"game": "$response.body#/id"}
AFTER_OPENING = dict.fromkeys(
    (
        "games.public_view",
        "games.move",
        "events.list_events",
        "events.export",
        "audits.game_audit",
        "forming.claim",
        "forming.start",
        "forming.cancel",
        "invitations.invite",
        "handovers.ask",
        "chat.write",
        "proofs.make_receipt",
        "disputes.open_dispute",
    ),
    OPENED_GAME,
)

opening = TaggedBlueprint("opening", __name__, "tables")


@opening.post("/games")
@route(
    "open a game: it starts at once, or its table forms until everybody has agreed",
    answer=OPENED,
    token="needed",
    body=NewGame | RematchGame,
    example={"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bob", "bot:simple"], "reveal": "hand"},
    problems=(*GAME, *OPENING, *REMATCHES),
    asks=("Idempotency-Key",),
    leads_to=AFTER_OPENING,
    tag="games",
)
def open_game() -> Response:
    """Return 201 `{"id", "board", ...}` and Location: a game that starts at once (R-P1), or a table that forms (R-P2).

    With an Idempotency-Key, a repeated request opens no second game and gets the first response again.
    """
    answer = services_of_opening.open_game(current_services(), current_caller(), sent_new_command())
    return game_response(answer, 201)


@opening.post("/games/<game_ref:reference>/rematch")
@route(
    "play again with the same players and options",
    answer=OPENED,
    token="needed",
    body=REMATCH,
    example={},
    problems=(*GAME, *OPENING, *REMATCHES),
    asks=("Idempotency-Key",),
    leads_to=AFTER_OPENING,
)
def rematch(reference: str) -> Response:
    """Return 201 as POST /games does: a table with the same players and options, or a seat at the one that forms."""
    return game_response(open_rematch(current_services(), current_caller(), reference, sent_new_command()), 201)


forming = TaggedBlueprint("forming", __name__, "tables")


@forming.post("/games/<game_ref:reference>/seats")
@route(
    "take a seat at a table that forms",
    answer=OPENED,
    token="needed",
    body=CLAIM,
    example={"seat": 2},
    problems=TAKING_SEATS,
    asks=("If-Match-Table",),
)
def claim(reference: str) -> Response:
    """Return 201 with the table, or with its game if that was the last seat; 409 if the seat is taken.

    A player who repeats the request keeps the seat and gets the table or the game again.
    """
    return game_response(take_seat(current_services(), current_caller(), reference, sent_table_command()), 201)


@forming.delete("/games/<game_ref:reference>/seats/current")
@route(
    "leave your seat, or decline it",
    says="The seat is free.",
    token="needed",
    problems=("not-found", "seat-taken", "table-closed"),
)
def leave(reference: str) -> tuple[str, int]:
    """Return 204: the caller's seat is free, or the question whether they sit down is declined."""
    leave_table(current_services(), current_caller(), reference)
    return "", 204


@forming.post("/games/<game_ref:reference>/start")
@route(
    "start with bots in the empty seats, as the opener",
    answer=OPENED,
    token="needed",
    body=START,
    example={"bots": "bot:simple"},
    problems=(*TAKING_SEATS, "forbidden"),
    asks=("If-Match-Table",),
)
def start(reference: str) -> Response:
    """Return 201 with the game, with bots in the empty seats; 403 unless the caller opened the table."""
    return game_response(start_table(current_services(), current_caller(), reference, sent_table_command()), 201)


@forming.delete("/games/<game_ref:reference>")
@route(
    "cancel a table that forms, as its opener",
    says="The table is cancelled.",
    token="needed",
    problems=("not-found", "forbidden", "table-closed"),
)
def cancel(reference: str) -> tuple[str, int]:
    """Return 204: the table is cancelled; 403 unless the caller opened it, 409 if it doesn't form any more."""
    cancel_table(current_services(), current_caller(), reference)
    return "", 204


@forming.get("/me/questions")
@route("the tables that ask you to sit down", answer=ListedTables, token="needed")
def questions() -> Response:
    """Return 200 `{"items": [...], "names"}`: the tables that ask the caller to sit down, the newest first."""
    return json_response(tables_that_ask(current_services(), current_caller()))


invitations = TaggedBlueprint("invitations", __name__, "tables")

OWN = ("not-found", "forbidden")


@invitations.post("/games/<game_ref:reference>/invitations")
@route(
    "make an invitation to a table, as its opener",
    answer=InvitationToken,
    status=201,
    token="needed",
    body=NEW_INVITATION,
    example={"uses": 1, "expires_s": 86400},
    problems=(*OWN, "too-many", "table-closed"),
    leads_to={
        "invitations.invited_table": {"token": "$response.body#/token"},
        "invitations.revoke": SAME_GAME | {"invitation": "$response.body#/id"},
    },
)
def invite(reference: str) -> Response:
    """Return 201 `{"id", "token", "path", "uses", "expires"}`. The token is shown this once."""
    made = services_of_invitations.invite(current_services(), current_caller(), reference, sent_body())
    shown: InvitationToken = {**made, "path": own_address(made["path"])}
    return json_response(shown, 201)


@invitations.get("/games/<game_ref:reference>/invitations")
@route("the invitations to a table, for its opener", answer=InvitationList, token="needed", problems=OWN)
def list_invitations(reference: str) -> Response:
    """Return 200 `{"items": [...]}`, the oldest first, without the tokens; 403 unless the caller opened the table."""
    return json_response(services_of_invitations.list_invitations(current_services(), current_caller(), reference))


@invitations.delete("/games/<game_ref:reference>/invitations/<invitation>")
@route("revoke an invitation", says="Nobody can use it from now on.", token="needed", problems=OWN)
def revoke(reference: str, invitation: str) -> tuple[str, int]:
    """Return 204: nobody can use the invitation from now on. Seats that were taken with it stay taken."""
    services_of_invitations.revoke_invitation(current_services(), current_caller(), reference, invitation)
    return "", 204


@invitations.get("/invitations/<token>")
@route("the table that an invitation is for", answer=NamedTable, headers=("ETag",), problems=("not-found",))
def invited_table(token: str) -> Response:
    """Return 200 and the table that the invitation is for; 404 if it was used, revoked or has expired."""
    return game_response(see_invited_table(current_services(), current_caller(), token))


seating = TaggedBlueprint("seating", __name__, "tables")


@seating.get("/me/seating")
@route("the players who may seat you at once", answer=SeatingAllowance, token="needed")
def read_seating() -> Response:
    """Return 200 `{"at_once", "friends"}`: whether anybody may seat the caller at once, and the names who may."""
    return json_response(show_seating(current_services(), current_caller()))


@seating.put("/me/seating")
@route(
    "change them",
    answer=SeatingAllowance,
    token="needed",
    body=NEW_SEATING,
    example={"at_once": False, "friends": ["bob"]},
    problems=("no-such-player",),
)
def set_seating() -> Response:
    """Replace both and return 200 as GET does; 409 for a name that no user has."""
    return json_response(services_of_invitations.set_seating(current_services(), current_caller(), sent_body()))
