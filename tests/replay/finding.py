"""Sound games that contain a certain fact, to forge it."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from replay.fold import START, Position, apply_event
from replay.history import History
from tests.replay.forging import events_of
from tests.replay.playing import Table, table
from tests.replay.variety import VARIETY

Data = dict[str, Any]
Change = Callable[[Data], object]
Which = Callable[[Data], bool]
TIED = "Blackout to its end"
COINS = (27, 47, 53, 153, 157, 171, 189)
"""Seeds of games of Blackout that need a coin. If they stop needing one, other seeds are tried."""


def any_of_them(data: Data) -> bool:
    """Accept every fact."""
    return True


@lru_cache(maxsize=64)
def game(name: str, seed: int) -> Table:
    """Return three hands of a game of that kind, or all hands if it must end with a coin."""
    made = table(seed, **VARIETY[name])
    return made.play() if name == TIED else made.hands(3, also=0.15)


@lru_cache(maxsize=256)
def find_fact(name: str, fact: str, which: Which = any_of_them) -> tuple[History, int]:
    """Return a sound game of that kind and the version of the first such fact in it."""
    first: Iterable[int] = COINS if fact == "CoinFlipped" else ()
    for seed in (*first, *range(400)):
        made = game(name, seed)
        if all(entry.event.fact != fact for entry in made.entries):
            continue
        for event in events_of(made.history):
            if event["fact"] == fact and which(event["data"]):
                return made.history, event["version"]
    raise LookupError(f"no {name} has such a {fact}")


@cache
def before(name: str, fact: str, which: Which = any_of_them) -> tuple[Position, Any]:
    """Return the position of a game of that kind before the first such fact, and the fact."""
    history, version = find_fact(name, fact, which)
    position = START
    for event in history.events[: version - 1]:
        position = apply_event(position, event)
    return position, history.events[version - 1].data


def says(found_wrong: Iterator[str], what: str) -> None:
    """Assert that one of the sentences says `what`."""
    sentences = list(found_wrong)
    assert any(what in each for each in sentences), sentences
