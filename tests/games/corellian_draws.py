"""Every draw of the randomizer in whole sessions of Corellian Pitch, computed again from the seeds.

check_draws(Session(7).plays_out().events) checks and returns the draws of a session played at random.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from domain.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDiscarded,
    CeremonyOpened,
    CeremonyRevealed,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    MisdealDeclared,
    MovesTakenBack,
    PartnerCalled,
    RulesChanged,
    RulesChangeDeferred,
    TrumpNamed,
)
from domain.protocols import fairdeal
from domain.rules.choices import Stop
from domain.rules.model import Rules, RulesSummary

T = TypeVar("T")
TURNS = (BidMade, BidPassed, TrumpNamed, PartnerCalled, CardsDiscarded, CardPlayed)
"""The facts that count as a turn (fairdeal/1)."""


@dataclass(frozen=True)
class Draw:
    """The randomizer's draw before turn `t` of deal `n`: a word of the menu, or "end"."""

    n: int
    t: int
    word: str


@dataclass
class Walk:
    """The position in a log: the rules in force and the rules to come, and the deal whose seed draws."""

    game: str
    rules: Rules
    setting: RulesSummary
    seeds: dict[int, bytes]
    subjects: dict[int, str]
    key: bytes = b""
    n: int = 0
    t: int = 0
    live: bool = False
    asked: set[int] = field(default_factory=set)
    held: int = 0
    stopping: str | None = None
    taken: list[int] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)

    def due(self) -> str | None:
        """Return the seed's draw before this turn: a word, "end", or None."""
        randomizer = self.rules.changes.randomizer
        if randomizer is None:
            return None
        if randomizer.end and fairdeal.chance(self.key, label := f"randomizer {self.t} end", *randomizer.end):
            if self.rules.stop is Stop.AT_ONCE:
                return "end"
            self.stopping = self.stopping or label
        menu = not_in_force(self.rules.changes.menu, self.setting)
        if not menu or not fairdeal.chance(self.key, f"randomizer {self.t} when", *randomizer.when):
            return None
        return menu[fairdeal.pick(self.key, f"randomizer {self.t} what", len(menu))]

    def passed(self) -> None:
        """Check, as a seat acts, that no draw before this turn is missing."""
        if self.live and self.t not in self.asked:
            assert self.due() is None, (self.n, self.t, self.due())
            self.asked.add(self.t)

    def drawn(self, fact: RulesChanged | RulesChangeDeferred) -> None:
        """Check a change: it was due before this turn, and comes once."""
        menu = not_in_force(self.rules.changes.menu, self.setting)
        assert self.live
        assert self.t not in self.asked, (self.n, self.t)
        assert fact.pick is not None
        assert (fact.n, fact.label, fact.of) == (self.n, f"randomizer {self.t} what", len(menu))
        assert self.due() == menu[fact.pick]
        assert after(self.setting, menu[fact.pick]) == fact.summary == fact.rules.setting
        self.asked.add(self.t)
        self.draws.append(Draw(self.n, self.t, menu[fact.pick]))

    def ended(self, fact: GameEnded) -> None:
        """Check that an end by draw was due; `label` names its turn."""
        if self.live:
            assert self.due() == "end"
            self.stopping = f"randomizer {self.t} end"
        assert (fact.n, fact.label) == (self.n, self.stopping)
        self.t = int((fact.label or "").split()[1])
        self.draws.append(Draw(self.n, self.t, "end"))


def not_in_force(menu: Iterable[str], setting: RulesSummary) -> list[str]:
    """Return the words of a menu that would change this setting."""
    return [word for word in menu if after(setting, word) != setting]


def after(setting: RulesSummary, word: str) -> RulesSummary:
    """Return the setting after one change."""
    what, to = word.split(":")
    if what in ("dirty", "reverse"):
        return RulesSummary(**vars(setting) | {what: to == "on"})
    return RulesSummary(**vars(setting) | {what: to})


def check_draws(events: list[Event[Any]]) -> list[Draw]:
    """Return every draw of a log's revealed hands, in order, after comparing each with the seed."""
    opening = events[0].data
    assert isinstance(opening, GameOpened)
    seeds = {event.data.n: bytes.fromhex(event.data.seed) for event in those(CeremonyRevealed, events)}
    subjects = {event.data.n: event.data.subject for event in those(CeremonyOpened, events)}
    walk = Walk(events[0].game, opening.rules, opening.rules.setting, seeds, subjects)
    for before, event in pairwise(events):
        if event.command != before.command:
            walk.passed()
        if isinstance(event.data, HandDealt) and event.data.n not in seeds:
            break
        _read(walk, event)
    return walk.draws


def _read(walk: Walk, event: Event[Any]) -> None:
    fact = event.data
    if isinstance(fact, HandDealt):
        assert walk.stopping is None
        cuts = [(source, bytes.fromhex(cut)) for source, cut in fact.cuts]
        walk.key = fairdeal.key(walk.game, fact.n, walk.subjects[fact.n], walk.seeds[fact.n], cuts)
        walk.n, walk.t, walk.live, walk.asked, walk.taken = fact.n, 0, True, set(), []
    elif isinstance(fact, TURNS):
        walk.taken.append(event.version)
        walk.t += 1
    elif isinstance(fact, MovesTakenBack):
        walk.taken = [version for version in walk.taken if version <= fact.to_version]
        walk.t = len(walk.taken)
    elif isinstance(fact, HandScored | MisdealDeclared):
        walk.live = False
    elif isinstance(fact, RulesChanged | RulesChangeDeferred):
        _changed(walk, fact)
    elif isinstance(fact, GameEnded) and fact.reason == "randomizer":
        walk.ended(fact)


def _changed(walk: Walk, fact: RulesChanged | RulesChangeDeferred) -> None:
    if fact.cause == "randomizer":
        walk.drawn(fact)
    if isinstance(fact, RulesChangeDeferred):
        walk.held += 1
    else:
        walk.held -= fact.cause == "deferred"
        walk.rules = fact.rules
    if fact.cause != "deferred" or not walk.held:
        walk.setting = fact.summary


def those(kind: type[T], events: Iterable[Event[Any]]) -> Iterator[Event[T]]:
    """Return the events of one kind of fact, in order."""
    return (event for event in events if isinstance(event.data, kind))
