"""The documentation site: `llms.txt` lists each page and whom it's for, and a build with a dead link fails."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.docs.markdown import ROOT
from tests.generators.site_files import SPY, on_post_build

SETTINGS = ROOT / "properdocs.yml"
BUILD = re.search(r"^docs:.*\n\t\$\(BIN\)/(.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
"""The command of `make docs`."""


def test_each_page_is_listed_with_its_first_sentence(tmp_path: Path) -> None:
    config = YAML(typ="safe").load(SETTINGS)
    for name in ("css", "js"):
        (tmp_path / name).mkdir()
    (tmp_path / "js" / "bootstrap.bundle.min.js").write_text(SPY[0])
    on_post_build(config | {"docs_dir": ROOT / "docs", "site_dir": tmp_path})
    lines = (tmp_path / "llms.txt").read_text(encoding="utf-8").splitlines()
    pages = [line for line in lines if line.startswith("- ")]
    named = re.findall(r": ([\w/-]+)\.md$", SETTINGS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [re.findall(r"\]\(([^)]+)\.html\)", line)[0] for line in pages] == [
        name.replace("README", "index") for name in named
    ]
    assert [line for line in pages if ".html): " not in line] == []


@pytest.mark.process
def test_canary_a_site_with_a_dead_link_anchor_or_picture_or_an_unlisted_page_is_not_built(tmp_path: Path) -> None:
    assert BUILD is not None
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copytree(ROOT / "tests" / "generators", tmp_path / "tests" / "generators")
    shutil.copy(SETTINGS, tmp_path)
    (tmp_path / "docs" / "unlisted.md").write_text("# U\n\n[a](gone.md) [b](host.md#gone) ![c](gone.svg)\n")
    program, *options = shlex.split(BUILD[1])
    command = [str(Path(sys.executable).parent / program), *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, "Aborted with 4 warnings in strict mode!" in done.stderr + done.stdout) == (1, True)
