"""Every citation of a document, a rule clause or a decision leads somewhere; and the check finds those that don't."""

from pathlib import Path

import pytest

from tests.docs.citations import cited_files, dead_citations
from tests.docs.markdown import ROOT

PYTHON, PAGE, MAKEFILE = ROOT / "domain" / "made_up.py", ROOT / "docs" / "rules" / "made_up.md", ROOT / "Makefile"


def test_every_citation_leads_somewhere() -> None:
    dead = {path: dead_citations(path, path.read_text(encoding="utf-8")) for path in cited_files()}
    assert {str(path.relative_to(ROOT)): sentences for path, sentences in dead.items() if sentences} == {}


def test_the_files_that_are_read_are_of_every_kind() -> None:
    names = {str(path.relative_to(ROOT)) for path in cited_files()}
    assert {"Makefile", "README.md", "docs/rules/pitch.md", "domain/cards.py", "tests/docs/citations.py"} <= names


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        pytest.param(PYTHON, '"""Events (docs/nowhere.md)."""', "docs/nowhere.md is no file", id="a page"),
        pytest.param(PYTHON, '"""Attacks (trust.md section 7)."""', "trust.md is no file", id="no folder"),
        pytest.param(PYTHON, "x = 1  # docs/nowhere.md", "docs/nowhere.md is no file", id="a comment"),
        pytest.param(
            PYTHON,
            'x = 1\n"""docs/design.md#nowhere"""',
            "docs/design.md#nowhere has no such heading",
            id="a heading, below an attribute",
        ),
        pytest.param(PAGE, "See `domain/nowhere.py`.", "domain/nowhere.py is no file", id="a module"),
        pytest.param(PYTHON, "def f():\n    pass  # R-C999", "clause R-C999 is in no sheet", id="a ruling"),
        pytest.param(PYTHON, '"""Follow suit (S34, S99)."""', "clause S99 is in no sheet", id="a clause"),
        pytest.param(PYTHON, '"""See decision 9999."""', "decision 9999 has no record", id="a decision"),
        pytest.param(PYTHON, '"""See docs/decisions/9999."""', "decision 9999 has no record", id="a decision's path"),
        pytest.param(MAKEFILE, "layers: ## (docs/nowhere.md)", "docs/nowhere.md is no file", id="the Makefile"),
        pytest.param(PAGE, "See [pitch](pitsch.md).", "pitsch.md is no file", id="a link from a page"),
        pytest.param(PAGE, "[decision\n9999](x)", "decision 9999 has no record", id="a decision over a line's end"),
    ],
)
def test_a_citation_that_leads_nowhere_is_found(path: Path, text: str, sentence: str) -> None:
    assert dead_citations(path, text) == [sentence]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(PYTHON, '"""docs/events.md#the-envelope, S34, R-C13, decision 0001"""', id="all of them"),
        pytest.param(PYTHON, '"""See docs/decisions/0001."""', id="a decision by its number"),
        pytest.param(PYTHON, 'x = "docs/nowhere.md S99"', id="a value is no citation"),
        pytest.param(PYTHON, '"""The ten of clubs is 10C, or TC."""', id="cards are no clauses"),
        pytest.param(PAGE, "[S34](pitch.md#S34) docs/design.md, [0005](../decisions/0005-no-snapshots.md)", id="links"),
        pytest.param(PAGE, "```text\ndocs/nowhere.md\n```\n", id="a code block"),
    ],
)
def test_a_citation_that_leads_somewhere_is_not(path: Path, text: str) -> None:
    assert dead_citations(path, text) == []
