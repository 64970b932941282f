"""Attacks by somebody who can write to the database or turn the clock, and by a disk that is full."""

import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from api.config import Config
from domain.engine.timestamps import add_time
from tests.api.conftest import services_of
from tests.api.live_server import GameServer, ServedGame, open_game, open_server
from tests.attacks.playing import Answer
from tests.attacks.running import problem_type

ROOT = Path(__file__).parents[3]
LINK_BYTES = 32
"""A stored row is the hash of the log before the event, then the event."""
AT = 6
Rows = sqlite3.Connection


def stored(rows: Rows, game: str, version: int = AT) -> tuple[str, bytes]:
    """Return the topic and the state of a row."""
    asked = "SELECT topic, state FROM stored_events WHERE originator_id = ? AND originator_version = ?"
    topic, state = rows.execute(asked, (game, version)).fetchone()
    return topic, bytes(state)


def update(rows: Rows, game: str, changes: str, *values: Any, version: int = AT) -> None:
    """Change columns of one row."""
    where = "WHERE originator_id = ? AND originator_version = ?"
    changed = rows.execute(f"UPDATE stored_events SET {changes} {where}", (*values, game, version))
    assert changed.rowcount == 1


def change_byte(rows: Rows, game: str, at: int) -> None:
    """Change one byte of a row's state."""
    state = bytearray(stored(rows, game)[1])
    state[at] ^= 1
    update(rows, game, "state = ?", bytes(state))


def swap_rows(rows: Rows, game: str) -> None:
    """Exchange the contents of two rows."""
    one, other = stored(rows, game, AT), stored(rows, game, AT + 1)
    update(rows, game, "topic = ?, state = ?", *other, version=AT)
    update(rows, game, "topic = ?, state = ?", *one, version=AT + 1)


def copy_row(rows: Rows, game: str) -> None:
    """Replace a row by that of another game."""
    whole = "SELECT MAX(originator_id) FROM stored_events WHERE originator_id <> ? AND originator_version = ?"
    (other,) = rows.execute(whole, (game, AT)).fetchone()
    update(rows, game, "topic = ?, state = ?", *stored(rows, other))


def cut_tail(rows: Rows, game: str) -> None:
    """Delete the last two events."""
    (last,) = rows.execute(
        "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?", (game,)
    ).fetchone()
    rows.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version > ?", (game, last - 2))


def delete_game(rows: Rows, game: str) -> None:
    """Delete all events of a game."""
    rows.execute("DELETE FROM stored_events WHERE originator_id = ?", (game,))


def forge_snapshot(rows: Rows, game: str) -> None:
    """Add a table of snapshots as the event store's library would name it."""
    table = "originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB"
    rows.execute(f"CREATE TABLE stored_snapshots ({table})")
    rows.execute("INSERT INTO stored_snapshots VALUES (?, 99, 'x:Y', '{}')", (game,))


SPOILS: dict[str, Callable[[Rows, str], None]] = {
    "99 a byte of the link": lambda rows, game: change_byte(rows, game, 3),
    "99 a byte of the event": lambda rows, game: change_byte(rows, game, LINK_BYTES + 40),
    "99 the last byte": lambda rows, game: change_byte(rows, game, -1),
    "99 a letter of the topic": lambda rows, game: update(rows, game, "topic = ?", stored(rows, game)[0] + "x"),
    "99 the version": lambda rows, game: update(rows, game, "originator_version = 999"),
    "99 the game": lambda rows, game: update(rows, game, "originator_id = ?", "0" * 32),
    "100 two rows swapped": swap_rows,
    "100 another title": lambda rows, game: update(rows, game, "topic = ?", stored(rows, game, 1)[0]),
    "100 a row of another game": copy_row,
    "102 a class as the topic": lambda rows, game: update(rows, game, "topic = 'marked:Marked'"),
}
KEPT: dict[str, Callable[[Rows, str], None]] = {
    "101 the end cut off": cut_tail,
    "101 the game deleted": delete_game,
    "103 a forged snapshot": forge_snapshot,
}


@dataclass(frozen=True)
class SpoiledStore:
    """A server whose store was changed while it was stopped; a game for each change."""

    server: GameServer
    data: Path
    games: dict[str, ServedGame]
    before: dict[str, Any]

    def ask(self, name: str, suffix: str = "") -> Answer:
        """Read an address of the game with that change."""
        return self.server.nobody.get(self.games[name].path + suffix)


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SpoiledStore]:
    """Play a game for each change and one more, change the store, and start the server again."""
    data = tmp_path_factory.mktemp("spoiled")
    (data / "marked.py").write_text(f"open({str(data / 'mark')!r}, 'w')\n")
    names = [*SPOILS, *KEPT, "unchanged"]
    with open_server(data) as server:
        games = {name: open_game(server, ("ann", "bob")) for name in names}
        for name in names:
            assert games[name].move(0, {"type": "resign"}).status_code == 201
        server.follow()
        before = {name: games[name].public for name in names}
    with closing(sqlite3.connect(data / "log.db", isolation_level=None)) as rows:
        for name, spoil in (SPOILS | KEPT).items():
            spoil(rows, games[name].id.replace("-", ""))
    with pytest.MonkeyPatch.context() as patch, open_server(data) as again:
        patch.syspath_prepend(str(data))
        yield SpoiledStore(again, data, games, before)


