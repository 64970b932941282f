"""Finds and names what is wrong with this machine, the stores, the mail and the public address."""

import os
import platform
import resource
import shutil
import smtplib
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import httpx

from api.config import Config, is_loopback
from api.container import Services
from api.evidence.services.keys import MADE_UP
from api.mail.services.relay import connect
from api.monitoring.exposition import queue_states
from api.people.services.housekeeping import unused_guests
from domain.engine.timestamps import format_time
from domain.store.held_clock import machine_time
from domain.store.sql.database import Database
from projections.lists.deadlines import DEADLINES, due_games

Level = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Symptom:
    """One sentence about a part. `note` is worth knowing; `wrong` needs the operator."""

    part: str
    level: Level
    text: str


def ok(part: str, text: str) -> Symptom:
    """Return a finding that needs nothing."""
    return Symptom(part, "ok", text)


def note(part: str, text: str) -> Symptom:
    """Return a finding that is worth knowing."""
    return Symptom(part, "note", text)


def wrong(part: str, text: str) -> Symptom:
    """Return a finding that needs the operator."""
    return Symptom(part, "wrong", text)


GB = 1 << 30
LEAST_FREE, LITTLE_FREE = GB // 2, 2 * GB
LEAST_INODES = 1000
FILES_BESIDE_STREAMS = 1024
"""The files that a server opens besides those of its event streams."""
FUTURE_S = 300.0
"""How much later than now a file may have been written: the clocks of file servers differ a little."""


def look_at_machine(config: Config) -> Iterator[Symptom]:
    """Yield what the machine says without opening a store."""
    yield ok("versions", f"trickbook {version('trickbook')}, Python {platform.python_version()}")
    if config.database_url is None:
        yield ok("versions", f"SQLite {sqlite3.sqlite_version}")
    yield from _disk(config.data, holds_store=config.database_url is None)
    yield from _permissions(config.data, holds_store=config.database_url is None)
    yield from _file_times(config.data)
    yield _open_files(config.streams)
    if not config.is_limited:
        yield note("settings", "TRICKBOOK_LIMITS is off: anybody may guess passwords as fast as the server answers")


def _disk(data: Path, *, holds_store: bool) -> Iterator[Symptom]:
    place = _existing(data)
    free, inodes = shutil.disk_usage(place).free, os.statvfs(place).f_favail
    text = f"{free / GB:.1f} GB free where {data} is"
    size = sum(path.stat().st_size for path in _files(data))
    if free < LEAST_FREE and holds_store:
        yield wrong("disk", f"only {text}: when the disk is full, no move can be stored. Make room")
    elif free < max(LITTLE_FREE, size):
        yield note("disk", f"only {text}, and a backup beside the store takes about {size / GB:.1f} GB")
    else:
        yield ok("disk", text)
    if 0 < inodes < LEAST_INODES:
        yield wrong("disk", f"only {inodes} more files can be created where {data} is. Delete small files there")


