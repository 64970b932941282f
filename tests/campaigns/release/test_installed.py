"""The wheel in a clean environment, outside the checkout: `trickbook serve`, `trickbook demo` and the packages."""

import json
import subprocess
from pathlib import Path

import httpx
import pytest

from api.client import Server
from domain.rules.variants import VARIANTS
from tests.api.server_process import server_environment, start_server
from tests.campaigns.release.test_packages import PROJECT
from tests.conftest import Database
from tests.layout.product import PACKAGES, ROOT

STATIC = ROOT / "api" / "static" / "verify"
WHERE = """
import importlib, json, sys
print(json.dumps([importlib.import_module(name).__file__ for name in sys.argv[1:]]))
"""

pytestmark = pytest.mark.slow


def done(folder: Path, *command: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a program in `folder` as somebody does who has no checkout."""
    environ = server_environment()
    environ.pop("PYTHONPATH", None)
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=560)


def test_the_program_prints_its_version(programs: Path, tmp_path: Path) -> None:
    printed = done(tmp_path, programs / "trickbook", "--version")
    assert (printed.returncode, printed.stdout) == (0, f"trickbook, version {PROJECT['version']}\n")


def test_the_packages_come_from_the_wheel(programs: Path, tmp_path: Path) -> None:
    printed = done(tmp_path, programs / "python", "-c", WHERE, *PACKAGES)
    places = [Path(place) for place in json.loads(printed.stdout)]
    assert [place for place in places if not place.is_relative_to(programs.parent)] == []


def test_a_program_elsewhere_imports_the_client(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "trickbook").mkdir()  # a folder of this name, such as an environment, doesn't hide it
    program = "from trickbook.client import Server, Table; print(Server.__module__)"
    printed = done(tmp_path, programs / "python", "-c", program)
    assert (printed.returncode, printed.stdout) == (0, "api.client.server\n"), printed.stderr


def static_paths() -> dict[str, Path]:
    """Return the path on the server of each file of the program that verifies an export."""
    return {f"/static/{path.name}": path for path in STATIC.iterdir()}


def test_it_serves_a_game_and_every_static_file(programs: Path, database: Database, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    trickbook = [str(programs / "trickbook")]
    with start_server(database, program=trickbook, cwd=elsewhere) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", "correct-horse")
        opened = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
        moved = ann.post(f"/games/{opened['board']}/moves", opened["view"]["you"]["legal"][0])
        assert moved["view"]["version"] > opened["view"]["version"]
        for path, file in static_paths().items():
            assert httpx.get(serving.url + path, timeout=60).content == file.read_bytes(), path
        assert httpx.get(f"{serving.url}/verify", timeout=60).is_success
    assert list(elsewhere.iterdir()) == []


@pytest.mark.timeout(600)
def test_the_demonstration_runs_in_a_folder_with_packages_of_the_same_names(programs: Path, tmp_path: Path) -> None:
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise ImportError('this is another package')\n")
    played = done(tmp_path, programs / "trickbook", "demo")
    assert played.returncode == 0, played.stderr
    assert [name for name in VARIANTS if f": {name}, " not in played.stdout] == []
