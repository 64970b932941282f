"""Ids of commands, derived from the Idempotency-Key, so that a repeat is known as one."""

import hashlib
import hmac
import json
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from domain.store import Games

GAMES = uuid.UUID("7c0b1a52-6f0e-5d0b-9a3e-3f5d2a1c8e44")  # an arbitrary namespace for ids of games opened with a key


@dataclass(frozen=True)
class CommandId:
    """The id of a command: `sender` identifies player and key; `request` those, and method, path and body.

    Each part is 16 hex digits of HMAC-SHA-256 with the server's secret. Both stand in the game's log, and mustn't say
    what was sent to somebody who tries short bodies or compares ids. Without a key both are random.
    """

    sender: str
    request: str
    earlier: str | None = None
    """The text that version 0.2 would have stored in place of `request`. It's only compared with what is stored."""

    def __str__(self) -> str:
        return f"{self.sender}-{self.request}"

    @property
    def requests(self) -> tuple[str, ...]:
        """The second halves under which this command may be stored; this version stores the first."""
        return (self.request,) if self.earlier is None else (self.request, self.earlier)

    def as_stored(self, games: Games, game: str) -> "CommandId":
        """Return the id under which the game has this command, or if it doesn't have it, the one to store."""
        ids = [CommandId(self.sender, request) for request in self.requests]
        return next((each for each in ids if games.entries_of_command(game, str(each))), ids[0])

    @property
    def game(self) -> str:
        """The id of the game that this command opens, so that a repeat doesn't open a second game."""
        return str(uuid.uuid5(GAMES, self.sender))


def command_id(secret: bytes, player: str, key: str | None, path: str, body: Mapping[str, object]) -> CommandId:
    """Return the id of a player's POST of `body` to `path`; `path` always contains the game's id, not its board."""
    if key is None:
        drawn = secrets.token_hex(16)
        return CommandId(drawn[:16], drawn[16:])
    asked = "\n".join(("POST", path, json.dumps(body, sort_keys=True, separators=(",", ":"))))
    request, earlier = _request_mac(secret, player, key, asked), _mac(secret, f"what\n{asked}")
    return CommandId(_mac(secret, f"who\n{player}\n{key}"), request, earlier)


def _request_mac(secret: bytes, player: str, key: str, asked: str) -> str:
    return _mac(secret, f"request\n{player}\n{key}\n{asked}")


def _mac(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:16]
