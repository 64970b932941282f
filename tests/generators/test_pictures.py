"""The pictures of the program show the current output of its commands, and fetch nothing."""

import json

from tests.generators.metrics_picture import RECORD, metrics_picture
from tests.generators.pictures import IMAGES, METRICS, PICTURES, picture
from tests.terminal.pictures import SIZES, terminal_picture


def test_each_picture_shows_the_current_output_screen_or_record() -> None:
    drawn = {METRICS: metrics_picture()}
    drawn |= {name: picture(name) for name in PICTURES} | {name: terminal_picture(name) for name in SIZES}
    for name, expected in drawn.items():
        shown = (IMAGES / name).read_text(encoding="utf-8")
        assert shown == expected, f"{name}: run `make pictures` and look at the result"
        assert "url(http" not in shown
    record = json.loads(RECORD.read_text(encoding="ascii"))
    assert record[-1]["at"] >= 600, "run python -m bench.server.metrics: it records ten minutes"
