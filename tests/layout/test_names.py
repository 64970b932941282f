"""Every public name of the product is one that a newcomer can search for, and has one meaning."""

from pathlib import Path

import pytest

from tests.layout.names import ambiguous_classes, bare_names, findings
from tests.layout.product import modules


@pytest.mark.slow  # `make prose` says the same
def test_no_public_name_is_bare_or_ambiguous() -> None:
    assert findings(modules()) == []


def test_a_bare_name_is_found_and_others_are_left_alone() -> None:
    routes = Path("api/routes/games.py")
    for bare in ("def told(): ...", "class Kept: ...", "def carried(): ...", "def here(): ..."):
        assert list(bare_names(routes, bare)), bare
    assert list(bare_names(Path("api/seen.py"), ""))
    for good in ("def feed(): ...", "def cards_shown(): ...", "class HandDealt: ..."):
        assert not list(bare_names(routes, good)), good


def test_two_classes_of_one_name_are_found() -> None:
    sources = [(Path("a.py"), "class Keys: ..."), (Path("b.py"), "class Keys: ..."), (Path("c.py"), "class _Keys: ...")]
    assert list(ambiguous_classes(sources)) == ["class Keys has 2 meanings: a.py:1, b.py:1"]
