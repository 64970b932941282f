"""The limits of a player and of an address, the numbers that a host may set, and the profiles of both."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

MAX_STREAMS = 15_000
"""Below the number of connections that a process accepts, so that requests find one."""


@dataclass(frozen=True)
class Rate:
    """At most `count` in any `window_s` seconds."""

    count: int
    window_s: int


@dataclass(frozen=True)
class Backoff:
    """From the `free`th failure on, waits of 1 s, 2 s, 4 s up to `longest_wait_s`; forgotten after `forget_s`."""

    free: int
    longest_wait_s: int
    forget_s: int


@dataclass(frozen=True)
class Limits:
    """Rate limits; None means no limit.

    `guesses` are wrong passwords per client address and name, `branches` are per player or, without a token, per
    address, `receipt_requests`, `claims` of seats, `handover_offers`, `messages` in chats, `private_messages` counted
    by reader, `broadcasts`, `conduct_reports`, `blocks` and checks of `rulebooks` are
    per player, `mails` are per player and per recipient,
    `mail_refusals` and `mail_lines` are per sender, `mail_replies` are lines of a player's replies, and the others are
    per address. A whole school may share an address, so the limits per address are wide. `heavy_by_address` and
    `heavy_by_player` count units of work (`api.caller`).
    """

    guesses: Backoff | None = Backoff(free=10, longest_wait_s=30, forget_s=3600)
    guesses_by_address: Rate | None = Rate(count=60, window_s=30)
    unknown_tokens: Rate | None = Rate(count=60, window_s=60)
    registrations: Rate | None = Rate(count=600, window_s=600)
    guests: Rate | None = Rate(count=120, window_s=600)
    mails: Rate | None = Rate(count=5, window_s=3600)
    mail_refusals: Rate | None = Rate(count=1, window_s=3600)
    mail_lines: Rate | None = Rate(count=30, window_s=3600)
    mail_replies: Rate | None = Rate(count=300, window_s=3600)
    branches: Rate | None = Rate(count=30, window_s=60)
    heavy_by_address: Rate | None = Rate(count=3000, window_s=60)
    heavy_by_player: Rate | None = Rate(count=600, window_s=60)
    receipt_requests: Rate | None = Rate(count=20, window_s=60)
    claims: Rate | None = Rate(count=60, window_s=600)
    handover_offers: Rate | None = Rate(count=20, window_s=3600)
    messages: Rate | None = Rate(count=30, window_s=60)
    private_messages: Rate | None = Rate(count=60, window_s=3600)
    broadcasts: Rate | None = Rate(count=5, window_s=3600)
    conduct_reports: Rate | None = Rate(count=10, window_s=3600)
    blocks: Rate | None = Rate(count=100, window_s=3600)
    rulebooks: Rate | None = Rate(count=5, window_s=3600)
    rulebooks_by_address: Rate | None = Rate(count=20, window_s=3600)


USUAL_LIMITS = Limits()
NO_LIMITS = Limits(**{limit.name: None for limit in fields(Limits)})
CROWD = Limits(
    guesses_by_address=Rate(count=600, window_s=30),
    unknown_tokens=Rate(count=600, window_s=60),
    registrations=Rate(count=6000, window_s=600),
    guests=Rate(count=1200, window_s=600),
    heavy_by_address=Rate(count=30_000, window_s=60),
    rulebooks_by_address=Rate(count=200, window_s=3600),
)
"""Limits for a place with one address and many people."""


@dataclass(frozen=True)
class Number:
    """A number of the limits: what it means, as a line in Markdown, and the least and the most that it may be."""

    meaning: str
    low: int
    high: int


NUMBERS: Mapping[str, Number] = {
    "unfinished_games": Number("games that a player may have opened and that aren't over", 1, 1_000_000),
    "hourly_games": Number("games that a player may open in any hour", 1, 1_000_000),
    "forming_tables": Number("tables of a player that wait for others", 1, 1_000_000),
    "hourly_questions": Number("how many others a player may ask to sit down in any hour", 1, 1_000_000),
    "table_invitations": Number("invitations to a table that aren't revoked", 1, 1000),
    "hand_proposals": Number("proposals that a seat may make in a hand", 0, 1000),
    "game_disputes": Number("disputes that a player may open in a game", 0, 1000),
    "text_length": Number("characters of the text of a message, dispute, ruling or appeal", 1, 10_000),
    "game_events": Number("events after which a game ends instead of another deal", 100, 1_000_000),
    "streams": Number("event streams that the server holds at a time", 1, MAX_STREAMS),
    "streams_by_address": Number("event streams of one client address", 1, MAX_STREAMS),
    "streams_by_player": Number("event streams of one player; each tab of a browser counts", 1, MAX_STREAMS),
    "heavy_processes": Number("processes for heavy requests, one for each core that they may use", 1, 64),
    "mail_delay_s": Number("seconds that a mail about a turn waits, in case the player moves meanwhile", 0, 86_400),
    "connect_timeout_s": Number("seconds to wait for a connection to PostgreSQL", 1, 1_000_000),
    "lock_timeout_s": Number("seconds to wait for a lock in a database", 1, 1_000_000),
    "statement_timeout_s": Number("seconds that a statement of PostgreSQL may take", 1, 1_000_000),
    "long_statement_timeout_s": Number("the same for commands that read or write a whole store", 1, 1_000_000),
}
"""The fields of `Config` that a profile or its file sets."""
PROFILES: Mapping[str, Mapping[str, Any]] = {
    "small": {
        "unfinished_games": 40, "hourly_games": 20, "forming_tables": 10, "hourly_questions": 30,
        "streams": 200, "streams_by_address": 100, "streams_by_player": 10,
    },
    "default": {},
    "large": {
        "unfinished_games": 500, "hourly_games": 300, "forming_tables": 100, "hourly_questions": 300,
        "streams": 10_000, "streams_by_address": 2000, "streams_by_player": 50, "heavy_processes": 4, "limits": CROWD,
    },
    "off": {"limits": NO_LIMITS},
}  # fmt: skip
"""The fields that each profile sets otherwise than the default."""
PROFILE = "profile"
"""The key of a file that names the profile whose numbers it changes."""


def read_profile(text: str) -> Mapping[str, Any]:
    """Return the fields of a profile, or of a file in TOML with numbers and the `profile` that they change.

    Raise ValueError if the file can't be read, has another key, or a number that isn't in its range.
    """
    if text in PROFILES:
        return PROFILES[text]
    try:
        found = tomllib.loads(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{text}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{text} isn't TOML: {error}") from None
    base = found.pop(PROFILE, "default")
    if base not in PROFILES:
        raise ValueError(f"{text}: expected a profile of {', '.join(PROFILES)}, got {base!r}")
    for name, value in found.items():
        if name not in NUMBERS:
            similar = ", ".join(get_close_matches(name, NUMBERS, cutoff=0))
            raise ValueError(f"{text}: there is no {name}; the most similar ones are {similar}")
        number = NUMBERS[name]
        if type(value) is not int or not number.low <= value <= number.high:
            expected = f"a whole number from {number.low} to {number.high}"
            raise ValueError(f"{text}: {name}: expected {expected}, got {value!r}")
    return {**PROFILES[base], **found}
