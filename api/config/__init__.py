"""The settings of an operator, read from the environment once, at the start.

Every setting is named `TRICKBOOK_<NAME>`. An unknown name or an invalid value stops the start with a message: the typo
`TRICKBOOK_REGISTRATOIN=closed` must not leave registration open. `SETTINGS` and `NUMBERS` say what each one means.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from api.config.limits import NO_LIMITS, NUMBERS, PROFILE, PROFILES, USUAL_LIMITS, Limits, read_profile
from api.config.settings import PREFIX, RENAMED, SETTINGS, ChosenWitness, tell_renamed
from domain.store.shards.servers import HOME
from domain.store.sql.breaker import DEFAULT_TIMEOUTS, Timeouts

OF_COMMANDS = frozenset(("TRICKBOOK_SERVER",))
"""Variables that only commands read; a server has no such setting."""
Registration = Literal["open", "no-guests", "closed"]
Seating = Literal["asked", "at-once"]
LogLevel = Literal["debug", "info", "warning", "error"]
Hashing = Literal["standard", "cheapest"]
Value = TypeVar("Value")


class ConfigError(Exception):
    """A setting that stops the start; str(error) is the message to print."""


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
    limits: Limits = USUAL_LIMITS
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
        given = {SETTINGS[name]: (name, text) for name, text in ours.items() if text}
        values: dict[str, Any] = {each.field: _read(*named, each.parse) for each, named in given.items()}
        config = cls(**values, **_read(f"{PREFIX}LIMITS", values.get("profile", cls.profile), read_profile))
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
        base = next(name for name, sets in PROFILES.items() if sets.get("limits", USUAL_LIMITS) == self.limits)
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


def _read(name: str, text: str, parse: Callable[[str], Value]) -> Value:
    try:
        return parse(text)
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None
