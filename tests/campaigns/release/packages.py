"""The wheel and the source archive, and a virtual environment that holds the wheel and what it requires."""

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.layout.product import ROOT

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


@dataclass(frozen=True)
class Built:
    """The two files of a release."""

    wheel: Path
    sdist: Path

    def metadata(self) -> Message:
        """Return the wheel's metadata."""
        with zipfile.ZipFile(self.wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            return Parser().parsestr(archive.read(name).decode())


def run(*command: str | Path) -> str:
    """Return the output of a program that must succeed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path) -> Built:
    """Build both files into `folder`, like `make dist`."""
    run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return Built(next(folder.glob("*.whl")), next(folder.glob("*.tar.gz")))


def install(built: Built, folder: Path) -> Path:
    """Make a virtual environment of the wheel and what it requires, and nothing else. Return its folder of programs."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    for name in sorted(_closure(built.metadata().get_all("Requires-Dist", []))):
        _link(name, site)
    run(*PIP, "--python", python, "install", "--no-deps", "--no-index", built.wheel)
    run(*PIP, "--python", python, "check")
    return folder / "bin"


def _closure(lines: Iterable[str]) -> set[str]:
    """Return the names of the distributions that these requirements need, with those that these need, and so on."""
    found: set[tuple[str, str]] = set()
    waiting = list(_needed(lines, ""))
    while waiting:
        if (each := waiting.pop()) not in found:
            found.add(each)
            waiting.extend(_needed(distribution(each[0]).requires or (), each[1]))
    return {name for name, _ in found}


def _needed(lines: Iterable[str], extra: str) -> Iterator[tuple[str, str]]:
    """Yield the name and an extra, or "", of each requirement that holds here."""
    for needed in map(Requirement, lines):
        if needed.marker is None or needed.marker.evaluate({"extra": extra}):
            yield from ((needed.name, each) for each in ("", *needed.extras))


def _link(name: str, site: Path) -> None:
    """Link an installed distribution into another environment, as pip would install it."""
    of = distribution(name)
    for top in {file.parts[0] for file in of.files or ()} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(of.locate_file(top))))
