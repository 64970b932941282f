"""Which tests reach a mutant: by line if it was measured here, else by function as it was stored."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, zip_longest
from pathlib import Path

from tests.campaigns.mutants.source import MODULE, Mutant

STORED = Path(__file__).parent / "reach.json"
UNKNOWN = 0.1
"""The seconds of a test that was never measured."""


def function_of(test: str) -> str:
    """Return a test's id without its parameters."""
    return test.partition("[")[0]


@dataclass
class Reach:
    """Test functions by the function they reach, the most promising first, and tests by line.

    `lines` is empty if only the short form was read. `counts` says how many mutants a module has, and `at_import` which
    lines ran before any test.
    """

    scopes: dict[str, dict[str, list[str]]]
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    at_import: dict[str, set[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def runs_at_import(self, mutant: Mutant) -> bool:
        """Return whether a mutant may have done its work before a fork is made, as the modules were loaded."""
        if mutant.scope == MODULE or mutant.path not in self.at_import:
            return True
        return not self.at_import[mutant.path].isdisjoint(range(mutant.first, mutant.last + 1))

    def tests(self, mutant: Mutant) -> list[str]:
        """Return tests and test functions that may kill a mutant: of its function, its lines, then its module."""
        of_lines, functions = self.lines.get(mutant.path, {}), self.scopes.get(mutant.path, {})
        at = {test for line in range(mutant.first, mutant.last + 1) for test in of_lines.get(line, ())}
        others = {test for scope, found in functions.items() if scope != mutant.scope for test in found}
        return list(dict.fromkeys([*functions.get(mutant.scope, ()), *self.spread(at), *self.spread(others)]))

    def cases(self, mutant: Mutant, loaded: dict[str, list[str]], seconds: float) -> list[str]:
        """Return the tests to run, as many as take so long together, and at least one.

        `loaded` has the tests of each test function that was loaded.
        """
        tests = list(dict.fromkeys(case for test in self.tests(mutant) for case in self._loaded(test, loaded)))
        total = accumulate(map(self.time, tests))
        return [test for at, (test, by) in enumerate(zip(tests, total, strict=True)) if by <= seconds or at == 0]

    def _loaded(self, test: str, loaded: dict[str, list[str]]) -> list[str]:
        all_of_it = loaded.get(function_of(test), [])
        return all_of_it if test not in all_of_it else [test]

    def spread(self, tests: Iterable[str], word: str = "") -> list[str]:
        """Return the quickest test of each file, then the second of each, and so on; ids with the word come first."""
        by_file: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (word not in test, self.time(test), test)):
            by_file[test.partition("::")[0]].append(test)
        return [test for row in zip_longest(*by_file.values()) for test in row if test is not None]

    def add(self, path: str, scope: str, test: str) -> None:
        """Put a test that killed a mutant of a function first among its tests."""
        found = self.scopes.setdefault(path, {}).setdefault(scope, [])
        if function_of(test) not in found:
            found.insert(0, function_of(test))

    def time(self, test: str) -> float:
        """Return the seconds of a test, or of the slowest of a test function."""
        return self.seconds.get(test) or self.seconds.get(function_of(test), UNKNOWN)

    def write(self, path: Path = STORED) -> None:
        """Write the short form."""
        names = sorted({test for functions in self.scopes.values() for tests in functions.values() for test in tests})
        number = {name: at for at, name in enumerate(names)}
        short = {
            module: {scope: [number[test] for test in tests] for scope, tests in sorted(functions.items()) if tests}
            for module, functions in sorted(self.scopes.items())
        }
        rows = ",\n".join(f"  {json.dumps(module)}: {json.dumps(functions)}" for module, functions in short.items())
        listed = ",\n".join(f"  {json.dumps(name)}: {self.time(name):.3f}" for name in names)
        counts = json.dumps(dict(sorted(self.counts.items())))
        text = f'{{"mutants": {counts},\n"tests": {{\n{listed}\n}},\n"reach": {{\n{rows}\n}}}}\n'
        path.write_text(text, encoding="utf-8")


def load(path: Path = STORED) -> Reach:
    """Return the short form as it was stored."""
    read = json.loads(path.read_text(encoding="utf-8"))
    names = list(read["tests"])
    return Reach(
        {
            module: {scope: [names[at] for at in tests] for scope, tests in functions.items()}
            for module, functions in read["reach"].items()
        },
        seconds=read["tests"],
        counts=read["mutants"],
    )
