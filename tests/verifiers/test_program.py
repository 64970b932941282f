"""The program in Go itself: its README, its own tests, its format; and what the page about it says."""

import subprocess
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, blocks
from tests.verifiers.go import FOLDER, Verifier, settings

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program
README = FOLDER / "README.md"


def test_the_readme_shows_what_the_program_says(verifier: Verifier) -> None:
    (shown,) = [block.text for block in blocks(README, "console")]
    commands = [line for line in shown.splitlines() if line.startswith("$ ")]
    answer = verifier.run(str(ROOT / "docs" / "examples" / "small-game.ndjson"))
    assert commands[1:] == ["$ /tmp/trickbook-verify ../../examples/small-game.ndjson"]
    assert shown.splitlines()[2:] == answer.text.splitlines()


def test_only_the_standard_library_is_imported() -> None:
    assert (FOLDER / "go.mod").read_text() == "module trickbook-verify\n\ngo 1.19\n"
    assert not (FOLDER / "go.sum").exists()


def test_its_own_tests_pass_and_its_files_are_formatted(verifier: Verifier, tmp_path: Path) -> None:
    cache = verifier.program.parent / "cache"
    for command in (["gofmt", "-l", "."], ["go", "test", "-count=1", "-vet=all", "."]):
        done = subprocess.run(command, cwd=FOLDER, env=settings(cache), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout if command[0] == "gofmt" else "") == (0, ""), done.stdout + done.stderr
