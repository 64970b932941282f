"""docs/events.md agrees with the code and is complete."""

from domain.commands import Command
from tests.generators.events_page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/events.md is not up to date: run make events"


def test_every_command_is_named_once_with_the_phases_that_allow_it() -> None:
    part = page().partition("## When each command is allowed")[2].partition("\n## ")[0]
    for command in Command.__args__:
        assert part.count(f"`{command.__name__}`") == 1, command
