"""The wheel and the source archive, and a virtual environment that holds the wheel and what it requires."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
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
    for name in {*required(Requirement("trickbook"))} - {"trickbook"}:
        _link(name, site)
    run(*PIP, "--python", python, "install", "--no-deps", "--no-index", built.wheel)
    run(*PIP, "--python", python, "check")
    return folder / "bin"


def required(wanted: Requirement, found: dict[str, None] | None = None) -> Iterator[str]:
    """Yield the names of a distribution and of all that it requires here, with these extras."""
    found = {} if found is None else found
    if wanted.name in found and not wanted.extras:
        return
    found[wanted.name] = None
    yield wanted.name
    for text in distribution(wanted.name).requires or ():
        other = Requirement(text)
        extras = [{"extra": extra} for extra in ("", *wanted.extras)]
        if other.marker is None or any(other.marker.evaluate(each) for each in extras):
            yield from required(other, found)


def _link(name: str, site: Path) -> None:
    """Link an installed distribution into another environment, as pip would install it."""
    of = distribution(name)
    for top in {file.parts[0] for file in of.files or ()} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(of.locate_file(top))))
