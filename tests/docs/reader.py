"""Run the bash blocks of a page in one shell, and compare the output with the page."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs.markdown import ROOT, Block, blocks

SHOWN = ("json", "text")
MARK = "--- end of block "
PATIENCE_S = 240
"""The time limit for a page."""
MASKS = (
    (r"\"recovery_codes\":\[[^\]]*\]", "RECOVERY-CODES"),
    (r"trickbook\.invalid/[0-9a-f]{12}(\+[0-9a-f]{8}(\+[A-Za-z0-9+/]{44})?)?", "SERVER"),
    (r"bob\.example/witness\+[0-9a-f]{8}(\+[A-Za-z0-9+/]{44})?", "WITNESS"),
    (r"[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{90,}={0,2}", "BASE64"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GAME"),
    (r"\bp_[0-9a-f]{24}", "PLAYER"),
    (r"\b[0-9a-f]{16,64}\b", "HEX"),
    (r"\b((10|[2-9JQKA])[CDHS]|X[12])\b", "CARD"),
    (r'"[CDHS]"', '"SUIT"'),
    (r"[+-]?\b\d+\b", "N"),
    (r"\bN receipts?\b", "N receipts"),
    (r"\s+", " "),
    (r"(CARD\W{1,4})+CARD", "CARDS"),
    (r"((?:N|null),? )+(?:N|null)\b", "NUMBERS"),
)


def masked(text: str) -> str:
    """Return `text` with values that differ from game to game replaced by placeholders."""
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text)
    return text.strip()


@dataclass(frozen=True)
class Step:
    """A bash block of a page, and the output below it if the page has one."""

    commands: str
    answer: str | None
    like: bool = False
    """Whether the output may differ from hand to hand: then lines only need to begin with the same word."""


def beginnings(text: str) -> set[str]:
    """Return the first word of each line."""
    return {masked(line).split()[0] for line in text.splitlines() if line.strip()}


def answers(step: Step, printed: str) -> bool:
    """Return whether `printed` is the page's output, except for values that differ from game to game."""
    if step.answer is None:
        return True
    if step.like:
        return beginnings(step.answer) <= beginnings(printed)
    return masked(step.answer) == masked(printed)


def compare(page: Path, printed: Sequence[str]) -> None:
    """Fail if the output of a block isn't the page's."""
    for step, said in zip(steps(page), printed, strict=True):
        assert answers(step, said), f"{step.commands}\nsays:\n{masked(said)}\nthe page:\n{masked(step.answer or '')}"


def steps(page: Path) -> list[Step]:
    """Return the steps of a page."""
    found: list[Step] = []
    last: Block | None = None
    for block in blocks(page):
        if block.language == "bash":
            found.append(Step(block.text, None))
        elif block.language in SHOWN and last is not None and last.language == "bash":
            found[-1] = Step(found[-1].commands, block.text, block.like)
        last = block
    return found


def typed(page: Path, folder: Path, path: Path, **settings: str) -> list[str]:
    """Return the output of each bash block of `page`, all run in one shell that stops at the first failure.

    The shell starts in `folder`, finds `trickbook` in the folder `path`, and waits for a condition without long pauses.
    """
    (folder / "docs").symlink_to(ROOT / "docs")
    script = "set -euo pipefail\nsleep() { command sleep 0.1; }\n" + "".join(
        f"{step.commands}\nprintf '\\n%s\\n' '{MARK}{number}'\n" for number, step in enumerate(steps(page))
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK")}
    places = {
        "PATH": os.pathsep.join((str(path), str(Path(sys.executable).parent), os.environ["PATH"])),
        "TMPDIR": str(folder),
    }
    shell = ["bash", "-c", script]
    done = subprocess.run(
        shell,
        cwd=folder,
        env=clean | places | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    printed = re.split(rf"\n{MARK}\d+\n", done.stdout)
    assert done.returncode == 0, (
        f"block {len(printed) - 1} of {page.name} fails:\n{printed[-1]}\n{done.stderr}\n{_written(folder)}"
    )
    return printed[:-1]


def _written(folder: Path) -> str:
    """Return the ends of the text files that a page wrote: what a command said is often in one of them."""
    files = [each for where in ("tmp.*/*.*", "*.*") for each in folder.glob(where) if each.is_file()]
    return "\n".join(f"{each.name}: {each.read_bytes()[-2000:].decode(errors='replace')}" for each in files)
