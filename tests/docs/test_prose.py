"""The project is written in plain English: no pattern of the prose table, no spelling mistake codespell knows."""

import subprocess
import sys

import pytest

from tests.docs.markdown import ROOT
from tests.docs.prose import PATTERNS, checked_files, findings_in, search, sentences_of_page, sentences_of_python

SAMPLES = (
    "a cut that is none",
    "Whoever asks is told",
    "he plays his card",
    "a bid is not heard during the play",
    "so many days",
    "it is kept for ever",
    "where there is no game",
    "The doors without the rooms",
    "the token is for who asks",
    "What is refused of a live hand is asked",
)


@pytest.mark.slow  # `make prose` says the same
def test_no_sentence_has_a_pattern_of_the_table() -> None:
    findings = [str(finding) for path in checked_files() for finding in findings_in(path)]
    assert findings == []


def test_each_bad_sentence_is_found_with_advice() -> None:
    assert [sample for sample in SAMPLES if not list(search(sample))] == []
    assert all(PATTERNS.values())


def test_docstrings_comments_messages_and_test_names_are_read() -> None:
    source = '"""He one."""\nx = "he two"  # he three\ndef test_he_four() -> None: ...\n'
    assert sum(1 for _, text in sentences_of_python(source) if list(search(text.lower()))) == 4


def test_code_blocks_of_a_page_are_left_out_and_lines_keep_their_numbers() -> None:
    page = "one\n\n```text\nhe\n```\n\nhe\n"
    assert [1 + offset for _, text in sentences_of_page(page) for offset, _, _ in search(text)] == [7]


@pytest.mark.slow  # `make prose` says the same
def test_codespell_finds_no_mistake() -> None:
    command = [sys.executable, "-m", "codespell_lib"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.stdout == ""
    assert checked.returncode == 0
