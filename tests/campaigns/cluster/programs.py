"""The programs of a group of PostgreSQL nodes: Patroni, PostgreSQL, etcd, and the files of docs/deploy/cluster.

PostgreSQL refuses to run as root, so everything runs as a user without rights, who may not be able to enter this
checkout or the home of its Python. So Patroni is copied, with what it requires.
"""

import importlib.util
import os
import secrets
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.campaigns.release.packages import required
from tests.ports import free_port
from tests.postgres import NOBODY, reachable_bindir, run_as

DEPLOY = Path(__file__).parents[3] / "docs" / "deploy" / "cluster"
FILES = ("patroni.yaml", "node.sh", "create_database.sh")
PASSWORDS = ("superuser", "replicator", "restapi", "postgres")
PATRONI = Requirement("patroni[etcd3,psycopg3]")
COMMANDS = {"patroni": "from patroni.__main__ import main; main()", "patronictl": "from patroni.ctl import ctl; ctl()"}
"""The programs of the package, as its entry points start them."""
KEEPER = """
"$@" >> "$LOG" 2>&1 & echo $!
read -r _
kill -KILL $! 2>/dev/null
if [ -n "${DATA:-}" ] && [ -f "$DATA/postmaster.pid" ]; then kill -QUIT "$(head -n 1 "$DATA/postmaster.pid")"; fi
"""
"""Starts a program, tells its process id, and kills it, with its PostgreSQL, when the process that started it ends."""


class CannotRun(Exception):
    """A program that a group needs isn't here, or can't be run by a user without rights."""


class Programs:
    """Copies of everything in a folder, which the user without rights owns."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._cluster, self._passwords = home / "cluster", home / "passwords"
        for name in FILES:
            _copy(DEPLOY / name, self._cluster / name)
        self._passwords.mkdir()
        for name in PASSWORDS:
            (self._passwords / name).write_text(secrets.token_hex(8))
        _copy_packages(home / "packages")
        self._write_patroni(_usable_python(home))
        self.bindir = reachable_bindir(home)
        self.own(home)

    @property
    def node(self) -> list[str]:
        """The command that starts a node."""
        return ["/bin/sh", str(self._cluster / "node.sh")]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of every node, which finds the programs."""
        path = f"{self.home / 'bin'}:{self.bindir}:/usr/bin:/bin"
        return {"PATH": path, "HOME": str(self.home), "PASSWORDS": str(self._passwords),
                "PYTHONPATH": str(self.home / "packages"), "LC_ALL": "C"}  # fmt: skip

    def password(self, name: str) -> str:
        """Return one of the passwords."""
        return (self._passwords / name).read_text()

    def folder(self, name: str) -> Path:
        """Return a new folder for the data of a node."""
        made = self.home / name
        made.mkdir()
        self.own(made)
        return made

    def own(self, folder: Path) -> None:
        """Give a folder, with what is in it, to the user without rights."""
        if os.geteuid() == 0:
            for each in (folder, *folder.rglob("*")):
                os.chown(each, NOBODY, NOBODY, follow_symlinks=False)

    def _write_patroni(self, python: str) -> None:
        folder = self.home / "bin"
        folder.mkdir()
        for name, start in COMMANDS.items():
            script = folder / name
            script.write_text(f'#!/bin/sh\nexec {python} -c "{start}" "$@"\n')
            script.chmod(0o755)


class Running:
    """A program that runs under a shell, which ends it even if this process is killed."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path, data: Path | None = None) -> None:
        variables = {"LOG": str(log)} | ({} if data is None else {"DATA": str(data)})
        self._keeper = subprocess.Popen(
            ["/bin/sh", "-c", KEEPER, "sh", *command],
            env=environment | variables, cwd=log.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True, **run_as(),
        )  # fmt: skip
        assert self._keeper.stdout is not None
        self.pid = int(self._keeper.stdout.readline())

    def stop(self) -> None:
        """Kill the program, and its PostgreSQL."""
        self._keeper.communicate(timeout=30)


def free_ports(count: int) -> list[int]:
    """Return ports that are free now, each once."""
    return [free_port() for _ in range(count)]


def _usable_python(home: Path) -> str:
    """Return a Python of this version that the user without rights can run."""
    names = (sys.executable, os.path.realpath(sys.executable), f"python3.{sys.version_info.minor}", "python3")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    check = f"import ssl, sys; sys.exit(sys.version_info[:2] != ({version.replace('.', ', ')}))"
    for found in filter(None, (shutil.which(name, path="/usr/bin:/bin:/usr/local/bin") for name in names)):
        try:
            ran = subprocess.run([found, "-c", check], cwd=home.parent, capture_output=True, check=False, **run_as())
        except PermissionError:
            continue
        if ran.returncode == 0:
            return found
    raise CannotRun(f"Patroni needs a Python {version} that the user {NOBODY} can run; install Debian's python3")


def _copy_packages(folder: Path) -> None:
    if importlib.util.find_spec("patroni") is None:
        raise CannotRun("Patroni isn't installed: run make setup")
    for name in required(PATRONI):
        package = distribution(name)
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                _copy(Path(str(package.locate_file(file))), folder / file)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
