"""One bad row in the log stops its game and nothing else: by HTTP and command line, on both stores."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from api.config import Config
from api.worker import Worker
from tests.api.conftest import PASSWORD, Caller, MakeApp, check_problem, config_for, services_of
from tests.api.past_times import clock_one_hour_late, time_ago
from tests.commands import run
from tests.conftest import Database
from tests.domain.store.storing import Rows

STRANGE_GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
ANN = {"name": "ann", "password": PASSWORD}
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


class Place:
    """A server in this process with a worker that works when it is asked to, and its only player."""

    def __init__(self, make_app: MakeApp, config: Config, *, restored: bool = False) -> None:
        self.config, self.app = config, make_app(config)
        self.nobody = Caller(self.app.test_client())
        if not restored:
            assert self.nobody.post("/users", ANN).status_code == 201
        self.ann = replace(self.nobody, token=self.nobody.post("/tokens", ANN).get_json()["token"])

    def open(self, **more: Any) -> str:
        """Open a game, and return its id."""
        return str(self.ann.post("/games", TABLE | more).get_json()["id"])

    @property
    def ready(self) -> dict[str, Any]:
        """The answer of /health/ready, which must be 200."""
        answer = self.nobody.get("/health/ready")
        assert answer.status_code == 200, answer.text
        return dict(answer.get_json())

    @property
    def corrupt(self) -> dict[str, bool]:
        """Whether each listed game is corrupt, by its id."""
        return {item["id"]: item["corrupt"] for item in self.ann.get("/games?limit=100").get_json()["items"]}

    def follow(self) -> None:
        """Bring the lists up to date with the log."""
        services_of(self.app).followers.catch_up()

    def quarantine(self, *arguments: str) -> tuple[int, str]:
        """Run `trickbook store quarantine` next to the server, and return exit code and output."""
        done = run("store", "quarantine", *arguments, at=self.config)
        return done.exit_code, done.stdout

    @property
    def listed(self) -> dict[str, dict[str, Any]]:
        """The faults that the command lists, by game."""
        code, said = self.quarantine("list", "--json")
        assert code == 0
        return {entry["game"]: entry for entry in json.loads(said)}

    def check_others_go_on(self, game: str) -> None:
        """Check that a new game is listed, has a scoreboard, ends at its time, and that the server is ready."""
        with clock_one_hour_late(self.app):
            new = self.open(timing={"ends_at": time_ago(seconds=5)})
        self.follow()
        Worker(services_of(self.app)).tick()
        self.follow()
        assert [each["id"] for each in self.ann.get("/games?status=finished").get_json()["items"]] == [new]
        assert (set(self.ready["lists"].values()), any(self.ready["lag"].values())) == ({"ok"}, False)
        assert self.ann.get(f"/games/{new}/scoreboard").get_json()["result"]["reason"] == "time"
        assert self.ann.get(f"/games/{game}/scoreboard").get_json()["game"] == game


def test_118_a_bad_row_stops_only_its_game(database: Database, make_app: MakeApp) -> None:
    place = Place(make_app, config_for(database))
    games = [place.open() for _ in range(len(SPOILS) + 1)]
    place.follow()
    assert place.corrupt == dict.fromkeys(games, False)
    for spoil, game in zip(SPOILS, games, strict=False):
        spoil(database, game)
    place.check_others_go_on(games[-1])
    bad = games[: len(SPOILS) - 1]
    while any(ends_its_shard(database, game) for game in bad):
        place.open()
    place.follow()
    assert {game for game, is_corrupt in place.corrupt.items() if is_corrupt} == set(bad)
    for game in bad:
        for ask in (f"/games/{game}", f"/games/{game}/events", f"/games/{game}/scoreboard"):
            check_problem(place.ann.get(ask), 500, "corrupt-log")
    assert place.ready["quarantined"] == len(SPOILS)
    listed = place.listed
    assert set(listed) == {*bad, STRANGE_GAME}
    assert {game for game, entry in listed.items() if entry["newer"]} == {bad[1], bad[2]}
    rebuilt = run("store", "rebuild", at=place.config)
    assert (rebuilt.exit_code, f"games in quarantine: {len(bad) + 1}" in rebuilt.stderr) == (0, True)
    assert set(place.listed) == {*bad, STRANGE_GAME}
    assert place.quarantine("retry", str(listed[bad[0]]["board"]))[0] == 1
    check_retry_and_drop(place, database, bad)


def ends_its_shard(database: Database, game: str) -> bool:
    """Return whether the last event of a game ends its shard: lists notice if the event that they reached goes."""
    last = "SELECT originator_id FROM {table} WHERE ? IS NOT NULL ORDER BY notification_id DESC LIMIT 1"
    return [UUID(str(found)) for (found,) in Rows(database).ask(last, UUID(game))] == [UUID(game)]


def check_retry_and_drop(place: Place, database: Database, bad: list[str]) -> None:
    """Repair all games but one, and drop what has no game."""
    assert place.quarantine("retry", "nonsense")[0] == 2
    for game in bad[1:]:
        Rows(database).drop(game, len(Rows(database).of(game)))
    code, said = place.quarantine("retry", "--all")
    assert (code, said.count("back in the lists")) == (1, len(bad) - 1)
    assert place.quarantine("drop", STRANGE_GAME, "--yes")[0] == 0
    assert place.ready["quarantined"] == 1
    assert {game for game, is_corrupt in place.corrupt.items() if is_corrupt} == {bad[0]}
    for game in bad[1:]:
        assert place.ann.get(f"/games/{game}").get_json()["status"] == "active"


def test_118_rows_that_name_no_game_or_hold_no_text_stop_nothing(tmp_path: Path, make_app: MakeApp) -> None:
    database = Database(None, tmp_path)
    place = Place(make_app, config_for(database))
    game = place.open()
    insert = "INSERT INTO {table} (originator_id, originator_version, topic, state)"
    for value in ("'cards'", "x'00ff'", "''", "12", "CAST(x'ff' AS TEXT)"):
        Rows(database).ask(f"{insert} VALUES ({value}, 1, 'CardPlayed/1', x'00')")
    for version, row in enumerate(("x'00', x'00'", "CAST(x'ff' AS TEXT), x'00'", "'CardPlayed/1', 'text'"), 900):
        Rows(database).ask(f"{insert} VALUES ('{UUID(game).hex}', {version}, {row})")
    place.check_others_go_on(place.open())
    assert place.corrupt[game]
    check_problem(place.ann.get(f"/games/{game}"), 500, "corrupt-log")
    assert place.ready["quarantined"] == 6
    assert place.nobody.get("/exports/games").status_code == 200


def test_118_a_broken_backup_is_restored_with_its_bad_game_in_quarantine(tmp_path: Path, make_app: MakeApp) -> None:
    """The server starts, plays on with the other games, and lists the bad one as corrupt."""
    old, new, copy = Database(None, tmp_path / "old"), Database(None, tmp_path / "new"), tmp_path / "copy"
    place = Place(make_app, config_for(old))
    bad, good = place.open(), place.open()
    spoil_with_newer_version(old, bad)
    assert run("store", "backup", str(copy), at=config_for(old)).exit_code == 1
    done = run("store", "restore", str(copy), "--broken", at=config_for(new))
    assert done.exit_code == 0, done.stderr
    restored = Place(make_app, config_for(new), restored=True)
    restored.follow()
    assert restored.corrupt == {bad: True, good: False}
    restored.check_others_go_on(good)
    assert {game: entry["newer"] for game, entry in restored.listed.items()} == {bad: True}
