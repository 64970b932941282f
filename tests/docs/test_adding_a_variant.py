"""docs/adding-a-variant.md: followed in a copy of the project, its fifth game is a game and leaves every page right."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from enum import EnumType, StrEnum
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from api.app import create_app
from api.config import NO_LIMITS, Config
from domain.rules import choices
from domain.rules.choices import Cuts, Phase
from domain.rules.model import Auction, Changes, Rules
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller, services_of
from tests.docs.markdown import ROOT, Block, blocks

PAGE = ROOT / "docs" / "adding-a-variant.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = {
    path: text for path, _, text in re.findall(r"`([\w/.]+)`:\n\n(`{3,})\w+\n(.*?)^\2$", TEXT, re.MULTILINE | re.DOTALL)
}
"""What the page has its reader save, by path."""
PATCHES = [block.text for block in blocks(PAGE, "diff")]
TYPED = [block for block in blocks(PAGE, "python", "text") if block.text not in FILES.values()]
VALUE = "domain/rules/variants/cutthroat.py"
TESTS = [path for path in FILES if path.startswith("tests/")]
FOLLOWING = [
    "tests/docs/test_more_rule_sheets.py",
    "tests/docs/test_readme.py",
    "tests/test_clauses.py",
    "tests/api/test_openings.py::test_variants_are_data",
]
"""Tests of pages, numbers and answers that hold of every variant there is."""
MARK = "--- end of block"
HUNK = re.compile(r"^@@ -\d+,(\d+) \+\d+,(\d+) @@\n((?:[^@].*\n|\n)+)", re.MULTILINE)


def run(folder: Path, *arguments: str, given: str | None = None) -> str:
    """What a Python program prints in the copy; it has to succeed."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the page has been followed."""
    folder = tmp_path_factory.mktemp("fifth") / "trickbook"
    for name in ("domain", "projections", "api", "replay", "tests", "docs"):
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__"))
    for page in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"):
        (folder / page.name).write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    for path, text in FILES.items():
        (folder / path).write_text(text, encoding="utf-8")
    for patch in PATCHES:
        path = folder / patch.splitlines()[1].removeprefix("+++ b/")
        path.write_text(patched(path.read_text(encoding="utf-8"), patch), encoding="utf-8")
    return folder


def patched(text: str, patch: str) -> str:
    """`text` with every hunk of `patch` applied, unless it has been already; the hunk's counts have to be right."""
    for before, after, lines in HUNK.findall(patch):
        old, new = side(lines, "+"), side(lines, "-")
        assert (old.count("\n"), new.count("\n")) == (int(before), int(after))
        assert old in text or new in text, patch
        text = text if new in text else text.replace(old, new, 1)
    return text


def side(lines: str, left_out: str) -> str:
    """A hunk's lines as they stand before ("+" is left out) or after it ("-" is)."""
    return "".join(line[1:] or "\n" for line in lines.splitlines(keepends=True) if line[0] != left_out)


@contextmanager
def as_it_was() -> Iterator[None]:
    """Whatever is added to the catalogue meanwhile is taken out of it again."""
    before = dict(VARIANTS)
    try:
        yield
    finally:
        VARIANTS.clear()
        VARIANTS.update(before)


@pytest.fixture
def page() -> Iterator[dict[str, Any]]:
    """What the page's module holds, and the variant it adds in the catalogue."""
    names: dict[str, Any] = {"__name__": "cutthroat"}
    exec(compile(FILES[VALUE], str(PAGE), "exec"), names)  # the page is no module of the project
    with as_it_was():
        VARIANTS[names["VARIANT"].name] = names["VARIANT"]
        yield names


def answered(steps: list[Block]) -> list[str]:
    """What each block of Python should print: the text right below it, or nothing."""
    after = [*steps[1:], Block("", like=False, text="")]
    return [
        below.text if below.language == "text" else ""
        for step, below in zip(steps, after, strict=True)
        if step.language == "python"
    ]


def test_every_block_runs_and_prints_what_the_page_says(followed: Path) -> None:
    script = "".join(f"{step.text}\nprint({MARK!r})\n" for step in TYPED if step.language == "python")
    printed = run(followed, "-", given=script).split(f"{MARK}\n")
    assert printed[:-1] == answered(TYPED)
    assert sum(bool(answer) for answer in printed) >= 4


def test_the_page_s_own_tests_pass_and_ruff_has_nothing_to_say(followed: Path) -> None:
    assert len(TESTS) == 2
    run(followed, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
    run(followed, "-m", "ruff", "check", "--quiet", "--no-cache", *TESTS, "domain", "tests/clauses.py")


def test_the_tests_that_hold_of_every_variant_hold_of_a_fifth(followed: Path) -> None:
    slow = "not every_block and not answers_0_or_1 and not in_this_file"
    run(followed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", slow, *FOLLOWING)


def test_each_clause_of_its_sheet_has_one_of_those_tests(followed: Path) -> None:
    asked = "import sys; from tests.clauses import *; print(*complaints(matrix({})), sep='\\n')"
    before = run(followed, "-c", asked.format("[]"))
    after = run(followed, "-c", asked.format("collected(sys.argv[1:])"), *TESTS)
    assert len(re.findall(r"^(?:R-)?K\d has no test$", before, re.MULTILINE)) == 11
    assert not re.search(r"^(?:R-)?K\d", after, re.MULTILINE)


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
    of_tables = (Phase, Cuts, StrEnum)
    families = [each for each in vars(choices).values() if isinstance(each, EnumType) and each not in of_tables]
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
