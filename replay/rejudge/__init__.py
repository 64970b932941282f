"""Judges a recorded game by today's rules: rebuilds each command from the facts, decides it, and compares the facts.

The rules themselves are those the game recorded; the code that reads them is today's. A difference says that they
disagree, not which one is right: the record stands (docs/design.md), and judging continues from the recorded facts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from domain.commands import AnswerProposal, AskUndo, CallPartner, Command, OpenCeremony
from domain.decide import decide
from domain.decide.commits import with_single_next
from domain.events import FACTS, Event, Fact, GameOpened, MovesTakenBack, PartnerCalled
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.state import EMPTY_STATE, State
from domain.struct import replace
from replay.fold.validate import rules_fault
from replay.history import History
from replay.history.findings import Finding, RejudgeSection, section
from replay.rejudge.commands import due_command, ends_early, has_no_new_duty, player_command

FACTS_WITH_RULES = frozenset(name for name, kind in FACTS.items() if "rules" in kind.__annotations__)
FOLD_ERRORS = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""The errors that the rules can raise on a record that they could never have written."""
_BEGINNING_TURNS = (CallPartner, AskUndo, AnswerProposal)
"""Commands with facts that say since version 2 whether they begin a turn."""
_WITH_TURNS = frozenset({("PartnerCalled", PartnerCalled), ("MovesTakenBack", MovesTakenBack)})
MOST_DUTIES = 1000
"""The most duties of the table in one commit, besides a reveal of each deal that was recorded."""


@dataclass(frozen=True)
class Rejudgment:
    """The versions at which the judged commands begin (`heads`), the last judged version, and the differences.

    `waits` says why judging stopped before the end of the record.
    """

    heads: tuple[int, ...]
    upto: int
    findings: tuple[Finding, ...]
    waits: str | None = None

    @property
    def commands(self) -> int:
        """The number of judged commands."""
        return len(self.heads)

    def restrict(self, first: int, last: int) -> "Rejudgment":
        """Return the part that is about the versions from `first` to `last`."""
        findings = tuple(each for each in self.findings if each.version is not None and first <= each.version <= last)
        heads = tuple(version for version in self.heads if first <= version <= last)
        return Rejudgment(heads, min(self.upto, last), findings, None if last <= self.upto else self.waits)

    def to_json(self) -> RejudgeSection:
        """Return the section of a report."""
        return {
            "commands": self.commands,
            "upto": self.upto,
            "waits": self.waits,
            **section(self.findings),
        }


class _Unfoldable(Exception):
    """The fold can't apply the record from the event of `finding` on."""

    def __init__(self, version: int, says: str) -> None:
        super().__init__(says)
        self.finding = Finding(version, says)


def rejudge(history: History) -> Rejudgment:
    """Judge `history` by today's rules up to its first withheld event."""
    events = _readable_events(history)
    waits = None if len(events) == len(history.lines) else f"event {len(events) + 1} isn't shown or can't be read"
    record = _Replay(events, broken_off=waits is not None)
    try:
        while record.place < len(events) and record.judge_next():
            pass
        record.close()
    except _Unfoldable as error:
        record.findings.append(error.finding)
        waits = "the rest of the record can't be folded"
    findings = sorted(record.findings, key=lambda finding: finding.version or 0)
    return Rejudgment(tuple(record.heads), record.place, tuple(findings), waits)


def _readable_events(history: History) -> list[Event[Any]]:
    """Return the events before the first that isn't shown."""
    shown: list[Event[Any]] = []
    for line in history.lines:
        if line.event is None:
            break
        shown.append(line.event)
    return shown


