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


def printed(folder: Path, *command: str | Path) -> str:
    """Return the output of a program that must succeed, run in `folder` as somebody does who has no checkout."""
    environ = server_environment()
    environ.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=560)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_the_packages_and_the_client_come_from_the_wheel(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "trickbook").mkdir()  # a folder of this name, such as an environment, doesn't hide the client
    client = "from trickbook.client import Server, Table; print(Server.__module__)"
    assert printed(tmp_path, programs / "trickbook", "--version") == f"trickbook, version {PROJECT['version']}\n"
    places = [Path(place) for place in json.loads(printed(tmp_path, programs / "python", "-c", WHERE, *PACKAGES))]
    assert [place for place in places if not place.is_relative_to(programs.parent)] == []
    assert printed(tmp_path, programs / "python", "-c", client) == "api.client.server\n"


def test_it_serves_a_game_and_every_static_file(programs: Path, database: Database, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    trickbook = [str(programs / "trickbook")]
    with start_server(database, program=trickbook, cwd=elsewhere) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", "correct-horse")
        opened = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
        moved = ann.post(f"/games/{opened['board']}/moves", opened["view"]["you"]["legal"][0])
        assert moved["view"]["version"] > opened["view"]["version"]
        for file in STATIC.iterdir():
            assert httpx.get(f"{serving.url}/static/{file.name}", timeout=60).content == file.read_bytes(), file
        assert httpx.get(f"{serving.url}/verify", timeout=60).is_success
    assert list(elsewhere.iterdir()) == []


@pytest.mark.timeout(600)
def test_the_demonstration_runs_in_a_folder_with_packages_of_the_same_names(programs: Path, tmp_path: Path) -> None:
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise ImportError('this is another package')\n")
    played = printed(tmp_path, programs / "trickbook", "demo")
    assert [name for name in VARIANTS if f": {name}, " not in played] == []