def refused_and_named(spoiled: SpoiledStore, prefix: str) -> None:
    """Check that each game with such a change is refused, and that its audit finds the change."""
    for name in (each for each in SPOILS if each.startswith(prefix)):
        for suffix in ("", "/events", "/export", "/scoreboard"):
            answer = spoiled.ask(name, suffix)
            assert (answer.status_code, problem_type(answer)) == (500, "corrupt-log"), (name, suffix, answer.text)
        audit = spoiled.ask(name, "/audit")
        assert (audit.status_code, audit.get_json()["verdict"]["code"]) == (200, 1), (name, audit.text)
    assert spoiled.ask("unchanged").get_json() == spoiled.before["unchanged"]
    assert spoiled.ask("unchanged", "/audit").get_json()["verdict"]["code"] == 0


def test_attack_99_a_changed_byte_in_any_column_is_refused_and_found_by_the_audit(spoiled: SpoiledStore) -> None:
    refused_and_named(spoiled, "99 ")


def test_attack_100_swapped_renamed_and_copied_rows_are_refused_and_found_by_the_audit(spoiled: SpoiledStore) -> None:
    refused_and_named(spoiled, "100 ")


def test_attack_101_a_cut_or_deleted_log_contradicts_its_receipt(spoiled: SpoiledStore) -> None:
    answer = spoiled.ask("101 the end cut off", "/receipt")
    assert (answer.status_code, problem_type(answer)) == (500, "corrupt-log")
    done = spoiled.server.command("store", "check", "--json")
    assert done.exit_code == 1, done.stdout
    for name in ("101 the end cut off", "101 the game deleted"):
        assert spoiled.games[name].id in done.stdout, name


def test_attack_102_a_row_that_names_a_class_is_refused_and_imports_nothing(spoiled: SpoiledStore) -> None:
    refused_and_named(spoiled, "102 ")
    assert not (spoiled.data / "mark").exists()


def test_attack_103_a_forged_snapshot_is_never_read(spoiled: SpoiledStore) -> None:
    name = "103 a forged snapshot"
    assert spoiled.ask(name).get_json() == spoiled.before[name]


def test_attack_106_the_times_of_a_game_never_go_back_with_the_clock(attacked: GameServer) -> None:
    store = services_of(attacked.app).games
    usual, game = store._clock, open_game(attacked, ("ann", "bob"))
    with pytest.MonkeyPatch.context() as patch:
        for minutes in (10, -10, 0, -20, 10):
            patch.setattr(store, "_clock", lambda ahead=minutes: add_time(usual(), seconds=60 * ahead))
            seat = game.turn
            assert game.move(seat, game.legal(seat)[-1]).status_code == 201
    times = [item["event"]["at"] for item in game.items() if "event" in item]
    assert times == sorted(times)
    assert len(set(times)) >= 3
    assert attacked.nobody.get(f"{game.path}/audit").get_json()["verdict"]["code"] != 1


def test_attack_108_no_setting_route_or_commit_shows_a_secret(tmp_path: Path) -> None:
    key = "A" * 43 + "="
    said = Config.from_environment({"TRICKBOOK_CIPHER_KEY": key, "TRICKBOOK_LOG": "debug"}).to_lines()
    assert key not in "\n".join(said)
    assert any("CIPHER_KEY=(hidden)" in line for line in said)
    with open_server(tmp_path, cipher_key=key) as server:
        for path in ("debug", "env", "console", "x/metrics", "core", ".env", ".git/config", "static/../config.py"):
            for base in ("/", "/../../", "/static/"):
                assert server.app.test_client().get(base + path).status_code == 404, path


PRIVATE = re.compile(rb"BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY|PRIVATE\+KEY\+[^ ]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{40}")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the history of the source")
@pytest.mark.parametrize("commits", ["-40", pytest.param("--all", marks=pytest.mark.slow)])
def test_attack_108_no_commit_holds_a_private_key(commits: str) -> None:
    """A key is found while its commit is new, and in the slow round wherever it is."""
    command = ["git", "log", "-p", "--no-color", commits]
    history = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert not PRIVATE.findall(history)
