"""`make mutants`: run all mutants, or a sample, and compare the survivors with the baseline."""

import argparse
import sys
import time
from collections.abc import Sequence

import click

from api.cli.common.progress import progress
from tests.mutants import baseline as baselines
from tests.mutants import reach as reaches
from tests.mutants.baseline import Baseline
from tests.mutants.campaign import BUILD, run
from tests.mutants.draw import commit, sample
from tests.mutants.measure import measure, reach_of
from tests.mutants.results import Result, failure, keep, kept, report, result_of, tell
from tests.mutants.source import FOLDERS, Mutant, modules, mutants_of
from tests.mutants.trial import Outcome

RESULTS = BUILD / "results.jsonl"


def main() -> None:
    """Run mutants. Return exit code 1 if a sample's share is below the bound, or a survivor of all isn't listed."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    asked.add_argument("--sample", type=int, default=0, metavar="N", help="only N of them, drawn by the seed")
    asked.add_argument("--seed", default=None, metavar="TEXT", help="instead of the commit's id")
    asked.add_argument("--paths", nargs="+", default=FOLDERS, help="only modules below these")
    asked.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="only these, with the stored choice of tests"
    )
    asked.add_argument("--measure", action="store_true", help="measure which tests reach what, and store it")
    given = asked.parse_args()
    baseline = baselines.load()
    if given.only:
        reach = reaches.stored()
        found = [mutant for path in modules(given.paths) for mutant in mutants_of(path) if mutant.name in given.only]
        tell(report(_run(found, reach), Baseline(0.0, {})))
    elif given.sample:
        sys.exit(run_sample(given.sample, given.seed or commit(), given.paths, baseline))
    else:
        sys.exit(run_all(given.paths, baseline, again=given.measure))


def run_sample(count: int, seed: str, paths: Sequence[str], baseline: Baseline) -> int:
    """Run a sample with the stored choice of tests."""
    reach = reaches.stored()
    click.echo(f"{count} mutants drawn by {seed!r}")
    results = _run(sample(count, seed, paths, reach, baseline), reach)
    tell(report(results, baseline))
    wrong = failure(results, baseline)
    click.echo(wrong or f"at least {baseline.at_least:.0%} have to be killed")
    return int(wrong is not None)


def run_all(paths: Sequence[str], baseline: Baseline, *, again: bool) -> int:
    """Run every mutant that has no result yet."""
    if again or not (BUILD / "seconds.json").exists():
        measure(BUILD)
    done = kept(RESULTS)
    reach = reach_of(BUILD, done.values())
    reach.write()
    mutants = [mutant for path in modules(paths) for mutant in mutants_of(path)]
    left = [mutant for mutant in mutants if mutant.name not in done and not baseline.lists(mutant)]
    click.echo(f"{len(mutants)} mutants, {len(left)} of them left to run")
    _run(left, reach)
    results = [result for name, result in kept(RESULTS).items() if name in {mutant.name for mutant in mutants}]
    tell(report(results, baseline))
    return int(any(not each.killed and each.name not in baseline.equivalent for each in results))


def _run(mutants: list[Mutant], reach: reaches.Reach) -> list[Result]:
    """Run mutants and print the survivors with their changes. Keep results, but no survivors of a choice of tests."""
    results: list[Result] = []
    began = time.monotonic()
    with progress("mutants", len(mutants)) as done:

        def told(mutant: Mutant, outcome: Outcome) -> None:
            results.append(result_of(mutant, outcome))
            if outcome.killed or reach.lines:
                keep(RESULTS, results[-1])
            done(len(results))
            if not outcome.killed:
                click.echo(f"survives: {mutant.name} {outcome.by}\n{mutant.diff()}\n")

        if mutants:
            run(mutants, reach, told)
    click.echo(f"{len(results)} mutants in {time.monotonic() - began:.0f} s")
    return results


if __name__ == "__main__":
    main()
