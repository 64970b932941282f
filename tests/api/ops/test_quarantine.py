"""One bad row in the log stops its game and nothing else: by HTTP and command line, on both stores."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from uuid import UUID

import pytest

from api.client import Refusal, Server
from tests.api.past_times import time_ago
from tests.api.server_process import ServerProcess, run_program, start_server
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.waiting import wait_for

PASSWORD = "correct-horse"
PATIENCE_S = 60.0
STRANGE_GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}


def insert(database: Database, game: str, version: int, topic: str, state: bytes) -> None:
    """Append a row to the log, as somebody who can write to the database does."""
    Rows(database).ask(
        "INSERT INTO {table} (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)",
        UUID(game), version, topic, state,
    )  # fmt: skip


def spoil_with_unreadable_bytes(database: Database, game: str) -> None:
    insert(database, game, len(Rows(database).of(game)) + 1, "CardPlayed/1", b"\x00" * 50)


def spoil_with_unknown_topic(database: Database, game: str) -> None:
    version, _, state = Rows(database).of(game)[-1]
    insert(database, game, version + 1, "MoonLanded/1", state)


def spoil_with_newer_version(database: Database, game: str) -> None:
    version, topic, state = Rows(database).of(game)[-1]
    fact = topic.partition("/")[0]
    event = json.loads(state[32:]) | {"v": 99, "version": version + 1}
    insert(database, game, version + 1, f"{fact}/99", state[:32] + json.dumps(event, separators=(",", ":")).encode())


def spoil_with_second_opening(database: Database, game: str) -> None:
    rows = Rows(database).of(game)
    event = json.loads(rows[0][2][32:]) | {"version": len(rows) + 1}
    state = rows[-1][2][:32] + json.dumps(event, separators=(",", ":"), sort_keys=True).encode()
    insert(database, game, len(rows) + 1, rows[0][1], state)


def spoil_with_event_of_unknown_game(database: Database, game: str) -> None:
    """Copy an event to a game that was never opened."""
    version, topic, state = Rows(database).of(game)[-1]
    insert(database, STRANGE_GAME, version, topic, state.replace(game.encode(), STRANGE_GAME.encode()))


SPOILS: tuple[Callable[[Database, str], None], ...] = (
    spoil_with_unreadable_bytes,
    spoil_with_unknown_topic,
    spoil_with_newer_version,
    spoil_with_second_opening,
    spoil_with_event_of_unknown_game,
)


def ready(serving: ServerProcess) -> dict[str, Any]:
    """Return the answer of /health/ready, which must be 200."""
    with urlopen(f"{serving.url}/health/ready", timeout=30) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def answers_heavy_requests(player: Server, game: str) -> bool:
    """Return whether the process that answers heavy requests has started."""
    try:
        player.get(f"/games/{game}/events")
    except Refusal as refused:
        assert refused.problem["type"] == "/problems/busy"
        return False
    return True


def corrupt(player: Server) -> dict[str, bool]:
    return {item["id"]: item["corrupt"] for item in player.get("/games?limit=100")["items"]}


def quarantine(database: Database, *arguments: str) -> tuple[int, str]:
    """Run `trickbook store quarantine` next to the server, and return exit code and output."""
    done = run_program("store", "quarantine", *arguments, "--data", str(database.data), url=database.url)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def listed(database: Database) -> dict[str, dict[str, Any]]:
    code, said = quarantine(database, "list", "--json")
    assert code == 0
    return {entry["game"]: entry for entry in json.loads(said)}


def check_others_go_on(serving: ServerProcess, ann: Server, games: list[str]) -> None:
    """Check that a new game is listed, has a scoreboard, ends at its time, and that the server is ready."""
    ends = time_ago(seconds=-2)
    new = ann.post("/games", TABLE | {"timing": {"ends_at": ends}})["id"]
    wait_for(lambda: ann.get("/games?status=finished")["items"], lambda items: [each["id"] for each in items] == [new])
    state = wait_for(lambda: ready(serving), lambda state: not any(state["lag"].values()))
    assert set(state["lists"].values()) == {"ok"}
    assert ann.get(f"/games/{new}/scoreboard")["result"]["reason"] == "time"
    assert ann.get(f"/games/{games[-1]}/scoreboard")["game"] == games[-1]


def test_118_a_bad_row_stops_only_its_game(database: Database) -> None:
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        games = [ann.post("/games", TABLE)["id"] for _ in range(len(SPOILS) + 1)]
        wait_for(lambda: corrupt(ann), lambda found: found == dict.fromkeys(games, False))
        wait_for(lambda: answers_heavy_requests(ann, games[0]), bool)
        for spoil, game in zip(SPOILS, games, strict=False):
            spoil(database, game)
        check_others_go_on(serving, ann, games)
        bad = games[: len(SPOILS) - 1]
        while any(ends_its_shard(database, game) for game in bad):
            ann.post("/games", TABLE)
        assert {game for game, is_corrupt in corrupt(ann).items() if is_corrupt} == set(bad)
        for game in bad:
            for ask in (f"/games/{game}", f"/games/{game}/events", f"/games/{game}/scoreboard"):
                with pytest.raises(Refusal) as refused:
                    ann.get(ask)
                assert (refused.value.status, refused.value.problem["type"]) == (500, "/problems/corrupt-log")
        assert ready(serving)["quarantined"] == len(SPOILS)
        entries = listed(database)
        assert set(entries) == {*bad, STRANGE_GAME}
        assert {game for game, entry in entries.items() if entry["newer"]} == {bad[1], bad[2]}
        check_rebuild(database, set(entries))
        check_retry_and_drop(serving, database, ann.token, bad)
        assert serving.stop() == 0


def ends_its_shard(database: Database, game: str) -> bool:
    """Return whether the last event of a game ends its shard: lists notice if the event that they reached goes."""
    last = "SELECT originator_id FROM {table} WHERE ? IS NOT NULL ORDER BY notification_id DESC LIMIT 1"
    return [UUID(str(found)) for (found,) in Rows(database).ask(last, UUID(game))] == [UUID(game)]


def check_rebuild(database: Database, bad: set[str]) -> None:
    """Check that a rebuild ends with a sentence and finds the same games again."""
    done = run_program("store", "rebuild", "--data", str(database.data), url=database.url)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert f"games in quarantine: {len(bad)}" in done.stderr
    assert set(listed(database)) == bad


def check_retry_and_drop(serving: ServerProcess, database: Database, token: str | None, bad: list[str]) -> None:
    """Repair all games but one, and drop what has no game."""
    assert quarantine(database, "retry", str(listed(database)[bad[0]]["board"]))[0] == 1
    assert quarantine(database, "retry", "nonsense")[0] == 2
    for game in bad[1:]:
        Rows(database).drop(game, len(Rows(database).of(game)))
    code, said = quarantine(database, "retry", "--all")
    assert (code, said.count("back in the lists")) == (1, len(bad) - 1)
    assert quarantine(database, "drop", STRANGE_GAME)[0] == 0
    assert ready(serving)["quarantined"] == 1
    with Server(serving.url, token, patience_s=0) as ann:  # the server closes connections that are idle for long
        assert {game for game, is_corrupt in corrupt(ann).items() if is_corrupt} == {bad[0]}
        for game in bad[1:]:
            assert ann.get(f"/games/{game}")["status"] == "active"


def test_118_rows_that_name_no_game_or_hold_no_text_stop_nothing(tmp_path: Path) -> None:
    database = Database(None, tmp_path)
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        game = ann.post("/games", TABLE)["id"]
        for value in ("'cards'", "x'00ff'", "''", "12", "CAST(x'ff' AS TEXT)"):
            Rows(database).ask(
                "INSERT INTO {table} (originator_id, originator_version, topic, state)"
                f" VALUES ({value}, 1, 'CardPlayed/1', x'00')"
            )
        for version, row in enumerate(("x'00', x'00'", "CAST(x'ff' AS TEXT), x'00'", "'CardPlayed/1', 'text'"), 900):
            Rows(database).ask(
                "INSERT INTO {table} (originator_id, originator_version, topic, state)"
                f" VALUES ('{UUID(game).hex}', {version}, {row})"
            )
        check_others_go_on(serving, ann, [ann.post("/games", TABLE)["id"]])
        assert corrupt(ann)[game]
        with pytest.raises(Refusal) as refused:
            ann.get(f"/games/{game}")
        assert refused.value.status == 500
        assert ready(serving)["quarantined"] == 6
        with urlopen(f"{serving.url}/api/v1/exports/games", timeout=30) as answer:
            assert answer.status == 200
        assert serving.stop() == 0


def test_118_a_broken_backup_is_restored_with_its_bad_game_in_quarantine(tmp_path: Path) -> None:
    """The server starts, plays on with the other games, and lists the bad one as corrupt."""
    old, new, copy = Database(None, tmp_path / "old"), Database(None, tmp_path / "new"), tmp_path / "copy"
    with start_server(old) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        bad, good = (ann.post("/games", TABLE)["id"] for _ in range(2))
        assert serving.stop() == 0
    spoil_with_newer_version(old, bad)
    assert run_program("store", "backup", str(copy), "--data", str(old.data)).returncode == 1
    done = run_program("store", "restore", str(copy), "--broken", "--data", str(new.data))
    assert done.returncode == 0, done.stderr
    with start_server(new) as serving, Server(serving.url, patience_s=0) as ann:
        ann.token = ann.post("/tokens", {"name": "ann", "password": PASSWORD})["token"]
        wait_for(lambda: corrupt(ann), lambda found: found == {bad: True, good: False})
        check_others_go_on(serving, ann, [good])
        assert {game: entry["newer"] for game, entry in listed(new).items()} == {bad: True}
        assert serving.stop() == 0
