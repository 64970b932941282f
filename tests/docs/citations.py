"""Citations of documents, files, rule clauses and decision records, and whether they lead anywhere.

A citation in Python stands in a docstring or a comment. In Markdown, all text counts except code blocks; in other
files, all text counts. A document is cited by its path from the root of the repository. A page may also use a path
from its own folder.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.markdown import BLOCK, ROOT, anchors

FOLDERS = ("domain", "projections", "replay", "api", "trickbook", "tests", "bench", "docs", ".ci")
KINDS = {".py", ".md", ".js", ".mjs", ".html", ".toml", ".yml", ".yaml", ""}
MADE_UP = re.compile(r"cutthroat|tests/stored/v2|api/static/rules")
"""Names that docs/extending.md and docs/upgrades.md invent, and a folder that only wheels have."""
BY_NUMBER = re.compile(r"docs/decisions/[0-9]{4}")
"""A decision cited by its number alone."""
DOCUMENT = re.compile(r"(?<![\w.*/{}-])((?:\.{0,2}/)?[\w./-]*\w\.md)\b(?:#([\w-]+))?")
SOURCE = re.compile(rf"(?<![\w./$-])((?:{'|'.join(FOLDERS[:-1])})/[\w./-]*\w/?)(?![\w*{{<$])")
CLAUSE = re.compile(r"(?<![\w/-])(R-[STBCP][1-9][0-9]*|[STBC][1-9][0-9]*)(?![\w-])")
DECISION = re.compile(r"\bdecisions?[\s/]+\[?([0-9]{4})\b")


def cited_files() -> Iterator[Path]:
    """Every file whose citations must lead somewhere; `make docs` checks those of properdocs.yml."""
    for path in (*ROOT.iterdir(), *(each for folder in FOLDERS for each in (ROOT / folder).rglob("*"))):
        excepted = path.name == "properdocs.yml" or "__pycache__" in path.parts
        if path.is_file() and path.suffix in KINDS and not excepted:
            yield path


def prose(path: Path, text: str) -> str:
    """The part of a file that cites: docstrings and comments of Python, a page without its code blocks."""
    if path.suffix == ".py":
        return "\n".join((*_docstrings(text), *_comments(text)))
    return BLOCK.sub("", text) if path.suffix == ".md" else text


def _docstrings(source: str) -> Iterator[str]:
    """Return the docstrings, with those below attributes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def _comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@cache
def _anchors(page: Path) -> frozenset[str]:
    return frozenset(anchors(page))


@cache
def known_clauses() -> frozenset[str]:
    """The number of every clause and ruling in a sheet."""
    return frozenset(name for page in (ROOT / "docs" / "rules").glob("*.md") for name in anchors(page))


@cache
def known_decisions() -> frozenset[str]:
    """The number of every decision record."""
    return frozenset(record.name[:4] for record in (ROOT / "docs" / "decisions").glob("*.md"))


def dead_citations(path: Path, text: str) -> list[str]:
    """Return a sentence for each citation in a file that leads nowhere."""
    if not _dead(path, text):  # the usual case: no need to look for docstrings and comments
        return []
    return _dead(path, prose(path, text))


def _dead(path: Path, text: str) -> list[str]:
    dead = [sentence for name, place in DOCUMENT.findall(text) if (sentence := _dead_document(path, name, place))]
    dead += [f"{name} is no file" for name in SOURCE.findall(text) if _is_dead_source(name)]
    if path.suffix != ".toml":  # its rule codes look like clauses
        dead += [f"clause {name} is in no sheet" for name in CLAUSE.findall(text) if name not in known_clauses()]
    dead += [f"decision {name} has no record" for name in DECISION.findall(text) if name not in known_decisions()]
    return dead


def _is_dead_source(name: str) -> bool:
    """Tell whether a path to a file or folder of the project, other than a page, leads nowhere."""
    if name.endswith(".md") or MADE_UP.search(name) or BY_NUMBER.fullmatch(name):
        return False
    return not (ROOT / name).exists()


def _dead_document(path: Path, name: str, place: str) -> str | None:
    if MADE_UP.search(name):
        return None
    folder = {".md": path.parent, ".yml": ROOT / "docs"}.get(path.suffix, ROOT)  # properdocs.yml lists pages from docs/
    pages = (ROOT / name, folder / name)
    page = next((each for each in pages if each.is_file()), None)
    if page is None:
        return f"{name} is no file"
    return f"{name}#{place} has no such heading" if place and place not in _anchors(page) else None
