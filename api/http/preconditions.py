"""The headers that make writing safe: If-Match, Idempotency-Key, and the command id made of the second."""

import hashlib
import hmac
import json
import re
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Request

from api.http.problems import Problem
from api.http.strict_json import parse_integer

ETAG = re.compile('"([^"]*)"')
KEY = re.compile("[ -~]{1,255}")
GAMES = uuid.UUID("7c0b1a52-6f0e-5d0b-9a3e-3f5d2a1c8e44")  # any one: the namespace of game ids made of command ids


def if_match(request: Request) -> int | None:
    """The version n of `If-Match: "n"`; None without the header, and for `*`, which any game that is there fulfils."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    found = ETAG.fullmatch(header.strip())
    version = parse_integer(found[1]) if found else None
    if version is None:
        raise Problem("malformed", 'If-Match must be one version in quotes, like "37"')
    return version


def idempotency_key(request: Request) -> str | None:
    """The client's own name for this command; 400 unless it is 1 to 255 printable ASCII characters."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and KEY.fullmatch(key) is None:
        raise Problem("malformed", "Idempotency-Key must be 1 to 255 printable ASCII characters")
    return key


@dataclass(frozen=True)
class CommandId:
    """`who` and `what`: 16 hex each of HMAC-SHA-256(server secret, ...) of player and key, and of method, path, body.

    `what` is keyed like `who`: it stands in the game's log, where a plain hash of a short body could be guessed.

    Without a key both are random, and no second request can have the same.
    """

    who: str
    what: str

    def __str__(self) -> str:
        return f"{self.who}-{self.what}"

    @property
    def game(self) -> str:
        """The id of the game that this command opens, so that a repeat opens no second one."""
        return str(uuid.uuid5(GAMES, self.who))


def command_id(secret: bytes, player: str, key: str | None, path: str, body: Mapping[str, object]) -> CommandId:
    """The command that a player's POST of `body` to `path` is; `path` with the game's id, whatever was asked by."""
    if key is None:
        return CommandId(secrets.token_hex(8), secrets.token_hex(8))
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return CommandId(_mac(secret, f"who\n{player}\n{key}"), _mac(secret, f"what\nPOST\n{path}\n{canonical}"))


def _mac(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:16]
