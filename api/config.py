"""The settings of an operator, read from the environment once, at the start.

Every setting is named `TRICKBOOK_<NAME>`. An unknown name or an invalid value stops the start with a message: the typo
`TRICKBOOK_REGISTRATOIN=closed` must not leave registration open.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from domain.protocols.signed_notes import COSIGNATURE, MAX_COSIGNATURES, Key, NotANote, parse_key
from domain.store.shards.layout import MOST_SHARDS
from domain.store.shards.servers import HOME, parse_servers
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts

PREFIX = "TRICKBOOK_"
OF_COMMANDS = frozenset(("TRICKBOOK_SERVER",))
"""Variables that only commands read; a server has no such setting."""
OWN_PATHS = frozenset(
    (
        *(".well-known", "api", "app", "disputes", "docs", "embed", "games", "health", "join", "mail"),
        *("first-hand", "house-rules", "worker.js"),
        *("manifest.webmanifest", "me", "metrics", "new", "offline", "openapi-3.1.json", "openapi.json", "players"),
        *("problems", "recover", "rules", "session", "sign-in", "sign-up", "standings", "static", "verify"),
    )
)
"""How the server's own addresses begin: if its path began so, too, an address could be read in two ways."""
TOKEN = re.compile(r"[!-~]{16,200}")
WEB_ORIGIN = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?")
URL_WITH_PATH = re.compile(WEB_ORIGIN.pattern + r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*/?")
ORIGIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]+)?(?:/[A-Za-z0-9._~-]+)*")
"""A URL without a scheme (C2SP tlog-checkpoint)."""
HIDDEN = "(hidden)"
MAIL_ADDRESS = re.compile(r"(?!.*=\?)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
"""An address. One with `=?`, where an encoded word begins, would be decoded in a header."""
MAIL_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*")
MAX_STREAMS = 15_000
"""Below the number of connections that a process accepts, so that requests find one."""

Registration = Literal["open", "closed"]
Switch = Literal["on", "off"]
Seating = Literal["asked", "at-once"]
LogLevel = Literal["debug", "info", "warning", "error"]
Hashing = Literal["standard", "cheapest"]


class ConfigError(Exception):
    """A setting that stops the start; str(error) is the message to print."""


@dataclass(frozen=True)
class ChosenWitness:
    """The key of a witness, and the address at which it signs, if the server is to ask it by itself."""

    key: Key
    url: str | None = None


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
    `heavy_by_player` count units of work (`api.budgets`).
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


NO_LIMITS = Limits(**{limit.name: None for limit in fields(Limits)})


@dataclass(frozen=True)
class Config:
    """Where data is stored and how the server behaves. Without `database_url` the stores are SQLite files in `data`.

    `shards` is for a new store; None means the usual number. `servers` are names and URLs of other PostgreSQL servers.
    `hashing="cheapest"` is for tests and has no environment variable, so that no server uses it by mistake.
    """

    data: Path = Path("data")
    database_url: str | None = field(default=None, repr=False)
    servers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    origin: str | None = None
    registration: Registration = "open"
    guests: Switch = "on"
    webhooks: Literal["on", "off", "local"] = "on"
    player_webhooks: int = 5
    smtp_url: str | None = field(default=None, repr=False)
    mail_from: str | None = None
    mail_domain: str | None = None
    mail_authserv: str | None = None
    mail_delay_s: int = 60
    witnesses: tuple[ChosenWitness, ...] = ()
    beacon_url: str | None = None
    url: str | None = None
    seating: Seating = "asked"
    trusted_proxies: int = 0
    log: LogLevel = "info"
    cipher_key: str | None = field(default=None, repr=False)
    limits: Limits = Limits()
    body_limit: int = 64 * 1024
    game_events: int = 20_000
    hand_proposals: int = 20
    unfinished_games: int = 100
    hourly_games: int = 60
    forming_tables: int = 20
    hourly_questions: int = 60
    table_invitations: int = 20
    game_disputes: int = 10
    text_length: int = 2000
    heavy_processes: int = 1
    export_timeout_s: int = 3600
    streams: int = 2000
    streams_by_address: int = 200
    streams_by_player: int = 20
    hashing: Hashing = "standard"
    clock_jump_s: int = 1800
    clock_gap_s: int = 3 * 24 * 3600
    connect_timeout_s: int = DEFAULT_TIMEOUTS.connect_s
    lock_timeout_s: int = DEFAULT_TIMEOUTS.lock_s
    statement_timeout_s: int = DEFAULT_TIMEOUTS.statement_s
    long_statement_timeout_s: int = 600
    allow_unsafe_database: bool = False
    insecure_lan: bool = False
    shards: int | None = None
    metrics_token: str | None = field(default=None, repr=False)
    cors_origins: tuple[str, ...] = ()

    @property
    def timeouts(self) -> Timeouts:
        """The time limits of every connection to a database."""
        return Timeouts(self.connect_timeout_s, self.lock_timeout_s, self.statement_timeout_s)

    @property
    def may_be_public(self) -> bool:
        """Whether others than this machine reach the server, by its URL or through a proxy."""
        return self.trusted_proxies > 0 or (self.url is not None and not is_loopback(urlsplit(self.url).hostname))

    @property
    def base_path(self) -> str:
        """The path that the pages and the API are below, such as `/cards`; empty without one."""
        return "" if self.url is None else urlsplit(self.url).path

    @property
    def server_urls(self) -> dict[str, str]:
        """The URL of each PostgreSQL server by its name; that of `database_url` is `home`. Empty for SQLite."""
        return {} if self.database_url is None else {HOME: self.database_url, **dict(self.servers)}

    def with_long_statements(self) -> "Config":
        """Return the settings for work that reads or writes a whole store."""
        return replace(self, statement_timeout_s=self.long_statement_timeout_s)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Config":
        """Read every TRICKBOOK_ variable of `environ` and ignore the others. An empty one counts as unset."""
        ours = {name: text for name, text in environ.items() if name.startswith(PREFIX) and name not in OF_COMMANDS}
        for name in sorted(ours.keys() - SETTINGS.keys()):
            similar = ", ".join(get_close_matches(name, SETTINGS, cutoff=0))
            raise ConfigError(f"{name} is not a setting of trickbook; the most similar ones are {similar}")
        values: dict[str, Any] = {SETTINGS[name].field: _read(name, text) for name, text in ours.items() if text}
        config = cls(**values)
        if config.webhooks == "local" and config.may_be_public:
            raise ConfigError(LOCAL_WEBHOOKS)
        return config

    @property
    def is_limited(self) -> bool:
        """Whether limits are on: those of `limits`, and the numbers of games and disputes for each player."""
        return self.limits != NO_LIMITS

    def to_lines(self) -> list[str]:
        """Return one `NAME=value` line for each setting, with secrets hidden; the server prints them when it starts."""
        return [f"{name}={setting.format(getattr(self, setting.field))}" for name, setting in SETTINGS.items()]


LOCAL_WEBHOOKS = (
    f"{PREFIX}WEBHOOKS=local is for developers: players could reach programs of this machine. Choose on, or serve on"
    " 127.0.0.1 alone."
)


def is_loopback(host: str | None) -> bool:
    """Return whether a host is an address of loopback, or its usual name."""
    try:
        return host == "localhost" or (host is not None and ip_address(host).is_loopback)
    except ValueError:
        return False


def _read(name: str, text: str) -> object:
    try:
        return SETTINGS[name].parse(text)
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None


def _database_url(text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")) or _conninfo(text) is None:
        raise ValueError("expected postgresql://user:password@host:port/name")  # the text may hold a password
    return text


def _servers(text: str) -> tuple[tuple[str, str], ...]:
    servers = parse_servers(text)
    for name, url in servers.items():
        try:
            _database_url(url)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return tuple(servers.items())


def _shown_servers(servers: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name}: {redact_url(url)}" for name, url in servers)


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


def _smtp_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        valid = (
            parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.path in ("", "/") and parts.port != 0
        )
    except ValueError:
        valid = False
    if not valid:
        raise ValueError("expected smtp://user:password@host:port or smtps://...")  # the text may hold a password
    return text


def _shown_smtp_url(url: str | None) -> str:
    if url is None:
        return ""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}" + ("" if parts.port is None else f":{parts.port}")


def _mail_address(text: str) -> str:
    if MAIL_ADDRESS.fullmatch(text) is None:
        raise ValueError(f"expected an address such as cards@example.com, got {text!r}")
    return text


def _mail_domain(text: str) -> str:
    if MAIL_DOMAIN.fullmatch(text) is None or len(text) > 200:
        raise ValueError(f"expected a domain such as cards.example.com, got {text!r}")
    return text


def _witnesses(text: str) -> tuple[ChosenWitness, ...]:
    found = dict[str, ChosenWitness]()
    last: Key | None = None
    for word in text.split():
        if word.startswith(("https://", "http://")):
            if last is None or URL_WITH_PATH.fullmatch(word) is None:
                raise ValueError(f"expected keys of witnesses, each with its address after it, got {word!r}")
            found[last.text] = ChosenWitness(last, word.rstrip("/"))
            last = None
            continue
        try:
            last = parse_key(word, COSIGNATURE)
        except NotANote as error:
            raise ValueError(f"expected keys of witnesses with spaces between them: {error}") from None
        found.setdefault(last.text, ChosenWitness(last))
    if len(found) > MAX_COSIGNATURES:
        raise ValueError(f"expected at most {MAX_COSIGNATURES} keys, got {len(found)}")
    return tuple(found.values())


def _shown_witnesses(witnesses: tuple[ChosenWitness, ...]) -> str:
    return " ".join(each.key.text if each.url is None else f"{each.key.text} {each.url}" for each in witnesses)


def _public_url(text: str) -> str:
    if URL_WITH_PATH.fullmatch(text) is None:
        raise ValueError(
            "expected the address of the server's pages, such as https://cards.example.com or https://example.com/cards,"
            f" got {text!r}"
        )
    if urlsplit(text).path.lstrip("/").partition("/")[0] in OWN_PATHS:
        raise ValueError(f"expected a path that doesn't begin as one of the server's own, such as /games, got {text!r}")
    return text.rstrip("/")


def _relay_url(text: str) -> str:
    if URL_WITH_PATH.fullmatch(text) is None:
        raise ValueError(f"expected the address of a relay of drand, such as https://api.drand.sh, got {text!r}")
    return text.rstrip("/")


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


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(high)) and low <= int(text) <= high):
            raise ValueError(f"expected a whole number from {low} to {high}, got {text!r}")
        return int(text)

    return parse


