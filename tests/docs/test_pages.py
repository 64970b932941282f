"""Rules for every page: its links lead somewhere, its lines fit a terminal, and decisions have their form."""

import re
from pathlib import Path

import pytest

from api import client
from api.cli.sources import interface
from api.http.problems import all_problem_types
from domain import commands, events, rejections, state
from domain.rules import model as rules
from tests.docs.markdown import BLOCK, ROOT, anchors, links, pages

PAGES = [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages()]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_place_in_it(page: Path) -> None:
    for link in links(page):
        if link.startswith(("http://", "https://")):
            continue
        path, _, place = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not place or place in anchors(target), f"{link} names no place there"


@pytest.mark.parametrize("page", PAGES)
def test_prose_is_wrapped(page: Path) -> None:
    lines = BLOCK.sub("", page.read_text(encoding="utf-8")).splitlines()
    assert max(len(line) for line in lines if not line.startswith("|")) <= 130


def test_decision_records_are_short_and_have_their_four_parts() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [record.name[:4] for record in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {record.name[:4]} "), record.name
        parts = [line for line in text.splitlines() if line.startswith("## ")]
        assert parts == ["## Status", "## Context", "## Decision", "## Consequences"], record.name
        assert len(text.splitlines()) <= 40, record.name


def test_every_decision_is_listed_with_its_title() -> None:
    listed = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    for record in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        number, _, title = record.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(" ")
        assert f"* [{number}](decisions/{record.name}) {title}\n" in listed, record.name


def _family(module: object) -> set[str]:
    return {name for name, each in vars(module).items() if isinstance(each, type)}


@pytest.mark.parametrize("page", PAGES)
def test_names_that_look_like_code_are_in_the_code(page: Path) -> None:
    named = set(re.findall(r"`([A-Z][a-z]+[A-Z]\w+)[`(.{]", page.read_text(encoding="utf-8")))
    assert named <= set().union(*map(_family, (client, commands, events, interface, rejections, rules, state)))


@pytest.mark.parametrize("page", PAGES)
def test_every_problem_type_on_a_page_exists(page: Path) -> None:
    named = set(re.findall(r"/problems/([a-z]+(?:-[a-z]+)*)", page.read_text(encoding="utf-8")))
    assert named <= set(all_problem_types())
