"""Texts beside the log that players write and read: the chat of a game, private messages, broadcasts of moderators."""

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from api.caller import Caller, require_player, require_token
from api.conduct.services.chat import FORMING_SEAT, ChatAccess, NewMessage
from api.conduct.services.schemas import (
    NEW_BROADCAST,
    NEW_MESSAGE,
    NEW_PRIVATE_MESSAGE,
    ShownMessage,
    ShownPrivateMessage,
    message_json,
    private_message_json,
    require_length,
)
from api.conduct.stored.chat_messages import EVERYTHING, ChatMessage, ChatReader, ChatSetting
from api.conduct.stored.private_messages import MessageDraft, PrivateMessage
from api.container import Services
from api.monitoring.logs import log_event
from api.people.stored.tokens import MODERATE, PLAY, READ
from api.people.stored.users import User
from api.play.services.games import command_id, visible_game
from api.problem import Problem
from api.schemas import NAME, CommandInput, Read
from api.tables.services.table_views import see_table
from domain.json_fields import Names, says
from domain.store import NoSuchGame

LOG = logging.getLogger("trickbook.chat")
MESSAGE_ID = re.compile("m_[0-9a-f]{24}")
NO_MESSAGE = "There is no such message, or you may not read it."


def chat_access(services: Services, caller: Caller, reference: str) -> ChatAccess:
    """Return the player's access to the chat of a game, or of a table that forms. Raise Problem if they see neither."""
    player = require_token(caller).player
    try:
        access = visible_game(services, caller, reference)
    except NoSuchGame:
        table = see_table(services, reference, player.id)
        return ChatAccess(table.game, player.id, FORMING_SEAT if table.concerns(player.id) else None, None)
    seat = access.viewer if isinstance(access.viewer, int) else None
    return ChatAccess(access.game, player.id, seat, access.state, access.head)


def user_of_name(services: Services, name: str) -> User | None:
    """Return the user with exactly this name; None also for a text that can't be a name."""
    return None if NAME.fullmatch(name) is None else services.accounts.users.by_name(name)


class ChatPage(TypedDict):
    """The messages of a game that the caller may read, the oldest first."""

    chat: ChatSetting
    open: Annotated[bool, says("Whether the caller's part of the chat is open now.")]
    items: list[ShownMessage]
    more: bool
    names: Names


def read_chat(services: Services, caller: Caller, reference: str, args: Mapping[str, Any]) -> ChatPage:
    """Return a page of the messages that the caller may read."""
    require_player(services, caller, READ)
    access = chat_access(services, caller, reference)
    items, more = _page(services, access, services.conduct.chat.reader(access), args)
    return {
        "chat": services.conduct.chat.setting(access),
        "open": services.conduct.chat.is_open(access, "watchers" if access.seat is None else "table"),
        "items": [message_json(each) for each in items],
        "more": more,
        "names": services.accounts.users.names_of(each.author for each in items),
    }


def _page(
    services: Services, access: ChatAccess, reader: ChatReader, args: Mapping[str, Any]
) -> tuple[Sequence[ChatMessage], bool]:
    """Return a page of messages, and whether there are more in its direction."""
    messages, limit = services.accounts.chat, args["limit"]
    if "after" in args:
        found = messages.after(access.game, _find(services, access, reader, args["after"]), reader, limit + 1)
        return found[:limit], len(found) > limit
    before = _find(services, access, reader, args["before"]) if "before" in args else None
    found = messages.before(access.game, before, reader, limit + 1)
    return found[-limit:], len(found) > limit


def _find(services: Services, access: ChatAccess, reader: ChatReader, message: str) -> ChatMessage:
    found = services.accounts.chat.find(access.game, message, reader)
    if found is None:
        raise Problem("malformed", NO_MESSAGE)
    return found


def write_chat(services: Services, caller: Caller, reference: str, read: Read) -> ShownMessage:
    """Write to a chat, and return the message. Raise ForbiddenByStep, NotInChat or ChatClosed."""
    player, sent = require_player(services, caller, game=reference), read(NEW_MESSAGE)
    fields = sent.fields
    require_length(services, "text", fields["text"])
    access = chat_access(services, caller, reference)
    request_id = command_id(services.secret, player.id, sent.key, f"/games/{access.game}/chat", sent.body)
    draft = NewMessage(fields["text"], fields["to"], fields["event"], request_id.sender, request_id.requests)
    return message_json(services.conduct.chat.post(access, draft))


