"""The query commands: their output, their exit codes, and their errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from replay.history import History, export_bytes, read_export
from replay.queries import view_bytes
from tests.commands import run
from tests.replay.forging import forged
from tests.replay.playing import played, table

QUESTIONS = [
    ("ask", "revokes"), ("ask", "draws"), ("ask", "score"), ("ask", "clock"), ("ask", "sight"),
    ("ask", "commits"),
]  # fmt: skip


@pytest.fixture(scope="module")
def whole() -> History:
    return played(5, 4).history


@pytest.fixture
def file(tmp_path: Path, whole: History) -> str:
    """The export of a finished game."""
    return written(tmp_path / "whole.ndjson", export_bytes(whole))


@pytest.fixture
def running(tmp_path: Path) -> str:
    """The export of a running game, as seat 1 gets it."""
    return written(tmp_path / "live.ndjson", export_bytes(table(8, 4).play(0.1, most=40).seen_by(1)))


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_a_failed_check_is_exit_code_1(tmp_path: Path, whole: History) -> None:
    def other(event: dict[str, Any]) -> None:
        if event["fact"] == "HandScored":
            event["data"]["changes"][0] += 1

    false = written(tmp_path / "f.ndjson", export_bytes(forged(whole, other)))
    assert run("ask", "score", false, "--hand", "1").exit_code in {0, 1}
    result = run("ask", "score", false)
    assert (result.exit_code, "the changes are" in result.output) == (1, True)
    assert run("ask", "clock", false).exit_code == 0
    for command in (("ask", "legal"), ("hand", "branch")):
        refused = run(*command, false, "--at", "12", "--seat", "0")
        assert (refused.exit_code, "doesn't verify" in refused.output) == (1, True)


def test_a_file_with_a_broken_log_is_refused(tmp_path: Path, whole: History) -> None:
    broken = written(tmp_path / "f.ndjson", export_bytes(whole).replace(b'"bid":2', b'"bid":3', 1))
    for command in QUESTIONS:
        result = run(*command, broken)
        assert (result.exit_code, "doesn't verify: event " in result.output) == (1, True)


def test_a_fact_in_an_impossible_place_is_wrong(tmp_path: Path, whole: History) -> None:
    def nowhere(event: dict[str, Any]) -> None:
        if event["fact"] == "CardPlayed":
            event["data"]["seat"] = 77

    false = written(tmp_path / "f.ndjson", export_bytes(forged(whole, nowhere)))
    result = run("ask", "revokes", false)
    assert (result.exit_code, "doesn't verify" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("hand", "deal", "--hand", "99"), "no hand 99"),
        (("ask", "sight", "--hand", "99"), "no hand 99"),
        (("ask", "legal", "--at", "9999", "--seat", "0"), "no event 9999"),
        (("ask", "legal", "--at", "12", "--seat", "7"), "no seat 7"),
        (("ask", "legal", "--at", "12", "--seat", "0", "--move", "blah"), "isn't a move"),
        (("ask", "legal", "--at", "12", "--seat", "0", "--move", '{"type":'), "valid JSON"),
        (("ask", "legal", "--at", "12", "--seat", "0", "--move", '{"type":"bid","bid":1.5}'), "bid must be a whole"),
        (("hand", "branch", "--at", "9999"), "no event 9999"),
        (("hand", "branch", "--at", "10", "blah"), "isn't a move"),
        (("hand", "branch", "--at", "10", "ad"), "move 1, of "),
        (("ask", "revokes", "--hand", "0"), "range"),
        (("ask", "commits", "--from", "20", "--to", "10"), "event 20 is after event 10"),
        (("ask", "commits", "--from", "5000"), "no event 5000"),
    ],
)
def test_an_invalid_query_is_exit_code_2(file: str, arguments: tuple[str, ...], says: str) -> None:
    group, command, *rest = arguments
    result = run(group, command, file, *rest)
    assert (result.exit_code, says in result.output) == (2, True), result.output


def test_a_move_is_tried_as_text_and_as_json(file: str, whole: History) -> None:
    first = next(event for event in whole.events if event.fact == "BidMade")
    at, seat = first.version - 1, str(first.data.seat)
    for move in ("2", '{"type": "bid", "bid": 2}'):
        told = json.loads(run("ask", "legal", file, "--at", str(at), "--seat", seat, "--move", move, "--json").output)
        assert told["tried"].pop("move") == {"type": "bid", "bid": 2}
        assert told["tried"] == {"legal": True, "code": None, "says": None, "clauses": []}


def test_a_branch_is_played_by_hand_and_by_bots(file: str, whole: History) -> None:
    at = str(next(event.version for event in whole.events if event.fact == "HandDealt") + 5)
    first = run("hand", "branch", file, "--at", at, "2", '{"type":"pass"}', "--seat", "1")
    assert (first.exit_code, "it isn't part of any log" in first.output) == (0, True)
    assert "is to move" in first.output
    told = json.loads(run("hand", "branch", file, "--at", at, "--bots", "random", "--hands", "2", "--json").output)
    assert told["stopped"] == "2 hands are over"


def test_the_bytes_of_a_view_are_printed_unchanged(file: str, whole: History) -> None:
    for viewer, arguments in ((None, ()), (2, ("--seat", "2"))):
        assert run("game", "show", file, "--at", "30", *arguments, "--bytes").stdout_bytes == view_bytes(
            whole, viewer, 30
        )
    refused = run("game", "show", file, "--at", "30", "--seat", "9", "--bytes")
    assert refused.exit_code == 2


def test_two_files_are_compared(tmp_path: Path, file: str, running: str, whole: History) -> None:
    def other(event: dict[str, Any]) -> None:
        if event["version"] == 20:
            event["salt"] = "ab" * 16

    false = written(tmp_path / "g.ndjson", export_bytes(forged(whole, other)))
    assert run("game", "compare", file, file).exit_code == 0
    parted = run("game", "compare", file, false)
    assert (parted.exit_code, "event 20: the two histories differ from here on" in parted.output) == (1, True)
    assert json.loads(run("game", "compare", file, false, "--json").output)["became"] == "two"
    header = read_export(Path(running).read_bytes()).header.game.encode()
    another = written(tmp_path / "h.ndjson", Path(running).read_bytes().replace(header, b"1" * 8 + header[8:]))
    assert "two games" in run("game", "compare", file, another).output
