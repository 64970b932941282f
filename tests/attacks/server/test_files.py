"""Attacks with files that have no end or are no files, on every command that reads files."""

import resource
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from tests.api.server_process import PROGRAM, server_environment
from tests.commands import run

MEMORY_BYTES = 1024**3
TIMEOUT_S = 60


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    """Cap the memory of this process and its children: a command that reads without end fails, not the machine."""
    usual, used = resource.getrlimit(resource.RLIMIT_AS), Path("/proc/self/statm").read_text().split()[0]
    resource.setrlimit(resource.RLIMIT_AS, (int(used) * resource.getpagesize() + MEMORY_BYTES, usual[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, usual)


def check_sentence(said: Result, *words: str) -> None:
    assert (said.exit_code in {1, 2}, said.stdout) == (True, ""), said.stderr[-500:]
    assert said.stderr.startswith("Error: "), said.stderr[-500:]
    assert said.stderr.count("\n") == 1
    assert all(word in said.stderr for word in words), said.stderr


@pytest.fixture
def special(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The name of a special file by its kind."""
    pipe, loop, there = tmp_path / "pipe", tmp_path / "loop", tmp_path / "socket"
    subprocess.run(["mkfifo", pipe], check=True)
    loop.symlink_to(loop)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(there))
        paths = {"pipe": pipe, "folder": tmp_path, "loop": loop, "socket": there}
        yield {"device": "/dev/zero"} | {kind: str(path) for kind, path in paths.items()}


@pytest.mark.parametrize("command", ["game verify", "receipt compare"])
def test_attack_121_a_special_file_is_refused_with_a_sentence(special: dict[str, str], command: str) -> None:
    for kind, name in special.items():
        says = {"folder": "Is a directory", "loop": "symbolic links", "socket": "No such device"}.get(
            kind, f"This is a {kind}"
        )
        check_sentence(run(*command.split(), *[name] * (2 if "compare" in command else 1)), name, says)


def test_attack_121_a_backup_with_special_files_is_refused_with_a_sentence(tmp_path: Path) -> None:
    store, backup = tmp_path / "store", tmp_path / "backup"
    for name in ("/dev/zero", str(tmp_path / "none")):
        check_sentence(run("store", "restore", name, "--data", str(tmp_path / "new")), name)
    assert run("store", "init", "--data", str(store)).exit_code == 0
    assert run("store", "backup", str(backup), "--data", str(store)).exit_code == 0
    (backup / "log.db").unlink()
    (backup / "log.db").symlink_to("/dev/zero")
    check_sentence(run("store", "restore", str(backup), "--data", str(tmp_path / "new")), "log.db is missing")
    (backup / "manifest.json").unlink()
    (backup / "manifest.json").symlink_to("/dev/zero")
    check_sentence(run("store", "restore", str(backup), "--data", str(tmp_path / "new")), "not a file")
    (store / "office.db").unlink()
    subprocess.run(["mkfifo", store / "office.db"], check=True)
    check_sentence(run("user", "list", "--data", str(store)), "office.db: This isn't a file.")


def test_attack_121_endless_and_long_lines_are_refused_with_a_sentence(tmp_path: Path) -> None:
    long = tmp_path / "long"
    with long.open("wb") as file:
        file.truncate(2 * 1024**3)  # sparse: zeros without a line end
    check_sentence(run("game", "show", str(long)), str(long), "a line of more than 1 MiB")
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run(
            [*PROGRAM, "game", "verify", "-"], stdin=zeros, env=server_environment(), capture_output=True, text=True,
            check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
    assert (done.returncode in {1, 2}, done.stdout) == (True, "")
    assert "standard input" in done.stderr
    assert "a line of more than 1 MiB" in done.stderr
    check_sentence(run("receipt", "compare", str(long), str(long)), str(long), "longer than the 10 MiB")


def test_attack_121_a_game_of_too_many_lines_is_refused_and_a_larger_bound_accepts_it(tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.write_bytes(b'{"event":1}\n' * 200_000)
    refused = run("--max-game-mib", "1", "game", "verify", str(many))
    check_sentence(refused, "larger than 1 MiB", "--max-game-mib 2")
    assert "larger than" not in run("game", "verify", str(many)).stderr
