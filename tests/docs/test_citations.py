"""Every citation of a document, a rule clause or a decision leads somewhere; and the check finds those that don't."""

from tests.docs.citations import cited_files, dead_citations
from tests.docs.markdown import ROOT

PYTHON, PAGE, MAKEFILE = ROOT / "domain" / "made_up.py", ROOT / "docs" / "rules" / "made_up.md", ROOT / "Makefile"


def test_every_citation_leads_somewhere() -> None:
    dead = {path: dead_citations(path, path.read_text(encoding="utf-8")) for path in cited_files()}
    assert {str(path.relative_to(ROOT)): sentences for path, sentences in dead.items() if sentences} == {}


def test_the_files_that_are_read_are_of_every_kind() -> None:
    names = {str(path.relative_to(ROOT)) for path in cited_files()}
    assert {"Makefile", "README.md", "docs/rules/pitch.md", "domain/cards.py", "tests/docs/citations.py"} <= names


NOWHERE = [
    (PYTHON, '"""Events (docs/nowhere.md)."""', "docs/nowhere.md is no file"),
    (PYTHON, '"""Attacks (trust.md section 7)."""', "trust.md is no file"),
    (PYTHON, "x = 1  # docs/nowhere.md", "docs/nowhere.md is no file"),
    (PYTHON, 'x = 1\n"""docs/design.md#nowhere"""', "docs/design.md#nowhere has no such heading"),
    (PAGE, "See `domain/nowhere.py`.", "domain/nowhere.py is no file"),
    (PYTHON, "def f():\n    pass  # R-C999", "clause R-C999 is in no sheet"),
    (PYTHON, '"""Follow suit (S34, S99)."""', "clause S99 is in no sheet"),
    (PYTHON, '"""See decision 9999."""', "decision 9999 has no record"),
    (PYTHON, '"""See docs/decisions/9999."""', "decision 9999 has no record"),
    (MAKEFILE, "layers: ## (docs/nowhere.md)", "docs/nowhere.md is no file"),
    (PAGE, "See [pitch](pitsch.md).", "pitsch.md is no file"),
    (PAGE, "[decision\n9999](x)", "decision 9999 has no record"),
]
SOMEWHERE = [
    (PYTHON, '"""docs/events.md#the-envelope, S34, R-C13, decision 0001"""'),
    (PYTHON, '"""See docs/decisions/0001."""'),
    (PYTHON, 'x = "docs/nowhere.md S99"'),  # a value is no citation
    (PYTHON, '"""The ten of clubs is 10C, or TC."""'),
    (PAGE, "[S34](pitch.md#S34) docs/design.md, [0005](../decisions/0005-no-snapshots.md)"),
    (PAGE, "```text\ndocs/nowhere.md\n```\n"),
]


def test_a_citation_that_leads_nowhere_is_found() -> None:
    assert [dead_citations(path, text) for path, text, _ in NOWHERE] == [[sentence] for *_, sentence in NOWHERE]


def test_a_citation_that_leads_somewhere_is_not() -> None:
    assert [dead_citations(path, text) for path, text in SOMEWHERE] == [[]] * len(SOMEWHERE)
