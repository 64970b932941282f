"""docs/upgrades.md, followed in a copy of the project: the upgraded program reads, verifies and continues old games."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.commands import run as today
from tests.docs.markdown import ROOT, blocks
from tests.docs.test_adding_a_variant import patched, run
from tests.stored.writing import IN_LOG, LOG, write

PAGE = ROOT / "docs" / "upgrades.md"
KEPT = ROOT / "tests" / "stored" / "v1"
PLAYS_ON = """
import sys
from pathlib import Path
from domain.commands import OpenGame, Resign
from domain.events import Player
from domain.store import Games
from replay.history import export_bytes, from_entries

game = "00000000-0000-4000-8000-000000000099"
with Games(Path(sys.argv[1]), clock=lambda: "2026-11-22T00:00:00.000000Z") as games:
    for _, each in games.log.openings(0, 0, games.log.last_numbers()[0], 100):
        state = games.state(each)
        assert (state.rules.rules_v, state.rules.stakes) == (3, 1)
        left = [entry.event.data for entry in games.entries(each) if entry.event.fact == "SeatResigned"]
        assert {fact.reason for fact in left} <= {"choice"}
        if state.result is None:
            seat = state.persons[0]
            games.act(each, Resign(seat), by=state.seats[seat].player, command_id=f"{each[:4]}-on")
            assert games.read_at_position(each, games.log.last_numbers())[0].version > state.version
    people = tuple(Player(f"p{seat}", "human") for seat in range(3))
    games.open(OpenGame(game, 99, "pitch", {}, people), by="p0", command_id="99-1")
    games.act(game, Resign(0), by="p0", command_id="98-1")
    sys.stdout.buffer.write(export_bytes(from_entries(games.entries(game), {})))
"""
"""Run the upgraded program on an old store: load every game, continue the running ones, and open a new one.

The time is the day after, before any seat is forfeited.
"""


RUNS = """
import json, sys
from click.testing import CliRunner
from api.cli.main import main

done = [CliRunner().invoke(main, words, catch_exceptions=False) for words in json.load(sys.stdin)]
json.dump([(each.exit_code, each.stdout) for each in done], sys.stdout)
"""
"""Run several commands of the upgraded program."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The old store: the files of v1."""
    if KEPT.exists():
        return KEPT
    folder = tmp_path_factory.mktemp("kept") / "v1"
    write(folder)
    return folder


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project after following the page."""
    folder = tmp_path_factory.mktemp("upgraded") / "trickbook"
    for name in ("domain", "projections", "api", "replay"):
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__"))
    for block in blocks(PAGE, "diff"):
        path = folder / block.text.splitlines()[1].removeprefix("+++ b/")
        before = path.read_text(encoding="utf-8")
        path.write_text(patched(before, block.text), encoding="utf-8")
        assert path.read_text(encoding="utf-8") != before
    return folder


def program(folder: Path, *commands: list[str]) -> list[tuple[int, str]]:
    """Run commands of a folder's program in one process. Return the exit code and the output of each."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK_")}
    done = subprocess.run(
        [sys.executable, "-c", RUNS],
        cwd=folder,
        env=clean | {"PYTHONPATH": str(folder)},
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, said) for code, said in json.loads(done.stdout)]


def rows(log: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(log)) as connection:
        return connection.execute("SELECT * FROM stored_events ORDER BY 1").fetchall()


def test_old_exports_verify_and_are_shown_and_written_again_byte_for_byte(upgraded: Path, kept: Path) -> None:
    everything = upgraded / "all.ndjson"
    everything.write_bytes(b"".join((kept / f"{name}.ndjson").read_bytes() for name in IN_LOG))
    file = kept / "corellian-misdealt.ndjson"
    shown = [
        ["game", "show", str(file)],
        ["hand", "replay", str(file), "--hand", "1", "--json"],
        ["game", "transcript", str(file)],
    ]
    verified, exported, *answers = program(
        upgraded, ["game", "verify", str(everything)], ["game", "export", str(file)], *shown
    )
    last = f"{len(IN_LOG)} games: {len(IN_LOG)} all green, 0 a check failed, 0 cannot decide"
    assert (verified[0], verified[1].splitlines()[-1:]) == (0, [last])
    assert exported == (0, file.read_text(encoding="utf-8"))
    assert answers == [(0, today(*words).stdout) for words in shown]


def test_an_old_store_is_played_in_and_none_of_its_bytes_is_rewritten(
    upgraded: Path, kept: Path, tmp_path: Path
) -> None:
    shutil.copy(kept / LOG, tmp_path / LOG)
    before = rows(tmp_path / LOG)
    (tmp_path / "plays_on.py").write_text(PLAYS_ON, encoding="utf-8")
    written = run(upgraded, str(tmp_path / "plays_on.py"), str(tmp_path))
    after = rows(tmp_path / LOG)
    assert after[: len(before)] == before
    assert {row[3] for row in before if "Resigned" in str(row[3])} == {"SeatResigned/1"}
    assert {row[3] for row in after[len(before) :] if "Resigned" in str(row[3])} == {"SeatResigned/2"}
    lines = [json.loads(line) for line in written.splitlines()]
    data = {line["event"]["fact"]: line["event"]["data"] for line in lines if "event" in line}
    assert (data["SeatResigned"]["reason"], data["GameOpened"]["rules"]["stakes"]) == ("choice", 1)
    file = tmp_path / "new.ndjson"
    file.write_text(written, encoding="utf-8")
    ((code, said),) = program(upgraded, ["game", "verify", str(file)])
    assert (code, "a check failed" in said, "the file is unsigned" in said) == (2, False, True), said
    assert today("game", "verify", str(file)).exit_code == 2, "a release can't read newer facts"
    assert "newer than this program" in today("game", "verify", str(file)).stdout
