"""docs/adding-a-variant.md: its Python is run from the first block to the last, and its fifth game is a game."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import fields
from enum import EnumType, StrEnum
from pathlib import Path
from typing import Any

import pytest

from api import create_app
from api.config import NO_LIMITS, Config
from domain import choices
from domain.catalogue import VARIANTS
from domain.choices import Phase
from domain.rules import Auction, Changes, Rules
from tests.api.conftest import Caller, services_of
from tests.docs.markdown import ROOT, Block, blocks

PAGE = ROOT / "docs" / "adding-a-variant.md"
STEPS = [block for block in blocks(PAGE) if block.language in ("python", "text")]


def run(steps: list[Block]) -> dict[str, Any]:
    """What the page's Python leaves behind; each block has to print what stands in the text below it, if any does."""
    names: dict[str, Any] = {"__name__": "adding_a_variant"}
    for number, step in enumerate(steps):
        if step.language == "python":
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(compile(step.text, f"{PAGE.name}, block {number}", "exec"), names)
            after = steps[number + 1] if number + 1 < len(steps) else None
            assert printed.getvalue() == (after.text if after is not None and after.language == "text" else "")
    return names


@contextmanager
def as_it_was() -> Iterator[None]:
    """Whatever is added to the catalogue meanwhile is taken out of it again."""
    before = dict(VARIANTS)
    try:
        yield
    finally:
        VARIANTS.clear()
        VARIANTS.update(before)


@pytest.fixture(scope="module")
def page() -> Iterator[dict[str, Any]]:
    """The page run once, and the variant it adds in the catalogue."""
    with as_it_was():
        yield run(STEPS)


TESTS = re.findall(r"^def (test_\w+)\(", "".join(step.text for step in STEPS), re.MULTILINE)


def test_every_block_runs_and_prints_what_the_page_says(page: dict[str, Any]) -> None:
    assert page["CUTTHROAT"].variant == "cutthroat"
    assert VARIANTS["cutthroat"] is page["VARIANT"]
    assert sum(step.language == "text" for step in STEPS) >= 4


@pytest.mark.parametrize("name", TESTS)
def test_the_page_s_own_test_passes(page: dict[str, Any], name: str) -> None:
    page[name]()


def test_each_clause_of_its_sheet_has_one_of_them() -> None:
    (sheet,) = (block.text for block in blocks(PAGE, "markdown") if "**K1**" in block.text)
    numbers = re.findall(r"^\* \*\*((?:R-)?K\d+)\*\* \S", sheet, re.MULTILINE)
    assert numbers == [*(f"K{n}" for n in range(1, 9)), *(f"R-K{n}" for n in range(1, 4))]
    named = {found.replace("_", "-") for name in TESTS for found in re.findall(r"(?<=_)((?:R_)?K\d+)(?=_)", name)}
    assert named == set(numbers)


def test_the_page_s_sheet_is_that_long(page: dict[str, Any]) -> None:
    assert list(page["sheet"].numbers())[-1] == "R-K3"
    assert len(list(page["sheet"].numbers())) == 11


def test_it_is_the_value_alone_that_is_new(page: dict[str, Any]) -> None:
    pitch, cutthroat = VARIANTS["pitch"].rules, page["CUTTHROAT"]
    other = [each.name for each in fields(Rules) if getattr(pitch, each.name) != getattr(cutthroat, each.name)]
    assert other == ["variant", "seats", "auction", "points", "goal", "dirty"]


def test_over_http_it_is_listed_and_played_by_bots_until_a_person_is_awaited(
    page: dict[str, Any], tmp_path: Path
) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS))
    try:
        ann = Caller(app.test_client()).join("ann")
        listed = ann.get("/variants").get_json()["items"][-1]
        assert (listed["name"], listed["seats"], listed["options"]) == ("cutthroat", [3, 4, 5], [])
        opened = ann.post("/games", {"variant": "cutthroat", "seats": ["bot:simple", "bot:random", "ann"]})
        assert opened.status_code == 201
        shown = opened.get_json()["view"]
        assert (shown["rules"]["goal"], shown["turn"]["seats"]) == (page["CUTTHROAT"].goal, [2])
        assert shown["you"]["legal"]
    finally:
        services_of(app).close()


def test_what_is_added_to_the_catalogue_is_taken_out_again() -> None:
    before = list(VARIANTS)
    with as_it_was():
        VARIANTS["fifth"] = VARIANTS["pitch"]
    assert list(VARIANTS) == before


def words() -> str:
    return PAGE.read_text(encoding="utf-8").partition("## The words there are")[2].partition("## When a word")[0]


def test_every_word_is_in_the_list_of_words() -> None:
    families = [each for each in vars(choices).values() if isinstance(each, EnumType) and each not in (Phase, StrEnum)]
    known = {f"{each.__name__}.{value}" for each in families for value in each.__members__}
    assert set(re.findall(r"`([A-Z][A-Za-z]+\.[A-Z_]+)`", words())) == known


@pytest.mark.parametrize("kind", [Rules, Auction, Changes])
def test_every_field_of_the_rules_is_in_the_list_of_words(kind: type[Any]) -> None:
    named = {name.rpartition(".")[2] for name in re.findall(r"`([a-z_.]+)`", words())}
    said_elsewhere = {"variant", "rules_v", "menu", "versions", "randomizer", "host"}
    assert {each.name for each in fields(kind)} - said_elsewhere <= named


def test_what_it_says_of_a_missing_word_names_what_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## When a word is missing")[2]
    for name in re.findall(r"`((?:domain|replay|tests)/[a-z_/]*(?:\.py)?)`", text):
        assert (ROOT / name).exists(), name
    for table, module in re.findall(r"`([A-Z]+)` in\s+`(domain/[a-z]+\.py)`", text):
        assert re.search(rf"^{table}\b", (ROOT / module).read_text(encoding="utf-8"), re.MULTILINE), table