def _permissions(data: Path, *, holds_store: bool) -> Iterator[Symptom]:
    if not data.exists():
        return
    if not holds_store and os.access(data, os.R_OK | os.X_OK) and not any(data.iterdir()):
        yield ok("permissions", f"nothing is in {data}: PostgreSQL has the store")
        return
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        yield wrong("permissions", f"{data}: this user can't write here. Run the command as the server's user")
        return
    found = [data, *sorted(data.rglob("*"))]
    open_ = [path for path in found if path.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    foreign = [path for path in found if path.lstat().st_uid != data.stat().st_uid]
    for path in open_:
        fix = f"chmod {'700' if path.is_dir() else '600'} {path}"
        yield wrong("permissions", f"{path}: other users can open it, and live cards or keys may be in it. Run {fix}")
    for path in foreign:
        yield wrong("permissions", f"{path}: belongs to another user than {data}. Run commands as the server's user")
    if not open_ and not foreign:
        yield ok("permissions", f"{data} and the files in it are only for their owner")


def _file_times(data: Path) -> Iterator[Symptom]:
    ahead = [path for path in _files(data) if path.stat().st_mtime > time.time() + FUTURE_S]
    for path in ahead[:1]:
        yield wrong("clock", f"{path} was written in the future: this machine's clock is or was wrong. Correct it")


def _open_files(streams: int) -> Symptom:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = streams + FILES_BESIDE_STREAMS
    if hard != resource.RLIM_INFINITY and hard < needed:
        advice = f"raise it to {needed} (LimitNOFILE in systemd), or lower `streams` in the file of TRICKBOOK_LIMITS"
        return wrong("open files", f"this user may open {hard} files, too few for {streams} event streams: {advice}")
    return ok("open files", f"enough for {streams} event streams")


def _files(data: Path) -> list[Path]:
    return [path for path in sorted(data.rglob("*")) if path.is_file()] if data.exists() else []


def _existing(path: Path) -> Path:
    """Return the path, or the nearest folder above it that exists."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())


LATE_US = 3600 * 1_000_000
"""A mail that could have gone an hour ago waits for something that is wrong."""


def look_at_mail(services: Services) -> Iterator[Symptom]:
    """Yield what is known about mail."""
    config = services.config
    if config.smtp_url is None:
        yield note("mail", "off: set TRICKBOOK_SMTP_URL to send codes for addresses, and to play by mail")
        return
    yield _relay(config, config.smtp_url)
    if config.mail_domain is None:
        yield note("mail", "play by mail is off: set TRICKBOOK_MAIL_DOMAIN to turn it on")
        return
    if config.mail_authserv is None:
        yield note("mail", "TRICKBOOK_MAIL_AUTHSERV isn't set, so mails to play@ are refused; reply addresses work")
    if stopped := services.accounts.mail_levels.count_stops():
        text = f"mail to {stopped} addresses came back, so the server sends none there; players see that on /me"
        yield note("mail", text)


def _relay(config: Config, url: str) -> Symptom:
    parts = urlsplit(url)
    try:
        with connect(parts) as server:
            server.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException) as error:
        why = f"takes no mail ({type(error).__name__}): check TRICKBOOK_SMTP_URL and the mail server"
        return wrong("mail", f"{parts.hostname} {why}")
    return ok("mail", f"{parts.hostname} answers")


def look_at_queues(services: Services) -> Iterator[Symptom]:
    """Yield what waits in each queue."""
    now = services.clock.now_us()
    for name, state in queue_states(services).items():
        is_late = state.oldest is not None and now - state.oldest > LATE_US
        parts = [f"{state.waiting} waiting", f"{state.failing} failing"]
        parts += [f"the oldest since {format_time(state.oldest)}"] if state.oldest is not None and is_late else []
        parts += [f"{state.given_up} given up within 30 days"] if state.given_up else []
        text = f"{name}: {', '.join(parts)}" + (f"; the last failure: {state.why}" if state.why else "")
        if is_late and not state.failing:
            yield wrong("queues", f"{text}: is a worker running? If so, its log says why they aren't taken")
        elif is_late:
            yield wrong("queues", text)
        else:
            yield note("queues", text) if state.why else ok("queues", text)


OLDEST_POSTGRES = 13
CONNECTIONS_OF_A_SERVER = 40
"""About as many connections as the processes of one server open when they are busy."""
CLOCK_US, SILENCE_US = 2_000_000, 60_000_000
LATE_EVENTS = 5000
MOST_NAMED = 10_000
SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ({names})"
NAMES = (
    "autovacuum", "fsync", "full_page_writes", "max_connections", "server_encoding", "server_version_num",
    "synchronous_commit",
)  # fmt: skip


def look_at_stores(services: Services) -> Iterator[Symptom]:
    """Yield what the stores say."""
    config, accounts = services.config, services.accounts
    parts: tuple[Callable[[], Iterator[Symptom]], ...] = (
        lambda: _postgres(accounts.database) if config.database_url is not None else iter(()),
        lambda: _clock(services),
        lambda: _nodes(services),
        lambda: _keys(services),
        lambda: _lists(services),
        lambda: look_at_mail(services),
        lambda: look_at_queues(services),
    )
    for look in parts:
        yield from look()


def _postgres(database: Database) -> Iterator[Symptom]:
    names = ", ".join(f"'{name}'" for name in NAMES)
    found = {str(name): str(value) for name, value in database.run(SETTINGS.format(names=names))}
    major = int(found["server_version_num"]) // 10_000
    yield ok("versions", f"PostgreSQL {major}")
    if major < OLDEST_POSTGRES:
        yield wrong("database", f"PostgreSQL {major} is older than {OLDEST_POSTGRES}, which this release needs")
    for name in ("fsync", "full_page_writes"):
        if found[name] != "on":
            yield wrong("database", f"{name} is off: a crash may lose or damage games. Turn it on in postgresql.conf")
    if found["server_encoding"] != "UTF8":
        encoding = found["server_encoding"]
        yield wrong("database", f"the database's encoding is {encoding}; create one with ENCODING 'UTF8'")
    if found["autovacuum"] != "on":
        yield wrong("database", "autovacuum is off: tables grow without end. Turn it on in postgresql.conf")
    if int(found["max_connections"]) < 2 * CONNECTIONS_OF_A_SERVER:
        few = f"max_connections is {found['max_connections']}, and a server may open {CONNECTIONS_OF_A_SERVER}"
        yield note("database", f"{few}: raise it before you start a second server")
    rights = database.run("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if rights and rights[0][0]:
        yield note("database", "the server's role is a superuser of PostgreSQL; one that owns the database is enough")


def _clock(services: Services) -> Iterator[Symptom]:
    accounts, now = services.accounts, machine_time()
    if services.config.database_url is not None and abs(accounts.clock_records.database_time() - now) > CLOCK_US:
        shown = f"{format_time(now)}, and PostgreSQL's {format_time(accounts.clock_records.database_time())}"
        yield wrong("clock", f"this machine's clock shows {shown}. Set both by NTP")
    held = services.clock.is_held()
    if held:
        yield wrong("clock", "the clock is held, so nobody runs out of time: see `trickbook store clock status`")
        yield from _waiting(services, now)
    newest = accounts.clock_records.newest()
    if newest is None or now - newest.at > SILENCE_US:
        since = "has run yet" if newest is None else f"has run since {format_time(newest.at)}"
        yield note("worker", f"no worker {since}: without one no time runs out. Start `trickbook serve` or `work`")
    elif newest.at - now > SILENCE_US:
        yield wrong("clock", f"a worker ran at {format_time(newest.at)}, which is in the future. Check the clock")
    elif not held:
        yield ok("clock", f"{format_time(now)} UTC; a worker ran at {format_time(newest.at)}")


def _waiting(services: Services, at: int) -> Iterator[Symptom]:
    """Yield what this machine's clock would end, and what waits until the clock isn't held."""
    with services.rows.snapshot(DEADLINES.name) as reading:
        games = due_games(reading, format_time(at), MOST_NAMED)
    counts = {
        "games": len(games),
        "tables that form": len(services.accounts.forming.due(at)),
        "people who left": len(services.accounts.leaving.due(at)),
        "guests without use": len(unused_guests(services, at, lambda _since, _until: 0)),
    }
    waiting = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
    if waiting:
        yield note("clock", f"at {format_time(at)}, this machine's time, these would end, and they wait: {waiting}")


def _nodes(services: Services) -> Iterator[Symptom]:
    others = services.node.others()
    releases = sorted({each.release for each in others} - {version("trickbook")})
    if releases:
        waits = "facts that they can't read aren't stored until they stop"
        yield note("nodes", f"other servers run release {', '.join(releases)}: {waits}")
    else:
        yield ok("nodes", f"{len(others)} processes of servers share this store, all of this release")


def _keys(services: Services) -> Iterator[Symptom]:
    key = services.receipts.keys.current()
    if key.name.startswith(MADE_UP):
        yield note(
            "keys", f"receipts are signed as {key.name}, a made-up name: set TRICKBOOK_ORIGIN before the first game"
        )
    else:
        yield ok("keys", f"receipts are signed by {key.text}")


def _lists(services: Services) -> Iterator[Symptom]:
    troubles, lags = services.rows.troubles(), services.followers.lag()
    for name, reason in sorted(troubles.items()):
        yield wrong("lists", f"{name} isn't updated: {reason}")
    for name, lag in sorted(lags.items()):
        if lag > LATE_EVENTS and name not in troubles:
            yield wrong("lists", f"{name} is {lag} events behind the log; is a worker running, and fast enough?")
    if not troubles and max(lags.values()) <= LATE_EVENTS:
        yield ok("lists", f"{len(lags)} lists, at most {max(lags.values())} events behind the log")
    if quarantined := services.rows.count_quarantined():
        yield wrong("games", f"{quarantined} games are in quarantine: see `trickbook store quarantine list`")


TIMEOUT_S = 10.0
OWN_NAME = "trickbook"


def look_at_address(url: str, config: Config) -> Iterator[Symptom]:
    """Yield what a client finds at the server's public address."""
    base = url.rstrip("/")
    try:
        with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False) as client:
            ready = client.get(f"{base}/health/ready")
            yield from _health(base, ready)
            yield from _proxies(ready, config)
            if not is_loopback(urlsplit(base).hostname) and client.get(f"{base}/metrics").status_code == 200:
                yield wrong("proxies", f"anybody can read {base}/metrics. Don't let the proxy pass this address on")
    except httpx.HTTPError as error:
        yield wrong("address", f"{base} doesn't answer: {type(error).__name__}: {error}")
        return
    if urlsplit(base).scheme == "http" and not is_loopback(urlsplit(base).hostname):
        yield wrong("address", f"{base} isn't encrypted: passwords and cards can be read on the way. Use https")


