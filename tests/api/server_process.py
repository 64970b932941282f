"""The program as an operator runs it: a server in a process of its own, which tests can stop or kill."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.conftest import Database

CHECKOUT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "api.cli")


def server_environment(url: str | None = None, **settings: str) -> dict[str, str]:
    """Return this process's environment with only the named TRICKBOOK settings; players are seated at once."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK_")}
    named = {f"TRICKBOOK_{name}": value for name, value in ({"SEATING": "at-once"} | settings).items()}
    return clean | named | ({} if url is None else {"TRICKBOOK_DATABASE_URL": url})


def limits_file(file: Path, *, profile: str = "default", **numbers: int) -> str:
    """Write numbers of the limits into a file, and return its path as a setting."""
    lines = [f'profile = "{profile}"', *(f"{name} = {number}" for name, number in numbers.items())]
    file.write_text("\n".join(lines), encoding="ascii")
    return str(file.absolute())


def run_program(
    *arguments: str, url: str | None = None, within_s: float = 240, **settings: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        env=server_environment(url, **settings),
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
        timeout=within_s,
    )


@dataclass
class ServerProcess:
    """A running server; `said` holds the lines it printed until it listened."""

    process: "subprocess.Popen[str]"
    url: str
    said: list[str]

    def kill(self) -> None:
        """Kill the process, like a power cut."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Stop the process like an operator, and return its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)


class NeverListened(Exception):
    """A server ended before it listened; its log says why."""


@contextmanager
def start_server(
    database: Database,
    *options: str,
    stderr: IO[bytes] | None = None,
    program: Sequence[str] = PROGRAM,
    cwd: str | Path = CHECKOUT,
    **settings: str,
) -> Iterator[ServerProcess]:
    """Start a server on a free port, and kill it after the block; `stderr` receives its log.

    Raise NeverListened if it ends before it listens.
    """
    command = [*program, "serve", "--port", "0", "--data", str(database.data), *options]
    environ = server_environment(database.url, **settings)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environ, cwd=cwd) as process:
        try:
            said = []
            for line in process.stdout or ():
                said.append(line.rstrip("\n"))
                if line.startswith("listening on "):
                    break
            else:
                raise NeverListened(said)
            yield ServerProcess(process, said[-1].removeprefix("listening on "), said)
        finally:
            process.kill()
