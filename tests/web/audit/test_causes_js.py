"""Causes of what is wrong in a file: one for one fault, however many findings follow from it."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from replay.history import export_bytes
from tests.replay.forging import events_of, rewritten
from tests.replay.variety import VARIETY
from tests.web.engines import STATIC, Engine
from tests.web.forgeries import FORGERIES, forged, nth
from tests.web.games import ended, game

Lines = list[str]
PLACES = 9
MOST_CAUSES = 4
"""Of one forgery: what it changes in the rules of the opening can be wrong in each of three deals again."""


def lines_of(name: str) -> Lines:
    """Return the lines of an export: the first one, one for each event, and the last one."""
    return export_bytes(game(name)).decode().splitlines()


def causes(engine: Engine, files: list[Lines]) -> list[Any]:
    """Return the causes in each file, and the number of its findings."""
    asked = ["".join(f"{line}\n" for line in lines) for lines in files]
    answers: list[Any] = engine.run(STATIC.parent, {"do": "causes", "module": "check/check.js", "asked": asked})
    return answers


def kinds(answer: Any) -> list[tuple[str, int | None]]:
    """Return the kind of each cause, and its event."""
    return [(each["kind"], each["from"]) for each in answer["causes"]]


def without(lines: Lines, place: int, count: int = 1) -> Lines:
    return [*lines[:place], *lines[place + count :]]


def changed(lines: Lines, place: int, pattern: str, by: str) -> Lines:
    """Return the lines with a change in one of them."""
    other = re.sub(pattern, by, lines[place], count=1)
    assert other != lines[place]
    return [*lines[:place], other, *lines[place + 1 :]]


@pytest.mark.parametrize("name", ["gamerz Pitch", "Setback with partners", "Blackout", "Corellian Pitch"])
def test_a_deleted_line_is_one_cause_in_every_variant(engine: Engine, name: str) -> None:
    assert name in VARIETY
    lines = export_bytes(ended(name).history).decode().splitlines()
    events = len(lines) - 2
    places = sorted({1, 2, events, *range(3, events, events // PLACES)})
    answers = causes(engine, [without(lines, place) for place in places])
    assert [kinds(answer) for answer in answers] == [[("missing", place)] for place in places]
    middle = answers[len(places) // 2]
    assert middle["findings"] > events / 3
    assert middle["causes"][0]["findings"] == middle["findings"]


CHANGES: dict[str, tuple[Callable[[Lines], Lines], list[tuple[str, int | None]]]] = {
    "nothing": (lambda lines: lines, []),
    "three lines deleted": (lambda lines: without(lines, 40, 3), [("missing", 40)]),
    "two lines deleted apart": (lambda lines: without(without(lines, 60), 20), [("missing", 20), ("missing", 60)]),
    "two lines swapped": (lambda lines: [*lines[:40], lines[41], lines[40], *lines[42:]], [("moved", 39)]),
    "a line twice": (lambda lines: [*lines[:41], *lines[40:]], [("twice", 40)]),
    "a line of something else": (lambda lines: [*lines[:40], "hello", *lines[41:]], [("unreadable", 40)]),
    "a card": (lambda lines: changed(lines, 14, '"card":"[^"]+"', '"card":"X1"'), [("changed", 14)]),
    "a hash": (lambda lines: changed(lines, 40, '"leaf":"....', '"leaf":"0000'), [("hash", 40)]),
    "a link": (lambda lines: changed(lines, 40, '"prev":"....', '"prev":"0000'), [("link", 40)]),
    "the last root": (lambda lines: changed(lines, -1 % len(lines), '"root":"....', '"root":"0000'), [("trailer", 81)]),
    "no last line": (lambda lines: lines[:-1], [("cut-off", 82)]),
    "another first line": (
        lambda lines: changed(lines, 0, '"game":"....', '"game":"0000'),
        [("header", 1)],
    ),
}


def test_a_change_of_a_file_is_named_by_its_kind_and_its_event(engine: Engine) -> None:
    lines = lines_of("cuts")
    answers = causes(engine, [change(lines) for change, _ in CHANGES.values()])
    assert dict(zip(CHANGES, map(kinds, answers), strict=True)) == {name: due for name, (_, due) in CHANGES.items()}


def test_a_changed_seed_is_one_cause(engine: Engine) -> None:
    history = game("cuts")
    place = 1 + nth(events_of(history), "CeremonyRevealed", 0)
    [answer] = causes(engine, [changed(lines_of("cuts"), place, '"seed":"....', '"seed":"0000')])
    assert kinds(answer) == [("changed", place)]


def test_a_forged_deal_after_a_deleted_line_is_a_cause_of_its_own(engine: Engine) -> None:
    history = game("cuts")
    events = events_of(history)
    forged_at = nth(events, "CardsDealt", 2)
    events[forged_at]["data"]["cards"].reverse()
    lines = export_bytes(rewritten(history, events)).decode().splitlines()
    [answer] = causes(engine, [without(lines, 12)])
    opened = 1 + nth(events, "CeremonyOpened", 1)
    assert kinds(answer) == [("missing", 12), ("deals", opened)]


@pytest.mark.slow
def test_every_forgery_has_few_causes_that_hold_all_its_findings(engine: Engine) -> None:
    answers = causes(engine, [forged(each)[0].decode().splitlines() for each in FORGERIES.values()])
    found = dict(zip(FORGERIES, answers, strict=True))
    causes_of = {name: len(answer["causes"]) for name, answer in found.items()}
    assert {name: many for name, many in causes_of.items() if not 1 <= many <= MOST_CAUSES} == {}
    for name, answer in found.items():
        own = sum(each["kind"] == "finding" for each in answer["causes"])
        assert own + sum(each["findings"] for each in answer["causes"]) == answer["findings"], name