@dataclass
class _Replay:
    """A record being judged. `start` is the state before the current commit, `state` the one within it.

    Within a commit today's facts say whose turn it is, also where the record leaves that to a later fact. `commit` are
    the facts of today that stand for recorded events, those that go beyond the record without one; `exact` says that
    each is as it was recorded. `idle` says that the table had no duty when it was last checked, and can't
    have a new one since.
    """

    events: Sequence[Event[Any]]
    broken_off: bool
    place: int = 0
    start: State = EMPTY_STATE
    state: State = EMPTY_STATE
    commit: list[tuple[Event[Any] | None, Fact]] = field(default_factory=list)
    exact: bool = True
    idle: bool = False
    folded: int = 0
    heads: list[int] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def judge_next(self) -> bool:
        """Judge the next command; return False if the record breaks off among the command's facts."""
        judged = self._judge(self.events[self.place : self.place + 2])
        after = self.place + judged.events
        if self.broken_off and after == len(self.events):
            return False
        recorded = self.events[self.place : after]
        self.commit += judged.facts
        if judged.exact:
            for event in recorded:
                self.state = _evolve(self.state, event)
        else:
            self.findings, self.exact = [*self.findings, *judged.findings], False
            for event, fact in zip(recorded, _facts_in_order(recorded, judged.facts), strict=True):
                self.state = _fold(self.state, event, fact)
        self.heads.append(recorded[0].version)
        self.place = after
        self.idle = self.idle and judged.exact and has_no_new_duty(self.state, recorded)
        return True

    def _judge(self, rest: Sequence[Event[Any]]) -> "_Judgment":
        """Return the judgment on the next command, which accounts for at least one recorded event.

        `rest` are the next two events.
        """
        head = rest[0]
        if isinstance(head.data, GameOpened) and self.state is EMPTY_STATE:
            return _Judgment(1)  # the rules are taken as recorded, whatever the variants offer today
        if ends_early(rest):
            return _Judgment(1)
        try:
            command = None if self.idle else due_command(self.state, rest)
            self.idle = command is None
            if command is None:
                self._end_commit()
                command = player_command(self.state, rest)
            facts = () if command is None else decide(self.state, command)
        except Rejected as refusal:
            return _Judgment(1, findings=[Finding(head.version, f"today's rules refuse it: {refusal}")])
        except FOLD_ERRORS as error:
            raise _Unfoldable(head.version, f"{head.fact} can't be judged after the events before it") from error
        if not facts:
            says = f"{head.fact} is recorded, but nothing is due and no command leads to it"
            return _Judgment(1, findings=[Finding(head.version, says)])
        recorded = self.events[self.place : self.place + len(facts)]
        if isinstance(command, _BEGINNING_TURNS):
            facts = tuple(_as_of_its_version(fact, event) for fact, event in zip_longest(facts, recorded))
        return _compare(recorded, facts)

    def _end_commit(self) -> None:
        """End the commit: compare its turns, and continue with the recorded state."""
        if not self.exact or len(self.commit) > 1:
            self._compare_commit()
        self.commit, self.exact, self.folded, self.start = [], True, self.place, self.state

    def _compare_commit(self) -> None:
        today = with_single_next([fact for _, fact in self.commit])
        for (event, judged), fact in zip(self.commit, today, strict=True):
            if self.exact and fact is judged:
                continue
            turn = getattr(fact, "next", None)
            if event is not None and turn is not None and event.data.next != turn:
                says = f"its next is recorded as {list(event.data.next)}; today's rules say {list(turn)}"
                self.findings.append(Finding(event.version, says))
        if not (self.exact or all(event is None or event.data == fact for event, fact in self.commit)):
            self.state = self.start
            for event in self.events[self.folded : self.place]:
                self.state = _fold(self.state, event, event.data)

    def close(self) -> None:
        """End the record: complete the last commit and compare it, unless the record breaks off."""
        if self.broken_off:
            return
        try:
            for _ in range(len(self.events) + MOST_DUTIES):
                if (command := self._due_after_record()) is None:
                    break
                facts = decide(self.state, command)
                self.commit, self.exact = [*self.commit, *((None, fact) for fact in facts)], False
                for fact in facts:
                    self.state = _fold_due(self.state, self.events[-1], fact)
        except (Rejected, _Unfoldable, *FOLD_ERRORS):
            self.commit = []
        self._end_commit()

    def _due_after_record(self) -> Command | None:
        """Return what the table owes after the last recorded event in the same commit, or None."""
        command = due_command(self.state, ()) if self.commit else None
        return None if isinstance(command, OpenCeremony) else command


