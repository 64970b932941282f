"""docs/events.md says what the code says: all of it, and today's."""

from domain.commands import Command
from domain.events import FACTS
from domain.rules import Phase
from tests.events_page import CHOICES, PAGE, page


def test_the_page_is_the_one_the_code_would_write_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/events.md is not up to date: make events"


def test_every_fact_and_every_choice_has_a_section() -> None:
    headings = [line.removeprefix("### ") for line in page().splitlines() if line.startswith("### ")]
    for name in (*FACTS, *(choice.__name__ for choice in CHOICES if choice is not Phase)):
        assert headings.count(name) == 1, name


def test_every_command_has_a_row_that_says_when_it_is_heard() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `") and "yes |" in line]
    for command in Command.__args__:
        assert sum(row.startswith(f"| `{command.__name__}`") for row in rows) == 1, command


def test_secrets_are_said_to_be_seen_by_nobody_or_by_their_seat() -> None:
    sections = {part.split("\n", 1)[0]: part for part in page().split("\n### ")}
    assert "Seen by nobody, until" in sections["SeedKept"]
    assert "Seen by nobody, until" in sections["StockLaid"]
    assert "Seen by that seat;" in sections["CardsDealt"]
    assert "Seen by everybody." in sections["HandDealt"]
