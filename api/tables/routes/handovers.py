"""Seats that change hands: a seat is offered to a person or a bot, the table agrees, and its lender takes it back."""

from flask import Response

from api.play.services.game_reader import CommandResult, GameAnswer
from api.play.services.game_schemas import NEW_HANDOVER, NO_FIELDS
from api.tables.services import handover_commands
from api.tables.services.handover_commands import NewOffer, Offers
from api.web.context import current_caller, current_services
from api.web.problems import COMMAND, GAME, HANDOVERS, RARE, TURNS
from api.web.request_input import sent_body, sent_command
from api.web.responses import game_response, json_response
from api.web.route import SAME_GAME, TaggedBlueprint, route

HANDOVERS_PATH = "/games/<game_ref:reference>/handovers"
OFFER_PATH = HANDOVERS_PATH + "/<offer>"

HANDED = (*GAME, *COMMAND, *HANDOVERS, *TURNS, *RARE, "too-many", "proposal-open")
ACCEPTED = (*GAME, *HANDOVERS, "too-many", "game-over", "race-lost")
OF_OFFER = SAME_GAME | {"offer": "$response.body#/id"}

handovers = TaggedBlueprint("handovers", __name__, "tables")


@handovers.post(HANDOVERS_PATH)
@route(
    "hand your seat over to a person or a bot",
    answer=CommandResult | NewOffer,
    status=201,
    says="The table is asked, or the person.",
    headers=("Move-ETag", "Trickbook-Position"),
    token="needed",
    body=NEW_HANDOVER,
    example={"to": "bot:simple"},
    problems=(*HANDED, "no-such-player"),
    asks=("Idempotency-Key", "If-Match"),
    leads_to=dict.fromkeys(("handovers.accept", "handovers.decline", "handovers.withdraw"), OF_OFFER),
)
def ask(reference: str) -> Response:
    """Return 201: for a bot as for a move, since the table is asked at once; for a person the offer that they got."""
    answer = handover_commands.ask_handover(current_services(), current_caller(), reference, sent_command())
    return game_response(answer, 201) if isinstance(answer, GameAnswer) else json_response(answer, 201)


@handovers.get(HANDOVERS_PATH)
@route("the open offers of seats that you made or got, in a game", answer=Offers, token="needed", problems=GAME)
def list_offers(reference: str) -> Response:
    """Return 200 `{"items", "names"}`: the open offers in this game that the caller made or got."""
    return json_response(handover_commands.list_offers(current_services(), current_caller(), reference))


@handovers.get("/me/handovers")
@route("those in all games", answer=Offers, token="needed")
def own_offers() -> Response:
    """Return 200 `{"items", "names"}`: the open offers in all games that the caller made or got."""
    return json_response(handover_commands.list_offers(current_services(), current_caller()))


@handovers.post(OFFER_PATH + "/accept")
@route(
    "take the seat that you were offered, if the table agrees",
    says="The table is asked.",
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=ACCEPTED,
)
def accept(reference: str, offer: str) -> tuple[str, int]:
    """Return 204: the table is asked, in the name of the player who made the offer."""
    handover_commands.accept_offer(current_services(), current_caller(), reference, offer, sent_body())
    return "", 204


@handovers.post(OFFER_PATH + "/decline")
@route(
    "decline it",
    says="The table isn't asked.",
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=(*GAME, "no-handover"),
)
def decline(reference: str, offer: str) -> tuple[str, int]:
    """Return 204: the offer is closed, and the table isn't asked."""
    handover_commands.decline_offer(current_services(), current_caller(), reference, offer, sent_body())
    return "", 204


@handovers.delete(OFFER_PATH)
@route("withdraw an offer of yours", says="The offer is closed.", token="needed", problems=(*GAME, "no-handover"))
def withdraw(reference: str, offer: str) -> tuple[str, int]:
    """Return 204: the player who made the offer takes it back."""
    handover_commands.withdraw_offer(current_services(), current_caller(), reference, offer)
    return "", 204


@handovers.post(HANDOVERS_PATH + "/return")
@route(
    "take back the seat that you handed over",
    answer=CommandResult,
    status=201,
    headers=("ETag", "Trickbook-Position"),
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=HANDED,
    asks=("Idempotency-Key", "If-Match"),
)
def take_back(reference: str) -> Response:
    """Return 201 as for a move: a player takes back the seat that they lent, without asking the others (R-P14)."""
    return game_response(
        handover_commands.take_back_seat(current_services(), current_caller(), reference, sent_command()), 201
    )
