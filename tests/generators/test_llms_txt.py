"""`llms.txt` of the documentation site: each page, and whom it's for."""

import re
from pathlib import Path

from ruamel.yaml import YAML

from tests.docs.markdown import ROOT
from tests.generators.llms_txt import on_post_build


def test_each_page_is_listed_with_its_first_sentence(tmp_path: Path) -> None:
    config = YAML(typ="safe").load(ROOT / "mkdocs.yml")
    on_post_build(config | {"docs_dir": ROOT / "docs", "site_dir": tmp_path})
    lines = (tmp_path / "llms.txt").read_text(encoding="utf-8").splitlines()
    pages = [line for line in lines if line.startswith("- ")]
    named = re.findall(r": ([\w/-]+)\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert [re.findall(r"\]\(([^)]+)\.html\)", line)[0] for line in pages] == [
        name.replace("README", "index") for name in named
    ]
    assert [line for line in pages if ".html): " not in line] == []
