"""A caller hands a seat over: offers it to a person, asks the table for a bot, answers an offer, takes a seat back."""

from typing import Annotated, TypedDict

from api.caller import Caller, require_player
from api.container import Services
from api.people.stored.tokens import READ
from api.people.stored.users import User
from api.play.services.game_reader import CommandResult, GameAnswer
from api.play.services.game_schemas import NEW_HANDOVER, NO_FIELDS
from api.play.services.games import act_once, command_answer, command_id, game_access, require_present_seat
from api.problem import Problem
from api.schemas import Read
from api.tables.stored.handover_offers import HandoverOffer
from domain.commands import AskHandover, ReturnSeat
from domain.engine.timestamps import format_time
from domain.json_fields import Names, Time, Uuid, says
from domain.rejections import NoHandover, NotSeated

NO_OFFER = "There is no such offer of a seat, or it isn't open any more."

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


def ask_handover(
    services: Services, caller: Caller, reference: str, read: Read
) -> GameAnswer[CommandResult] | NewOffer:
    """Ask the table to let a bot have the caller's seat, or offer the seat to a person, whose offer is returned.

    Raise NotSeated, NoSuchPlayer, HandoverOpen, or what `Games.act` raises.
    """
    player, sent = require_player(services, caller), read(NEW_HANDOVER)
    game, seat = require_present_seat(services, reference, player)
    state = services.games.state(game)
    command = services.handovers.command(state, seat, sent.fields["to"])
    if command.kind == "human":
        offer = services.handovers.offer(state, player.id, command)
        return {**_offer_json(offer), "names": _names(services, [offer])}
    request_id = command_id(services.secret, player.id, sent.key, f"/games/{game}/handovers", sent.body)
    request_id, commit = act_once(services, game, command, player.id, request_id, sent.expected)
    return command_answer(services, game, player.id, request_id, commit)


def list_offers(services: Services, caller: Caller, reference: str | None = None) -> Offers:
    """Return the open offers that the caller made or got, in one game or in all."""
    player = require_player(services, caller, READ)
    game = None if reference is None else game_access(services, caller, reference).game
    offers = services.handovers.open_offers(player.id, game)
    return {"items": [_offer_json(each) for each in offers], "names": _names(services, offers)}


def accept_offer(services: Services, caller: Caller, reference: str, offer: str, read: Read) -> None:
    """Ask the table to let the caller have the seat, in the name of the player who made the offer."""
    player = require_player(services, caller)
    read(NO_FIELDS)
    found = _require_received_offer(services, caller, reference, offer, player, "accept")
    if services.games.state(found.game).seat_of(found.asker) != found.seat:
        services.handovers.close(found, "lapsed")
        raise Problem("not-found", NO_OFFER)
    command = AskHandover(found.seat, found.taker, "human")
    request_id = command_id(services.secret, found.asker, f"offer {found.id}", f"/games/{found.game}/handovers", {})
    act_once(services, found.game, command, found.asker, request_id)
    services.handovers.close(found, "accepted")


def decline_offer(services: Services, caller: Caller, reference: str, offer: str, read: Read) -> None:
    """Close an offer that the caller got. Raise NoHandover for one of somebody else."""
    player = require_player(services, caller)
    read(NO_FIELDS)
    found = _require_received_offer(services, caller, reference, offer, player, "decline")
    services.handovers.close(found, "declined")


def withdraw_offer(services: Services, caller: Caller, reference: str, offer: str) -> None:
    """Close an offer that the caller made. Raise NoHandover for one of somebody else."""
    player = require_player(services, caller)
    found = _require_offer(services, caller, reference, offer, player)
    if found.asker != player.id:
        raise NoHandover("Only the player who made the offer can withdraw it. You can decline it.")
    services.handovers.close(found, "withdrawn")


def take_back_seat(services: Services, caller: Caller, reference: str, read: Read) -> GameAnswer[CommandResult]:
    """Take back a seat that the caller lent, without asking the others (R-P14). Raise NotSeated for strangers."""
    player, sent = require_player(services, caller), read(NO_FIELDS)
    game, expected = game_access(services, caller, reference).game, sent.expected
    request_id = command_id(services.secret, player.id, sent.key, f"/games/{game}/handovers/return", sent.body)
    command = ReturnSeat(_require_lent_seat(services, game, player))
    if services.games.state(game).lent_seat_of(player.id) is None:
        expected = None  # they get no seat, and mustn't learn how long a delayed game is
    request_id, commit = act_once(services, game, command, player.id, request_id, expected)
    return command_answer(services, game, player.id, request_id, commit)


def _require_lent_seat(services: Services, game: str, player: User) -> int:
    """Return the seat that the player lent, or holds again since a repeated request; NotSeated for strangers."""
    state = services.games.state(game)
    if not state.has_held(player.id):
        raise NotSeated("You have no seat in this game.")
    seats = (state.lent_seat_of(player.id), state.former_seat_of(player.id), state.seat_of(player.id))
    return next(seat for seat in seats if seat is not None)


def _require_offer(services: Services, caller: Caller, reference: str, offer: str, player: User) -> HandoverOffer:
    found = services.handovers.find(services.reader.resolve(reference), offer, player.id)
    if found is None:
        game_access(services, caller, reference)  # a game that the player may not know of gets its own 404
        raise Problem("not-found", NO_OFFER)
    return found


def _require_received_offer(
    services: Services, caller: Caller, reference: str, offer: str, player: User, answer: str
) -> HandoverOffer:
    """Return the open offer; NoHandover unless it's the player's to accept or decline."""
    found = _require_offer(services, caller, reference, offer, player)
    if found.taker != player.id:
        raise NoHandover(f"Only the player to whom the seat was offered can {answer} it.")
    return found


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


def _names(services: Services, offers: list[HandoverOffer]) -> Names:
    return services.accounts.users.names_of(each for offer in offers for each in (offer.asker, offer.taker))
