"""Seats that change hands: a seat is offered to a person or a bot, the table agrees, and its lender takes it back."""

from typing import Annotated, TypedDict

from flask import Response, request

from api.container import Services
from api.people.stored.token_scopes import READ
from api.people.stored.users import User
from api.play.services.command_ids import command_id
from api.play.services.game_reader import CommandResult
from api.play.services.game_schemas import NEW_HANDOVER, NO_FIELDS
from api.play.services.games import act_once, command_answer, game_access, require_present_seat
from api.problem import Problem
from api.tables.stored.handover_offers import HandoverOffer
from api.web.context import current_caller, current_services, require_player
from api.web.preconditions import idempotency_key, if_match
from api.web.problem_groups import COMMAND, GAME, HANDOVERS, RARE, TURNS
from api.web.responses import game_response, json_response
from api.web.route import SAME_GAME, TaggedBlueprint, route
from api.web.strict_json import read_json
from domain.commands import AskHandover, ReturnSeat
from domain.engine.timestamps import format_time
from domain.json_fields import Names, Time, Uuid, says
from domain.rejections import NoHandover, NotSeated

HANDOVERS_PATH = "/games/<game_ref:reference>/handovers"
OFFER_PATH = HANDOVERS_PATH + "/<offer>"
NO_OFFER = "There is no such offer of a seat, or it isn't open any more."

HANDED = (*GAME, *COMMAND, *HANDOVERS, *TURNS, *RARE, "too-many", "proposal-open")
ACCEPTED = (*GAME, *HANDOVERS, "too-many", "game-over", "race-lost")
OF_OFFER = SAME_GAME | {"offer": "$response.body#/id"}

handovers = TaggedBlueprint("handovers", __name__, "tables")

OfferMaker = TypedDict("OfferMaker", {"from": Annotated[str, says("The id of the player who made it.")]})


class ListedOffer(OfferMaker):
    """An offer of a seat to a person."""

    id: str
    game: Uuid
    seat: int
    to: Annotated[str, says("The id of the player who got it.")]
    made: Time
    expires: Time


class NewOffer(ListedOffer):
    """An offer of a seat to a person, with the names of both."""

    names: Names


class Offers(TypedDict):
    """The open offers that the caller made or got."""

    items: list[ListedOffer]
    names: Names


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
    player, body, services = require_player(), read_json(request), current_services()
    to: str = NEW_HANDOVER.load(body)["to"]
    key, expected = idempotency_key(request), if_match(request)
    game, seat = require_present_seat(current_services(), reference, player)
    state = services.games.state(game)
    command = services.handovers.command(state, seat, to)
    if command.kind == "human":
        return _offer_response(services, services.handovers.offer(state, player.id, command), 201)
    request_id = command_id(services.secret, player.id, key, f"/games/{game}/handovers", body)
    request_id, commit = act_once(services, game, command, player.id, request_id, expected)
    return game_response(command_answer(services, game, player.id, request_id, commit), 201)


@handovers.get(HANDOVERS_PATH)
@route("the open offers of seats that you made or got, in a game", answer=Offers, token="needed", problems=GAME)
def list_offers(reference: str) -> Response:
    """Return 200 `{"items", "names"}`: the open offers in this game that the caller made or got."""
    player, services, access = (
        require_player(READ),
        current_services(),
        game_access(current_services(), current_caller(), reference),
    )
    return _offers_response(services, services.handovers.open_offers(player.id, access.game))


