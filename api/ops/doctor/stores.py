"""The stores: PostgreSQL's settings, the clock, keys, how far lists are behind, and games in quarantine."""

from collections.abc import Callable, Iterator
from importlib.metadata import version

from api.ops.doctor.mail import look_at_mail
from api.ops.doctor.symptom import Symptom, note, ok, wrong
from api.receipts.keys import MADE_UP
from api.services.container import Services
from api.services.people.housekeeping import unused_guests
from domain.engine.timestamps import format_time
from domain.store.held_clock import machine_time
from projections.lists.deadlines import due_games
from projections.storage.database import Database

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
    with services.rows.snapshot("agenda") as reading:
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
