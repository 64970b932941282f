"""The settings of the environment: what each means, how its text is read and shown, and those of version 0.2."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from api.config.limits import NUMBERS, PROFILES
from domain.protocols.signed_notes import COSIGNATURE, MAX_COSIGNATURES, Key, NotANote, parse_key
from domain.store.shards.servers import parse_servers

PREFIX = "TRICKBOOK_"
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


@dataclass(frozen=True)
class ChosenWitness:
    """The key of a witness, and the address at which it signs, if the server is to ask it by itself."""

    key: Key
    url: str | None = None


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