def _as_of_its_version(fact: Any, recorded: Event[Any] | None) -> Any:
    """Return today's fact with the turn that version 1 of it began, if the record has it in that version."""
    if recorded is None or recorded.v > 1 or (recorded.fact, type(fact)) not in _WITH_TURNS:
        return fact
    return replace(fact, begins_turn=recorded.data.begins_turn)


def _fold_due(state: State, last: Event[Any], fact: Fact) -> State:
    """Return the state after a fact that the record doesn't have; `last` is its last event."""
    return _evolve(state, replace(last, data=fact, fact=type(fact).__name__, version=state.version + 1))


def _fold(state: State, event: Event[Any], fact: Fact) -> State:
    """Return the state after a recorded event; if the event leaves the turn to a later fact, use the turn of `fact`."""
    if (turn := _turn_of(fact)) and not _turn_of(event.data):
        return _evolve(state, replace(event, data=replace(event.data, next=turn)))
    return _evolve(state, event)


def _evolve(state: State, event: Event[Any]) -> State:
    """Return the state after an event; raise _Unfoldable if today's fold can't apply it."""
    if event.fact in FACTS_WITH_RULES and (fault := rules_fault(event.data.rules)):
        raise _Unfoldable(event.version, fault)
    try:
        return evolve(state, event)
    except FOLD_ERRORS as error:
        raise _Unfoldable(event.version, f"{event.fact} can't follow the events recorded before it") from error


def _turn_of(fact: Any) -> tuple[int, ...]:
    turn: tuple[int, ...] = getattr(fact, "next", ())
    return turn


_Pairs = list[tuple[Event[Any] | None, Fact]]


class _Judgment(NamedTuple):
    """How many recorded events a command accounts for, the facts of today for them, and what differs.

    `exact` says that these are the facts recorded, neither more nor others.
    """

    events: int
    facts: Sequence[tuple[Event[Any] | None, Fact]] = ()
    findings: Sequence[Finding] = ()
    exact: bool = False


def _facts_in_order(events: Sequence[Event[Any]], pairs: Sequence[tuple[Event[Any] | None, Fact]]) -> list[Fact]:
    """Return for each recorded event today's fact in its place, or its own."""
    today = [fact for event, fact in pairs if event is not None]
    return today + [event.data for event in events[len(today) :]]


def _compare(rest: Sequence[Event[Any]], facts: Sequence[Fact]) -> _Judgment:
    """Compare recorded events with today's facts; `rest` are as many events as facts, or all that remain."""
    if [event.data for event in rest] == list(facts):
        return _Judgment(len(facts), list(zip(rest, facts, strict=True)), exact=True)
    return _compare_each(rest, facts)


def _compare_each(rest: Sequence[Event[Any]], facts: Sequence[Fact]) -> _Judgment:
    """Compare the events one by one up to the first of another type; `_compare_commit` compares the turns later."""
    findings, pairs = list[Finding](), _Pairs()
    for place, fact in enumerate(facts):
        if place >= len(rest):
            pairs.append((None, fact))
            continue
        event = rest[place]
        if type(event.data) is not type(fact):
            name = type(fact).__name__
            findings.append(Finding(event.version, f"today's rules give {name}, but {event.fact} is recorded"))
            return _Judgment(max(1, place), pairs, findings)
        pairs.append((event, fact))
        findings += [Finding(event.version, says) for says in _differences(event.data, fact)]
    return _Judgment(len(rest), pairs, findings)


def _differences(recorded: Fact, today: Fact) -> Iterator[str]:
    for name in sorted(type(recorded).__annotations__):
        before, now = getattr(recorded, name), getattr(today, name)
        if name != "next" and before != now:
            yield f"its {name} is recorded as {_value_text(before)}; today's rules say {_value_text(now)}"


def _value_text(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)
