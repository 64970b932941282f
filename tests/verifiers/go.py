"""The verifier in Go: built once, then run on exports."""

import json
import os
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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


MANY = """package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	Arguments []string
	Export    []byte
}

type answer struct {
	Code int
	Text string
}

func init() {
	if len(os.Args) < 2 || os.Args[1] != "--many" {
		return
	}
	asked, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for asked.More() {
		var next question
		if err := asked.Decode(&next); err != nil {
			panic(err)
		}
		answers.Encode(ask(next))
	}
	os.Exit(0)
}

func ask(next question) (said answer) {
	var output, problems bytes.Buffer
	defer func() {
		if fault := recover(); fault != nil {
			said = answer{2, fmt.Sprint("panic: ", fault)}
		}
	}()
	code := run(next.Arguments, bytes.NewReader(next.Export), &output, &problems)
	return answer{code, output.String() + problems.String()}
}
"""
"""A file that the tests add to the program: it lets one process answer many calls, each as if it were the only one."""


@dataclass(frozen=True)
class Session:
    """A process of the program that answers one call after the other."""

    process: "subprocess.Popen[str]"

    def answer(self, words: Sequence[str], export: bytes) -> Answer:
        """Return the answer to a call with arguments and a standard input."""
        ask, told = self.process.stdin, self.process.stdout
        assert ask is not None
        assert told is not None
        ask.write(_question(words, export) + "\n")
        ask.flush()
        return _answer(told.readline())


def _question(words: Sequence[str], export: bytes) -> str:
    return json.dumps({"Arguments": list(words), "Export": b64encode(export).decode()})


def _answer(line: str) -> Answer:
    said = json.loads(line)
    return Answer(said["Code"], said["Text"])


@dataclass(frozen=True)
class Verifier:
    """The program that was built."""

    program: Path

    @contextmanager
    def opened(self) -> Iterator[Session]:
        """Run it until the end of its input."""
        pipe = subprocess.PIPE
        with subprocess.Popen([self.program, "--many"], stdin=pipe, stdout=pipe, text=True) as process:
            yield Session(process)

    def answers(self, calls: Iterable[tuple[Sequence[str], bytes]]) -> list[Answer]:
        """Return the answers to calls with arguments and a standard input, all in one process."""
        lines = "\n".join(_question(words, export) for words, export in calls)
        done = subprocess.run([self.program, "--many"], input=lines, capture_output=True, text=True, check=True)
        return [_answer(line) for line in done.stdout.split("\n") if line]

    def run(self, *arguments: str) -> Answer:
        """Run it with these arguments, in a process of its own."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        return Answer(done.returncode, done.stdout + done.stderr)

    def verify(self, export: bytes, *keys: str) -> Answer:
        """Check one export."""
        return self.verify_each({"": export}, *keys)[""]

    def verify_each(self, exports: Mapping[str, bytes], *keys: str) -> dict[str, Answer]:
        """Check each export by itself."""
        words = [*(part for key in keys for part in ("--key", key)), "-"]
        return dict(zip(exports, self.answers((words, export) for export in exports.values()), strict=True))

    def verify_all(self, exports: Mapping[str, bytes]) -> dict[str, Answer]:
        """Check many exports that stand in one file."""
        parts = re.split(r"^game \S+, board \d+\n", self.verify(b"".join(exports.values())).text, flags=re.MULTILINE)
        codes = {"right": 0, "WRONG": 1, "undecided": 2}
        verdicts = [codes[text.rstrip("\n").rsplit("verdict: ", 1)[1]] for text in parts[1:]]
        return dict(zip(exports, map(Answer, verdicts, parts[1:]), strict=True))


def build(folder: Path) -> Verifier:
    """Build the program. Without Go, skip the test, or fail if it is required."""
    compiler = need_program("go")
    program, sources = folder / "trickbook-verify", folder / "sources"
    shutil.copytree(FOLDER, sources, ignore=shutil.ignore_patterns("*_test.go"))
    (sources / "many.go").write_text(MANY, encoding="utf-8")
    done = subprocess.run(
        [compiler, "build", "-o", program, "."],
        cwd=sources,
        env=settings(folder / "cache"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Verifier(program)