_seconds = _number(1, 1_000_000)
_streams = _number(1, MAX_STREAMS)


def _cipher_key(text: str) -> str:
    try:
        size = len(base64.b64decode(text, validate=True))
    except binascii.Error:
        size = 0
    if size not in (16, 24, 32):
        raise ValueError("expected 16, 24 or 32 bytes in base64")
    return text


def _token(text: str) -> str:
    if TOKEN.fullmatch(text) is None:
        raise ValueError("expected 16 to 200 characters of ASCII without spaces, such as `openssl rand -hex 32` prints")
    return text


def _web_origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(","))
    if wrong := [each for each in origins if each != "*" and WEB_ORIGIN.fullmatch(each) is None]:
        raise ValueError(f"expected origins such as https://cards.example.com, with commas, or *; got {wrong[0]!r}")
    if "*" in origins and len(origins) > 1:
        raise ValueError("* stands for every origin; list it alone")
    return tuple(dict.fromkeys(origins))


def _limits(text: str) -> Limits:
    return Limits() if _one_of("on", "off")(text) == "on" else NO_LIMITS


def _secret(value: str | None) -> str:
    return "" if value is None else HIDDEN


def _yes_or_no(text: str) -> bool:
    return _one_of("yes", "no")(text) == "yes"


def _shown_limits(limits: Limits) -> str:
    return "off" if limits == NO_LIMITS else "on"


