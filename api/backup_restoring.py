"""Putting a backup back into an empty place, of either store, and noting it in the office's journal."""

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier

from api.backup import KEYS, LOG, MANIFEST, OFFICE, Broken, Manifest, NoBackup, Told, check_files, check_logs
from api.backup_making import columns, private, tables
from api.config import Config, ConfigError
from api.journal import ADDED, RESTORED, Note
from api.office import open_office
from api.office_keys import files_to_secrets
from api.services import open_games
from api.whole_file import sync_folder
from domain.store import utc_now

THERE = 17  # EEXIST
LISTED = 5
Connection = psycopg.Connection[tuple[object, ...]]


def restore(backup: Path, manifest: Manifest, config: Config, checking: Told, *, broken: bool = False) -> None:
    """Put a backup where the configuration says; FileExistsError where anything is there already.

    First every file and every log of it is checked, `checking` being told how many games' logs have been read: NoBackup
    for one that is not right, but for logs that were `broken` when it was made, where that is said. Of the place
    nothing is left half done.
    """
    _refuse_what_is_there(config)
    check_files(backup, manifest)
    _same_cipher(backup, config)
    found = check_logs(backup, config.cipher_key, checking)
    if not (broken and tuple(each.says for each in found) == manifest.broken):
        _refuse_broken(found)
    note = Note(utc_now(), RESTORED, {"backup": manifest.at, "position": manifest.position, "games": manifest.games})
    if config.database_url is None:
        _to_sqlite(backup, manifest, config.data, note)
    else:
        _to_postgres(backup, config, note)


def _refuse_broken(found: list[Broken]) -> None:
    if found:
        more = f", and {len(found) - LISTED} more" if len(found) > LISTED else ""
        raise NoBackup("logs in it do not hold: " + "; ".join(each.says for each in found[:LISTED]) + more)


def _same_cipher(backup: Path, config: Config) -> None:
    """ConfigError unless facts are to be stored under the key they were stored under."""
    with closing(_reading(backup / OFFICE)) as office:
        marks = [mark for (mark,) in office.execute("SELECT hex FROM secrets WHERE name = 'cipher'")]
    key = config.cipher_key
    if marks and marks != ["none" if key is None else hashlib.sha256(key.encode()).hexdigest()]:
        raise ConfigError("TRICKBOOK_CIPHER_KEY is not the one these games were written with")


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _refuse_what_is_there(config: Config) -> None:
    if config.database_url is None:
        if config.data.exists() and (not config.data.is_dir() or any(config.data.iterdir())):
            raise FileExistsError(THERE, "is not empty; a backup is restored into a new place only", str(config.data))
        return
    with psycopg.connect(config.database_url) as connection:
        asked = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('log', 'office')"
        _refuse_rows(connection, [(str(schema), str(table)) for schema, table in connection.execute(asked)])


def _refuse_rows(connection: Connection, named: list[tuple[str, str]]) -> None:
    for name in named:
        if connection.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(Identifier(*name))).fetchone():
            raise FileExistsError(THERE, "has rows; a backup is restored into an empty database only", ".".join(name))


def _to_sqlite(backup: Path, manifest: Manifest, data: Path, note: Note) -> None:
    """A copy made beside, checked and noted in, which then gets the place's name."""
    data.parent.mkdir(parents=True, exist_ok=True)
    part = data.with_name(data.name + ".part")
    try:
        shutil.copytree(backup, part)
        private(part)
        check_files(part, manifest)
        (part / MANIFEST).unlink()
        open_office(Config(data=part)).close()
        with closing(sqlite3.connect(part / OFFICE)) as office, office:
            office.execute(ADDED, note.row)
        private(part)
        part.replace(data)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(data.parent)


def _to_postgres(backup: Path, config: Config, note: Note) -> None:
    """Every row in one transaction."""
    open_office(config).close()
    open_games(config).close()
    with ExitStack() as opened:
        log, office = opened.enter_context(closing(_reading(backup / LOG))), opened.enter_context(_office_of(backup))
        connection = opened.enter_context(psycopg.connect(config.database_url or ""))
        connection.execute("LOCK TABLE log.stored_events IN EXCLUSIVE MODE")
        named = tables(office)
        _refuse_rows(connection, [("log", "stored_events"), *(("office", table) for table in named)])
        _fill_log(connection, log)
        for table in named:
            _fill(connection, office, table)
        connection.execute("SET LOCAL search_path = office")
        connection.execute(ADDED.replace("?", "%s"), note.row)


@contextmanager
def _office_of(backup: Path) -> Iterator[sqlite3.Connection]:
    """The backup's office in memory, with the secrets in its rows."""
    with closing(sqlite3.connect(":memory:")) as office:
        with closing(_reading(backup / OFFICE)) as kept:
            kept.backup(office)
        files_to_secrets(office, backup / KEYS)
        yield office


def _fill_log(connection: Connection, log: sqlite3.Connection) -> None:
    named = "notification_id", "originator_id", "originator_version", "topic", "state"
    rows = log.execute(f"SELECT {', '.join(named)} FROM stored_events ORDER BY notification_id")
    with connection.cursor().copy(f"COPY log.stored_events ({', '.join(named)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
    connection.execute(
        "SELECT setval(pg_get_serial_sequence('log.stored_events', 'notification_id'), MAX(notification_id))"
        " FROM log.stored_events"
    )


def _fill(connection: Connection, office: sqlite3.Connection, table: str) -> None:
    names = columns(office, table)
    asked = SQL("COPY office.{} ({}) FROM STDIN").format(Identifier(table), SQL(", ").join(map(Identifier, names)))
    with connection.cursor().copy(asked) as copy:
        for row in office.execute(f"SELECT {', '.join(names)} FROM {table}"):
            copy.write_row(row)