def _health(base: str, ready: httpx.Response) -> Iterator[Symptom]:
    if ready.is_redirect:
        yield wrong("address", f"{base} leads to {ready.headers.get('Location')}. Name that address instead")
    elif ready.status_code != 200:
        yield wrong("address", f"{base}/health/ready answers {ready.status_code}: {_detail(ready)}")
    else:
        yield ok("address", f"{base}/health/ready answers 200")


def _detail(answer: httpx.Response) -> str:
    """Return what a problem says, or the beginning of another answer, as of a proxy."""
    with suppress(ValueError, KeyError, TypeError):
        return str(answer.json()["detail"])
    return answer.text[:200].strip()


def _proxies(ready: httpx.Response, config: Config) -> Iterator[Symptom]:
    names = [name for name in ready.headers.get_list("Server", split_commas=True) if name != OWN_NAME]
    proxy = names[0] if names else ready.headers.get("Via")
    if proxy is not None and config.trusted_proxies == 0:
        advice = "limits count all clients as one. Set it"
        yield wrong("proxies", f"{proxy} answers there, but TRICKBOOK_TRUSTED_PROXIES is 0: {advice}")
    elif proxy is None and config.trusted_proxies:
        count = config.trusted_proxies
        yield wrong(
            "proxies",
            f"TRICKBOOK_TRUSTED_PROXIES is {count}, but no proxy answers there: clients can make up their addresses",
        )
    else:
        yield ok("proxies", f"TRICKBOOK_TRUSTED_PROXIES is {config.trusted_proxies}, as it looks from outside")
