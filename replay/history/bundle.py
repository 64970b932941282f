"""Files of many games: whole exports one after another, as in a bulk export (docs/http.md).

    for each in split_exports(file):
        history = read_export(each)

An export begins at a header line and extends to the next one. Only one game at a time is in memory.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from replay.history import History, NotAnExport, read_export

EVENT_PREFIXES = (b'{"event":', b'{"leaf":')
HEADER_MARK = b'"format":'
MAX_LISTED_GAMES = 20
"""The most games that one message names."""


class ManyGames(ValueError):
    """The file holds several games, or not the one asked for; the message lists them."""


def is_header(line: bytes) -> bool:
    """Return whether a line is the first line of an export."""
    return HEADER_MARK in line and not line.startswith(EVENT_PREFIXES)


def split_exports(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the exports in a file's lines, with line ends. Lines before the first header are an export of their own."""
    held: list[bytes] = []
    for line in lines:
        if held and is_header(line):
            yield b"".join(held)
            held = []
        held.append(line)
    yield b"".join(held)


def read_one_export(lines: Iterable[bytes], game: str | None = None) -> History:
    """Return the history of `game` (a board number or an id), or of the file's only game if `game` is None.

    Raise ManyGames if `game` is needed or not in the file, and NotAnExport as `read_export` does.
    """
    exports = split_exports(lines)
    if game is None:
        first, second = next(exports), next(exports, None)
        if second is None:
            return read_export(first)
        own = [game_names(each)[:1] for each in chain((first, second), exports)]
        raise ManyGames(f"the file holds {len(own)} games; name one with --game: {_boards(own)}")
    called: list[tuple[str, ...]] = []
    for each in exports:
        own_names = game_names(each)
        if game in own_names:
            return read_export(each)
        called.append(own_names[:1])
    raise ManyGames(f"the file holds no game {game}; there are {_boards(called)}")


def game_names(export: bytes) -> tuple[str, ...]:
    """Return a game's board number and id; nothing if its first line isn't a valid header."""
    try:
        header = read_export(export[: export.find(b"\n") + 1]).header
    except NotAnExport:
        return ()
    return str(header.board), header.game


def _boards(called: list[tuple[str, ...]]) -> str:
    """Return the board numbers of the games for a message, at most MAX_LISTED_GAMES; skip unreadable games."""
    known = [name for names_of_one in called for name in names_of_one]
    return f"boards {', '.join(known[:MAX_LISTED_GAMES])}" + (", ..." if len(known) > MAX_LISTED_GAMES else "")
