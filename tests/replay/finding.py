"""Sound games that contain a certain fact, to forge it."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

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
