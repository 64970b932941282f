"""Files of many games: whole exports one after another, as a bulk export has them (docs/http.md).

    for each in split(file):
        history = read(each)

An export begins at a line that is a header, and holds every line up to the next. No more than one game is in memory.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from replay.history import History, NotAnExport, read

EVENTS = (b'{"event":', b'{"leaf":')
MARK = b'"format":'
LISTED = 20
"""Games named in a sentence, at most."""


class ManyGames(ValueError):
    """A file of several games where one is wanted; the sentence names them."""


def begins(line: bytes) -> bool:
    """Whether a line is the first of an export."""
    return MARK in line and not line.startswith(EVENTS)


def split(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The exports in a file's lines, line ends with them. What stands before the first header is one of its own."""
    held: list[bytes] = []
    for line in lines:
        if held and begins(line):
            yield b"".join(held)
            held = []
        held.append(line)
    yield b"".join(held)


def only(lines: Iterable[bytes], game: str | None = None) -> History:
    """The game of a file that is called so, by board number or id; its only game where none is named.

    ManyGames where one has to be named, or none is called so; NotAnExport as `read` does.
    """
    exports = split(lines)
    if game is None:
        first, second = next(exports), next(exports, None)
        if second is None:
            return read(first)
        raise ManyGames(_which([board for each in chain((first, second), exports) for board in names(each)[:1]], None))
    called: list[str] = []
    for each in exports:
        own = names(each)
        if game in own:
            return read(each)
        called += own[:1]
    raise ManyGames(_which(called, game))


def names(export: bytes) -> tuple[str, ...]:
    """What a game may be called: its board number and its id; nothing where its first line is no header."""
    try:
        header = read(export[: export.find(b"\n") + 1]).header
    except NotAnExport:
        return ()
    return str(header.board), header.game


def _which(called: list[str], game: str | None) -> str:
    boards = ", ".join(called[:LISTED]) + (", ..." if len(called) > LISTED else "")
    if game is None:
        return f"the file holds {len(called)} games; name one with --game: board {boards}"
    return f"the file holds no game {game}; there are boards {boards}"
