"""Checks of the hash chain: leaves, links, root and size, and the header and trailer around them (cardlog/1)."""

from collections.abc import Iterator, Sequence

from domain.events import GameOpened
from domain.protocols.merkle_log import EMPTY_ROOT, leaf, roots
from replay.history import History, LogLine, players_in
from replay.history.findings import Finding


def check_log(history: History, known_roots: Sequence[str] = ()) -> list[Finding]:
    """Return the faults of the log of `history`, without the contents of its events.

    Each of `known_roots` (in hex, noted down earlier by someone) must be the root of the log at some size.
    """
    findings = list(history.faults)
    before, linked = [EMPTY_ROOT, *roots([line.leaf for line in history.lines])], True
    for place, line in enumerate(history.lines, 1):
        if line.version != place or line.event is None or line.event.version != place or not _has_leaf(line):
            findings += _check_line(line, place)
        if linked and line.prev != before[place - 1]:
            linked = False
            findings.append(Finding(line.version, "its link isn't the root of the events before it"))
    own_roots = {root.hex() for root in before[1:]} if known_roots else set()
    unknown = [root for root in known_roots if root not in own_roots]
    findings += [Finding(None, f"the log never had the root {root}, which was kept") for root in unknown]
    return [*findings, *_check_trailer(history, before[-1]), *_check_header(history)]


def _check_line(line: LogLine, place: int) -> Iterator[Finding]:
    if line.version != place:
        yield Finding(line.version, f"it is in place {place} of the log")
    if not _has_leaf(line):
        yield Finding(line.version, "its bytes were changed: their hash isn't its leaf")
    if line.event is not None and line.event.version != line.version:
        yield Finding(line.version, f"its bytes say that it is event {line.event.version}")


def _has_leaf(line: LogLine) -> bool:
    return line.raw is None or leaf(line.raw) == line.leaf


def _check_trailer(history: History, root: bytes) -> Iterator[Finding]:
    trailer, size = history.trailer, len(history.lines)
    if trailer is None:
        return
    if trailer.size != size:
        yield Finding(None, f"the trailer counts {trailer.size} events, but the file has {size}")
    if trailer.root != root.hex():
        yield Finding(None, "the trailer's root isn't the root of these events")


def _check_header(history: History) -> Iterator[Finding]:
    header, first = history.header, history.lines[0].event if history.lines else None
    if history.lines and history.lines[0].unread:
        return
    if first is None or not isinstance(first.data, GameOpened):
        yield Finding(None, "the log doesn't begin with the opening of a game")
        return
    if (header.game, header.board, header.variant) != (first.game, first.data.board, first.data.variant):
        yield Finding(None, "the header names another game, board or variant than the events")
    if not set(header.players) <= set(players_in(history.events)):
        yield Finding(None, "the header names a player who isn't in the game")