@handovers.get("/me/handovers")
@route("those in all games", answer=Offers, token="needed")
def own_offers() -> Response:
    """Return 200 `{"items", "names"}`: the open offers in all games that the caller made or got."""
    player, services = require_player(READ), current_services()
    return _offers_response(services, services.handovers.open_offers(player.id))


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
    player, services = require_player(), current_services()
    NO_FIELDS.load(read_json(request))
    found = _require_received_offer(services, reference, offer, player, "accept")
    if services.games.state(found.game).seat_of(found.asker) != found.seat:
        services.handovers.close(found, "lapsed")
        raise Problem("not-found", NO_OFFER)
    command = AskHandover(found.seat, found.taker, "human")
    request_id = command_id(services.secret, found.asker, f"offer {found.id}", f"/games/{found.game}/handovers", {})
    act_once(services, found.game, command, found.asker, request_id)
    services.handovers.close(found, "accepted")
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
    player, services = require_player(), current_services()
    NO_FIELDS.load(read_json(request))
    found = _require_received_offer(services, reference, offer, player, "decline")
    services.handovers.close(found, "declined")
    return "", 204


@handovers.delete(OFFER_PATH)
@route("withdraw an offer of yours", says="The offer is closed.", token="needed", problems=(*GAME, "no-handover"))
def withdraw(reference: str, offer: str) -> tuple[str, int]:
    """Return 204: the player who made the offer takes it back."""
    player, services = require_player(), current_services()
    found = _require_offer(services, reference, offer, player)
    if found.asker != player.id:
        raise NoHandover("Only the player who made the offer can withdraw it. You can decline it.")
    services.handovers.close(found, "withdrawn")
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
    player, body, services = require_player(), read_json(request), current_services()
    NO_FIELDS.load(body)
    key, expected = idempotency_key(request), if_match(request)
    game = game_access(current_services(), current_caller(), reference).game
    request_id = command_id(services.secret, player.id, key, f"/games/{game}/handovers/return", body)
    command = ReturnSeat(_require_lent_seat(services, game, player))
    if services.games.state(game).lent_seat_of(player.id) is None:
        expected = None  # they get no seat, and mustn't learn how long a delayed game is
    request_id, commit = act_once(services, game, command, player.id, request_id, expected)
    return game_response(command_answer(services, game, player.id, request_id, commit), 201)


def _require_lent_seat(services: Services, game: str, player: User) -> int:
    """Return the seat that the player lent, or holds again since a repeated request; NotSeated for strangers."""
    state = services.games.state(game)
    if not state.has_held(player.id):
        raise NotSeated("You have no seat in this game.")
    seats = (state.lent_seat_of(player.id), state.former_seat_of(player.id), state.seat_of(player.id))
    return next(seat for seat in seats if seat is not None)


def _require_offer(services: Services, reference: str, offer: str, player: User) -> HandoverOffer:
    found = services.handovers.find(current_services().reader.resolve(reference), offer, player.id)
    if found is None:
        game_access(
            current_services(), current_caller(), reference
        )  # a game that the player may not know of gets its own 404
        raise Problem("not-found", NO_OFFER)
    return found


def _require_received_offer(services: Services, reference: str, offer: str, player: User, answer: str) -> HandoverOffer:
    """Return the open offer; NoHandover unless it's the player's to accept or decline."""
    found = _require_offer(services, reference, offer, player)
    if found.taker != player.id:
        raise NoHandover(f"Only the player to whom the seat was offered can {answer} it.")
    return found


def _offer_response(services: Services, offer: HandoverOffer, status: int) -> Response:
    made: NewOffer = {**_offer_json(offer), "names": _names(services, [offer])}
    return json_response(made, status)


def _offers_response(services: Services, offers: list[HandoverOffer]) -> Response:
    listed: Offers = {"items": [_offer_json(each) for each in offers], "names": _names(services, offers)}
    return json_response(listed)


def _offer_json(offer: HandoverOffer) -> ListedOffer:
    return {
        "id": offer.id,
        "game": offer.game,
        "seat": offer.seat,
        "from": offer.asker,
        "to": offer.taker,
        "made": format_time(offer.made),
        "expires": format_time(offer.expires),
    }


def _names(services: Services, offers: list[HandoverOffer]) -> dict[str, str]:
    return services.accounts.users.names_of(each for offer in offers for each in (offer.asker, offer.taker))
