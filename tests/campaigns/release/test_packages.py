"""The contents of the wheel and the source archive: all that they need, and nothing else."""

import subprocess
import tarfile
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.campaigns.release.packages import PIP, Built, run
from tests.layout.product import PACKAGES, ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
INCLUDED: dict[str, str] = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
RULES = "docs/rules"
NOTES = f"trickbook-{PROJECT['version']}.dist-info/"


def names_in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def names_in_sdist(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {member.name.partition("/")[2] for member in archive.getmembers()}


def faults_of_wheel(held: set[str]) -> set[str]:
    """Return the files of the packages that the wheel lacks, and those of other folders that it holds."""
    paths = {path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()}
    ours = {str(path.relative_to(ROOT)) for path in paths if "__pycache__" not in path.parts}
    ours |= {f"{INCLUDED[RULES]}/{path.name}" for path in (ROOT / RULES).glob("*.md")}
    lacks = (ours | {f"{NOTES}licenses/LICENSE", f"{NOTES}entry_points.txt"}) - held
    return lacks | {name for name in held - ours if not name.startswith(NOTES)}


def test_the_wheel_holds_every_file_of_the_packages_and_no_other_folder(built: Built) -> None:
    assert faults_of_wheel(names_in_wheel(built.wheel)) == set()


def test_canary_a_wheel_that_lacks_a_file_or_has_another_is_reported(built: Built) -> None:
    held, missing, more = names_in_wheel(built.wheel), "domain/cards.py", "tests/conftest.py"
    assert faults_of_wheel(held - {missing} | {more}) == {missing, more}


def test_the_wheel_has_types_and_metadata_without_an_address(built: Built) -> None:
    held, stated = names_in_wheel(built.wheel), built.metadata()
    assert {f"{package}/py.typed" for package in PACKAGES} <= held
    assert "Typing :: Typed" in stated.get_all("Classifier", [])
    assert (stated["Version"], stated["License-Expression"]) == (PROJECT["version"], "MIT")
    assert [name for name in ("Home-page", "Project-URL", "Download-URL", "Author-email") if name in stated] == []


def test_the_source_archive_holds_only_files_that_git_tracks(built: Built) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the project has no history")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        pytest.skip(f"git can't list the files: {told.stderr}")
    tracked, held = set(told.stdout.splitlines()), names_in_sdist(built.sdist)
    assert held - tracked == {"PKG-INFO"}
    assert {name for name in tracked - held if not name.startswith(".ci/")} == set()


@pytest.mark.slow
def test_the_source_archive_builds_the_same_wheel_byte_for_byte(built: Built, tmp_path: Path) -> None:
    run(*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", tmp_path, built.sdist)
    again = tmp_path / built.wheel.name
    assert again.read_bytes() == built.wheel.read_bytes()


def test_this_environment_has_the_version_of_the_project() -> None:
    assert version("trickbook") == PROJECT["version"], "run `make setup`"
