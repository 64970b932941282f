"""The parts of a SQLite file (sqlite.org/fileformat2.html): name the part in which a byte lies."""

from bisect import bisect
from dataclasses import dataclass, field

HEADER = (
    (0, "magic"),
    (16, "page size"),
    (18, "file format version for writing"),
    (19, "file format version for reading"),
    (20, "reserved bytes in a page"),
    (21, "fractions, always the same"),
    (24, "change counter"),
    (28, "pages in the file"),
    (32, "first free page"),
    (36, "number of free pages"),
    (40, "schema cookie"),
    (44, "schema format"),
    (48, "suggested cache size"),
    (52, "auto-vacuum"),
    (56, "text encoding"),
    (60, "user version"),
    (64, "incremental vacuum"),
    (68, "application id"),
    (72, "reserved"),
    (92, "version that the counter is valid for"),
    (96, "version of the library that wrote last"),
)
"""The first hundred bytes: where each field begins."""
KINDS = {2: "an index's inner page", 5: "a table's inner page", 10: "an index's leaf", 13: "a table's leaf"}


@dataclass
class Pages:
    """A file's pages and its free pages."""

    data: bytes
    free: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        trunk = self._number(32)
        while trunk:
            at = (trunk - 1) * self.size
            self.free[trunk] = "the list of free pages"
            for leaf in range(self._number(at + 4)):
                self.free[self._number(at + 8 + 4 * leaf)] = "a free page"
            trunk = self._number(at)

    @property
    def size(self) -> int:
        """Return the size of a page in bytes."""
        return int.from_bytes(self.data[16:18], "big")

    def _number(self, at: int) -> int:
        return int.from_bytes(self.data[at : at + 4], "big")

    def where(self, offset: int) -> str:
        """Return the name of the part that holds the byte at `offset`."""
        if offset < 100:
            return f"header: {HEADER[bisect([at for at, _ in HEADER], offset) - 1][1]}"
        page = offset // self.size + 1
        if page in self.free:
            return self.free[page]
        start = (page - 1) * self.size
        first = start + (100 if page == 1 else 0)
        kind = self.data[first]
        return f"{KINDS[kind]}: {self._within(start, first, offset)}" if kind in KINDS else "an overflow page"

    def _within(self, start: int, first: int, offset: int) -> str:
        """Return the part of a page: header, cell pointers, unused room, or the cells with their gaps."""
        header = first + (12 if self.data[first] in (2, 5) else 8)
        pointers = header + 2 * int.from_bytes(self.data[first + 3 : first + 5], "big")
        content = start + (int.from_bytes(self.data[first + 5 : first + 7], "big") or 65536)
        if offset < header:
            return "its header"
        if offset < pointers:
            return "pointers to cells"
        return "unused room" if offset < content else "cells"
