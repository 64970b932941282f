"""docs/questions.md: its commands print what it says, and each of the twelve questions is a command and an address."""

import re

from api.cli.parser.catalog import COMMANDS
from tests.docs.markdown import ROOT, anchors
from tests.generators.questions_page import PAGE, with_current_output

INDEX = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8").split("## Questions you can ask")[1].split("\n## ")[0]
ROUTES = (ROOT / "docs" / "http.md").read_text(encoding="utf-8").partition("\n## Routes\n")[2]


def test_every_command_prints_what_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_current_output(text) == text, "run python -m tests.generators.questions_page"


def test_each_question_has_a_command_an_address_and_an_example() -> None:
    rows = [row for row in INDEX.splitlines() if re.match(r"\| \d+ \[", row)]
    assert [int(row.split()[1]) for row in rows] == list(range(1, 13))
    for row in rows:
        _, question, commands, addresses, _ = row.split("|")
        assert re.findall(r"questions\.md#([\w-]+)", question)[0] in anchors(PAGE)
        assert set(re.findall(r"`trickbook (\w+ \w+)", commands)) <= set(COMMANDS)
        for address in re.findall(r"`(?:POST )?(/[^`?]*)", addresses):
            assert f"/games/{{game}}{address}`" in ROUTES, address
        number = question.split()[0]
        part = PAGE.read_text(encoding="utf-8").split(f"\n## {number}. ")[1].split("\n## ")[0]
        assert "$ trickbook " in part
