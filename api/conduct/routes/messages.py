"""Private messages between players, broadcasts of moderators, and blocks, which keep another player away."""

from collections.abc import Mapping

from flask import Blueprint, Response, request

from api.conduct.routes.access import other_user, require_moderator, user_of_name
from api.conduct.routes.json import private_message_json, time_json
from api.conduct.routes.schemas import MESSAGES_QUERY, NEW_BROADCAST, NEW_PRIVATE_MESSAGE, require_length
from api.conduct.stored.private_messages import MessageDraft, PrivateMessage
from api.container import MOST_BLOCKS
from api.people.stored.grants import READ
from api.people.stored.users import User
from api.web.context import current_services, require_player, require_token
from api.web.game_schemas import NO_FIELDS
from api.web.preconditions import command_id, idempotency_key
from api.web.problems import Problem
from api.web.query_args import query, query_args
from api.web.responses import json_response
from api.web.strict_json import read_json
from domain.rejections import TooMany

MESSAGES_PATH, BROADCASTS_PATH = "/messages", "/broadcasts"

messages = Blueprint("messages", __name__)


@messages.get(MESSAGES_PATH)
@query(MESSAGES_QUERY)
def read_messages() -> Response:
    """Return 200 `{"items", "more", "names"}`: the messages that the caller wrote or got, and broadcasts."""
    player, args = require_player(READ), query_args()
    limit = args["limit"]
    found = current_services().accounts.private_messages.before(player.id, args.get("before"), limit + 1)
    return _answer(found[-limit:], more=len(found) > limit)


@messages.post(MESSAGES_PATH)
def write() -> Response:
    """Return 201 and the message; 403 for a muted player, 404 for a name that nobody has, 409 for a guest."""
    player, body = require_player(), read_json(request)
    fields = NEW_PRIVATE_MESSAGE.load(body)
    if require_token().guest:
        raise Problem("not-for-guests", "Guests write at their tables. Take a name and a password to write to players.")
    readers = [_reader(name, player) for name in dict.fromkeys(fields["to"])]
    draft = _draft(player, body, MESSAGES_PATH, fields["text"])
    return _sent(current_services().conduct.messages.send(draft, readers))


@messages.post(BROADCASTS_PATH)
def broadcast() -> Response:
    """Return 201 and the message to everybody who doesn't refuse such messages; 403 if the caller is no moderator."""
    require_token()
    body = read_json(request)
    text = NEW_BROADCAST.load(body)["text"]
    draft = _draft(require_moderator(), body, BROADCASTS_PATH, text)
    return _sent(current_services().conduct.messages.broadcast(draft))


def _reader(name: str, player: User) -> str:
    user = user_of_name(name)
    if user is None:
        raise Problem("not-found", f"There is no player {name}.")
    if user == player:
        raise Problem("about-yourself", "You can't write a message to yourself.")
    return user.id


def _draft(player: User, body: Mapping[str, object], path: str, text: str) -> MessageDraft:
    require_length("text", text)
    request_id = command_id(current_services().secret, player.id, idempotency_key(request), path, body)
    return MessageDraft(player.id, text, request_id.sender, request_id.requests)


def _sent(message: PrivateMessage) -> Response:
    names = _names([message])
    return json_response(private_message_json(message) | {"names": names}, 201)


def _answer(found: list[PrivateMessage], *, more: bool) -> Response:
    items = [private_message_json(each) for each in found]
    return json_response({"items": items, "more": more, "names": _names(found)})


def _names(found: list[PrivateMessage]) -> dict[str, str]:
    people = {player for each in found for player in (each.author, *(each.readers or ()))}
    return current_services().accounts.users.names_of(people)


blocks = Blueprint("blocks", __name__)
BLOCKS_PATH = "/me/blocks"
BLOCK_PATH = BLOCKS_PATH + "/<name>"


@blocks.get(BLOCKS_PATH)
def list_blocks() -> Response:
    """Return 200 `{"items"}`: the names of the players whom the caller has blocked, and since when."""
    player, accounts = require_player(READ), current_services().accounts
    found = accounts.blocks.with_times(player.id)
    names = accounts.users.names_of(other for other, _ in found)
    items = [{"name": names[other], "since": time_json(since)} for other, since in found if other in names]
    return json_response({"items": items})


@blocks.put(BLOCK_PATH)
def block(name: str) -> tuple[str, int]:
    """Return 204; the player with this name is blocked. 404 for an unknown name, 409 for the caller's own."""
    player, services = require_player(), current_services()
    if request.content_length:
        NO_FIELDS.load(read_json(request))
    other = other_user(name, player)
    if len(services.accounts.blocks.of(player.id)) >= MOST_BLOCKS:
        raise TooMany(f"You have blocked {MOST_BLOCKS} players, the most that this server allows.")
    services.conduct.blocks_made.take(player.id)
    services.accounts.blocks.add(player.id, other.id)
    return "", 204


@blocks.delete(BLOCK_PATH)
def unblock(name: str) -> tuple[str, int]:
    """Return 204; the caller's block of the player with this name is lifted, if there was one."""
    player, other = require_player(), user_of_name(name)
    if other is not None:
        current_services().accounts.blocks.remove(player.id, other.id)
    return "", 204
