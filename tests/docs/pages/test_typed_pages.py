"""Every block of the pages that are typed runs, and prints what the page says. All pages share one server."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from api.client import Server
from replay.history.receipt_comparison import FORGERY
from tests.api.server_process import server_environment, start_server
from tests.commands import run
from tests.conftest import Database
from tests.docs.markdown import ROOT, blocks
from tests.docs.reader import compare, steps, typed


@dataclass(frozen=True)
class Surroundings:
    """The place where a page is typed: a server's address and data, and a folder with the program `trickbook`."""

    url: str
    data: Path
    path: Path


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, program_path: Path) -> Iterator[Surroundings]:
    """Start a server like `make run`, with another port and folder."""
    database = Database(None, tmp_path_factory.mktemp("typed") / "data")
    with start_server(database, SEATING="asked", LOG="warning") as serving:
        yield Surroundings(serving.url, database.data, program_path)


@pytest.fixture
def beside(running: Surroundings) -> Surroundings:
    """Delete the people of other pages, so that this page can register the same names."""
    place = ("--data", str(running.data))
    for user in json.loads(run("user", "list", "--json", *place).stdout):
        assert run("user", "delete", user["name"], "--now", "--force", "--yes", *place).exit_code == 0
    return running


@pytest.mark.parametrize("name", ["docs/tutorial.md", "docs/receipts.md"])
def test_every_block_runs_and_answers_as_the_page_says(beside: Surroundings, tmp_path: Path, name: str) -> None:
    page = ROOT / name
    printed = typed(page, tmp_path, beside.path, TRICKBOOK=beside.url, TRICKBOOK_DATA=str(beside.data))
    compare(page, printed)
    assert FORGERY in printed[-1] or name != "docs/receipts.md"


def test_the_commands_of_the_readme_look_at_a_game_again_and_verify_it(beside: Surroundings, tmp_path: Path) -> None:
    with Server(beside.url) as ann:
        ann.register("ann", "correct-horse")
        opened = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
        moves, view = f"/games/{opened['board']}/moves", opened["view"]
        while view["hand"]["number"] == 1:
            view = ann.post(moves, view["you"]["legal"][0])["view"]
        ann.post(moves, {"type": "resign"})
    lines = [line for block in blocks(ROOT / "README.md", "console") for line in block.text.splitlines()]
    typed_lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ trickbook ")]
    script = re.sub(r" (replay|export|show|audit) 1\b", rf" \1 {opened['board']}", "\n".join(typed_lines))
    environ = server_environment() | {"PATH": f"{beside.path}:{os.environ['PATH']}", "TRICKBOOK_DATA": str(beside.data)}
    shell = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(shell, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert (len(typed_lines), done.returncode, done.stderr) == (5, 0, "")
    assert done.stdout.endswith("\nverdict: all green\n")


@pytest.mark.slow
def test_the_mailboxes_of_the_page_prove_it_beside_servers_of_their_own(beside: Surroundings, tmp_path: Path) -> None:
    page = ROOT / "docs" / "mail.md"
    printed = typed(page, tmp_path, beside.path)
    compare(page, printed)
    assert FORGERY in printed[-1]


def test_every_example_of_the_client_runs_and_prints_what_the_page_says(beside: Surroundings) -> None:
    page, shared, printed = ROOT / "docs" / "client.md", dict[str, Any](), ""
    examples = blocks(page, "python", "text")
    assert [block.language for block in examples].count("text") >= 4
    for block in examples:
        if block.language == "text":
            assert printed == block.text
            continue
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(block.text.replace("http://127.0.0.1:8000", beside.url), str(page), "exec"), shared)
        printed = output.getvalue()


def test_the_tutorial_shows_most_outputs_and_needs_only_common_programs() -> None:
    found = steps(ROOT / "docs" / "tutorial.md")
    assert len([step for step in found if step.answer]) >= 10
    commands = "\n".join(step.commands for step in found)
    assert not re.search(r"\bjq\b|\bhttp(ie|x)\b|\bwget\b", commands)
