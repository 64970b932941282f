"""Change a history: a value in an event, with the old hashes or with recomputed ones."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from domain.protocols.merkle_log import EMPTY, canonical, leaf
from replay.history import History, line_bytes, read_export, trailer_of, write_export

Path = tuple[str | int, ...]


def leaves_of(value: Any, at: Path = ()) -> Iterator[Path]:
    """Yield the path of each scalar in a JSON value, and of each empty list and object."""
    if isinstance(value, dict) and value:
        for name in value:
            yield from leaves_of(value[name], (*at, name))
    elif isinstance(value, list) and value:
        for place, each in enumerate(value):
            yield from leaves_of(each, (*at, place))
    else:
        yield at


def other(value: Any) -> Any:
    """Return another, plausible value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("B" if value[:1] == "A" else "A") + value[1:] if value else "A"
    if value is None:
        return 0
    return [0] if isinstance(value, list) else {"0": "0"}


def put(value: Any, at: Path, change: Callable[[Any], Any]) -> Any:
    """Return `value` with the value at path `at` changed."""
    if not at:
        return change(value)
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    copy[at[0]] = put(copy[at[0]], at[1:], change)
    return copy


def texts(history: History) -> list[bytes]:
    """Return the events' lines."""
    return [line_bytes(line) for line in history.lines]


def event_of(line: bytes) -> dict[str, Any]:
    """Return the event in a line."""
    event: dict[str, Any] = json.loads(line)["event"]
    return event


def with_lines(history: History, lines: list[bytes]) -> bytes:
    """Return the export with other lines and its old trailer."""
    return b"".join(write_export(history.header, lines, history.trailer or trailer_of([])))


def forged(history: History, change: Callable[[dict[str, Any]], Any]) -> History:
    """Apply `change`, which may change an event in place, to every shown event. Recompute all hashes."""
    frontier, lines = EMPTY, []
    for line in texts(history):
        written = json.loads(line)
        if "event" in written:
            change(written["event"])
            raw = canonical(written["event"])
            own = leaf(raw)
        else:
            raw, own = None, bytes.fromhex(written["leaf"])
        shown = b"" if raw is None else b'"event":%b,' % raw
        hashes = own.hex().encode(), frontier.root().hex().encode()
        lines.append(b'{%b"leaf":"%b","prev":"%b","version":%d}' % (shown, *hashes, written["version"]))
        frontier = frontier.append(own)
    leaves = [bytes.fromhex(json.loads(line)["leaf"]) for line in lines]
    return read_export(b"".join(write_export(history.header, lines, trailer_of(leaves))))


def in_each(fact: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], None]:
    """Return a change to every event with that fact."""
    return lambda event: change(event) if event["fact"] == fact else None


def in_event(version: int, change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], None]:
    """Return a change to the event of that version."""
    return lambda event: change(event) if event["version"] == version else None


def with_data(history: History, version: int, **fields: Any) -> History:
    """Return the history with other fields in the fact of one event, and all hashes recomputed."""
    return forged(history, in_event(version, lambda event: event["data"].update(fields)))


def with_event(history: History, version: int, **fields: Any) -> History:
    """Return the history with other fields of one event, and all hashes recomputed."""
    return forged(history, in_event(version, lambda event: event.update(fields)))


def version_of(history: History, fact: str, n: int = 0) -> int:
    """Return the version of the n-th event with that fact."""
    return [event.version for event in history.events if event.fact == fact][n]


def rewritten(history: History, events: Sequence[dict[str, Any]]) -> History:
    """Return a history of other events, with new numbers and hashes."""
    frontier, lines = EMPTY, []
    for version, event in enumerate(events, 1):
        raw = canonical({**event, "version": version})
        own = leaf(raw)
        hashes = raw, own.hex().encode(), frontier.root().hex().encode(), version
        lines.append(b'{"event":%b,"leaf":"%b","prev":"%b","version":%d}' % hashes)
        frontier = frontier.append(own)
    leaves = [bytes.fromhex(json.loads(line)["leaf"]) for line in lines]
    return read_export(b"".join(write_export(history.header, lines, trailer_of(leaves))))


def events_of(history: History) -> list[dict[str, Any]]:
    """Return all events of a history without withheld lines, as JSON values."""
    return [event_of(line) for line in texts(history)]
