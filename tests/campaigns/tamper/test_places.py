"""Faults of a place outside the games' logs: the office, the tables, rows of no game. On both stores."""

import json
import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event

import psycopg
import pytest
from click.testing import Result

from api.accounts.accounts import open_accounts
from api.container import open_games, open_receipts
from domain.protocols.signed_notes import Key
from domain.store import UnreadableRow
from domain.store.shards.layout import SHARD
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from tests.api.server_process import run_program as program
from tests.campaigns.tamper.ledgers import ledger
from tests.campaigns.tamper.places import CORELLIAN, LIVE, OTHER, PITCH, Made, make, neighbours, tables
from tests.campaigns.tamper.test_kinds import run
from tests.conftest import Database
from tests.domain.store.storing import SEALED, Rows, command_id, new_id, open_game, opening, play
from tests.waiting import wait_until

pytestmark = pytest.mark.no_tables  # since a place has the shards that it names
LAST = f"game = '{PITCH}' AND size = (SELECT MAX(size) FROM receipts WHERE game = '{PITCH}')"
SQLITE = ("sqlite",)
NOBODY = Key("trickbook.invalid/nobody", bytes(32)).text
HEX = PITCH.replace("-", "")


@dataclass(frozen=True)
class Kind:
    """SQL in the office or the log of one or both stores, and the finding of the check."""

    schema: str
    sql: str
    says: str
    stores: tuple[str, ...] = ("sqlite", "postgres")


def receipts(change: str, says: str) -> Kind:
    """Return a change of the last receipt."""
    return Kind("office", f"UPDATE receipts SET {change} WHERE {LAST}", says)


def rows(change: str, where: str, says: str) -> Kind:
    """Return a change of rows of the log that only SQLite allows."""
    return Kind("log", f"UPDATE stored_events SET {change} WHERE {where}", says, SQLITE)


