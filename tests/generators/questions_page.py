"""The examples of docs/questions.md: each command runs, and its output on the page is updated.

python -m tests.generators.questions_page
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from api.cli.main import main
from replay.history import export_bytes
from tests.replay.playing import table
from tests.replay.signing import SERVER
from tests.replay.variety import of

PAGE = Path(__file__).parents[2] / "docs" / "questions.md"
BLOCK = re.compile(r"(?<=^```text\n)(\$ trickbook .*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def write_exports(folder: Path) -> None:
    """Write the three exports of the examples."""
    whole, early = (table(7, 4, variant="setback").play(0.05, most) for most in (10**6, 30))
    changing = of("Corellian that changes all the time", 3).hands(1, also=0.1)
    histories = {"setback": whole.history, "early": early.seen_by(1), "corellian": changing.seen_by(None)}
    for name, history in histories.items():
        (folder / f"{name}.ndjson").write_bytes(export_bytes(SERVER.sealed(history)))


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in that folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_command(command: str) -> str:
    """Return the output of `trickbook ...`, and an exit code except 0; supports `| head -n 5` and `| tail -n 5`."""
    arguments, _, cut = command.removeprefix("trickbook ").partition(" | ")
    no_settings: dict[str, str | None] = {"TRICKBOOK_DATA": None, "TRICKBOOK_DATABASE_URL": None}
    result = CliRunner().invoke(main, shlex.split(arguments), env=no_settings, catch_exceptions=False)
    lines = result.output.splitlines()
    if cut:
        which, _, number = cut.split()
        lines = lines[: int(number)] if which == "head" else lines[-int(number) :]
    elif result.exit_code:
        lines.append(f"(exit code {result.exit_code})")
    return "".join(f"{line}\n" for line in lines)


def with_current_output(text: str) -> str:
    """Return the page with the output that its commands print now."""

    def run(block: re.Match[str]) -> str:
        commands = [line.removeprefix("$ ") for line in block[1].splitlines() if line.startswith("$ ")]
        return "\n".join(f"$ {command}\n{run_command(command)}" for command in commands)

    with TemporaryDirectory() as folder:
        write_exports(Path(folder))
        with working_in(Path(folder)):
            return BLOCK.sub(run, text)


if __name__ == "__main__":
    PAGE.write_text(with_current_output(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} is updated\n")
