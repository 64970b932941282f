"""At every frame, all that the table shows is of one version: headline, hand, scores, trick, bids and rules."""

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page

from replay.history import History, export_bytes
from tests.replay.playing import table
from tests.replay.variety import VARIETY
from tests.web.table.pages import gallery
from tests.web.table.recorded import PLAYED, history, named
from tests.web.table.test_evolve import shots

WATCH = """(sent) => import("/watch.js").then(({ watch }) => watch(JSON.parse(sent)))"""

NO_SERVER = ("/scoreboard", "/me/questions")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that finds no server, and complains about nothing else."""
    opened, complaints = gallery(browser)
    yield opened
    opened.close()
    assert [each for each in complaints if not any(path in each for path in NO_SERVER)] == []


def check(page: Page, log: History, seat: int | None) -> None:
    """Play a game on the page and look at each of its frames."""
    events = [line.event for line in log.lines if line.event is not None]
    ends = [a.version for a, b in pairwise(events) if a.command != b.command] + [events[-1].version]
    lines = [json.loads(line) for line in export_bytes(log).splitlines()[1:-1]]
    shown = list(shots(log, seat))
    for shot, line in zip(shown, lines, strict=True):
        shot["view"] = named(shot["view"])
        shot["item"] = line if shot["event"] else {key: line[key] for key in line if key != "event"}
    page.reload()
    page.emulate_media(reduced_motion="reduce")
    found = page.evaluate(WATCH, json.dumps({"shots": shown, "ends": ends, "seat": seat}))
    assert found["wrong"] == []
    assert found["last"] == len(shown)
    assert found["versions"] > len(ends) // 2
    assert found["frames"] > found["versions"]


@pytest.mark.parametrize("name", [pytest.param("Setback", marks=pytest.mark.slow), "Corellian"])
def test_every_frame_of_a_hand_is_of_one_version(name: str, page: Page) -> None:
    check(page, history(name), 0)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", sorted({variety for variety, _ in PLAYED.values()}))
@pytest.mark.parametrize("seed", range(10))
def test_every_frame_of_ten_games_is_of_one_version(name: str, seed: int, page: Page) -> None:
    made = table(seed, **VARIETY[name]).hands(4, also=0.3, often=0.05)
    for seat in (seed % len(made.game.state.seats), None):
        check(page, made.history, seat)
