"""Forged papers: receipts, keys, proofs, first and last lines. Each is noticed, with exit code 1."""

from pathlib import Path

import pytest

from tests.campaigns.tamper.papers import PAPERS, Papers, take_home
from tests.campaigns.tamper.test_kinds import run


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    """The papers; every test writes its files again."""
    return take_home(tmp_path_factory.mktemp("papers"))


def test_papers_without_a_forgery_are_valid(papers: Papers) -> None:
    for command in (
        papers.with_receipt(papers.last),
        papers.with_receipt(papers.first),
        papers.in_trailer(papers.last),
        papers.prove(papers.proof()),
        papers.compare(papers.grown()),
    ):
        result = run(*command)
        assert result.exit_code == 0, result.output


def test_a_forgery_is_noticed(papers: Papers) -> None:
    codes = {name: run(*forge(papers)).exit_code for name, forge in PAPERS}
    assert [name for name, code in codes.items() if code != 1] == []


def test_a_truncated_receipt_is_invalid(papers: Papers) -> None:
    result = run(*papers.with_receipt(papers.last[:-30]))
    assert (result.exit_code, "This isn't a valid receipt" in result.output) == (2, True)
    assert Path(papers.folder / "receipt").exists()
