"""docs/adding-a-variant.md, followed in a copy of the project: its fifth game works, and every page stays correct."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from enum import EnumType, StrEnum
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.config import NO_LIMITS, Config
from api.web.problems import all_problem_types
from domain.rejections import BidTooLow, SeatLeft, clause_letter
from domain.rules import choices
from domain.rules.choices import Cuts, Phase, Undo
from domain.rules.model import Auction, Changes, Rules
from domain.rules.variants import VARIANTS
from domain.rules.variants.options import COMMON_SHEET
from tests import postgres
from tests.api.conftest import Caller, services_of
from tests.api.given_http import given_http
from tests.docs.markdown import ROOT, Block, blocks
from tests.given import GAME, deal, game_opened

PAGE = ROOT / "docs" / "adding-a-variant.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = {
    path: text for path, _, text in re.findall(r"`([\w/.]+)`:\n\n(`{3,})\w+\n(.*?)^\2$", TEXT, re.MULTILINE | re.DOTALL)
}
"""The files that the reader saves, by path."""
PATCHES = [block.text for block in blocks(PAGE, "diff")]
TYPED = [block for block in blocks(PAGE, "python", "text") if block.text not in FILES.values()]
VALUE = "domain/rules/variants/cutthroat.py"
TESTS = [path for path in FILES if path.startswith("tests/")]
FOLLOWING = [
    "tests/docs/rule_sheets/test_rule_sheets.py",
    "tests/docs/test_readme.py",
    "tests/api/games/test_openings.py::test_variants_are_data",
]
"""Tests that apply to every variant in the catalogue."""
MARK = "--- end of block"
HUNK = re.compile(r"^@@ -\d+,(\d+) \+\d+,(\d+) @@\n((?:[^@].*\n|\n)+)", re.MULTILINE)


def run(folder: Path, *arguments: str, given: str | None = None, **settings: str) -> str:
    """Run Python in the copy and return its output; fail if it fails."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": str(folder), **settings}
    done = subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project after following the page."""
    folder = tmp_path_factory.mktemp("fifth") / "trickbook"
    for name in ("domain", "projections", "api", "replay", "trickbook", "tests", "docs"):
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
    """Return `text` with every hunk of `patch` applied, except hunks that already are; check the hunks' line counts."""
    for before, after, lines in HUNK.findall(patch):
        old, new = side(lines, "+"), side(lines, "-")
        assert (old.count("\n"), new.count("\n")) == (int(before), int(after))
        assert old in text or new in text, patch
        text = text if new in text else text.replace(old, new, 1)
    return text


def side(lines: str, left_out: str) -> str:
    """Return a hunk's lines before the patch (leave out "+") or after it (leave out "-")."""
    return "".join(line[1:] or "\n" for line in lines.splitlines(keepends=True) if line[0] != left_out)


@pytest.fixture
def page() -> Iterator[dict[str, Any]]:
    """The names of the page's module, with its variant in the catalogue."""
    names: dict[str, Any] = {"__name__": "cutthroat"}
    before = dict(VARIANTS)
    try:
        exec(compile(FILES[VALUE], str(PAGE), "exec"), names)
        VARIANTS[names["VARIANT"].name] = names["VARIANT"]
        all_problem_types.cache_clear()
        yield names
    finally:
        VARIANTS.clear()
        VARIANTS.update(before)
        all_problem_types.cache_clear()


def expected_outputs(steps: list[Block]) -> list[str]:
    """Return the expected output of each block of Python: the text block right below it, or nothing."""
    after = [*steps[1:], Block("", like=False, text="")]
    return [
        below.text if below.language == "text" else ""
        for step, below in zip(steps, after, strict=True)
        if step.language == "python"
    ]


def test_every_block_runs_and_prints_what_the_page_says(followed: Path) -> None:
    script = "".join(f"{step.text}\nprint({MARK!r})\n" for step in TYPED if step.language == "python")
    printed = run(followed, "-", given=script).split(f"{MARK}\n")
    assert printed[:-1] == expected_outputs(TYPED)
    assert sum(bool(answer) for answer in printed) >= 4


@pytest.mark.slow
def test_the_page_s_own_tests_those_of_every_variant_and_ruff_pass(
    followed: Path, postgres_server: postgres.Server
) -> None:
    assert len(TESTS) == 2
    tests = [*TESTS, *FOLLOWING]
    run(followed, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, TEST_PG_DSN=postgres_server.dsn)
    run(followed, "-m", "ruff", "check", "--quiet", "--no-cache", *TESTS, "domain", "tests/clauses.py")


