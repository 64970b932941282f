"""Chance in tests: draws that no test's id seeds (tests/plugins/chance.py), and pauses that wait for no condition.

python -m tests.layout.chance_search      print them all, also those that LISTED gives a reason for
"""

import ast
import re
import sys
from collections.abc import Iterator

from tests.layout.product import ROOT

LISTED = {
    "tests/api/http/test_time_limits.py": "what it tests is time itself: a limit that ends a wait",
    "tests/api/http/test_wire.py": "sends a byte now and then, so that a connection is slow but never idle",
    "tests/api/ops/test_backup_refusals.py": "a program that writes slowly, so that a backup meets it",
    "tests/api/server/test_supervisor.py": "programs that hang or move slowly, so that a stop meets them",
    "tests/api/thread_server.py": "lets the event loop go on until the server listens",
    "tests/attacks/server/test_overload.py": "asks again after the 503 that it provokes",
    "tests/campaigns/": "long runs beside real programs, which print the seed of what they draw",
    "tests/plugins/chance.py": "seeds the functions that others draw from",
    "tests/docs/reader.py": "shortens the pauses of the shell's loops that a page shows",
    "tests/postgres.py": "asks until PostgreSQL answers, before pytest's helpers are imported",
    "tests/waiting.py": "is where tests wait for conditions",
}
"""Files and folders that may draw or pause, with the reason."""
NAMES = {"SystemRandom", "urandom"}
"""Sources of chance that nothing seeds."""
DRAWS = {"uuid1", "uuid4", "token_bytes", "token_hex", "token_urlsafe", "randbytes", "randbelow", "random"}
"""Functions that are seeded while a test runs, but not while its module is imported."""
CLOCKS = {"time", "time_ns", "monotonic", "monotonic_ns", "now", "perf_counter"}
"""Functions that make names which differ from run to run."""
IN_TEXT = re.compile(r"\b(sleep\(|Random\(\)|(?:os|secrets)\.(?:SystemRandom|urandom))")
"""Words that a program that a test writes may not hold either."""
WORTH_PARSING = re.compile(
    rf"sleep\(|Random\(\)|SystemRandom|urandom|\{{[^}}]*\b(?:time|now|monotonic)|^\S.*\b({'|'.join(sorted(DRAWS))})\(",
    re.MULTILINE,
)


def found_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the kind of each draw and pause in a module."""
    if WORTH_PARSING.search(source):
        yield from _found(ast.parse(source), imported=True)


def _found(node: ast.AST, *, imported: bool) -> Iterator[tuple[int, str]]:
    if (what := _what(node, imported)) is not None:
        yield getattr(node, "lineno", 0), what
    imported = imported and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in ast.iter_child_nodes(node):
        yield from _found(child, imported=imported)


def _what(node: ast.AST, imported: bool) -> str | None:
    """Return what a node draws or waits for, or None."""
    if isinstance(node, ast.Attribute | ast.Name):
        return _name(node) if _name(node) in NAMES else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = IN_TEXT.search(node.value)
        return None if match is None else f"{match[1].rstrip('()')} in a text"
    if isinstance(node, ast.JoinedStr):
        calls = (_name(each.func) for each in ast.walk(node) if isinstance(each, ast.Call))
        return "a name from the clock" if CLOCKS.intersection(calls) else None
    if not isinstance(node, ast.Call):
        return None
    called = _name(node.func)
    if called == "sleep":
        return None if [ast.unparse(each) for each in node.args] == ["0"] else "sleep"  # 0 lets other tasks run
    if called == "Random" and not node.args:
        return "Random without a seed"
    return f"{called} while the module is imported" if imported and called in DRAWS else None


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def findings() -> Iterator[tuple[str, int, str]]:
    """Yield the path, the line and the kind of each draw and pause below tests/."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for line, what in found_in(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(ROOT)), line, what


def listed(path: str) -> bool:
    """Return whether a file, or a folder above it, is in the list."""
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in LISTED)


if __name__ == "__main__":
    for path, line, what in findings():
        sys.stdout.write(f"{path}:{line}: {what}{' (listed)' if listed(path) else ''}\n")
