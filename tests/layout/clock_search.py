"""Readers of the time in the product: everything asks the server's held clock, except what a list gives a reason for.

Libraries that ask the machine's clock are found by the names by which the product uses them, and the JavaScript of the
pages by what it asks of `Date`.

python -m tests.layout.clock_search      print them all, also those that LISTED gives a reason for
"""

import ast
import re
import sys
from collections.abc import Iterator

from tests.layout.product import ROOT

PACKAGES = ("api", "domain", "projections", "replay", "trickbook")
LISTED = {
    "domain/store/held_clock.py machine_time": "is where the machine's clock is read",
    "domain/store/held_clock.py steady_time": "counts since some moment and can't be set",
    "domain/store/held_clock.py utc_now": "is the clock of tools and tests, which have no server",
    "domain/store/games.py Games.__init__": "is the clock of tools and tests; a server passes its own",
    "projections/storage/": "is the clock of tools and tests; `open_accounts` and `open_services` pass the server's",
    "api/clock/": "is the held clock itself, and compares the machine's clock with others",
    "api/container.py open_games": "opens a copy to read or check it, and nothing ends by its time",
    "api/container.py _node_clock": "nodes compare what they wrote by the clock of their PostgreSQL; a"
    " jump of it hides a node that runs until it has written again, seconds later",
    "api/accounts/accounts.py open_accounts": "is replaced by the held clock as soon as the tables of holds are there",
    "api/accounts/accounts.py open_clock": "is the second clock that the held one compares with",
    "api/limits.py LimitStorage.ask": "counts in memory while the database of limits fails; a jump then"
    " forgets counts, or lets an address wait as long as that fails",
    "api/web/cookies.py set_cookie": "werkzeug adds Expires, but Max-Age counts for browsers (RFC 6265, 5.3)",
    "api/people/routes/": "sets that cookie",
    "api/mail/services/relay.py": "TLS checks certificates by the machine's clock: a mail goes again later",
    "api/inbox/services/guarded_post.py": "TLS checks certificates by the machine's clock: a message goes again later",
    "api/limits.py": "is the clock of tests; `open_services` passes the server's",
    "api/monitoring/logs.py _format_second": "a line of the log names the machine's time, so that it fits other logs",
    "api/evidence/services/witness.py WitnessServer": "passes the machine's clock to one that is held",
    "api/cli/evidence/witness.py cosign": "one signature by a person at the keyboard: no clock ran before",
    "api/cli/store/doubts.py": "shows the machine's clock, and takes a host's word for it",
    "api/cli/terminal/": "shows a player how much time is left, on the player's machine",
    "api/ops/backup/": "names the moment of a backup or a restore; nothing ends by it",
    "api/ops/doctor.py": "compares the machine's clock with others, and with the times of files",
}
"""Readers that may ask another clock, with the reason: folders, files, or a file and a function."""
MODULE_CLOCKS = {"time", "time_ns", "clock_gettime", "clock_gettime_ns", "gmtime", "localtime", "ctime", "asctime"}
"""Functions of the module `time` that tell what time it is; those that count since some moment can't be set."""
CLASS_CLOCKS = {"now", "utcnow", "today"}
"""Functions of `datetime` and `date`."""
CLASSES = {"datetime", "date"}
NAMES = {
    "machine_time", "utc_now", "database_time", "formatdate", "localtime", "make_msgid", "uuid1", "uuid6", "uuid7",
    "st_mtime", "st_ctime", "st_atime", "st_mtime_ns", "st_ctime_ns", "getmtime", "getctime",
}  # fmt: skip
"""Other functions and attributes that tell the time."""
IN_LIBRARIES = {
    "MemoryStorage", "get_window_stats", "set_cookie", "dump_cookie", "send_file", "send_from_directory",
    "TimedRotatingFileHandler", "URLSafeTimedSerializer", "TimestampSigner", "create_default_context", "starttls",
    "SMTP_SSL", "set_to_current_time", "ZipFile", "GzipFile",
}  # fmt: skip
"""Functions and classes of libraries that ask the machine's clock themselves."""
IN_SQL = re.compile(
    r"CURRENT_(?:TIMESTAMP|TIME|DATE)|LOCALTIMESTAMP|\b(?:now|clock_timestamp|statement_timestamp|timeofday"
    r"|transaction_timestamp|unixepoch|julianday)\(|\b(?:date|time|datetime)\(\)|'now'",
    re.IGNORECASE,
)
"""Words that ask a database's clock."""
WORTH_PARSING = re.compile(
    rf"\btime\.(?:{'|'.join(MODULE_CLOCKS)})\b|from time import|\bdate(?:time)?\.(?:{'|'.join(CLASS_CLOCKS)})\b"
    rf"|\b(?:time|date|datetime) as\b|\b(?:{'|'.join(NAMES | IN_LIBRARIES)})\b|{IN_SQL.pattern}",
    re.IGNORECASE,
)
"""Words that a module with a reader holds somewhere."""


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
    if isinstance(node, ast.alias):  # under another name, this search wouldn't see what it's asked
        return f"{node.name} as {node.asname}" if node.asname and node.name in {"time", *CLASSES} else None
    if isinstance(node, ast.Attribute):
        of = node.value
        owner = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
        asks = (owner == "time" and node.attr in MODULE_CLOCKS) or (owner in CLASSES and node.attr in CLASS_CLOCKS)
        return f"{owner}.{node.attr}" if asks else node.attr if node.attr in NAMES | IN_LIBRARIES else None
    if isinstance(node, ast.Name):
        return node.id if node.id in NAMES | IN_LIBRARIES else None
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


PAGES = ROOT / "api" / "static"
IN_PAGES = re.compile(r"\bDate\.now\(|\bnew Date\(\)")
"""Words that ask the clock of the browser's machine."""
LISTED_PAGES = {
    "base/messages.js": "says how long ago something was, in words",
    "base/leader.js": "counts the sleep of a browser, too: at worst a tab asks again, or its stream stays open",
    "base/stream.js": "notices that a browser slept: at worst streams are opened again",
    "live/game.js": "counts by the server's header Date, which is by its held clock; the server judges deadlines",
    "live/cuts.js": "shows a player when they sent a cut",
    "audit/progress.js": "says for how long a player has waited",
    "pages/presets.js": "fills in the end of an evening, in a field that the player sees",
    "score/standings-page.js": "lists months to choose from",
}
"""Readers in pages that may ask the browser's clock, with the reason. No deadline ends on a page."""


def findings_in_pages() -> Iterator[tuple[str, int]]:
    """Yield the path and the line of each reader of the time in the JavaScript of the pages."""
    for path in sorted(PAGES.rglob("*.js")):
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if IN_PAGES.search(text):
                yield str(path.relative_to(PAGES)), line


if __name__ == "__main__":
    for place, line, what in findings():
        sys.stdout.write(f"{place}:{line}: {what}{' (listed)' if listed(place) else ''}\n")
    for place, line in findings_in_pages():
        sys.stdout.write(f"{place}:{line}{' (listed)' if place in LISTED_PAGES else ''}\n")
