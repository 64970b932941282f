"""Histories in every storage format still verify: parsing, links, audit, rules, views, and writing."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.decide.stand_in import stand_in_move
from domain.events import FACT_VERSIONS
from domain.events.codec import encode
from domain.rules.model import RULES_VERSION
from domain.store import Games
from projections.views.seat import view_at
from replay.audit import GREEN, audit
from replay.history import History, export_bytes, read_export
from replay.history.receipts import GOOD, check_receipts
from replay.history.steps import NotShown, steps, view_of
from replay.rejudge import rejudge
from replay.text.transcribe import format_transcripts, transcripts
from replay.text.transcript import format_transcript, parse_transcripts
from tests.logs.reading import all_games
from tests.stored.stories import STORIES
from tests.stored.writing import IN_LOG, KEY, LOG, SAYS, SEAT, expected_content

HERE = Path(__file__).parent
KEPT = sorted(path for path in HERE.glob("v*") if path.is_dir())
"""Folders that hold each version of each fact, in games of each variant: a folder for each change of the format."""
SINGLE = sorted(HERE.glob("*.ndjson"))
"""Logs of what the program once did, and does otherwise since a fact has a new version."""
THEN = "2026-11-22T00:00:00.000000Z"
"""A time at which the tests continue these games: before any seat is out of time."""


@pytest.fixture(params=KEPT, ids=[path.name for path in KEPT])
def folder(request: pytest.FixtureRequest) -> Path:
    """Return each folder."""
    found: Path = request.param
    return found


def expected_contents(folder: Path) -> dict[str, dict[str, Any]]:
    says: dict[str, dict[str, Any]] = json.loads((folder / SAYS).read_text(encoding="utf-8"))
    return says


@cache
def histories(folder: Path) -> dict[str, History]:
    return {path.name: read_export(path.read_bytes()) for path in sorted(folder.glob("*.ndjson"))}


def test_no_byte_of_the_stored_files_has_changed(folder: Path) -> None:
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.ndjson")}
    assert found == {name: says["sha256"] for name, says in expected_contents(folder).items()}
    assert {name.partition(".")[0] for name in found} >= ({*IN_LOG} if folder != KEPT[-1] else {*STORIES})


def test_stored_histories_are_parsed_and_written_again_byte_for_byte(folder: Path) -> None:
    for name, history in histories(folder).items():
        assert history.faults == ()
        assert export_bytes(history) == (folder / name).read_bytes(), name
        assert {"sha256": expected_contents(folder)[name]["sha256"], **expected_content(history)} == expected_contents(
            folder
        )[name], name


def test_links_audit_rules_and_receipts_of_stored_histories_are_valid(folder: Path) -> None:
    for name, history in histories(folder).items():
        receipts = check_receipts(history, keys=[KEY])
        assert [each.state for each in receipts.checked] == [GOOD], name
        report = audit(history, rejudge(history))
        assert (report.findings, report.code(live_is_fine=True)) == ([], GREEN), name
        assert (report.code() == GREEN) == (history.withheld == 0), name


@pytest.mark.parametrize("path", SINGLE, ids=[path.stem for path in SINGLE])
def test_a_log_of_an_old_behavior_is_right_by_what_was_right_then(path: Path) -> None:
    history = read_export(path.read_bytes())
    report = audit(history, rejudge(history))
    assert (report.findings, report.code(), export_bytes(history)) == ([], GREEN, path.read_bytes())


def test_every_seats_view_of_a_stored_history_is_shown_at_every_moment(folder: Path) -> None:
    for history in histories(folder).values():
        last, seats = len(history.lines), len(view_of(history, None)["seats"])
        for at in {1, 2, last // 2, last - 1, last}:
            for viewer in (None, *range(seats)):
                assert view_at(history.lines, viewer, at)["version"] == at
        assert list(steps(history, 1, None))


def test_an_export_of_a_live_hand_shows_only_its_own_seat(folder: Path) -> None:
    live = [name for name in expected_contents(folder) if f".seat-{SEAT}." in name]
    assert len(live) >= 2
    for name in live:
        own, public = (read_export((folder / each).read_bytes()) for each in (name, name.replace(f".seat-{SEAT}", "")))
        assert own.withheld < public.withheld or own.header.variant == "blackout"
        for history, seats in ((own, {0, 2}), (public, {0, 1, 2})):
            for seat in seats:
                assert not shows(history, seat), (name, seat)


def shows(history: History, seat: int) -> bool:
    """Return whether the history shows the seat's current cards."""
    try:
        return "you" in view_of(history, seat)
    except NotShown:
        return False


def test_transcripts_of_stored_histories_convert_back_byte_for_byte(folder: Path) -> None:
    for name, history in histories(folder).items():
        written = format_transcripts(transcripts(history))
        assert "\n".join(map(format_transcript, parse_transcripts(written))) == written, name


def facts(folder: Path) -> set[str]:
    """Return name and version of every fact in the folder."""
    return {fact for says in expected_contents(folder).values() for fact in says["facts"] if fact is not None}


def test_every_version_of_every_fact_occurs_in_a_stored_history() -> None:
    """If one is missing, add a new folder (docs/upgrades.md)."""
    every = {f"{name}/{v}" for name, last in FACT_VERSIONS.items() for v in range(1, last + 1)}
    assert every == set().union(*map(facts, KEPT))


def of_today(written: dict[str, Any]) -> bool:
    """Return whether the fact and its rules have the current versions."""
    rules = written["data"].get("rules", {"rules_v": RULES_VERSION})
    return bool(written["v"] == FACT_VERSIONS[written["fact"]] and rules["rules_v"] == RULES_VERSION)


def test_a_version_of_a_fact_is_written_as_it_was_when_stored(folder: Path) -> None:
    """So no field is added, renamed or removed without a new version of its fact or of the rules."""
    for history in histories(folder).values():
        for line in history.lines:
            if line.raw is not None and line.event is not None and of_today(json.loads(line.raw)):
                assert encode(line.event) == line.raw


def rows(log: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(log)) as connection:
        return connection.execute("SELECT * FROM stored_events ORDER BY 1").fetchall()


def test_a_stored_database_can_be_played_on_without_changing_its_rows(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / LOG, tmp_path / LOG)
    before = rows(tmp_path / LOG)
    with Games(tmp_path, clock=lambda: THEN) as games:
        for game in all_games(games):
            history = exported(folder, game)
            shown = [line.raw for line in history.lines if line.raw is not None]
            assert len(shown) == len(history.lines) - history.withheld
            assert set(shown) <= {entry.raw for entry in games.entries(game)}
            assert [entry.leaf for entry in games.entries(game)] == [line.leaf for line in history.lines]
            assert games.snapshot(game)[1] == expected_content(history)["root"]
            plays_on(games, game)
    after = rows(tmp_path / LOG)
    assert after[: len(before)] == before
    assert len(after) > len(before)


def exported(folder: Path, game: str) -> History:
    """Return the export of a game of the SQLite file."""
    return next(each for each in histories(folder).values() if each.header.game == game)


def plays_on(games: Games, game: str) -> None:
    """Let the table make a move if a seat is awaited, and check the log."""
    state = games.state(game)
    if state.result is None and state.turn:
        seat = state.turn[0]
        command = stand_in_move(state, seat)
        games.act(game, command, by=state.seats[seat].player, command_id=f"{UUID(game).hex[:16]}-on")
        assert games.read_at_position(game, games.log.last_numbers())[0].version > state.version
