"""The pictures of the pages: each page has one of each width, small enough to load, and nothing else is kept."""

import struct

import pytest

from tests.web.pictures import FOLDER, PAGES, WIDTHS, size_of

MOST_BYTES = 150_000
MOST_BYTES_IN_ALL = 3_000_000
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_small_picture_of_each_width(name: str) -> None:
    for width in WIDTHS:
        picture = (FOLDER / f"{name}-{width}.png").read_bytes()
        assert picture.startswith(SIGNATURE)
        assert struct.unpack(">II", picture[16:24]) == size_of(name, width)
        assert len(picture) < MOST_BYTES


def test_the_pictures_are_those_of_the_pages_that_there_are() -> None:
    pictures = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert pictures.keys() == {f"{name}-{width}.png" for name in PAGES for width in WIDTHS}
    assert sum(pictures.values()) < MOST_BYTES_IN_ALL
