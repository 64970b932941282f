"""The program that pages type, imported once for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.warm_program import warm_program


@pytest.fixture(scope="session")
def program_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder with the program `trickbook`."""
    with warm_program(tmp_path_factory.mktemp("program")) as path:
        yield path
