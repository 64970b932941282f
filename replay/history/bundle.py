"""Files of many games: whole exports one after another, as a bulk export has them (docs/http.md).

    for each in split(file):
        history = read(each)

An export begins at a line that is a header, and holds every line up to the next. No more than one game is in memory.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from replay.history import History, NotAnExport, read

EVENT_PREFIXES = (b'{"event":', b'{"leaf":')
HEADER_MARK = b'"format":'
MOST_LISTED = 20
"""Games named in a sentence, at most."""


class ManyGames(ValueError):
    """A file of several games where one is wanted; the sentence names them."""


def is_header(line: bytes) -> bool:
    """Whether a line is the first of an export."""
    return HEADER_MARK in line and not line.startswith(EVENT_PREFIXES)


def split_exports(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The exports in a file's lines, line ends with them. What stands before the first header is one of its own."""
    held: list[bytes] = []
    for line in lines:
        if held and is_header(line):
            yield b"".join(held)
            held = []
        held.append(line)
    yield b"".join(held)


def read_one(lines: Iterable[bytes], game: str | None = None) -> History:
    """The game of a file that is called so, by board number or id; its only game where none is named.

    ManyGames where one has to be named, or none is called so; NotAnExport as `read` does.
    """
    exports = split_exports(lines)
    if game is None:
        first, second = next(exports), next(exports, None)
        if second is None:
            return read(first)
        own = [game_names(each)[:1] for each in chain((first, second), exports)]
        raise ManyGames(f"the file holds {len(own)} games; name one with --game: {_boards(own)}")
    called: list[tuple[str, ...]] = []
    for each in exports:
        own_names = game_names(each)
        if game in own_names:
            return read(each)
        called.append(own_names[:1])
    raise ManyGames(f"the file holds no game {game}; there are {_boards(called)}")


def game_names(export: bytes) -> tuple[str, ...]:
    """What a game may be called: its board number and its id; nothing where its first line is no header."""
    try:
        header = read(export[: export.find(b"\n") + 1]).header
    except NotAnExport:
        return ()
    return str(header.board), header.game


def _boards(called: list[tuple[str, ...]]) -> str:
    """Their numbers, as many as a sentence takes; one that cannot be read has none."""
    known = [name for names_of_one in called for name in names_of_one]
    return f"boards {', '.join(known[:MOST_LISTED])}" + (", ..." if len(known) > MOST_LISTED else "")
