"""docs/events.md agrees with the code and is complete."""

from domain.commands import Command
from domain.events import FACTS
from domain.rules.choices import Phase
from tests.generators.events_page import CHOICES, PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/events.md is not up to date: run make events"


def test_every_fact_and_every_choice_has_a_section() -> None:
    headings = [line.removeprefix("### ") for line in page().splitlines() if line.startswith("### ")]
    for name in (*FACTS, *(choice.__name__ for choice in CHOICES if choice is not Phase)):
        assert headings.count(name) == 1, name


def test_every_command_has_a_row_with_the_phases_that_allow_it() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `") and "yes |" in line]
    for command in Command.__args__:
        assert sum(row.startswith(f"| `{command.__name__}`") for row in rows) == 1, command
