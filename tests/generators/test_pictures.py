"""The pictures of the program show the current output of its commands."""

import json

import pytest

from tests.generators.metrics_picture import RECORD, metrics_picture
from tests.generators.pictures import IMAGES, METRICS, PICTURES, picture
from tests.terminal.pictures import SIZES, terminal_picture


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_the_output_of_its_command(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == picture(name), "run `make pictures` and look at the result"


@pytest.mark.parametrize("name", SIZES)
def test_a_picture_of_the_terminal_shows_the_current_screen(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == terminal_picture(name), "run `make pictures`"


def test_the_picture_of_metrics_shows_the_record() -> None:
    assert (IMAGES / METRICS).read_text(encoding="utf-8") == metrics_picture(), "run `make pictures`"
    record = json.loads(RECORD.read_text(encoding="ascii"))
    assert record[-1]["at"] >= 600, "run python -m bench.server.metrics: it records ten minutes"


@pytest.mark.parametrize("name", [*PICTURES, *SIZES, METRICS])
def test_a_picture_fetches_nothing(name: str) -> None:
    assert "url(http" not in (IMAGES / name).read_text(encoding="utf-8")
