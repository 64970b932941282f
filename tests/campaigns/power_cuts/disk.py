"""The disk as it may be after a power cut: what was synced, and any part of what was not."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512
HEAD = struct.Struct("=cIQQ")


@dataclass(frozen=True)
class Operation:
    """One call: `w` writes data at an offset, `t` cuts a file to a size, `s` syncs it."""

    kind: str
    file: str
    offset: int
    data: bytes


def read_record(path: Path) -> Iterator[Operation]:
    """Yield the recorded operations in order."""
    with path.open("rb") as record:
        while head := record.read(HEAD.size):
            kind, length, offset, size = HEAD.unpack(head)
            name = record.read(length).decode()
            yield Operation(kind.decode(), name, offset, record.read(size))


def apply(content: bytearray, operation: Operation) -> None:
    """Make one change to the bytes of a file."""
    if operation.kind == "t":
        del content[operation.offset :]
        content.extend(bytes(operation.offset - len(content)))
        return
    end = operation.offset + len(operation.data)
    content.extend(bytes(max(0, operation.offset - len(content))))
    content[operation.offset : end] = operation.data


def sectors(operation: Operation) -> Iterator[Operation]:
    """Divide a write at the borders of sectors; leave anything else as it is."""
    if operation.kind != "w":
        yield operation
        return
    at, end = operation.offset, operation.offset + len(operation.data)
    while at < end:
        border = min(end, (at // SECTOR + 1) * SECTOR)
        part = operation.data[at - operation.offset : border - operation.offset]
        yield Operation("w", operation.file, at, part)
        at = border


@dataclass
class File:
    """A file: its synced bytes, and the changes since."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Operation] = field(default_factory=list)

    def change(self, operation: Operation) -> None:
        """Follow one operation."""
        if operation.kind != "s":
            self.pending.append(operation)
            return
        for each in self.pending:
            apply(self.durable, each)
        self.pending.clear()

    def after_cut(self, chance: Random) -> bytes:
        """Return the bytes after a cut: nothing unsynced, all of it, a beginning of it, or any of its sectors."""
        content, way = bytearray(self.durable), chance.randrange(4)
        kept = self.pending[: (0, len(self.pending), chance.randint(0, len(self.pending)))[min(way, 2)]]
        if way == 3:
            parts = [part for each in self.pending for part in sectors(each)]
            kept = [part for part in parts if chance.random() < 0.5]
        for each in kept:
            apply(content, each)
        return bytes(content)
