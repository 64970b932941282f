"""The readers side by side: the audit with today's rules in this process, node and Go in a process each."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from domain.events import FACTS
from replay.audit import GREEN, audit
from replay.history import NotAnExport, export_bytes, read_export
from replay.rejudge import rejudge
from tests.agreement.verdicts import Verdicts, in_python, verdicts
from tests.campaigns.agreement.forgeries import NAMES, Forgery, limit_of
from tests.campaigns.agreement.random_games import Game, random_game
from tests.campaigns.tamper.cuts import MOST_S, STORED, exports_of
from tests.programs import find_program
from tests.verifiers.go import Verifier, build
from tests.web.engines import Engine, Node, node, nodes
from tests.web.example import with_receipt
from tests.web.reading import reports, told

BATCH = 25
"""How many games the readers get at once."""
RIGHT = Verdicts(GREEN, GREEN, GREEN)
"""The verdict of all on a sound game with a receipt."""
ENOUGH = 10_000
"""Among at least that many games, each fact comes."""
Told = Callable[[int], None]


class ProgramMissing(Exception):
    """A program that runs a verifier isn't installed."""


@dataclass(frozen=True)
class Readers:
    """The verifiers in JavaScript and in Go; that in Python runs here."""

    engine: Engine
    verifier: Verifier

    def verdicts(self, exports: Mapping[str, bytes]) -> dict[str, Verdicts]:
        """Return the verdict of each reader on each export."""
        return verdicts(exports, self.engine, self.verifier)

    def explain(self, data: bytes) -> str:
        """Return what each reader finds in an export."""
        try:
            history = read_export(data)
            report = audit(history, rejudge(history))
            ours = [str(each) for each in (*report.findings, report.ledger.unjudged) if each is not None]
        except NotAnExport as error:
            ours = [str(error)]
        (read,) = reports(self.engine, [data])
        theirs = [read] if isinstance(read, str) else [*told(read), *read["unread"]]
        said = self.verifier.verify(data)
        in_go = [*said.lines("wrong"), *said.lines("undecided")]
        return "; ".join(f"{reader}: {each[:2]}" for reader, each in zip(NAMES, (ours, theirs, in_go), strict=True))


@contextmanager
def open_readers() -> Iterator[Readers]:
    """Start node, and build the verifier in Go. Raise ProgramMissing without one of them."""
    program = node()
    if program is None or find_program("go") is None:
        raise ProgramMissing("The campaign needs node and go. Install nodejs and golang-go.")
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        yield Readers(opened.enter_context(nodes(program)), build(folder))


# Games


@dataclass
class Agreement:
    """How much was played and read, and the games that a reader doesn't find right."""

    games: int = 0
    events: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    acts_while_waiting: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    choices: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        return [
            f"{self.events:,} events, {len(self.facts)} of {len(FACTS)} facts",
            f"{self.acts.total():,} acts out of turn, {self.acts_while_waiting:,} of them while a deal waited for cuts",
            ", ".join(f"{name} {times:,}" for name, times in self.choices.most_common()),
        ]

    def count(self, game: Game) -> None:
        """Add a game to the numbers."""
        settings, opened = game.settings, game.table.state.opened
        assert opened is not None
        self.games += 1
        self.events += len(game.table.entries)
        self.acts += game.acts
        self.acts_while_waiting += game.acts_while_waiting
        self.facts.update(entry.event.fact for entry in game.table.entries)
        pace = settings["timing"].pace
        beacon = "" if opened.fairness.beacon is None else " with a beacon"
        self.choices.update(
            (
                settings["variant"],
                f"cuts {opened.fairness.cuts}{beacon}",
                f"undo {opened.undo}",
                "no pace" if pace is None else f"{pace.kind} clocks",
                "whole" if game.viewer == "everything" else "with withheld events",
                "over" if game.table.over else "going on",
            )
        )


Make = Callable[[int, int], Game]


