"""Reading a rule sheet: its clauses and the cells of its tables."""

import re
from pathlib import Path

CLAUSE = re.compile(r'<a id="((?:R-)?[A-Z]\d+)"></a>')


def clauses(page: Path) -> dict[str, str]:
    """Return each clause's text on one line."""
    return {number: " ".join(text.split()) for number, text in lines(page).items()}


def lines(page: Path) -> dict[str, str]:
    """Return each clause's lines up to the next clause."""
    parts = CLAUSE.split(page.read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row in `text`, with heads and without rulers."""
    found = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in row] for row in found if not set("".join(row)) <= set("-")]


def numbers(table: list[list[str]], head: str) -> list[list[int]]:
    """Return the rows with the name `head` as numbers."""
    return [list(map(int, row[1:])) for row in table if row[0] == head]
