"""The conformance matrix: every numbered clause of the rule sheets, and the tests that name it.

`python -m tests.clauses` prints the matrix. It exits with 1 if a clause has no test or a test names an unknown clause.
A test names a clause in its name, like `test_S34_...` or `test_R_S13_...`, or in its id, like `"S34 trump led"` or
`"R-S13 set first"`. Only tests that pytest collects count. Tests of bots don't count, since they don't test the code of
the rules.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from domain.rules.variants import SHEETS

TESTS_PER_LINE = 3
EXCLUDED = "tests/projections/bots/"
"""The folder whose tests don't test the code of the rules."""


CLAUSE = re.compile(
    rf"(?<![A-Za-z0-9])(R[-_])?([{''.join(sheet.letter for sheet in SHEETS)}])([1-9][0-9]*)(?![A-Za-z0-9])"
)

# Clauses about a command line that doesn't exist yet; the same rules are tested over HTTP.
PENDING = {
    "S1": "`pitch challenge` as a command line; over HTTP it is POST /games",
    "S6": "`pitch move` as a command line; over HTTP it is POST /games/{id}/moves",
    "S46": "the commands common to all pbmserv games, as command lines",
    "B27": "the commands common to all pbmserv games, as command lines",
    "R-B4": "`-hook` and `-nohook` as parameters of a command line; over HTTP it is the one option `hook`",
}


def clauses_in_test_id(test: str) -> set[str]:
    """Return the clauses that a test id names, spelled as in the rule sheet; the path doesn't count."""
    return {f"{'R-' if ruling else ''}{letter}{n}" for ruling, letter, n in CLAUSE.findall(test.partition("::")[2])}


def matrix(tests: Iterable[str]) -> dict[str, list[str]]:
    """Return {clause: the tests that name it}: every clause of every sheet, then numbers that are in no sheet."""
    rows: dict[str, list[str]] = {number: [] for sheet in SHEETS for number in sheet.numbers()}
    for test in tests:
        for clause in sorted(clauses_in_test_id(test)):
            rows.setdefault(clause, []).append(test)
    return rows


def find_faults(rows: dict[str, list[str]]) -> list[str]:
    """Return a sentence for each fault of a matrix; empty if every clause is tested or pending."""
    known = {number for sheet in SHEETS for number in sheet.numbers()}
    untested = [f"{clause} has no test" for clause, tests in rows.items() if not tests and clause not in PENDING]
    unknown = [f"{clause} isn't a clause, but {rows[clause][0]} names it" for clause in rows if clause not in known]
    return untested + unknown


def files_with_clauses() -> list[str]:
    """Return the test files whose text names a clause. To collect the others too would take three times as long."""
    return sorted(str(path) for path in Path("tests").rglob("test_*.py") if CLAUSE.search(path.read_text("utf-8")))


def collect_test_ids(paths: list[str]) -> list[str]:
    """Return the ids of the tests that pytest collects below `paths`."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--color=no", "-p", "no:cacheprovider", *paths]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        _, _, why = answer.stdout.partition(" ERRORS ")
        raise SystemExit(f"the tests cannot be collected:\n{why or answer.stdout}{answer.stderr}")
    return [line for line in answer.stdout.splitlines() if "::" in line and not is_excluded(line)]


def is_excluded(test: str) -> bool:
    """Return whether a test is about a second implementation of the rules or about a bot."""
    return test.startswith(EXCLUDED)


def _line(clause: str, tests: list[str]) -> str:
    if not tests:
        return f"{clause:<6}  pending: {PENDING[clause]}" if clause in PENDING else f"{clause:<6}  NO TEST"
    more = f" and {len(tests) - TESTS_PER_LINE} more" if len(tests) > TESTS_PER_LINE else ""
    return f"{clause:<6}  {'; '.join(tests[:TESTS_PER_LINE])}{more}"


def main(paths: list[str]) -> int:
    """Print the matrix of the tests below `paths` (all tests if empty) and its faults; return 0 or 1."""
    rows = matrix(collect_test_ids(paths or files_with_clauses()))
    for clause, tests in rows.items():
        print(_line(clause, tests))
    wrong = find_faults(rows)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    covered = sum(bool(tests) for tests in rows.values())
    print(f"{covered} of {len(rows)} clauses tested, {len(PENDING)} may wait for the command line, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