def read_games(
    readers: Readers, games: int, seed: int, first: int = 1, told: Told = lambda _: None, make: Make = random_game
) -> Agreement:
    """Play games from the number `first` on, and let each reader judge them."""
    found = Agreement()
    numbers = range(first, first + games)
    for begin in range(0, games, BATCH):
        played = [make(seed, number) for number in numbers[begin : begin + BATCH]]
        for game in played:
            found.count(game)
        judge(readers, {game.name: export_bytes(with_receipt(game.history)) for game in played}, found.faults)
        told(found.games)
    if games >= ENOUGH:
        found.faults += [f"no game has the fact {name}" for name in FACTS.keys() - found.facts.keys()]
    return found


def judge(readers: Readers, exports: Mapping[str, bytes], faults: list[str]) -> None:
    """Add the exports that a reader doesn't find right, and what each finds."""
    for name, each in readers.verdicts(exports).items():
        if each != RIGHT:
            faults.append(f"{name}: {each}: {readers.explain(exports[name])}")


# Forgeries


@dataclass
class Forged:
    """How many forgeries of which kinds were read, how many all find, those that are limits, and the others."""

    kinds: Counter[str] = field(default_factory=Counter)
    found: int = 0
    limits: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        limits = [f"{times:6}  {limit}" for limit, times in self.limits.most_common()]
        return [f"{self.kinds.total()} forgeries of {len(self.kinds)} kinds", f"{self.found:6}  found by all", *limits]


def read_forgeries(readers: Readers, forgeries: Iterable[Forgery], told: Told = lambda _: None) -> Forged:
    """Let each reader judge forgeries: each finds something wrong, or has a limit that says so."""
    found = Forged()
    source = iter(forgeries)
    while batch := list(islice(source, BATCH)):
        said = readers.verdicts({each.name: each.data for each in batch})
        for each in batch:
            found.kinds[each.kind] += 1
            blind = [reader for reader, code in zip(NAMES, said[each.name], strict=True) if code == GREEN]
            limit = limit_of(each.kind, blind)
            if not blind:
                found.found += 1
            elif limit is not None:
                found.limits[limit] += 1
            else:
                found.faults.append(f"{each.name}: overlooked by {', '.join(blind)}. {readers.explain(each.data)}")
        told(found.kinds.total())
    return found


# Cuts


@dataclass
class Timed:
    """The longest times in seconds of processor, by reader, and the file and the number of events of that cut."""

    cuts: int = 0
    longest: dict[str, tuple[float, str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        longest = [f"{reader}: at most {took_s:.2f} s, {where}" for reader, (took_s, where) in self.longest.items()]
        return [f"{self.cuts:,} cuts", *longest]

    def add(self, reader: str, took_s: float, where: str) -> None:
        """Note how long a cut took."""
        if took_s > self.longest.get(reader, (-1.0, ""))[0]:
            self.longest[reader] = took_s, where
        if took_s > MOST_S:
            self.faults.append(f"{reader} takes {took_s:.1f} s, {where}")


TICKS = os.sysconf("SC_CLK_TCK")


def processor_s(pid: int) -> float:
    """Return the processor time of a process, in seconds (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def time_cuts(readers: Readers, files: Sequence[Path] = STORED, told: Told = lambda _: None) -> Timed:
    """Let each reader verify each file after each of its events, and time each by itself."""
    found = Timed()
    for number, path in enumerate(files, 1):
        with readers.verifier.opened() as in_go:
            for size, data in exports_of(read_export(path.read_bytes())):
                where = f"{path.parent.name}/{path.name} after event {size}"
                begun = time.process_time()
                in_python(data)
                found.add("Python", time.process_time() - begun, where)
                if isinstance(readers.engine, Node):
                    begun = processor_s(readers.engine.process.pid)
                    reports(readers.engine, [data])
                    found.add("JavaScript", processor_s(readers.engine.process.pid) - begun, where)
                begun = processor_s(in_go.process.pid)
                in_go.answer(["-"], data)
                found.add("Go", processor_s(in_go.process.pid) - begun, where)
                found.cuts += 1
        told(number)
    return found
