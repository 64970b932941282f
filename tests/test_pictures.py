"""The pictures of the program show the current output of its commands."""

import pytest

from tests.pictures import IMAGES, PICTURES, picture


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_the_output_of_its_command(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == picture(name), "run `make pictures` and look at the result"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_fetches_nothing(name: str) -> None:
    assert "url(http" not in picture(name)
