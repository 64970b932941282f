"""docs/questions.md: its commands print what it says, and each of the twelve questions is a command and an address."""

import re

from api.cli.parser.catalog import COMMANDS
from tests.docs.markdown import ROOT
from tests.generators.questions_page import PAGE, with_current_output

ROUTES = (ROOT / "docs" / "http.md").read_text(encoding="utf-8").partition("\n## Routes\n")[2]


def test_every_command_prints_what_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_current_output(text) == text, "run python -m tests.generators.questions_page"


def test_each_question_has_a_command_an_address_and_an_example() -> None:
    parts = re.split(r"\n## (?=\d+\. )", PAGE.read_text(encoding="utf-8"))[1:]
    assert [int(part.partition(".")[0]) for part in parts] == list(range(1, 13))
    for part in parts:
        assert set(re.findall(r"^\$ trickbook (\w+ \w+)", part, re.MULTILINE)) <= set(COMMANDS)
        assert "\n$ trickbook " in part
        addresses = re.findall(r"`((?:GET|POST) /games/\{game\}[^`?]*)", part)
        assert addresses
        assert all(f"`{address}`" in ROUTES for address in addresses), part
