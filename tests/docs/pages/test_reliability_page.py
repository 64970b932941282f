"""docs/reliability.md: every test, target and module that it names exists."""

import re

from tests.docs.markdown import ROOT

TEXT = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")


def test_every_test_that_it_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)
    assert len(named) > 30
    missing = [
        (path, test)
        for path, test in named
        if not (ROOT / path).exists() or f"def {test}" not in (ROOT / path).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_every_target_and_module_that_it_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"`make (\w+)`", TEXT)) <= targets
    for module in re.findall(r"python -m (tests\.[\w.]+)", TEXT):
        assert (ROOT / module.replace(".", "/") / "__main__.py").exists()
