"""The page about the Python client: its examples run one after another, and print what the page shows."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from tests.api.server_process import start_server
from tests.conftest import Database
from tests.docs.markdown import ROOT, blocks

PAGE = ROOT / "docs" / "client.md"
ADDRESS = "http://127.0.0.1:8000"


def test_every_example_runs_and_prints_what_the_page_says(tmp_path: Path) -> None:
    shared: dict[str, Any] = {}
    printed = ""
    with start_server(Database(None, tmp_path), LOG="warning") as serving:
        for block in blocks(PAGE, "python", "text"):
            if block.language == "text":
                assert printed == block.text
                continue
            output = StringIO()
            with redirect_stdout(output):
                exec(compile(block.text.replace(ADDRESS, serving.url), str(PAGE), "exec"), shared)
            printed = output.getvalue()


def test_most_of_its_examples_show_their_output() -> None:
    languages = [block.language for block in blocks(PAGE, "python", "text")]
    assert languages.count("text") >= 4
