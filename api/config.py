"""The settings of an operator, read from the environment once, at the start.

Every setting is named `TRICKBOOK_<NAME>`. An unknown name or an invalid value stops the start with a message: the typo
`TRICKBOOK_REGISTRATOIN=closed` must not leave registration open.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import psycopg
from psycopg.conninfo import conninfo_to_dict

PREFIX = "TRICKBOOK_"
ORIGIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]+)?(?:/[A-Za-z0-9._~-]+)*")
"""A URL without a scheme (C2SP tlog-checkpoint)."""
HIDDEN = "(hidden)"

Registration = Literal["open", "closed"]
LogLevel = Literal["debug", "info", "warning", "error"]
Hashing = Literal["standard", "cheapest"]


class ConfigError(Exception):
    """A setting that stops the start; str(error) is the message to print."""


@dataclass(frozen=True)
class Rate:
    """The rate of a token bucket: `burst` at once, then one more every `every_s` seconds."""

    burst: int
    every_s: float


@dataclass(frozen=True)
class Limits:
    """Rate limits; None means no limit.

    `guesses` are wrong passwords per client address and name, `branches` are per player or, without a token, per
    address, the others are per address. A whole school may share an address, so the limits per address are wide.
    """

    guesses: Rate | None = Rate(burst=10, every_s=6.0)
    guesses_by_address: Rate | None = Rate(burst=100, every_s=3.0)
    registrations: Rate | None = Rate(burst=600, every_s=1.0)
    branches: Rate | None = Rate(burst=30, every_s=2.0)


NO_LIMITS = Limits(guesses=None, guesses_by_address=None, registrations=None, branches=None)


@dataclass(frozen=True)
class Config:
    """Where data is stored and how the server behaves. Without `database_url` the stores are SQLite files in `data`.

    `hashing="cheapest"` is for tests and has no environment variable, so that no server uses it by mistake.
    """

    data: Path = Path("data")
    database_url: str | None = field(default=None, repr=False)
    origin: str | None = None
    registration: Registration = "open"
    trusted_proxies: int = 0
    log: LogLevel = "info"
    cipher_key: str | None = field(default=None, repr=False)
    limits: Limits = Limits()
    body_limit: int = 64 * 1024
    hashing: Hashing = "standard"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Config":
        """Read every TRICKBOOK_ variable of `environ` and ignore the others."""
        ours = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
        for name in sorted(ours.keys() - SETTINGS.keys()):
            raise ConfigError(f"{name} is not a setting of trickbook; the settings are {', '.join(SETTINGS)}")
        values: dict[str, Any] = {SETTINGS[name].field: _read(name, text) for name, text in ours.items()}
        return cls(**values)

    def to_lines(self) -> list[str]:
        """Return one `NAME=value` line for each setting, with secrets hidden; the server prints them when it starts."""
        return [f"{name}={setting.format(getattr(self, setting.field))}" for name, setting in SETTINGS.items()]


def _read(name: str, text: str) -> object:
    try:
        return SETTINGS[name].parse(text)
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None


def _folder(text: str) -> Path:
    if not text:
        raise ValueError("expected the name of the folder for all data, got an empty value")
    return Path(text)


def _database_url(text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")) or _conninfo(text) is None:
        raise ValueError("expected postgresql://user:password@host:port/name")  # the text may hold a password
    return text


def _conninfo(url: str) -> dict[str, Any] | None:
    try:
        return conninfo_to_dict(url)
    except psycopg.Error:
        return None


def redact_url(url: str | None) -> str:
    """Return the connection parameters without secrets; an empty text for SQLite files."""
    if url is None:
        return ""
    parts = _conninfo(url)
    if parts is None:
        return HIDDEN
    return " ".join(f"{key}={HIDDEN if 'pass' in key else value}" for key, value in sorted(parts.items()))


def _origin(text: str) -> str:
    if ORIGIN.fullmatch(text) is None or len(text) > 200:
        raise ValueError("expected a name that you own for this server, such as cards.example.com or example.com/cards")
    return text


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}, got {text!r}")
        return text

    return parse


def _proxies(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) == 1):
        raise ValueError(f"expected the number of your proxies in front of the server, 0 to 9, got {text!r}")
    return int(text)


def _cipher_key(text: str) -> str:
    try:
        size = len(base64.b64decode(text, validate=True))
    except binascii.Error:
        size = 0
    if size not in (16, 24, 32):
        raise ValueError("expected 16, 24 or 32 bytes in base64")
    return text


def _limits(text: str) -> Limits:
    return Limits() if _one_of("on", "off")(text) == "on" else NO_LIMITS


def _secret(value: str | None) -> str:
    return "" if value is None else HIDDEN


def _shown_limits(limits: Limits) -> str:
    return "off" if limits == NO_LIMITS else "on"


@dataclass(frozen=True)
class Setting:
    """One environment variable: the field it sets, how its text is parsed and printed, and its meaning."""

    field: str
    parse: Callable[[str], object]
    meaning: str
    format: Callable[[Any], str] = str


SETTINGS: Mapping[str, Setting] = {
    PREFIX + "DATA": Setting("data", _folder, "the folder for all data (stores, keys)"),
    PREFIX + "DATABASE_URL": Setting("database_url", _database_url, "PostgreSQL instead of files", redact_url),
    PREFIX + "ORIGIN": Setting("origin", _origin, "the server's name in receipts", lambda name: name or ""),
    PREFIX + "REGISTRATION": Setting("registration", _one_of("open", "closed"), "whether anybody may register"),
    PREFIX + "TRUSTED_PROXIES": Setting("trusted_proxies", _proxies, "how many proxies' X-Forwarded-For is trusted"),
    PREFIX + "LOG": Setting("log", _one_of("debug", "info", "warning", "error"), "the lowest level that is logged"),
    PREFIX + "CIPHER_KEY": Setting("cipher_key", _cipher_key, "the key that encrypts stored facts, base64", _secret),
    PREFIX + "LIMITS": Setting("limits", _limits, "on or off: all limits", _shown_limits),
}
