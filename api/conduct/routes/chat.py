"""The chat of a game: texts beside the log, at the table, to a partner, or among watchers."""

import logging
import re
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, request

from api.conduct.routes.access import chat_place
from api.conduct.routes.json import message_json
from api.conduct.routes.schemas import CHAT_QUERY, NEW_MESSAGE, require_length
from api.conduct.services.chat import ChatPlace, NewMessage
from api.conduct.stored.chat_messages import EVERYTHING, ChatMessage, ChatReader
from api.monitoring.logs import log_event
from api.people.stored.grants import MODERATE, READ
from api.people.stored.users import User
from api.web.context import current_reader, current_services, require_player, require_token
from api.web.preconditions import command_id, idempotency_key
from api.web.problems import Problem
from api.web.query_args import query, query_args
from api.web.responses import json_response
from api.web.strict_json import read_json

LOG = logging.getLogger("trickbook.chat")
CHAT_PATH = "/games/<game_ref:reference>/chat"
MESSAGE_ID = re.compile("m_[0-9a-f]{24}")
NO_MESSAGE = "There is no such message, or you may not read it."

chat = Blueprint("chat", __name__)


@chat.get(CHAT_PATH)
@query(CHAT_QUERY)
def read_chat(reference: str) -> Response:
    """Return 200 `{"chat", "open", "items", "more", "names"}`: the messages that the caller may read, oldest first."""
    player, services, args = require_player(READ), current_services(), query_args()
    place = chat_place(reference, player)
    items, more = _page(place, services.conduct.chat.reader(place), args)
    names = services.accounts.users.names_of(each.author for each in items)
    return json_response(
        {
            "chat": services.conduct.chat.setting(place),
            "open": services.conduct.chat.is_open(place, "watchers" if place.seat is None else "table"),
            "items": [message_json(each) for each in items],
            "more": more,
            "names": names,
        }
    )


def _page(place: ChatPlace, reader: ChatReader, args: dict[str, Any]) -> tuple[Sequence[ChatMessage], bool]:
    """Return a page of messages, and whether there are more in its direction."""
    messages, limit = current_services().accounts.chat, args["limit"]
    if "after" in args:
        found = messages.after(place.game, _find(place, reader, args["after"]), reader, limit + 1)
        return found[:limit], len(found) > limit
    before = _find(place, reader, args["before"]) if "before" in args else None
    found = messages.before(place.game, before, reader, limit + 1)
    return found[-limit:], len(found) > limit


def _find(place: ChatPlace, reader: ChatReader, message: str) -> ChatMessage:
    found = current_services().accounts.chat.find(place.game, message, reader)
    if found is None:
        raise Problem("malformed", NO_MESSAGE)
    return found


@chat.post(CHAT_PATH)
def write(reference: str) -> Response:
    """Return 201 and the message; 403 for a muted player or the wrong part of the chat, 409 for a closed one."""
    player, body, services = require_player(game=reference), read_json(request), current_services()
    fields, key = NEW_MESSAGE.load(body), idempotency_key(request)
    require_length("text", fields["text"])
    place = chat_place(reference, player)
    request_id = command_id(services.secret, player.id, key, f"/games/{place.game}/chat", body)
    draft = NewMessage(fields["text"], fields["to"], fields["event"], request_id.sender, request_id.requests)
    return json_response(message_json(services.conduct.chat.post(place, draft)), 201)


@chat.delete(CHAT_PATH + "/<message>")
def erase(reference: str, message: str) -> tuple[str, int]:
    """Return 204: the text of the message is erased, by its author, or with a moderator's token of that scope.

    403 for a moderator who has a part in the game or in a report about it.
    """
    moderates = require_token().scope == MODERATE
    player = require_player(MODERATE) if moderates else require_player(game=reference)
    services, game = current_services(), current_reader().resolve(reference)
    if MESSAGE_ID.fullmatch(message) is None:
        raise Problem("not-found", NO_MESSAGE)
    reader = EVERYTHING if moderates else _reader_in_spite_of_blocks(reference, player)
    found = services.accounts.chat.find(game, message, reader)
    if found is None:
        chat_place(reference, player)  # the same 404 for a private game as for one that doesn't exist
        raise Problem("not-found", NO_MESSAGE)
    if found.author == player.id:
        services.accounts.chat.erase(message)
    elif moderates:
        services.conduct.moderation.erase_message(player.id, game, message)
        log_event(LOG, "message-erased", game=game, erased=message, player=player.id)
    else:
        raise Problem("forbidden", "You can erase your own messages. Moderators can erase those of others.")
    return "", 204


def _reader_in_spite_of_blocks(reference: str, player: User) -> ChatReader:
    return current_services().conduct.chat.reader(chat_place(reference, player), ignores_blocks=True)
