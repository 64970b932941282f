"""Exports are read strictly and written verbatim (docs/events.md)."""

import hashlib
import json

import pytest

from domain.store.aggregate import Entry
from projections.views.audience import event_line, event_lines
from replay.history import (
    History,
    NotAnExport,
    export_bytes,
    from_entries,
    header_of,
    is_canonical,
    line_bytes,
    read_export,
    trailer_of,
    write_export,
)
from replay.history.findings import Finding
from tests.replay.playing import NAMES, played, table


def test_the_lines_are_the_same_as_over_http() -> None:
    made = table(4, 2).play(most=4)
    whole = [event_line(entry, shown=True) for entry in made.entries]
    assert [line_bytes(each) for each in made.history.lines] == whole
    mine = [line_bytes(each) for each in made.seen_by(0).lines]
    assert mine == event_lines(made.entries, 0, frozenset())


def test_an_export_can_be_written_from_its_parts(small: History) -> None:
    trailer = trailer_of(each.leaf for each in small.lines)
    parts = list(write_export(small.header, map(line_bytes, small.lines), trailer))
    assert b"".join(parts) == export_bytes(small)
    assert json.loads(parts[0]) == {
        "format": "trickbook-export/1",
        "game": small.header.game,
        "board": 7,
        "variant": "pitch",
        "players": {f"p{seat}": NAMES[f"p{seat}"] for seat in range(3)},
        "keys": [],
    }
    told = {"size": len(small.lines), "root": trailer.root, "receipt": None}
    assert json.loads(parts[-1]) == {**told, "header": hashlib.sha256(parts[0][:-1]).hexdigest()}


def test_a_history_without_a_trailer_gets_one_from_its_leaves(small: History) -> None:
    without = History(small.header, small.lines, None)
    assert export_bytes(without) == export_bytes(small)


def test_no_entries_make_no_history() -> None:
    with pytest.raises(NotAnExport, match="no events"):
        from_entries([], {})


def test_only_players_of_the_game_are_named() -> None:
    entries: list[Entry] = table(1, 2, bots=[1]).entries
    header = header_of(entries[0].event, {"p0": "ann", "p9": "zoe"})
    assert header.players == {"p0": "ann"}


@pytest.mark.parametrize(
    ("first", "says"),
    [
        pytest.param(b"", "isn't the header", id="an empty file"),
        pytest.param(b"{", "isn't the header", id="half a line"),
        pytest.param(b"[1]", "isn't the header", id="something else"),
        pytest.param(b"{}", "isn't the header", id="an object of no format"),
        pytest.param(b'{"format":"trickbook-export/1"}', "isn't the header", id="a header without a game"),
        pytest.param(b"\xff\xfe", "isn't the header", id="not UTF-8"),
        pytest.param(b"[" * 100000, "isn't the header", id="a thousand brackets"),
    ],
)
def test_a_file_without_a_header_is_not_an_export(first: bytes, says: str) -> None:
    with pytest.raises(NotAnExport, match=says):
        read_export(first + b"\n")


@pytest.mark.parametrize(
    "trailer",
    [b'{"size":3}', b"{", b"\xff", b"[" * 100000, b'{"receipt":null, "root":"","size":1}'],
    ids=["parts missing", "half", "not UTF-8", "deep", "not canonical"],
)
def test_an_invalid_trailer_counts_as_missing(small: History, trailer: bytes) -> None:
    lines = export_bytes(small).splitlines(keepends=True)
    assert read_export(b"".join([*lines[:-1], trailer + b"\n"])).trailer is None


def test_an_invalid_line_is_named_by_its_number(small: History) -> None:
    lines = export_bytes(small).splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"leaf":', b'"leaf": ')
    history = read_export(b"".join(lines))
    assert history.faults == (Finding(4, "line 5 of the file, where it should be, isn't a line of an export"),)
    assert len(history.lines) == len(small.lines) - 1


def test_bytes_that_are_not_canonical_are_named(small: History) -> None:
    lines = export_bytes(small).splitlines(keepends=True)
    lines[6] = lines[6].replace(b'"fact":', b'"fact": ')
    assert read_export(b"".join(lines)).faults == (Finding(6, "its bytes are not canonical JSON"),)


@pytest.mark.parametrize(
    "raw", [b'{"a":1,"a":1}', b'{"a":1.0}', b'{"a":NaN}', b"{", b"[" * 100000, b'{"a":%s}' % (b"9" * 5000), b"\xff"]
)
def test_text_that_is_not_canonical(raw: bytes) -> None:
    assert not is_canonical(raw)


def test_an_event_that_cannot_be_read_says_why() -> None:
    data = export_bytes(played(1, 2).history).replace(b'"fact":"CardPlayed"', b'"fact":"CardPlaced"', 1)
    (unread,) = [each for each in read_export(data).lines if each.unread]
    assert (unread.event, unread.withheld, unread.unread) == (None, False, "it names an unknown fact")
