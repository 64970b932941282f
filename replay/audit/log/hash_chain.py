"""The log as a transparency log: leaves, links, root and size, and the lines around them (cardlog/1)."""

from collections.abc import Iterator, Sequence

from domain.events import GameOpened
from domain.protocols.merkle_log import EMPTY_ROOT, leaf, roots
from replay.history import History, LogLine
from replay.history.findings import Finding


def check_log(history: History, kept: Sequence[str] = ()) -> list[Finding]:
    """What is wrong with the log of `history`, the events' contents aside.

    `kept` are roots, in hex, that somebody has kept of this game: each must be the root at some size of the log.
    """
    found = list(history.faults)
    before, linked = [EMPTY_ROOT, *roots(line.leaf for line in history.lines)], True
    for place, line in enumerate(history.lines, 1):
        found += _line(line, place)
        if linked and line.prev != before[place - 1]:
            linked = False
            found.append(Finding(line.version, "its link is not the root of the events before it"))
    had = {root.hex() for root in before[1:]} if kept else set()
    found += [Finding(None, f"the log never had the root {root}, which was kept") for root in kept if root not in had]
    return [*found, *_trailer(history, before[-1]), *_header(history)]


def _line(line: LogLine, place: int) -> Iterator[Finding]:
    if line.version != place:
        yield Finding(line.version, f"it stands in place {place} of the log")
    if line.raw is not None and leaf(line.raw) != line.leaf:
        yield Finding(line.version, "its bytes have been changed: they do not hash to its leaf")
    if line.event is not None and line.event.version != line.version:
        yield Finding(line.version, f"its bytes say that it is event {line.event.version}")


def _trailer(history: History, root: bytes) -> Iterator[Finding]:
    trailer, size = history.trailer, len(history.lines)
    if trailer is None:
        return
    if trailer.size != size:
        yield Finding(None, f"the trailer counts {trailer.size} events where the file has {size}")
    if trailer.root != root.hex():
        yield Finding(None, "the trailer's root is not the root of these events")


def _header(history: History) -> Iterator[Finding]:
    header, first = history.header, history.lines[0].event if history.lines else None
    if history.lines and history.lines[0].unread:
        return
    if first is None or not isinstance(first.data, GameOpened):
        yield Finding(None, "the log does not begin with the opening of a game")
        return
    if (header.game, header.board, header.variant) != (first.game, first.data.board, first.data.variant):
        yield Finding(None, "the header names another game, board or variant than the events")
    if not set(header.players) <= {player.player for player in first.data.players}:
        yield Finding(None, "the header names a player who is not in the game")
