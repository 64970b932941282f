"""The tutorial, run from the first block to the last in one shell beside a real server."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT
from tests.docs.reader import PATIENCE_S, compare, serving, steps, typed

PAGE = ROOT / "docs" / "tutorial.md"


@pytest.mark.timeout(PATIENCE_S + 60)
def test_every_block_runs_and_answers_as_the_page_says(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        printed = typed(PAGE, tmp_path, address)
    compare(PAGE, printed)


def test_it_shows_the_output_of_most_of_its_blocks() -> None:
    assert len([step for step in steps(PAGE) if step.answer]) >= 10


def test_it_needs_only_common_programs() -> None:
    commands = "\n".join(step.commands for step in steps(PAGE))
    assert not re.search(r"\bjq\b|\bhttp(ie|x)\b|\bwget\b", commands)
