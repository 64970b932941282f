"""The product's modules as data: their paths, and what each defines for others."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "api", "trickbook")


def modules(root: Path = ROOT) -> list[Path]:
    """Every Python file of the product packages, sorted."""
    return sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))


def public_definitions(source: str) -> Iterator[tuple[str, str, int]]:
    """Yield (kind, name, line) of each public class and function at the top of a module; kind is class or function."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield "class", node.name, node.lineno
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield "function", node.name, node.lineno


def words(kind: str) -> frozenset[str]:
    """The words of one kind in words.txt, in lower case."""
    lines = (ROOT / "tests" / "layout" / "words.txt").read_text(encoding="ascii").splitlines()
    return frozenset(word for line in lines if line.startswith(f"{kind}:") for word in line.split()[1:])