def _shown_flag(chosen: bool) -> str:
    return "yes" if chosen else "no"


def _shown_number(number: int | None) -> str:
    return "" if number is None else str(number)


@dataclass(frozen=True)
class Setting:
    """One environment variable: the field it sets, and how its text is parsed and printed.

    docs/operations.md says what each one means.
    """

    field: str
    parse: Callable[[str], object]
    format: Callable[[Any], str] = str


SETTINGS: Mapping[str, Setting] = {
    PREFIX + "DATA": Setting("data", Path),
    PREFIX + "DATABASE_URL": Setting("database_url", _database_url, redact_url),
    PREFIX + "SERVERS": Setting("servers", _servers, _shown_servers),
    PREFIX + "SHARDS": Setting("shards", _number(1, MOST_SHARDS), _shown_number),
    PREFIX + "ORIGIN": Setting("origin", _origin, lambda name: name or ""),
    PREFIX + "REGISTRATION": Setting("registration", _one_of("open", "closed")),
    PREFIX + "GUESTS": Setting("guests", _one_of("on", "off")),
    PREFIX + "WEBHOOKS": Setting("webhooks", _one_of("on", "off", "local")),
    PREFIX + "SMTP_URL": Setting("smtp_url", _smtp_url, _shown_smtp_url),
    PREFIX + "MAIL_FROM": Setting("mail_from", _mail_address, lambda address: address or ""),
    PREFIX + "MAIL_DOMAIN": Setting("mail_domain", _mail_domain, lambda domain: domain or ""),
    PREFIX + "MAIL_AUTHSERV": Setting("mail_authserv", _mail_domain, lambda name: name or ""),
    PREFIX + "MAIL_DELAY_S": Setting("mail_delay_s", _number(0, 86_400)),
    PREFIX + "WITNESSES": Setting("witnesses", _witnesses, _shown_witnesses),
    PREFIX + "BEACON_URL": Setting("beacon_url", _relay_url, lambda url: url or ""),
    PREFIX + "URL": Setting("url", _public_url, lambda url: url or ""),
    PREFIX + "SEATING": Setting("seating", _one_of("asked", "at-once")),
    PREFIX + "TRUSTED_PROXIES": Setting("trusted_proxies", _proxies),
    PREFIX + "LOG": Setting("log", _one_of("debug", "info", "warning", "error")),
    PREFIX + "CIPHER_KEY": Setting("cipher_key", _cipher_key, _secret),
    PREFIX + "HEAVY_PROCESSES": Setting("heavy_processes", _number(1, 64)),
    PREFIX + "EXPORT_TIMEOUT_S": Setting("export_timeout_s", _seconds),
    PREFIX + "STREAMS": Setting("streams", _streams),
    PREFIX + "STREAMS_BY_ADDRESS": Setting("streams_by_address", _streams),
    PREFIX + "STREAMS_BY_PLAYER": Setting("streams_by_player", _streams),
    PREFIX + "GAME_EVENTS": Setting("game_events", _number(100, 1_000_000)),
    PREFIX + "HAND_PROPOSALS": Setting("hand_proposals", _number(0, 1000)),
    PREFIX + "UNFINISHED_GAMES": Setting("unfinished_games", _number(1, 1_000_000)),
    PREFIX + "HOURLY_GAMES": Setting("hourly_games", _number(1, 1_000_000)),
    PREFIX + "FORMING_TABLES": Setting("forming_tables", _number(1, 1_000_000)),
    PREFIX + "HOURLY_QUESTIONS": Setting("hourly_questions", _number(1, 1_000_000)),
    PREFIX + "TABLE_INVITATIONS": Setting("table_invitations", _number(1, 1000)),
    PREFIX + "GAME_DISPUTES": Setting("game_disputes", _number(0, 1000)),
    PREFIX + "TEXT_LENGTH": Setting("text_length", _number(1, 10_000)),
    PREFIX + "LIMITS": Setting("limits", _limits, _shown_limits),
    PREFIX + "CLOCK_JUMP_S": Setting("clock_jump_s", _seconds),
    PREFIX + "CLOCK_GAP_S": Setting("clock_gap_s", _seconds),
    PREFIX + "CONNECT_TIMEOUT_S": Setting("connect_timeout_s", _seconds),
    PREFIX + "LOCK_TIMEOUT_S": Setting("lock_timeout_s", _seconds),
    PREFIX + "STATEMENT_TIMEOUT_S": Setting("statement_timeout_s", _seconds),
    PREFIX + "LONG_STATEMENT_TIMEOUT_S": Setting("long_statement_timeout_s", _seconds),
    PREFIX + "METRICS_TOKEN": Setting("metrics_token", _token, _secret),
    PREFIX + "INSECURE_LAN": Setting("insecure_lan", _yes_or_no, _shown_flag),
    PREFIX + "CORS_ORIGINS": Setting("cors_origins", _web_origins, ",".join),
    PREFIX + "ALLOW_UNSAFE_DATABASE": Setting("allow_unsafe_database", _yes_or_no, _shown_flag),
}
