"""Readers of the time in the product: everything asks the server's held clock, except what a list gives a reason for.

python -m tests.layout.clock_search      print them all, also those that LISTED gives a reason for
"""

import ast
import re
import sys
from collections.abc import Iterator

from tests.layout.product import ROOT

PACKAGES = ("api", "domain", "projections", "replay")
LISTED = {
    "domain/store/held_clock.py machine_time": "is where the machine's clock is read",
    "domain/store/held_clock.py utc_now": "is the clock of tools and tests, which have no server",
    "domain/store/games.py Games.__init__": "is the clock of tools and tests; a server passes its own",
    "projections/storage/": "is the clock of tools and tests; `open_accounts` and `open_services` pass the server's",
    "api/accounts/clock/": "is the held clock itself, and compares the machine's clock with others",
    "api/services/container.py open_games": "opens a copy to read or check it, and nothing ends by its time",
    "api/services/limit_storage.py": "is the clock of tests; `open_services` passes the server's",
    "api/services/logs.py _format_second": "a line of the log names the machine's time, so that it fits other logs",
    "api/receipts/witness_server.py WitnessServer": "passes the machine's clock to one that is held",
    "api/cli/witness.py cosign": "one signature by a person at the keyboard: no clock ran before",
    "api/cli/store/server_clock.py": "shows the machine's clock, and takes a host's word for it",
    "api/cli/terminal/": "shows a player how much time is left, on the player's machine",
    "api/ops/backup/": "names the moment of a backup or a restore; nothing ends by it",
    "api/ops/doctor/": "compares the machine's clock with others, and with the times of files",
}
"""Readers that may ask another clock, with the reason: folders, files, or a file and a function."""
MODULE_CLOCKS = {"time", "time_ns", "clock_gettime", "clock_gettime_ns", "gmtime", "localtime", "ctime", "asctime"}
"""Functions of the module `time` that tell what time it is; those that count since some moment can't be set."""
CLASS_CLOCKS = {"now", "utcnow", "today"}
"""Functions of `datetime` and `date`."""
CLASSES = {"datetime", "date"}
NAMES = {"machine_time", "utc_now", "formatdate", "make_msgid", "uuid1", "st_mtime", "st_ctime", "st_atime"}
"""Other functions and attributes that tell the time."""
IN_SQL = re.compile(
    r"CURRENT_(?:TIMESTAMP|TIME|DATE)|\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|unixepoch"
    r"|julianday)\(|'now'",
    re.IGNORECASE,
)
"""What asks a database's clock."""
WORTH_PARSING = re.compile(
    rf"\btime\.(?:{'|'.join(MODULE_CLOCKS)})\b|from time import|\bdate(?:time)?\.(?:{'|'.join(CLASS_CLOCKS)})\b"
    rf"|\b(?:{'|'.join(NAMES)})\b|{IN_SQL.pattern}",
    re.IGNORECASE,
)
"""What a module with a reader holds somewhere."""


def found_in(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the function and the name of each reader of the time in a module."""
    if not WORTH_PARSING.search(source):
        return
    tree = ast.parse(source)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    yield from _found(tree, docs, "")


def _found(node: ast.AST, docs: set[int], function: str) -> Iterator[tuple[int, str, str]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}" if function else node.name
    what = None if id(node) in docs else _what(node)
    if what is not None:
        yield getattr(node, "lineno", 0), function, what
    for child in ast.iter_child_nodes(node):
        yield from _found(child, docs, function)


def _what(node: ast.AST) -> str | None:
    if isinstance(node, ast.ImportFrom) and node.module == "time":
        return next((f"time.{each.name}" for each in node.names if each.name in MODULE_CLOCKS), None)
    if isinstance(node, ast.Attribute):
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        asks = (owner == "time" and node.attr in MODULE_CLOCKS) or (owner in CLASSES and node.attr in CLASS_CLOCKS)
        return f"{owner}.{node.attr}" if asks else node.attr if node.attr in NAMES else None
    if isinstance(node, ast.Name):
        return node.id if node.id in NAMES else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = IN_SQL.search(node.value)
        return None if match is None else f"{match[0]} in SQL"
    return None


def findings() -> Iterator[tuple[str, int, str]]:
    """Yield the path with the function, the line and the name of each reader of the time in the product."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for line, function, what in found_in(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)} {function}".rstrip(), line, what


def listed(place: str) -> bool:
    """Return whether a reader, or its file or folder, is in the list."""
    return any(place == each or place.startswith(each if each.endswith("/") else (f"{each} ", f"{each}."))
               for each in LISTED)  # fmt: skip


if __name__ == "__main__":
    for place, line, what in findings():
        sys.stdout.write(f"{place}:{line}: {what}{' (listed)' if listed(place) else ''}\n")
