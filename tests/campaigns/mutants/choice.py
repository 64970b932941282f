"""Choose tests for each function from what coverage has measured."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp
from coverage import CoverageData

from tests.campaigns.mutants.reach import Reach, function_of
from tests.campaigns.mutants.source import MODULE, ROOT
from tests.layout.product import PACKAGES

FOR_DATA = 30
"""How many test functions are stored for what a module does at import."""
FOR_EACH_FUNCTION = 8
"""How many are stored for a function beside those that together reach all its lines."""
PROMISES = "tests/domain/test_promises_of_names.py::"
"""Tests of what each module defines, which coverage sees run at import only."""
RULES = ("domain/rules/", "domain/rejections.py", "domain/cards.py")
"""Modules that say rules as data."""
OF_RULES = ("tests/domain/test_rule_lists.py::", f"{PROMISES}test_a_refusal", f"{PROMISES}test_a_variant")
"""The tests of those modules."""
WORD = 5
"""The letters of a word that says something."""
START = 0.005
"""Seconds that any test takes."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Tests = dict[int, set[str]]


def read_measurement(data: Path, seconds: dict[str, float], modules: Iterable[str]) -> Reach:
    """Return what coverage has measured with `--cov-context=test`, for the tests whose seconds are given."""
    read = CoverageData(str(data))
    read.read()
    reach = Reach({}, seconds=_with_functions(seconds))
    by_module: dict[str, Tests] = {}
    for module in modules:
        contexts = read.contexts_by_lineno(module)
        reach.at_import[module] = {line for line, found in contexts.items() if "" in found}
        tests = {line: {each.rpartition("|")[0] for each in found} & seconds.keys() for line, found in contexts.items()}
        reach.lines[module] = {line: sorted(found) for line, found in tests.items()}
        by_module[module] = {line: set(map(function_of, found)) for line, found in tests.items()}
    size = Counter(test for tests in by_module.values() for found in tests.values() for test in found)
    for module, tests in by_module.items():
        reach.scopes[module] = {
            scope: _chosen(tests, lines, _words(module, scope), reach, size) for scope, lines in functions(module)
        }
    _add_importers(reach)
    return reach


def _with_functions(seconds: dict[str, float]) -> dict[str, float]:
    """Return the seconds of tests, and of each test function those of its slowest test."""
    slowest: dict[str, float] = {}
    for test, took in seconds.items():
        slowest[function_of(test)] = max(took, slowest.get(function_of(test), 0.0))
    return slowest | seconds


def functions(module: str) -> Iterator[tuple[str, range]]:
    """Yield each function and method at the top of a module with the lines of its body."""
    for node, prefix in _definitions(ast.parse((ROOT / module).read_text(encoding="utf-8")), ""):
        yield prefix + node.name, range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)


def _definitions(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[Function, str]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield node, prefix
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{prefix}{node.name}.")


def _words(module: str, scope: str) -> set[str]:
    """Return the words of a module's and a function's name that a test's name may have, too."""
    found = re.split(r"[^a-z]+", f"{Path(module).stem} {scope}".lower())
    return {word.removesuffix("s") for word in found if len(word) >= WORD}


def _chosen(tests: Tests, lines: range, words: set[str], reach: Reach, size: Counter[str]) -> list[str]:
    """Return quick tests that together reach all that is reached, some that reach little else, and some by name."""
    reached: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        for test in tests.get(line, ()):
            reached[test].add(line)
    narrow = sorted(reached, key=lambda test: (-len(reached[test]) / size[test], test))
    namesakes = [test for test in narrow if any(word in test for word in words)]
    left, chosen = set().union(*reached.values()) if reached else set(), list[str]()
    while left:
        best = max(reached, key=lambda test: (len(reached[test] & left) / (START + reach.time(test)), test))
        chosen.append(best)
        left -= reached[best]
    return list(dict.fromkeys([*namesakes[:FOR_EACH_FUNCTION], *narrow[:FOR_EACH_FUNCTION], *chosen]))


def _add_importers(reach: Reach) -> None:
    """Give what a module does at import the tests of its functions, and those of the modules that import it."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    for module, scopes in reach.scopes.items():
        found = {test for tests in scopes.values() for test in tests}
        above, seen = {_dotted(module)}, set[str]()
        while above and len(found) < FOR_DATA:
            seen |= above
            above = {up for each in above for up in graph.find_modules_that_directly_import(each)} - seen
            for each in above:
                found |= {test for tests in reach.scopes.get(_path(each), {}).values() for test in tests}
        scopes[MODULE] = [*_of_data(module, reach), *reach.spread(found, Path(module).stem)[:FOR_DATA]]


def _of_data(module: str, reach: Reach) -> list[str]:
    """Return the tests of what a module defines: those of names, of rules, and of files with its name."""
    own = {test for test in reach.seconds if test.startswith(PROMISES)}
    files = tuple(f"/test_{name}.py::" for name in Path(module).with_suffix("").parts[1:])
    own |= {function_of(test) for test in reach.seconds if any(file in test for file in files)}
    if module.startswith(RULES):
        own |= {function_of(test) for test in reach.seconds if test.startswith(OF_RULES)}
    return sorted(own)


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _path(dotted: str) -> str:
    path = dotted.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"
