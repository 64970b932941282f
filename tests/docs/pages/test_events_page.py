"""docs/events.md agrees with the code and is complete."""

from domain.commands import Command
from tests.generators.events_page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/events.md is not up to date: run make events"


def test_every_command_has_a_row_with_the_phases_that_allow_it() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `") and "yes |" in line]
    for command in Command.__args__:
        assert sum(row.startswith(f"| `{command.__name__}`") for row in rows) == 1, command
