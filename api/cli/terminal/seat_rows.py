"""The seats of a table as rows: who is awaited, names, scores, bids, tricks, cards, and who deals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.cli.terminal.fragments import Line, cut_line, line_width, pad_line, text_fragment
from api.commands.text.board import bid_text, seat_notes

NARROW = 60
"""Below that many columns, headings and notes are short."""
HEADS = ("score", "bid", "tricks", "cards")
SHORT_HEADS = ("pts", "bid", "trk", "crd")
LEAST_NAME, LONGEST_NAME = 4, 24
NOTES_WIDTH = 4
View = Mapping[str, Any]


def seat_rows(view: View, who: Mapping[int, str], width: int) -> Iterator[Line]:
    """Yield the headings and a row for each seat, with > before those for whom the table waits."""
    heads = SHORT_HEADS if width < NARROW else HEADS
    cells = [_cells(view, each) for each in view["seats"]]
    sizes = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    room = width - 2 - line_width([_numbers(heads, sizes)]) - NOTES_WIDTH
    longest = max(line_width([text_fragment(name)]) for name in who.values())
    size = max(min(longest, LONGEST_NAME, room), LEAST_NAME)
    yield [("", "  " + " " * size), _numbers(heads, sizes)]
    own = None if view.get("you") is None else view["you"]["seat"]
    for each, row in zip(view["seats"], cells, strict=True):
        seat = each["seat"]
        style = "class:own" if seat == own else ""
        name = pad_line(cut_line([text_fragment(who[seat], style)], size), size)
        mark = "> " if seat in view["turn"]["seats"] else "  "
        notes = _notes(view, each, is_short=width < NARROW)
        yield [("class:own-turn", mark), *name, _numbers(row, sizes), text_fragment(notes)]


def _cells(view: View, sitting: View) -> list[str]:
    numbers = (sitting["score"], bid_text(view["hand"], sitting["seat"]), sitting["tricks"], sitting["count"])
    return ["" if each is None else str(each) for each in numbers]


def _numbers(row: Sequence[str], sizes: Sequence[int]) -> tuple[str, str]:
    return text_fragment("".join(f"  {cell:>{size}}" for cell, size in zip(row, sizes, strict=True)))


def _notes(view: View, sitting: View, *, is_short: bool) -> str:
    """Return "  dealer, pitcher", or in short "  DP"."""
    notes = seat_notes(view, sitting)
    if is_short:
        notes = "".join(note[0].upper() for note in notes.split(", ") if note)
    return f"  {notes}" if notes else ""
