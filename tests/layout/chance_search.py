"""Chance in tests: draws that the test's id doesn't seed (tests/chance.py), and pauses that wait for no condition.

python -m tests.layout.chance_search      print them all, also those that LISTED gives a reason for
"""

import ast
import re
import sys
from collections.abc import Iterator

from tests.layout.product import ROOT

LISTED: dict[str, str] = {}
"""Files and folders that may draw or pause, with the reason."""
NAMES = {"SystemRandom", "urandom"}
"""Sources of chance that nothing seeds."""
DRAWS = {"uuid1", "uuid4", "token_bytes", "token_hex", "token_urlsafe", "randbytes", "randbelow", "random"}
"""Functions that are seeded while a test runs, but not while its module is imported."""
CLOCKS = {"time", "time_ns"}
IN_TEXT = re.compile(r"\b(sleep\(|Random\(\)|(?:os|secrets)\.(?:SystemRandom|urandom))")
"""What a program that a test writes may not hold either."""
WORTH_PARSING = re.compile(
    rf"sleep\(|Random\(\)|SystemRandom|urandom|\btime\.time|^\S.*\b({'|'.join(sorted(DRAWS))})\(", re.MULTILINE
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
    if not isinstance(node, ast.Call):
        return None
    called = _name(node.func)
    if called == "sleep":
        return None if [ast.unparse(each) for each in node.args] == ["0"] else "sleep"  # 0 lets other tasks run
    if called == "Random" and not node.args:
        return "Random without a seed"
    if called in CLOCKS and isinstance(node.func, ast.Attribute) and _name(node.func.value) == "time":
        return "the time of day"
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
