"""Rules for every page: its links lead somewhere, its lines fit a terminal, and decisions have their form."""

import re

from eventsourcing import postgres, projection

from api import client
from api.cli.sources import interface
from api.web.problems import all_problem_types
from domain import commands, events, rejections, state
from domain.rules import model as rules
from domain.store import application, log, recorder
from domain.store.shards import opening, subscription
from tests.docs.markdown import BLOCK, ROOT, anchors, links, pages

TEXTS = {page: page.read_text(encoding="utf-8") for page in pages()}


def test_every_link_leads_to_a_page_and_a_place_in_it() -> None:
    for page in TEXTS:
        for link in links(page):
            if link.startswith(("http://", "https://")):
                continue
            path, _, place = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page}: {link} leads nowhere"
            assert not place or place in anchors(target), f"{page}: {link} names no place there"


def test_prose_is_wrapped() -> None:
    for page, text in TEXTS.items():
        lines = BLOCK.sub("", text).splitlines()
        assert max(len(line) for line in lines if not line.startswith("|")) <= 130, page


def test_decision_records_are_few_and_short_and_have_their_four_parts() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [record.name[:4] for record in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    assert len(records) <= 45, "merge records about one subject, and drop those that no longer hold"
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {record.name[:4]} "), record.name
        parts = [line for line in text.splitlines() if line.startswith("## ")]
        assert parts == ["## Status", "## Context", "## Decision", "## Consequences"], record.name
        assert len(text.split()) <= 250, record.name
        assert len(text.splitlines()) <= 40, record.name


def test_every_decision_is_listed_with_its_title() -> None:
    listed = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    for record in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        number, _, title = record.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(" ")
        assert f"* [{number}](decisions/{record.name}) {title}\n" in listed, record.name


def _family(module: object) -> set[str]:
    return {name for name, each in vars(module).items() if isinstance(each, type)}


def test_names_that_look_like_code_are_in_the_code() -> None:
    ours = (client, commands, events, interface, recorder, rejections, rules, state)
    store = (application, log, opening, subscription)
    known = set().union(*map(_family, (*ours, *store, postgres, projection)))
    for page, text in TEXTS.items():
        assert set(re.findall(r"`([A-Z][a-z]+[A-Z]\w+)[`(.{]", text)) <= known, page


def test_every_problem_type_on_a_page_exists() -> None:
    for page, text in TEXTS.items():
        assert set(re.findall(r"/problems/([a-z]+(?:-[a-z]+)*)", text)) <= set(all_problem_types()), page
