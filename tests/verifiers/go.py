"""The verifier in Go: built once, then run on exports."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.programs import need_program

FOLDER = Path(__file__).parents[2] / "docs" / "verifiers" / "go"


def settings(cache: Path) -> dict[str, str]:
    """Return an environment in which Go builds without a network, with its cache in a folder."""
    own = {"GOCACHE": str(cache), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    return {"PATH": os.environ["PATH"], "HOME": str(cache)} | own


@dataclass(frozen=True)
class Answer:
    """The exit code and the output."""

    code: int
    text: str

    def lines(self, kind: str) -> list[str]:
        """Return the lines of a kind without it, such as "wrong"."""
        return [line.removeprefix(f"{kind}: ") for line in self.text.splitlines() if line.startswith(f"{kind}: ")]

    def names(self, version: int) -> bool:
        """Return whether a finding names the event."""
        return any(re.search(rf"\bevent {version}\b", line) for line in self.lines("wrong"))


@dataclass(frozen=True)
class Verifier:
    """The program that was built."""

    program: Path

    def run(self, *arguments: str) -> Answer:
        """Run it with these arguments."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        return Answer(done.returncode, done.stdout + done.stderr)

    def verify(self, export: bytes, *keys: str) -> Answer:
        """Check one export."""
        keyed = [part for key in keys for part in ("--key", key)]
        done = subprocess.run([self.program, *keyed, "-"], input=export, capture_output=True, check=False)
        return Answer(done.returncode, (done.stdout + done.stderr).decode())

    def verify_all(self, exports: Mapping[str, bytes]) -> dict[str, Answer]:
        """Check many exports in one file, in one process."""
        parts = re.split(r"^game \S+, board \d+\n", self.verify(b"".join(exports.values())).text, flags=re.MULTILINE)
        codes = {"right": 0, "WRONG": 1, "undecided": 2}
        verdicts = [codes[text.rstrip("\n").rsplit("verdict: ", 1)[1]] for text in parts[1:]]
        return dict(zip(exports, map(Answer, verdicts, parts[1:]), strict=True))


def build(folder: Path) -> Verifier:
    """Build the program. Without Go, skip the test, or fail if it is required."""
    compiler = need_program("go")
    program = folder / "trickbook-verify"
    done = subprocess.run(
        [compiler, "build", "-o", program, "."],
        cwd=FOLDER,
        env=settings(folder / "cache"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Verifier(program)
