"""Lines and columns of text, safe to print on a terminal, and names in place of the numbers of seats."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from domain.events import GameOpened, SeatHandedOver, SeatReturned, SeatsDrawn
from replay.history import History

WIDTH = 78
INDENT = "    "


def sanitize(text: str) -> str:
    """Return `text` with each unprintable character, such as a control code, replaced by �."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def fold_text(text: str) -> str:
    """Return a text whose lines have at most 78 characters; what is longer goes on in the next line, indented."""
    return "\n".join(folded for line in text.split("\n") for folded in _fold(sanitize(line).rstrip()))


def _fold(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    start = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line.strip(), WIDTH, initial_indent=start, subsequent_indent=start + INDENT) or [""]


def columns(rows: Iterable[Sequence[object]], right: Iterable[int] = ()) -> list[str]:
    """Return rows of cells as lines, with two spaces between columns; `right` are columns of numbers."""
    cells = [["" if each is None else sanitize(str(each)) for each in row] for row in rows]
    if not cells:
        return []
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    numbers = set(right)
    return [
        "  ".join(
            cell.rjust(width) if place in numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def minute_of(time: str) -> str:
    """Return a time of RFC 3339 to the minute: "2026-11-27 07:30"."""
    return time[:16].replace("T", " ")


def in_words(items: Sequence[str]) -> str:
    """Return a list in words: "ann, bob and cat"."""
    return " and ".join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else "".join(items)


SEATS = re.compile(r"\b[Ss]eats? (\d{1,2}(?:(?:, | and )\d{1,2})*)\b")
NUMBER = re.compile(r"\d+")


def names_by_seat(history: History) -> dict[int, str]:
    """Return what to call each seat: its player, or "seat 2 (cat)" if the name alone could be somebody else's."""
    players, lent = list[str](), set[int]()
    for event in history.events:
        match event.data:
            case GameOpened(players=seated):
                players = [each.player for each in seated]
            case SeatsDrawn(order=order) if set(order) <= set(range(len(players))):
                players = [players[index] for index in order]
            case SeatHandedOver(seat=seat, to=to) | SeatReturned(seat=seat, to=to) if 0 <= seat < len(players):
                players[seat] = to
                lent.add(seat)
    names = [sanitize(history.header.players.get(player, player)) for player in players]
    seats_of = Counter(names)
    unclear = lent | {seat for seat, name in enumerate(names) if seats_of[name] > 1}
    return {seat: f"seat {seat} ({name})" if seat in unclear else name for seat, name in enumerate(names)}


def say_names(text: str, who: Mapping[int, str]) -> str:
    """Return a sentence with the names in place of "seat 2", or of "seats 0 and 2"."""
    return SEATS.sub(lambda match: NUMBER.sub(lambda seat: who.get(int(seat[0]), match[0]), match[1]), text)