AT_20, OTHER_KIND = "notification_id = 20", "its row holds values of another kind"
ADDED = "ALTER TABLE {events} ADD COLUMN x INT", "doesn't belong to a log|columns of"
TRIGGER = "CREATE TRIGGER more AFTER INSERT ON stored_events BEGIN SELECT 1; END"
DEFINITION = "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'topic TEXT', 'topic BLOB')"
KINDS = {
    "the root of a receipt": receipts("root = '00'", "event 85: the row of its receipt has"),
    "the size of a receipt": receipts("size = 84", "event 85: the row of its receipt has"),
    "a receipt of another game": receipts(f"game = '{OTHER}'", "is that of another game"),
    "a receipt cut off": receipts("note = substr(note, 1, 150)", r"the receipt \(kept\) isn't a valid receipt"),
    "a receipt changed": receipts(f"note = replace(note, '{PITCH}', '{OTHER}')", "is forged or was changed"),
    "a receipt of a game that is gone": receipts(f"game = '{LIVE}'", f"game {LIVE}: the game existed"),
    "another key": Kind("office", f"UPDATE signing_keys SET vkey = '{NOBODY}'", "is signed by .*, which is not"),
    "an invalid key": Kind("office", "UPDATE signing_keys SET vkey = 'x'", "key 1 is invalid"),
    "another board": Kind("office", f"UPDATE boards SET number = 9 WHERE game = '{PITCH}'", "its board number is 9"),
    "a board gone": Kind("office", f"DELETE FROM boards WHERE game = '{PITCH}'", "it has no board number"),
    "a table more": Kind("log", "CREATE TABLE more (x INT)", "table more doesn't belong"),
    "a view": Kind("log", "CREATE VIEW more AS SELECT 1 AS x", "more doesn't belong to a log"),
    "a table of other columns": Kind("log", *ADDED),
    "a trigger": Kind("log", TRIGGER, "the trigger more doesn't belong to a log", SQLITE),
    "rows of no game": rows(
        "originator_id = 'cards'", f"originator_id = '{HEX}'", "85 rows are of 'cards', which isn't"
    ),
    "a game's id in capitals": rows(
        "originator_id = upper(originator_id)", f"originator_id = '{HEX}'", "which isn't a game's id"
    ),
    "a hole in the order of all rows": rows(
        "notification_id = 999", "notification_id = 112", "rows are missing between positions 111 and 999"
    ),
    "a topic that isn't text": rows("topic = CAST(topic AS BLOB)", AT_20, f"event 20: {OTHER_KIND}"),
    "a state that isn't bytes": rows("state = 'text'", AT_20, f"event 20: {OTHER_KIND}"),
    "a version that isn't a number": rows(
        "originator_version = 'x'", "notification_id = 85", f"game {PITCH}: event x: {OTHER_KIND}"
    ),
    "invalid text": rows("topic = CAST(x'ff' AS TEXT)", AT_20, "event 20: "),
    "another definition": Kind("log", DEFINITION, "stored_events", SQLITE),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the two games of Pitch on SQLite, to copy."""
    folder = tmp_path_factory.mktemp("place")
    make(Database(None, folder), neighbours(PITCH))
    return folder


def checked(made: Made, *options: str) -> Result:
    """Return the report on a place."""
    return run("store", "check", "--data", str(made.config.data), *options, url=made.config.database_url)


@pytest.mark.parametrize("name", KINDS)
def test_the_check_says_what_is_wrong_with_a_place(sound: Path, tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    with closing(sqlite3.connect(tmp_path / f"{kind.schema}.db", isolation_level=None)) as file:
        file.executescript(kind.sql.format(events="stored_events"))
    result = checked(Made(Database(None, tmp_path)))
    assert result.exit_code == 1, result.output
    assert re.search(kind.says, result.output), result.output


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if "postgres" in kind.stores])
def test_the_check_says_what_is_wrong_on_postgres(fresh_postgres: str, tmp_path: Path, name: str) -> None:
    kind, made = KINDS[name], make(Database(fresh_postgres, tmp_path), neighbours(PITCH))
    with psycopg.connect(fresh_postgres, autocommit=True) as server:
        server.execute(f"SET search_path = {kind.schema}".encode())
        server.execute(kind.sql.format(events=f"{SHARD}_events").encode())
    result = checked(made)
    assert result.exit_code == 1, result.output
    assert re.search(kind.says, result.output), result.output


@pytest.mark.both_stores
def test_the_report_lists_every_game_with_size_root_and_receipt(database: Database) -> None:
    report = json.loads(checked(make(database, neighbours(PITCH)), "--json").stdout)
    verdict = {"code": 0, "says": "all is in order", "findings": 0}
    assert (report["check"], report["verdict"]) == ("trickbook-check/1", verdict)
    listed = [(each["game"], each["board"], each["size"], each["root"], each["receipt"]) for each in report["games"]]
    roots = {game: tables()[game].game.root for game in (PITCH, OTHER)}
    assert listed == [(PITCH, 1, 85, roots[PITCH], 85), (OTHER, 2, 27, roots[OTHER], 27)]


def test_a_finding_on_a_live_hand_does_not_show_its_cards(tmp_path: Path) -> None:
    made = make(Database(None, tmp_path), neighbours(LIVE))
    written = ledger(LIVE)
    row = written.nth("CardsDealt", -1)
    event = row.event
    event["data"]["cards"][0] = "X1"
    row.write(event)
    written.rehash()
    written.store(made.database)
    output = checked(made).output
    assert f"event {row.version}: it contradicts data that stays hidden while the hand is live" in output
    hidden = [card for card in event["data"]["cards"] if re.search(rf"\b{card}\b", output)]
    assert hidden == []


def test_a_board_without_a_game_and_an_end_without_a_receipt_are_notes(tmp_path: Path) -> None:
    made = make(Database(None, tmp_path), neighbours(PITCH))
    with closing(sqlite3.connect(tmp_path / "office.db")) as office, office:
        office.execute("INSERT INTO boards VALUES (7, ?)", (CORELLIAN,))
        office.execute("DELETE FROM receipts WHERE game = ?", (PITCH,))
        office.execute("INSERT INTO journal VALUES (1, '2026-11-21T08:00:00.000000Z', 'restored', '{}')")
        office.execute("INSERT INTO journal VALUES (2, '2026-11-21T09:00:00.000000Z', 'user-disabled', '{}')")
    result = checked(made)
    assert result.exit_code == 0, result.output
    assert f"note: board 7 was given to game {CORELLIAN}, which has no events" in result.output
    assert f"note: game {PITCH} is over, but no receipt of its end is stored" in result.output
    assert "note: the admin log says: restored at 2026-11-21T08:00:00.000000Z" in result.output
    assert "user-disabled" not in result.output


def test_a_missing_place_or_another_key_exits_with_2(tmp_path: Path) -> None:
    assert "There is no store in" in run("store", "check", "--data", str(tmp_path / "none")).output
    assert run("store", "check", "--data", str(tmp_path / "none")).exit_code == 2
    made = make(Database(None, tmp_path), neighbours(PITCH))
    with closing(sqlite3.connect(tmp_path / "office.db")) as office, office:
        office.execute("INSERT INTO secrets VALUES ('cipher', 'none')")
    result = run("store", "check", "--data", str(made.config.data), CIPHER_KEY=SEALED["CIPHER_KEY"])
    assert (result.exit_code, "TRICKBOOK_CIPHER_KEY is not the key" in result.output) == (2, True)
    assert run("store", "check", url="postgresql://nobody@/none?host=/nowhere").exit_code == 2


def test_a_file_that_is_not_a_database_is_a_finding(tmp_path: Path) -> None:
    made = make(Database(None, tmp_path), neighbours(PITCH))
    (tmp_path / "views.db").write_bytes(b"garbage " * 1000)
    assert "views.db: file is not a database" in checked(made).output
    (tmp_path / "log.db").write_bytes(b"garbage " * 1000)
    result = program("store", "check", "--data", str(tmp_path))
    assert (result.returncode, "log.db: file is not a database" in result.stdout) == (1, True)


@pytest.mark.both_stores
def test_a_place_with_running_games_is_in_order(database: Database) -> None:
    """Open and play games, with receipts and lists, while the check runs three times."""
    made, stop = Made(database), Event()

    def serve() -> int:
        with (
            closing(open_accounts(made.config)) as accounts,
            closing(open_games(made.config)) as games,
            closing(RowStore(made.config.data, made.config.database_url, PROJECTIONS)) as rows,
        ):
            receipts, followers, moves = open_receipts(accounts, games, made.config), LogFollower(games, rows), 0
            started.set()
            while not stop.is_set():
                game = new_id()
                board = accounts.boards.reserve(game, "p0")
                games.open(opening(game, board=board), by="p0", command_id=command_id(0))
                moves += len(play(games, game, 30, Random(board)))
                receipts.issue(game)
                followers.catch_up()
            return moves

    started = Event()
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve)
        try:
            wait_until(lambda: started.is_set() or served.done())
            results = [checked(made) for _ in range(3)]
        finally:
            stop.set()
        assert [result.exit_code for result in results] == [0] * 3, results[-1].output
        assert served.result() > 0
    assert checked(made).exit_code == 0


def test_followers_meet_a_row_of_no_game_and_go_on(tmp_path: Path) -> None:
    made = make(Database(None, tmp_path), neighbours(PITCH))
    for value in ("'cards'", "x'00'", "''"):
        with closing(sqlite3.connect(tmp_path / "log.db")) as file, file:
            file.execute(f"UPDATE stored_events SET originator_id = {value} WHERE notification_id = 20")
        with closing(open_games(made.config)) as games:
            page = games.log.read((), 20)
            assert [isinstance(row, UnreadableRow) for row in page.rows] == [False] * 19 + [True]


def test_an_encrypted_place_is_checked_with_its_key_and_a_swap_of_rows_noticed(database: Database) -> None:
    config = replace(Made(database).config, cipher_key=SEALED["CIPHER_KEY"])
    with closing(open_accounts(config)) as accounts, closing(open_games(config)) as games:
        game = open_game(games)
        accounts.boards.reserve(game, "p0")
        play(games, game, 20)
    check = ("store", "check", "--data", str(database.data))
    sealed = {"CIPHER_KEY": SEALED["CIPHER_KEY"]}
    assert run(*check, url=database.url, **sealed).exit_code == 0
    rows = Rows(database)
    (_, one, first), (_, two, second) = rows.of(game)[14:16]
    rows.put(game, 15, one, second)
    rows.put(game, 16, two, first)
    swapped = run(*check, url=database.url, **sealed)
    assert (swapped.exit_code, f"game {game}: event 15: " in swapped.output) == (1, True), swapped
    assert run(*check, url=database.url).exit_code == 1
