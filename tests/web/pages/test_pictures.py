"""The pictures of the pages: each page has one of each width, small enough to load, and nothing else is kept."""

import struct

from tests.web.pictures import FOLDER, PAGES, WIDTHS, size_of

MOST_BYTES = 170_000
MOST_BYTES_IN_ALL = 3_200_000
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_each_page_has_a_small_picture_of_each_width_and_there_are_no_others() -> None:
    pictures = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    due = {f"{name}-{width}.png": size_of(name, width) for name in PAGES for width in WIDTHS}
    assert pictures.keys() == due.keys()
    assert sum(map(len, pictures.values())) < MOST_BYTES_IN_ALL
    for name, picture in pictures.items():
        assert picture.startswith(SIGNATURE), name
        assert struct.unpack(">II", picture[16:24]) == due[name], name
        assert len(picture) < MOST_BYTES, name
