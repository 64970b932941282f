"""Private messages between players, broadcasts of moderators, and blocks, which keep another player away."""

from flask import Response

from api.conduct.services import reports, writing
from api.conduct.services.reports import BlockList
from api.conduct.services.schemas import MESSAGES_QUERY, NEW_BROADCAST, NEW_PRIVATE_MESSAGE
from api.conduct.services.writing import PrivateMessagePage, SentMessage, write_broadcast, write_message
from api.schemas import GivenInput
from api.web.context import current_caller, current_request, current_services
from api.web.request_input import sent_body, sent_new_command
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, by_page_size, query_args, route

MESSAGES_PATH, BROADCASTS_PATH = "/messages", "/broadcasts"

messages = TaggedBlueprint("messages", __name__, "conduct")


@messages.get(MESSAGES_PATH)
@route(
    "the messages that you wrote or got, and broadcasts",
    answer=PrivateMessagePage,
    token="needed",
    query=MESSAGES_QUERY,
    lane=by_page_size,
)
def read_messages() -> Response:
    """Return 200 `{"items", "more", "names"}`: the messages that the caller wrote or got, and broadcasts."""
    return json_response(writing.read_messages(current_services(), current_caller(), query_args()))


@messages.post(MESSAGES_PATH)
@route(
    "write to players",
    answer=SentMessage,
    status=201,
    token="needed",
    body=NEW_PRIVATE_MESSAGE,
    example={"to": ["bob"], "text": "A game tonight?"},
    problems=("not-found", "about-yourself", "not-for-guests", "muted", "key-reused"),
    asks=("Idempotency-Key",),
)
def write() -> Response:
    """Return 201 and the message; 403 for a muted player, 404 for a name that nobody has, 409 for a guest."""
    return json_response(write_message(current_services(), current_caller(), sent_new_command()), 201)


@messages.post(BROADCASTS_PATH)
@route(
    "write to everybody, as a moderator",
    answer=SentMessage,
    status=201,
    token="needed",
    body=NEW_BROADCAST,
    example={"text": "The server moves to another machine on Sunday."},
    problems=("forbidden", "muted", "key-reused"),
    asks=("Idempotency-Key",),
)
def broadcast() -> Response:
    """Return 201 and the message to everybody who doesn't refuse such messages; 403 if the caller is no moderator."""
    return json_response(write_broadcast(current_services(), current_caller(), sent_new_command()), 201)


blocks = TaggedBlueprint("blocks", __name__, "conduct")
BLOCKS_PATH = "/me/blocks"
BLOCK_PATH = BLOCKS_PATH + "/<name>"


@blocks.get(BLOCKS_PATH)
@route("the players whom you have blocked", answer=BlockList, token="needed")
def list_blocks() -> Response:
    """Return 200 `{"items"}`: the names of the players whom the caller has blocked, and since when."""
    return json_response(reports.list_blocks(current_services(), current_caller()))


@blocks.put(BLOCK_PATH)
@route(
    "block a player",
    says="The player is blocked.",
    token="needed",
    problems=("not-found", "about-yourself", "too-many", "unsupported-media-type"),
)
def block(name: str) -> tuple[str, int]:
    """Return 204; the player with this name is blocked. 404 for an unknown name, 409 for the caller's own."""
    sent = sent_body() if current_request().content_length else GivenInput({})
    reports.block_player(current_services(), current_caller(), name, sent)
    return "", 204


@blocks.delete(BLOCK_PATH)
@route("lift the block", says="The block is lifted.", token="needed")
def unblock(name: str) -> tuple[str, int]:
    """Return 204; the caller's block of the player with this name is lifted, if there was one."""
    reports.unblock_player(current_services(), current_caller(), name)
    return "", 204
