"""The randomizer's draws in sessions of Corellian Pitch, after an audit has computed each of them again from the seeds.

check_draws(Session(7).plays_out()) checks and returns the draws of a session played at random.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from domain.events import Event, GameEnded, GameOpened, RulesChanged, RulesChangeDeferred
from domain.rules.model import RulesSummary
from replay.audit import audit
from replay.history import from_entries
from replay.rejudge import rejudge
from tests.games.tables import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Draw:
    """The randomizer's draw before turn `t` of deal `n`: a word of the menu, or "end"."""

    n: int
    t: int
    word: str


def check_draws(table: Table) -> list[Draw]:
    """Return every draw of a session, in order; the audit finds that each was due, and that none is missing."""
    history = from_entries([entry for commit in table.commits for entry in commit], {})
    assert audit(history, rejudge(history)).findings == []
    opening = table.events[0].data
    assert isinstance(opening, GameOpened)
    draws, setting = list[Draw](), opening.rules.setting
    for event in table.events:
        fact = event.data
        if isinstance(fact, RulesChanged | RulesChangeDeferred) and fact.cause != "deferred":
            if fact.cause == "randomizer":
                draws.append(_draw(fact, changed(setting, fact.summary)))
            setting = fact.summary
        elif isinstance(fact, GameEnded) and fact.reason == "randomizer":
            draws.append(_draw(fact, "end"))
    return draws


def _draw(fact: RulesChanged | RulesChangeDeferred | GameEnded, word: str) -> Draw:
    assert fact.n is not None
    assert fact.label is not None
    return Draw(fact.n, int(fact.label.split()[1]), word)


def changed(before: RulesSummary, now: RulesSummary) -> str:
    """Return the only change between two settings as a word of the menu, such as "dirty:on"."""
    ((name, value),) = set(vars(now).items()) - set(vars(before).items())
    return f"{name}:{({True: 'on', False: 'off'}).get(value, value)}"


def those(kind: type[T], events: Iterable[Event[Any]]) -> Iterator[Event[T]]:
    """Return the events of one kind of fact, in order."""
    return (event for event in events if isinstance(event.data, kind))
