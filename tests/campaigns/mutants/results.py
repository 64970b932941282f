"""The results of mutants that ran: kept in build/mutants, so that a run that was stopped goes on."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from pathlib import Path

import click

from tests.campaigns.mutants.baseline import Baseline, interval
from tests.campaigns.mutants.source import Mutant
from tests.campaigns.mutants.trial import Outcome


@dataclass(frozen=True)
class Result:
    """The outcome of one mutant, as it's kept."""

    name: str
    path: str
    scope: str
    kind: str
    killed: bool
    by: str
    was: str
    now: str

    @property
    def package(self) -> str:
        """The package that was changed."""
        return self.path.partition("/")[0]


def result_of(mutant: Mutant, outcome: Outcome) -> Result:
    """Return what is kept of an outcome."""
    was, now = mutant.lines()
    return Result(mutant.name, mutant.path, mutant.scope, mutant.kind, outcome.killed, outcome.by, was, now)


def append_result(file: Path, result: Result) -> None:
    """Add a result to the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(result)) + "\n")


def read_results(file: Path) -> dict[str, Result]:
    """Return all results of the file by name; a later one counts."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    return {result.name: result for result in (Result(**json.loads(line)) for line in lines)}


def report(results: Iterable[Result], baseline: Baseline) -> Iterator[str]:
    """Yield the score as lines, by kind, by package and in all; mutants of the baseline don't count."""
    counted = [result for result in results if result.name not in baseline.equivalent]
    for of in map(attrgetter, ("kind", "package")):
        ran, killed = Counter(map(of, counted)), Counter(of(each) for each in counted if each.killed)
        yield from (f"  {part}: {killed[part]} of {ran[part]} killed" for part in sorted(ran))
    if counted:
        killed_in_all = sum(each.killed for each in counted)
        low, high = interval(killed_in_all, len(counted))
        share = killed_in_all / len(counted)
        yield f"{killed_in_all} of {len(counted)} killed: {share:.1%} (95 %: {low:.1%} to {high:.1%})"


def failure(sample: Sequence[Result], baseline: Baseline) -> str | None:
    """Return why a sample fails, or None. One survivor doesn't fail it: which are drawn is chance."""
    killed = sum(each.killed for each in sample)
    if killed >= baseline.at_least * len(sample):
        return None
    return f"{killed} of {len(sample)} killed; at least {baseline.at_least:.0%} must be"


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)
