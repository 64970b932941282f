"""Forged papers: receipts, keys, proofs, first and last lines. Each is noticed, with exit code 1."""

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
        papers.grown(lambda path: path),
    ):
        result = run(*command)
        assert result.exit_code == 0, result.output


def test_a_forgery_is_noticed(papers: Papers) -> None:
    codes = {name: run(*forge(papers)).exit_code for name, forge in PAPERS}
    assert [name for name, code in codes.items() if code != 1] == []
