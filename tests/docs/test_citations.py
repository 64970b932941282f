"""Every citation of a document, a rule clause or a decision leads somewhere."""

from tests.docs.citations import cited_files, dead_citations
from tests.docs.markdown import ROOT


def test_every_citation_leads_somewhere() -> None:
    dead = {path: dead_citations(path, path.read_text(encoding="utf-8")) for path in cited_files()}
    assert {str(path.relative_to(ROOT)): sentences for path, sentences in dead.items() if sentences} == {}


def test_the_files_that_are_read_are_of_every_kind() -> None:
    names = {str(path.relative_to(ROOT)) for path in cited_files()}
    assert {"Makefile", "README.md", "docs/rules/pitch.md", "domain/cards.py", "tests/docs/citations.py"} <= names
