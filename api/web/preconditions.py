"""Headers that make writes safe: If-Match, Idempotency-Key, and the command id derived from the key."""

import hashlib
import hmac
import json
import re
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Request

from api.web.problems import Problem
from api.web.strict_json import parse_integer
from domain.store import Games

FORMING = re.compile(r"0\.[0-9]{1,16}")
"""The ETag of a table that forms. Its game, once dealt, is newer."""
KEY = re.compile("[ -~]{1,255}")
GAMES = uuid.UUID("7c0b1a52-6f0e-5d0b-9a3e-3f5d2a1c8e44")  # an arbitrary namespace for ids of games opened with a key


def tags_in_if_match(request: Request) -> set[str] | None:
    """Return the ETags in If-Match; None without the header and for `*`, which anything that exists matches.

    A version names the same events in any encoding. So a weak tag counts as the strong one, since a proxy that
    compresses weakens tags, and "7:gzip", as Flask-Compress writes it, counts as "7". A tag without quotes counts, too,
    as it does in If-None-Match.
    """
    if "HTTP_IF_MATCH" not in request.environ or request.if_match.star_tag:
        return None
    tags = request.if_match.as_set(include_weak=True)
    return {(tag or "").partition(":")[0] for tag in tags}  # werkzeug reads `""` as None


def if_match(request: Request) -> int | None:
    """Return n for `If-Match: "n"`, the latest of several, and 0 for the ETag of a forming table; None for any."""
    if (tags := tags_in_if_match(request)) is None:
        return None
    versions = [0 if FORMING.fullmatch(tag) else parse_integer(tag) for tag in tags]
    known = [version for version in versions if version is not None]
    if not known or len(known) < len(versions):
        raise Problem("malformed", 'If-Match must be a version in quotes, such as "37".')
    return max(known)


def idempotency_key(request: Request) -> str | None:
    """Return the client's key for this command; 400 unless it is 1 to 255 printable ASCII characters."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and KEY.fullmatch(key) is None:
        raise Problem("malformed", "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    return key


@dataclass(frozen=True)
class CommandId:
    """The id of a command: `sender` identifies player and key; `request` those, and method, path and body.

    Each part is 16 hex digits of HMAC-SHA-256 with the server's secret. Both stand in the game's log, and mustn't say
    what was sent to somebody who tries short bodies or compares ids. Without a key both are random.
    """

    sender: str
    request: str
    earlier: str | None = None
    """What version 0.2 would have stored in place of `request`. It's only compared with what is stored."""

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
