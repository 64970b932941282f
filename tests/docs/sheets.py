"""Reading a rule sheet: its clauses and the cells of its tables."""

import re
from pathlib import Path

CLAUSE = re.compile(r'<a id="((?:R-)?[A-Z]\d+)"></a>')


def clauses(page: Path) -> dict[str, str]:
    """Each clause's own words, on one line."""
    return {number: " ".join(text.split()) for number, text in lines(page).items()}


def lines(page: Path) -> dict[str, str]:
    """Each clause as it stands on the page, to the next one."""
    parts = CLAUSE.split(page.read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """The cells of every table row in `text`, heads included and rulers left out."""
    found = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in row] for row in found if not set("".join(row)) <= set("-")]


def numbers(table: list[list[str]], head: str) -> list[list[int]]:
    """The rows called `head`, as numbers."""
    return [list(map(int, row[1:])) for row in table if row[0] == head]
