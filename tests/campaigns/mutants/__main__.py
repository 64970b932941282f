"""`make mutants`: run all mutants, or a sample, and compare the survivors with the baseline."""

import argparse
import sys
import time
from collections.abc import Sequence

import click

from api.cli.common.processes import progress
from tests.campaigns.mutants import baseline as baselines
from tests.campaigns.mutants import reach as reaches
from tests.campaigns.mutants.baseline import Baseline
from tests.campaigns.mutants.campaign import BUILD, run
from tests.campaigns.mutants.draw import commit, sample
from tests.campaigns.mutants.measure import measure, reach_of
from tests.campaigns.mutants.results import Result, append_result, failure, print_lines, read_results, report, result_of
from tests.campaigns.mutants.source import Mutant, modules, mutants_of
from tests.campaigns.mutants.trial import Outcome
from tests.campaigns.options import DEFAULT, campaign_parser
from tests.layout.product import PACKAGES

RESULTS = BUILD / "results.jsonl"
LOADING = "loading the tests that reach them takes a minute or more, then each mutant a few seconds ..."


EXAMPLES = {
    "--sample 3 --seed x": "three mutants, in a few minutes; --seed y draws three others",
    "--sample 40": "what CI runs",
    "--paths domain/engine/tricks.py --only NAME": "one mutant again, by the name that a run has printed",
    "--measure": "all mutants, which takes many hours; stop it, and go on later without --measure",
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    parser = campaign_parser("tests.campaigns.mutants", __doc__, EXAMPLES)
    parser.add_argument("--sample", type=int, default=0, metavar="N",
                       help=f"run only N mutants, drawn by the seed; 0 runs all {DEFAULT}")  # fmt: skip
    parser.add_argument("--seed", metavar="TEXT", help="what draws the sample (default: the id of the commit)")
    parser.add_argument("--paths", nargs="+", default=PACKAGES, metavar="PATH",
                       help=f"only modules that are or lie below these (default: {' '.join(PACKAGES)})")  # fmt: skip
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME",
                       help="only the mutants of these names; without it, all or a sample")  # fmt: skip
    parser.add_argument("--measure", action="store_true",
                       help="before mutants run, measure again which tests reach what, and store it")  # fmt: skip
    parser.add_argument("--thorough", action="store_true",
                        help="run some mutants, too, against all tests that reach them; without"
                             " it, against the stored choice")  # fmt: skip
    return parser


def main() -> None:
    """Run mutants. Return exit code 1 if a sample's share is below the bound, or a survivor of all isn't listed."""
    arguments = options().parse_args()
    baseline = baselines.load()
    some = bool(arguments.only or arguments.sample)
    reach = reaches.load() if some and not (arguments.thorough or arguments.measure) else measured(arguments.measure)
    if arguments.only:
        found = [
            mutant for path in modules(arguments.paths) for mutant in mutants_of(path) if mutant.name in arguments.only
        ]
        print_lines(report(_run(found, reach, tell_each=True), Baseline(0.0, {})))
    elif arguments.sample:
        sys.exit(run_sample(arguments.sample, arguments.seed or commit(), arguments.paths, reach, baseline))
    else:
        sys.exit(run_all(arguments.paths, reach, baseline))


def measured(again: bool) -> reaches.Reach:
    """Return what was measured here, once or again, and store its short form."""
    if again or not (BUILD / "counts.json").exists():
        measure(BUILD)
    reach = reach_of(BUILD, read_results(RESULTS).values())
    reach.write()
    return reach


def run_sample(count: int, seed: str, paths: Sequence[str], reach: reaches.Reach, baseline: Baseline) -> int:
    """Run a sample."""
    click.echo(f"{count} mutants drawn by {seed!r}")
    results = _run(sample(count, seed, paths, reach, baseline), reach, tell_each=True)
    print_lines(report(results, baseline))
    wrong = failure(results, baseline)
    click.echo(wrong or f"nothing is wrong: at least {baseline.at_least:.0%} have to be killed")
    return int(wrong is not None)


def run_all(paths: Sequence[str], reach: reaches.Reach, baseline: Baseline) -> int:
    """Run every mutant that has no result yet."""
    done = read_results(RESULTS)
    mutants = [mutant for path in modules(paths) for mutant in mutants_of(path)]
    left = [mutant for mutant in mutants if mutant.name not in done and not baseline.lists(mutant)]
    click.echo(f"{len(mutants)} mutants, {len(left)} of them left to run")
    _run(left, reach)
    results = [result for name, result in read_results(RESULTS).items() if name in {mutant.name for mutant in mutants}]
    print_lines(report(results, baseline))
    return int(any(not each.killed and each.name not in baseline.equivalent for each in results))


def _run(mutants: list[Mutant], reach: reaches.Reach, *, tell_each: bool = False) -> list[Result]:
    """Run mutants and print the survivors with their changes. Keep results, but no survivors of a choice of tests.

    With `tell_each`, print the killed ones too, each with what killed it.
    """
    results: list[Result] = []
    began = time.monotonic()
    if mutants:
        click.echo(LOADING)
    with progress("mutants", len(mutants)) as done:

        def record(mutant: Mutant, outcome: Outcome) -> None:
            results.append(result_of(mutant, outcome))
            if outcome.killed or reach.lines:
                append_result(RESULTS, results[-1])
            done(len(results))
            if outcome.killed and tell_each:
                click.echo(f"{len(results)} of {len(mutants)}: {mutant.name} is killed by {outcome.by}")
            if not outcome.killed:
                click.echo(f"survives: {mutant.name} {outcome.by}\n{mutant.diff()}\n")

        if mutants:
            run(mutants, reach, record)
    click.echo(f"{len(results)} mutants in {time.monotonic() - began:.0f} s")
    return results


if __name__ == "__main__":
    main()
