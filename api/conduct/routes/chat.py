"""The chat of a game: texts beside the log, at the table, to a partner, or among watchers."""

from flask import Response

from api.conduct.services import writing
from api.conduct.services.schemas import CHAT_QUERY, NEW_MESSAGE, ShownMessage
from api.conduct.services.writing import ChatPage, write_chat
from api.web.context import current_caller, current_services
from api.web.problems import GAME
from api.web.request_input import sent_new_command
from api.web.responses import json_response
from api.web.route import SAME_GAME, TaggedBlueprint, by_page_size, query_args, route

CHAT_PATH = "/games/<game_ref:reference>/chat"

chat = TaggedBlueprint("chat", __name__, "conduct")


@chat.get(CHAT_PATH)
@route(
    "the messages that you may read",
    answer=ChatPage,
    token="needed",
    query=CHAT_QUERY,
    problems=GAME,
    lane=by_page_size,
)
def read_chat(reference: str) -> Response:
    """Return 200 `{"chat", "open", "items", "more", "names"}`: the messages that the caller may read, oldest first."""
    return json_response(writing.read_chat(current_services(), current_caller(), reference, query_args()))


@chat.post(CHAT_PATH)
@route(
    "write a message, or a comment on an event",
    answer=ShownMessage,
    status=201,
    token="needed",
    body=NEW_MESSAGE,
    example={"text": "Well played.", "to": "table", "event": None},
    problems=(*GAME, "muted", "not-in-chat", "chat-closed", "key-reused"),
    asks=("Idempotency-Key",),
    leads_to={"chat.erase": SAME_GAME | {"message": "$response.body#/id"}},
)
def write(reference: str) -> Response:
    """Return 201 and the message; 403 for a muted player or the wrong part of the chat, 409 for a closed one."""
    return json_response(write_chat(current_services(), current_caller(), reference, sent_new_command()), 201)


@chat.delete(CHAT_PATH + "/<message>")
@route(
    "erase your message, or any message as a moderator",
    says="The text is erased.",
    token="needed",
    problems=(*GAME, "forbidden"),
)
def erase(reference: str, message: str) -> tuple[str, int]:
    """Return 204: the text of the message is erased, by its author, or with a moderator's token of that scope.

    403 for a moderator who has a part in the game or in a report about it.
    """
    writing.erase_message(current_services(), current_caller(), reference, message)
    return "", 204
