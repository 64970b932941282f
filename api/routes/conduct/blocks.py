"""Blocks: a player keeps another one away. A block holds both ways, and the other player doesn't learn of it."""

from flask import Blueprint, Response, request

from api.accounts.people.scopes import READ
from api.http.conduct.access import other_user, user_of_name
from api.http.conduct.json import time_json
from api.http.context import current_services, require_player
from api.http.responses import json_response
from api.http.schemas_games import NO_FIELDS
from api.http.strict_json import read_json
from api.services.conduct.parts import MOST_BLOCKS
from domain.rejections import TooMany

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