@pytest.mark.slow
def test_each_clause_of_its_sheet_has_one_of_those_tests(followed: Path) -> None:
    script = """import sys
from tests.clauses import *

for tests in ([], collect_test_ids(sys.argv[1:])):
    print(*find_faults(matrix(tests)), sep="\\n", end="\\n---\\n")"""
    before, after, _ = run(followed, "-c", script, *TESTS).split("---\n")
    assert len(re.findall(r"^(?:R-)?K\d has no test$", before, re.MULTILINE)) == 11
    assert not re.search(r"^(?:R-)?K\d", after, re.MULTILINE)


def test_only_the_value_is_new(page: dict[str, Any]) -> None:
    pitch, cutthroat = VARIANTS["pitch"].rules, page["CUTTHROAT"]
    changed = [each.name for each in fields(Rules) if getattr(pitch, each.name) != getattr(cutthroat, each.name)]
    assert changed == ["variant", "seats", "auction", "points", "goal", "dirty"]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    with closing(services_of(made)):
        yield made


def test_over_http_it_is_listed_and_bots_play_until_it_is_a_person_s_turn(page: dict[str, Any], app: Flask) -> None:
    ann = Caller(app.test_client()).join("ann")
    listed = ann.get("/variants").get_json()["items"][-1]
    assert (listed["name"], listed["seats"], listed["options"]) == ("cutthroat", [3, 4, 5], [])
    answer = ann.post("/games", {"variant": "cutthroat", "seats": ["bot:simple", "bot:random", "ann"]})
    assert answer.status_code == 201
    view = answer.get_json()["view"]
    assert (view["rules"]["goal"], view["turn"]["seats"]) == (page["CUTTHROAT"].goal, [2])
    assert view["you"]["legal"]


@pytest.mark.usefixtures("page")
def test_over_http_a_refused_move_cites_the_clauses_of_its_sheet(app: Flask) -> None:
    table = given_http(app, game_opened(3, variant="cutthroat"), *deal(["AH KH", "2H 3C", "4D 5D"]))
    for seat, move in enumerate(("2", "pass", "pass")):
        table.when(seat, {"text": move}).happens()
    table.when(0, {"text": "ah"}).happens().when(1, {"text": "3c"}).refused(409, "must-follow")
    tried = table.by(1).get(f"/games/{GAME}/legal?move=3c").get_json()["tried"]
    assert (tried["code"], tried["clauses"]) == ("must-follow", ["R-K1"])
    assert "Cutthroat Pitch: R-K1\n" in table.by(1).get("/problems/must-follow").text


def test_clauses_that_a_variant_adds_begin_with_its_letter_and_stand_in_its_sheet(page: dict[str, Any]) -> None:
    variant = page["VARIANT"]
    cited = {clause for clauses in variant.clauses.values() for clause in clauses}
    assert {clause_letter(clause) for clause in cited} == {variant.sheet.letter}
    assert all(f"**{clause}**" in FILES["docs/rules/cutthroat.md"] for clause in cited)
    assert variant.clauses_for(BidTooLow) == ("K3",)
    assert variant.clauses_for(SeatLeft) == ("R-P9",)


def test_no_two_sheets_share_a_letter(page: dict[str, Any]) -> None:
    letters = [each.letter for each in (*dict.fromkeys(variant.sheet for variant in VARIANTS.values()), COMMON_SHEET)]
    assert len(set(letters)) == len(letters)


def list_of_choices() -> str:
    return PAGE.read_text(encoding="utf-8").partition("## The choices")[2].partition("## If an answer")[0]


def test_every_answer_is_in_the_list_of_choices() -> None:
    of_tables = (Phase, Cuts, Undo, StrEnum)
    families = [each for each in vars(choices).values() if isinstance(each, EnumType) and each not in of_tables]
    known = {f"{each.__name__}.{value}" for each in families for value in each.__members__}
    assert set(re.findall(r"`([A-Z][A-Za-z]+\.[A-Z_]+)`", list_of_choices())) == known


def test_every_field_of_the_rules_is_in_the_list_of_choices() -> None:
    named = {name.rpartition(".")[2] for name in re.findall(r"`([a-z_.]+)`", list_of_choices())}
    explained_elsewhere = {"variant", "rules_v", "menu", "versions", "randomizer", "host"}
    assert {each.name for kind in (Rules, Auction, Changes) for each in fields(kind)} - explained_elsewhere <= named


def test_the_section_on_a_missing_answer_names_existing_tables() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## If an answer is missing")[2]
    for table, module in re.findall(r"`([A-Z]+)` in\s+`(domain/[a-z_/]+\.py)`", text):
        assert re.search(rf"^{table}\b", (ROOT / module).read_text(encoding="utf-8"), re.MULTILINE), table
