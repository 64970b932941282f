"""What holds of every page: its links lead somewhere, it can be read in a terminal, and decisions have their form."""

from pathlib import Path

import pytest

from tests.docs.markdown import BLOCK, ROOT, anchors, links, pages

PAGES = [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages()]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_place_in_it(page: Path) -> None:
    for link in links(page):
        if link.startswith("http"):
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
