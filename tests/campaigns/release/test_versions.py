"""One version everywhere, and a changelog in the form of Keep a Changelog."""

import re
from datetime import date
from pathlib import Path

import pytest

from tests.campaigns.release.packages import Built
from tests.campaigns.release.test_packages import PROJECT
from tests.layout.product import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
VERSION: str = PROJECT["version"]


def parts(text: str) -> dict[str, str]:
    """Return the text below each heading of a version, the newest first."""
    _, *found = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(found[::2], found[1::2], strict=True))


def faults(text: str) -> list[str]:
    """Return a sentence for each place that departs from Keep a Changelog."""
    headings = list(parts(text))
    wrong = [] if headings[:1] == ["Unreleased"] else ["the first part isn't Unreleased"]
    releases = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)", heading) for heading in headings[1:]]
    undated = [heading for heading, each in zip(headings[1:], releases, strict=True) if not each]
    wrong += [f"{heading}: no version and day" for heading in undated]
    order = [(date.fromisoformat(each[4]), *map(int, each.group(1, 2, 3))) for each in releases if each]
    wrong += [] if order == sorted(order, reverse=True) else ["the versions aren't in order"]
    for heading, body in parts(text).items():
        kinds = re.findall(r"^### (.+)$", body, re.MULTILINE)
        wrong += [] if kinds == [kind for kind in KINDS if kind in kinds] else [f"{heading}: its sections are {kinds}"]
        wrong += [f"{heading}: a line in no section"] if "\n* " in f"\n{body.partition('### ')[0]}" else []
    return wrong


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    assert faults(CHANGELOG) == []


def test_the_newest_version_is_the_project_s() -> None:
    assert list(parts(CHANGELOG))[1].startswith(f"{VERSION} - ")
    minor = VERSION.rpartition(".")[0]
    assert f"This is version {minor}." in (ROOT / "README.md").read_text(encoding="utf-8")
    upgrades = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
    assert re.search(rf"^## From [\d.]+ to {re.escape(minor)}$", upgrades, re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "docs/operations.md"])
def test_the_pages_name_the_files_of_the_release(page: str, built: Built) -> None:
    named = set(re.findall(r"\btrickbook-\d[\w.-]*\.(?:whl|tar\.gz)", (ROOT / page).read_text(encoding="utf-8")))
    files: set[Path] = {built.wheel, built.sdist}
    assert built.wheel.name in named
    assert named <= {file.name for file in files}
