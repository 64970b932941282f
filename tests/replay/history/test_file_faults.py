"""The faults of an export's file are said in these words, and only that (cardlog/1)."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from replay.audit.log.hash_chain import check_log
from replay.history import NotAnExport, export_bytes, read_export
from tests.commands import run
from tests.replay.line_ends import LINE_ENDS
from tests.replay.playing import table
from tests.replay.signing import SERVER

Lines = list[bytes]
GAME = table(5, 3).play(most=6).history
EXPORT = export_bytes(GAME).split(b"\n")[:-1]


def with_value(line: bytes, **values: Any) -> bytes:
    written = json.loads(line) | values
    return json.dumps(written, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def faults(lines: Lines, *known_roots: str, end: bytes = b"\n") -> list[str]:
    """Return what is wrong with a file of these lines."""
    return [str(each) for each in check_log(read_export(b"\n".join(lines) + end), known_roots)]


FIRST_LINE = "its first line isn't the one that its trailer was written for"
FAULTS: dict[str, tuple[Callable[[Lines], Lines], list[str]]] = {
    "nothing": (lambda lines: lines, []),
    "the trailer's root": (
        lambda lines: [*lines[:-1], with_value(lines[-1], root="ab" * 32)],
        ["the trailer's root isn't the root of these events"],
    ),
    "the trailer's size": (
        lambda lines: [*lines[:-1], with_value(lines[-1], size=9)],
        [f"the trailer counts 9 events, but the file has {len(EXPORT) - 2}"],
    ),
    "no trailer": (
        lambda lines: lines[:-1],
        ["the file has no trailer: it is cut off, or there are lines after its end"],
    ),
    "the board": (
        lambda lines: [with_value(lines[0], board=8), *lines[1:]],
        [FIRST_LINE, "the header names another game, board or variant than the events"],
    ),
    "a stranger": (
        lambda lines: [with_value(lines[0], players={"p9": "zoe"}), *lines[1:]],
        [FIRST_LINE, "the header names a player who isn't in the game"],
    ),
    "the bytes of an event": (
        lambda lines: [*lines[:4], lines[4].replace(b'"by":"server"', b'"by":"serveR"'), *lines[5:]],
        ["event 4: its bytes were changed: their hash isn't its leaf"],
    ),
    "a link": (
        lambda lines: [*lines[:4], re.sub(rb'"prev":"[0-9a-f]{4}', b'"prev":"0000', lines[4]), *lines[5:]],
        ["event 4: its link isn't the root of the events before it"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_file_is_said_exactly(name: str) -> None:
    change, says = FAULTS[name]
    assert faults(change(EXPORT)) == says


def test_a_log_without_its_opening_is_noticed() -> None:
    says = faults([EXPORT[0], *EXPORT[2:]])
    assert says[:2] == [
        "event 2: it is in place 1 of the log",
        "event 2: its link isn't the root of the events before it",
    ]
    assert says[-1] == "the log doesn't begin with the opening of a game"


def test_a_root_that_was_kept_must_have_been_that_of_the_log() -> None:
    kept = [line.prev.hex() for line in GAME.lines[1:]]
    assert faults(EXPORT, *kept) == []
    assert faults(EXPORT, kept[0], "00" * 32) == [f"the log never had the root {'00' * 32}, which was kept"]


def test_a_file_that_ends_inside_a_line_is_cut_off() -> None:
    assert faults([*EXPORT[:-1], EXPORT[-1][:-1]], end=b"")[0] == "the file is cut off in the middle of a line"


@pytest.mark.parametrize("ends", LINE_ENDS)
def test_other_line_ends_are_no_fault_and_are_said(ends: str) -> None:
    change, how = LINE_ENDS[ends]
    data = export_bytes(SERVER.sealed(GAME))
    history = read_export(change(data))
    assert (check_log(history), history.line_ends) == ([], how)
    assert read_export(data).line_ends is None
    assert export_bytes(history) == data
    for given in (change(data), data + change(data)):
        said = run("game", "verify", "-", given=given)
        assert (said.exit_code, "all green; only line ends differ from the server's file" in said.output) == (0, True)
    wrong = run("game", "verify", "-", given=change(data.replace(b'"by":"server"', b'"by":"serveR"', 1)))
    assert (wrong.exit_code, f"line ends: {how}; a program has changed them" in wrong.output) == (1, True)


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b'{"format":"cardlog/9"}', "its first line doesn't name a format that this program knows"),
        (EXPORT[0].replace(b":", b": ", 1), "its first line isn't canonical JSON"),
    ],
    ids=["another format", "spaces"],
)
def test_a_file_that_does_not_begin_with_a_header_is_no_export(first: bytes, says: str) -> None:
    with pytest.raises(NotAnExport, match=f"^{re.escape(says)}$"):
        read_export(b"\n".join([first, *EXPORT[1:]]))
