"""The settings of an operator, read from the environment once, at the start.

Every setting is named `TRICKBOOK_<NAME>`. An unknown name or an invalid value stops the start with a message: the typo
`TRICKBOOK_REGISTRATOIN=closed` must not leave registration open. `SETTINGS` and `NUMBERS` say what each one means.
"""

import base64
import binascii
import re
import tomllib
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
from domain.store.shards.servers import HOME, parse_servers
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts

PREFIX = "TRICKBOOK_"
OF_COMMANDS = frozenset(("TRICKBOOK_SERVER",))
"""Variables that only commands read; a server has no such setting."""
OWN_PATHS = frozenset(
    (
        *(".well-known", "api", "app", "contact", "disputes", "docs", "embed", "first-hand", "games", "health"),
        *("house-rules", "join", "mail", "worker.js"),
        *("manifest.webmanifest", "me", "metrics", "new", "offline", "openapi-3.1.json", "openapi.json", "players"),
        *("privacy", "problems", "recover", "rules", "session", "sign-in", "sign-up", "standings", "static", "verify"),
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

Registration = Literal["open", "no-guests", "closed"]
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
class Config:
    """Where data is stored and how the server behaves. Without `database_url` the stores are SQLite files in `data`.

    `servers` are names and URLs of other PostgreSQL servers. `profile` names the limits, or their file, and `NUMBERS`
    lists the fields that it sets, besides `limits`. A server's environment can't set the fields that neither lists:
    `shards` is what `store init` is told, and `hashing="cheapest"` is for tests.
    """

    data: Path = Path("data")
    database_url: str | None = field(default=None, repr=False)
    servers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    origin: str | None = None
    registration: Registration = "open"
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
    operator: str | None = None
    contact: str | None = None
    profile: str = "default"
    limits: Limits = Limits()
    body_limit: int = 64 * 1024
    game_events: int = 20_000  # the longest of 120 games of seven random players to 21 points had 7,852
    hand_proposals: int = 20
    unfinished_games: int = 100
    hourly_games: int = 60
    forming_tables: int = 20
    hourly_questions: int = 60
    table_invitations: int = 20
    game_disputes: int = 10
    text_length: int = 2000
    heavy_processes: int = 1
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
    def local_only(self) -> str | None:
        """The sentence that says which setting is for servers that this machine alone reaches; None without one."""
        return LOCAL_WEBHOOKS if self.webhooks == "local" else None if self.is_limited else LOCAL_LIMITS

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
        if advice := tell_renamed(ours):
            raise ConfigError(advice)
        for name in sorted(ours.keys() - SETTINGS.keys() - RENAMED.keys()):
            similar = ", ".join(get_close_matches(name, SETTINGS, cutoff=0))
            raise ConfigError(f"{name} is not a setting of trickbook; the most similar ones are {similar}")
        values: dict[str, Any] = {SETTINGS[name].field: _read(name, text) for name, text in ours.items() if text}
        config = cls(**values, **read_profile(values.get("profile", cls.profile)))
        if config.may_be_public and config.local_only is not None:
            raise ConfigError(config.local_only)
        return config

    @property
    def is_limited(self) -> bool:
        """Whether limits are on: those of `limits`, and the numbers of games and disputes for each player."""
        return self.limits != NO_LIMITS

    def to_lines(self, *, changed: bool = False) -> list[str]:
        """Return one `NAME=value` line for each setting, or for each that isn't the usual one, with secrets hidden."""
        values = {name: (each, getattr(self, each.field)) for name, each in SETTINGS.items()}
        return [
            f"{name}={each.format(value)}"
            for name, (each, value) in values.items()
            if not changed or value != getattr(Config, each.field)
        ]

    def to_numbers(self) -> list[str]:
        """Return the numbers of the limits as a file in TOML, which TRICKBOOK_LIMITS can name."""
        base = next(name for name, sets in PROFILES.items() if sets.get("limits", Limits()) == self.limits)
        numbers = [f"{name} = {getattr(self, name)} # {each.meaning}" for name, each in NUMBERS.items()]
        return [f'{PROFILE} = "{base}" # for what isn\'t listed here', *numbers]


LOCAL_WEBHOOKS = (
    f"{PREFIX}WEBHOOKS=local is for developers: players could reach programs of this machine. Choose on, or serve on"
    " 127.0.0.1 alone."
)


LOCAL_LIMITS = (
    f"{PREFIX}LIMITS=off is for this machine alone: anybody may guess passwords as fast as the server answers. Choose"
    " small, default or large, or serve on 127.0.0.1 without a proxy."
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


def _line(text: str) -> str:
    if not text.isprintable() or len(text) > 200:
        raise ValueError("expected a line of at most 200 characters")
    return text


def _contact(text: str) -> str:
    if MAIL_ADDRESS.fullmatch(text) is None and (URL_WITH_PATH.fullmatch(text) is None or len(text) > 200):
        raise ValueError(f"expected an address such as cards@example.com or https://example.com/about, got {text!r}")
    return text


def _profile(text: str) -> str:
    if text not in PROFILES and "/" not in text and not text.endswith(".toml"):
        raise ValueError(
            f"expected one of {', '.join(PROFILES)}, or the path of a file such as limits.toml, got {text!r}"
        )
    return text


def _secret(value: str | None) -> str:
    return "" if value is None else HIDDEN


def _yes_or_no(text: str) -> bool:
    return _one_of("yes", "no")(text) == "yes"


def _shown_flag(chosen: bool) -> str:
    return "yes" if chosen else "no"


@dataclass(frozen=True)
class Setting:
    """One environment variable: the field it sets, what it means, and how its text is parsed and printed.

    The meaning is a line in Markdown, for `trickbook config` and tables.
    """

    field: str
    meaning: str
    parse: Callable[[str], object]
    format: Callable[[Any], str] = lambda value: "" if value is None else str(value)


SETTINGS: Mapping[str, Setting] = {
    PREFIX + name: setting
    for name, setting in {
        "DATA": Setting("data", "the folder of SQLite files and keys; `--data` overrides it", Path),
        "DATABASE_URL": Setting(
            "database_url",
            "`postgresql://user:password@host:port/name`: PostgreSQL instead of SQLite files",
            _database_url,
            redact_url,
        ),
        "SERVERS": Setting(
            "servers",
            "other PostgreSQL servers that may hold shards: `NAME=URL` each, with spaces between them",
            _servers,
            _shown_servers,
        ),
        "ORIGIN": Setting(
            "origin", "the server's name in receipts, such as `cards.example.com`; fixed with the first game", _origin
        ),
        "URL": Setting(
            "url",
            "the address of the pages, for links in mails, such as `https://cards.example.com`",
            _public_url,
        ),
        "OPERATOR": Setting(
            "operator", "the person or club that runs the server, for the pages of contact and privacy", _line
        ),
        "CONTACT": Setting("contact", "their mail address, or the address of a page about them", _contact),
        "REGISTRATION": Setting(
            "registration",
            "`open`: anybody may register or play as a guest; `no-guests`: anybody may register; `closed`: only"
            " `trickbook user add` registers players",
            _one_of("open", "no-guests", "closed"),
        ),
        "SEATING": Setting(
            "seating",
            "`asked`: named players are asked before they're seated; `at-once`: they're seated at once",
            _one_of("asked", "at-once"),
        ),
        "WEBHOOKS": Setting(
            "webhooks",
            "`on`, or `off`: nothing is sent to webhooks of players; `local`: for developers, also to programs of this"
            " machine",
            _one_of("on", "off", "local"),
        ),
        "LIMITS": Setting(
            "profile",
            "what one player or address may do: `small` for friends on a small machine, `default`, `large` if"
            " a school or a club shares an address, `off` on loopback alone; or the path of a file with single numbers",
            _profile,
        ),
        "SMTP_URL": Setting(
            "smtp_url",
            "`smtp://user:password@host:587` or `smtps://user:password@host:465`: it sends mails",
            _smtp_url,
            _shown_smtp_url,
        ),
        "MAIL_FROM": Setting(
            "mail_from",
            "the sender of mails; without it, `cards@` and the domain, or the name of the mail server",
            _mail_address,
        ),
        "MAIL_DOMAIN": Setting(
            "mail_domain", "the domain of reply addresses, with which people play by mail", _mail_domain
        ),
        "MAIL_AUTHSERV": Setting(
            "mail_authserv",
            "the name under which your mail server writes Authentication-Results; without it, no line with a password"
            " counts in a mail",
            _mail_domain,
        ),
        "WITNESSES": Setting(
            "witnesses",
            "keys of witnesses, with spaces between them; an address after a key lets the server ask it",
            _witnesses,
            _shown_witnesses,
        ),
        "BEACON_URL": Setting(
            "beacon_url", "a relay of drand, such as `https://api.drand.sh`, for public draws", _relay_url
        ),
        "TRUSTED_PROXIES": Setting(
            "trusted_proxies",
            "the number of your proxies in front of the server, 0 to 9: `X-Forwarded-For` counts",
            _proxies,
        ),
        "CORS_ORIGINS": Setting(
            "cors_origins",
            "origins, with commas, whose pages may call the server from a browser, or `*` for all",
            _web_origins,
            ",".join,
        ),
        "INSECURE_LAN": Setting(
            "insecure_lan",
            "`yes`: people sign in over plain HTTP on a private network, on which others can read along",
            _yes_or_no,
            _shown_flag,
        ),
        "METRICS_TOKEN": Setting(
            "metrics_token", "16 to 200 characters: the bearer token for the metrics", _token, _secret
        ),
        "LOG": Setting(
            "log",
            "the lowest level that is logged: `debug`, `info`, `warning` or `error`",
            _one_of("debug", "info", "warning", "error"),
        ),
        "CIPHER_KEY": Setting(
            "cipher_key",
            "16, 24 or 32 bytes in base64: facts are stored encrypted; fixed with the first game",
            _cipher_key,
            _secret,
        ),
        "ALLOW_UNSAFE_DATABASE": Setting(
            "allow_unsafe_database",
            "`yes`: start although PostgreSQL may lose moves in a crash",
            _yes_or_no,
            _shown_flag,
        ),
    }.items()
}


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

    Raise ConfigError if the file can't be read, has another key, or a number that isn't in its range.
    """
    if text in PROFILES:
        return PROFILES[text]
    try:
        found = tomllib.loads(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{PREFIX}LIMITS: {text}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{PREFIX}LIMITS: {text} isn't TOML: {error}") from None
    base = found.pop(PROFILE, "default")
    if base not in PROFILES:
        raise ConfigError(f"{PREFIX}LIMITS: {text}: expected a profile of {', '.join(PROFILES)}, got {base!r}")
    for name, value in found.items():
        if name not in NUMBERS:
            similar = ", ".join(get_close_matches(name, NUMBERS, cutoff=0))
            raise ConfigError(f"{PREFIX}LIMITS: {text}: there is no {name}; the most similar ones are {similar}")
        number = NUMBERS[name]
        if type(value) is not int or not number.low <= value <= number.high:
            expected = f"a whole number from {number.low} to {number.high}"
            raise ConfigError(f"{PREFIX}LIMITS: {text}: {name}: expected {expected}, got {value!r}")
    return {**PROFILES[base], **found}


MOVED = {f"{PREFIX}{name.upper()}": name for name in NUMBERS}
"""Settings of version 0.2 that are numbers of the limits now."""
RENAMED: Mapping[str, str] = {
    **{
        name: f"write `{field} = {{text}}` into a file, and set {PREFIX}LIMITS to its path"
        for name, field in MOVED.items()
    },
    PREFIX + "GUESTS": f"GUESTS=off is {PREFIX}REGISTRATION=no-guests now; otherwise remove it",
    PREFIX
    + "SHARDS": "remove it: the store keeps its number; for a new one, run `trickbook store init --shards {text}`",
    **{f"{PREFIX}{name}": "remove it: it can't be changed any more" for name in ("CLOCK_JUMP_S", "CLOCK_GAP_S")},
    PREFIX + "EXPORT_TIMEOUT_S": "remove it: an export may take an hour",
}
"""The advice for each setting of version 0.2 that has another name or is gone."""
OLD_VALUES = {(PREFIX + "LIMITS", "on"): "default"}


def tell_renamed(environ: Mapping[str, str]) -> str:
    """Return a line for each setting of version 0.2 that isn't one any more; empty if there's none."""
    lines = [
        f"{name}={text} was a setting of version 0.2: {RENAMED[name].format(text=text)}"
        for name, text in sorted(environ.items())
        if text and name in RENAMED
    ]
    lines += [
        f"{name}={old} is {name}={new} now" for (name, old), new in OLD_VALUES.items() if environ.get(name) == old
    ]
    return "\n".join(lines)
