"""docs/extending.md on a variant, followed in a copy of the project: its game works, and every page stays correct."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.web.problems import all_problem_types
from domain.rejections import BidTooLow, SeatLeft, clause_letter
from domain.rules.model import Rules
from domain.rules.variants import VARIANTS
from domain.rules.variants.options import COMMON_SHEET
from tests import postgres
from tests.api.conftest import Caller, services_of
from tests.api.given_http import given_http
from tests.docs.markdown import ROOT
from tests.given import GAME, deal, game_opened

PAGE = ROOT / "docs" / "extending.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("\n## A variant\n")[2].partition("\n## ")[0]
EXAMPLE = ROOT / "docs" / "examples" / "cutthroat"
VALUE, SHEET = "domain/rules/variants/cutthroat.py", "docs/rules/cutthroat.md"
TESTS = ["tests/domain/test_cutthroat.py", "tests/domain/test_cutthroat_perft.py"]
FILES = {
    path: (EXAMPLE / (Path(path).name if path != SHEET else "sheet.txt")).read_text(encoding="utf-8")
    for path in (VALUE, SHEET, *TESTS)
}
"""The files that the reader copies, by path."""
SHOWN: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
"""The blocks of the section: language and text."""
PATCHES = [text for language, text in SHOWN if language == "diff"]
FOLLOWING = [
    "tests/docs/rule_sheets/test_rule_sheets.py",
    "tests/docs/test_readme.py",
    "tests/api/games/test_openings.py::test_variants_are_data",
]
"""Tests that apply to every variant in the catalogue."""
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
        target = folder / patch.splitlines()[1].removeprefix("+++ b/")
        target.write_text(patched(target.read_text(encoding="utf-8"), patch), encoding="utf-8")
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


def test_the_section_shows_the_value_names_the_files_and_says_what_the_game_prints(followed: Path) -> None:
    (value,) = (text for language, text in SHOWN if language == "python")
    assert value in FILES[VALUE]
    assert [path.name for path in EXAMPLE.iterdir() if path.is_file() and path.name not in SECTION] == []
    printed = run(followed, str(followed / "docs" / "examples" / "cutthroat" / "play.py"))
    assert printed in [text for _, text in SHOWN]


@pytest.mark.slow
def test_the_page_s_own_tests_those_of_every_variant_and_ruff_pass(
    followed: Path, postgres_server: postgres.Server
) -> None:
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
    assert all(f"**{clause}**" in FILES[SHEET] for clause in cited)
    assert variant.clauses_for(BidTooLow) == ("K3",)
    assert variant.clauses_for(SeatLeft) == ("R-P9",)


def test_no_two_sheets_share_a_letter(page: dict[str, Any]) -> None:
    letters = [each.letter for each in (*dict.fromkeys(variant.sheet for variant in VARIANTS.values()), COMMON_SHEET)]
    assert len(set(letters)) == len(letters)


def test_the_section_on_a_missing_answer_names_existing_tables() -> None:
    tables = SECTION.partition("### If an answer is missing")[2]
    assert "`AWARDS`" in tables
    for table, module in re.findall(r"`([A-Z]+)` in\s+`(domain/[a-z_/]+\.py)`", tables):
        assert re.search(rf"^{table}\b", (ROOT / module).read_text(encoding="utf-8"), re.MULTILINE), table