def erase_message(services: Services, caller: Caller, reference: str, message: str) -> None:
    """Erase the text of a message, as its author, or with a moderator's token of that scope.

    Raise OwnCase for a moderator who has a part in the game or in a report about it.
    """
    moderates = require_token(caller).scope == MODERATE
    player = require_player(services, caller, MODERATE if moderates else PLAY, game=reference)
    game = services.reader.resolve(reference)
    if MESSAGE_ID.fullmatch(message) is None:
        raise Problem("not-found", NO_MESSAGE)
    reader = EVERYTHING
    if not moderates:
        reader = services.conduct.chat.reader(chat_access(services, caller, reference), ignores_blocks=True)
    found = services.accounts.chat.find(game, message, reader)
    if found is None:
        chat_access(services, caller, reference)  # the same 404 for a private game as for one that doesn't exist
        raise Problem("not-found", NO_MESSAGE)
    if found.author == player.id:
        services.accounts.chat.erase(message)
    elif moderates:
        services.conduct.moderation.erase_message(player.id, game, message)
        log_event(LOG, "message-erased", game=game, erased=message, player=player.id)
    else:
        raise Problem("forbidden", "You can erase your own messages. Moderators can erase those of others.")


class PrivateMessagePage(TypedDict):
    """The messages that the caller wrote or got, and those to everybody, the oldest first."""

    items: list[ShownPrivateMessage]
    more: bool
    names: Names


class SentMessage(ShownPrivateMessage):
    """A message that the caller has written."""

    names: Names


def read_messages(services: Services, caller: Caller, args: Mapping[str, Any]) -> PrivateMessagePage:
    """Return a page of the messages that the caller wrote or got, and broadcasts."""
    player, limit = require_player(services, caller, READ), args["limit"]
    found = services.accounts.private_messages.before(player.id, args.get("before"), limit + 1)
    items = [private_message_json(each) for each in found[-limit:]]
    return {"items": items, "more": len(found) > limit, "names": _names(services, found[-limit:])}


def write_message(services: Services, caller: Caller, read: Read) -> SentMessage:
    """Write to players, and return the message. Raise ForbiddenByStep, or Problem for a name or for a guest."""
    player, sent = require_player(services, caller), read(NEW_PRIVATE_MESSAGE)
    fields = sent.fields
    if require_token(caller).guest:
        raise Problem("not-for-guests", "Guests write at their tables. Take a name and a password to write to players.")
    readers = _readers(services, dict.fromkeys(fields["to"]), player)
    draft = _draft(services, player, sent, "/messages", fields["text"])
    return _sent(services, services.conduct.messages.send(draft, readers))


def write_broadcast(services: Services, caller: Caller, read: Read) -> SentMessage:
    """Write to everybody who doesn't refuse such messages. Raise Problem if the caller is no moderator."""
    require_token(caller)
    sent = read(NEW_BROADCAST)
    draft = _draft(services, require_player(services, caller, MODERATE), sent, "/broadcasts", sent.fields["text"])
    return _sent(services, services.conduct.messages.broadcast(draft))


def _readers(services: Services, names: Collection[str], player: User) -> list[str]:
    users = services.accounts.users.by_names(names)
    for name in names:
        if name not in users:
            raise Problem("not-found", f"There is no player {name}.")
        if users[name] == player:
            raise Problem("about-yourself", "You can't write a message to yourself.")
    return [users[name].id for name in names]


def _draft(services: Services, player: User, sent: CommandInput, path: str, text: str) -> MessageDraft:
    require_length(services, "text", text)
    request_id = command_id(services.secret, player.id, sent.key, path, sent.body)
    return MessageDraft(player.id, text, request_id.sender, request_id.requests)


def _sent(services: Services, message: PrivateMessage) -> SentMessage:
    return {**private_message_json(message), "names": _names(services, [message])}


def _names(services: Services, found: Sequence[PrivateMessage]) -> Names:
    people = {player for each in found for player in (each.author, *(each.readers or ()))}
    return services.accounts.users.names_of(people)
