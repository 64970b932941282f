"""The conformance matrix: every numbered clause of the rules and the tests whose name or id carries its number.

`python -m tests.clauses` prints it and answers 1 when a clause has no test, or a test names a clause that is not there.
A name says `test_S34_...` or `test_R_S13_...`, an id `"S34 trump led"` or `"R-S13 set first"`. What counts is what
pytest collects, so a number in a comment or in a test that is never run covers nothing. Nor does a test of a second
reading (tests/rulebook*.py), which holds the rules' code to account, nor one of what a bot makes of the rules.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from domain.rules.variants import VARIANTS

SHOWN = 3
BESIDE_THE_RULES = ("test_rulebook", "test_bots")
"""How the files begin whose tests show nothing of what the rules' code does."""


@dataclass(frozen=True)
class Sheet:
    """A game's rule sheet: clauses letter1..letterN, and rulings R-letter1..R-letterM on what those leave open."""

    game: str
    letter: str
    clauses: int
    rulings: int

    def numbers(self) -> Iterator[str]:
        yield from (f"{self.letter}{n}" for n in range(1, self.clauses + 1))
        yield from (f"R-{self.letter}{n}" for n in range(1, self.rulings + 1))


COUNTS = {
    "pitch": (47, 22),
    "setback": (43, 14),
    "blackout": (27, 14),
    "corellian": (37, 66),
}
"""How many clauses and rulings the sheet of each variant has."""
SHEETS = tuple(Sheet(each.title, each.letter, *COUNTS[name]) for name, each in VARIANTS.items())
CLAUSE = re.compile(
    rf"(?<![A-Za-z0-9])(R[-_])?([{''.join(sheet.letter for sheet in SHEETS)}])([1-9][0-9]*)(?![A-Za-z0-9])"
)

# Clauses about the command line itself, which is not built yet; a test of the same thing over HTTP covers them.
PENDING = {
    "S1": "`pitch challenge` as a command line; over HTTP it is POST /games",
    "S6": "`pitch move` as a command line; over HTTP it is POST /games/{id}/moves",
    "S46": "the commands common to all pbmserv games, as command lines",
    "B27": "the commands common to all pbmserv games, as command lines",
    "R-B4": "`-hook` and `-nohook` as parameters of a command line; over HTTP it is the one option `hook`",
}


def named(test: str) -> set[str]:
    """The clauses a test id names, spelled as in the rule sheet; its path does not count."""
    return {f"{'R-' if ruling else ''}{letter}{n}" for ruling, letter, n in CLAUSE.findall(test.partition("::")[2])}


def matrix(tests: Iterable[str]) -> dict[str, list[str]]:
    """{clause: the tests that name it}, every clause of every sheet first, then any number that is in no sheet."""
    rows: dict[str, list[str]] = {number: [] for sheet in SHEETS for number in sheet.numbers()}
    for test in tests:
        for clause in sorted(named(test)):
            rows.setdefault(clause, []).append(test)
    return rows


def complaints(rows: dict[str, list[str]]) -> list[str]:
    """What is wrong with a matrix, a sentence each; empty when every clause is covered or pending."""
    known = {number for sheet in SHEETS for number in sheet.numbers()}
    untested = [f"{clause} has no test" for clause, tests in rows.items() if not tests and clause not in PENDING]
    unknown = [f"{clause} is no clause, yet {rows[clause][0]} names it" for clause in rows if clause not in known]
    return untested + unknown


def collected(paths: list[str]) -> list[str]:
    """The ids of the tests pytest would run there."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--color=no", "-p", "no:cacheprovider", *paths]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        _, _, why = answer.stdout.partition(" ERRORS ")
        raise SystemExit(f"the tests cannot be collected:\n{why or answer.stdout}{answer.stderr}")
    return [line for line in answer.stdout.splitlines() if "::" in line and not is_beside_the_rules(line)]


def is_beside_the_rules(test: str) -> bool:
    """Whether a test is about a second reading of the rules, or about a bot, and not about the rules as they are."""
    return PurePath(test.partition("::")[0]).name.startswith(BESIDE_THE_RULES)


def _line(clause: str, tests: list[str]) -> str:
    if not tests:
        return f"{clause:<6}  pending: {PENDING[clause]}" if clause in PENDING else f"{clause:<6}  NO TEST"
    more = f" and {len(tests) - SHOWN} more" if len(tests) > SHOWN else ""
    return f"{clause:<6}  {'; '.join(tests[:SHOWN])}{more}"


def main(paths: list[str]) -> int:
    """Print the matrix of the tests under paths (all of them when empty), then what is wrong. 0 covered, 1 not."""
    rows = matrix(collected(paths))
    for clause, tests in rows.items():
        print(_line(clause, tests))
    wrong = complaints(rows)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    covered = sum(bool(tests) for tests in rows.values())
    print(f"{covered} of {len(rows)} clauses tested, {len(PENDING)} may wait for the command line, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
