"""Every public name of the product is one that a newcomer can search for, and has one meaning."""

from pathlib import Path

import pytest

from tests.layout.names import ambiguous_classes, bare_names, findings
from tests.layout.product import modules


def test_no_public_name_is_bare_or_ambiguous() -> None:
    assert findings(modules()) == []


@pytest.mark.parametrize("bare", ["def told(): ...", "class Kept: ...", "def carried(): ...", "def here(): ..."])
def test_a_bare_name_is_found(bare: str) -> None:
    assert list(bare_names(Path("api/routes/games.py"), bare))


def test_a_module_with_a_bare_name_is_found() -> None:
    assert list(bare_names(Path("api/seen.py"), ""))


@pytest.mark.parametrize("good", ["def feed(): ...", "def cards_shown(): ...", "class HandDealt: ..."])
def test_other_names_are_left_alone(good: str) -> None:
    assert not list(bare_names(Path("api/routes/games.py"), good))


def test_two_classes_of_one_name_are_found() -> None:
    sources = [(Path("a.py"), "class Keys: ..."), (Path("b.py"), "class Keys: ..."), (Path("c.py"), "class _Keys: ...")]
    assert list(ambiguous_classes(sources)) == ["class Keys has 2 meanings: a.py:1, b.py:1"]
