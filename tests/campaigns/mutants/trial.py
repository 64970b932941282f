"""One mutant against its tests: in a fork of a process that has loaded them, or in a copy of the whole tree."""

import gc
import os
import re
import resource
import select
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

from tests.campaigns.mutants.reach import function_of
from tests.campaigns.mutants.source import MODULE, ROOT, Mutant

PROCESSOR_SECONDS = 30
"""The seconds that the tests of one mutant may use. They take a second or two; a mutant that loops takes all of it."""
WALL_SECONDS = 240
MEMORY = 4 * 1024**3
SURVIVED, KILLED = 0, 1


@dataclass(frozen=True)
class Outcome:
    """How a trial ended. `by` is the test that failed, or the limit that was passed."""

    killed: bool
    by: str = ""


@dataclass(frozen=True)
class Live:
    """The functions of this process by file, qualified name and first line, and its caches."""

    functions: dict[tuple[str, str, int], list[FunctionType]]
    caches: list["_lru_cache_wrapper[object]"]

    @staticmethod
    def found() -> "Live":
        """Return those that the garbage collector sees, which doesn't see what is frozen."""
        live = Live(defaultdict(list), [])
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                code = each.__code__
                live.functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(each)
            elif isinstance(each, _lru_cache_wrapper):
                live.caches.append(each)
        return live


def swapped_code(mutant: Mutant, live: Live) -> list[tuple[FunctionType, CodeType]]:
    """Return the live functions of a mutant's scope with their new code; [] if one can't be exchanged."""
    path = str(ROOT / mutant.path)
    code = compile(mutant.source(), path, "exec", dont_inherit=True)
    pairs = [
        (function, each)
        for each in _scopes(code)
        if each.co_qualname == mutant.scope
        for function in live.functions.get((path, each.co_qualname, each.co_firstlineno), ())
    ]
    return pairs if all(len(old.__code__.co_freevars) == len(new.co_freevars) for old, new in pairs) else []


def _scopes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            if "<locals>" not in each.co_qualname:
                yield from _scopes(each)


def in_fork(mutant: Mutant, items: Sequence[pytest.Item], live: Live) -> Outcome | None:
    """Run tests in a fork with the mutant's code, up to the first that fails; None if the code can't be exchanged."""
    code = [] if mutant.scope == MODULE else swapped_code(mutant, live)
    if not code:
        return None
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(code, items, live, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        status = _wait(child)
        by = answer.read()
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == SURVIVED:
        return Outcome(killed=False)
    return Outcome(killed=True, by=by or ("a limit" if os.WIFSIGNALED(status) else "an error outside of tests"))


def _child(code: list[tuple[FunctionType, CodeType]], items: Sequence[pytest.Item], live: Live, writing: int) -> None:
    status = KILLED
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        null = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(null, each)
        for cache in live.caches:
            cache.cache_clear()
        for function, new in code:
            function.__code__ = new
        status = _run(items, writing)
    finally:
        os._exit(status)


def _run(items: Sequence[pytest.Item], writing: int) -> int:
    for item, following in zip(items, [*items[1:], items[0].session], strict=True):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):  # type: ignore[arg-type]
            os.write(writing, item.nodeid.encode())
            return KILLED
    return SURVIVED


def _wait(child: int) -> int:
    """Wait for a child and end what it has started."""
    handle = os.pidfd_open(child)
    try:
        ended, _, _ = select.select([handle], [], [], WALL_SECONDS)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            if not ended:
                os.kill(child, signal.SIGKILL)
        return os.waitpid(child, 0)[1]
    finally:
        os.close(handle)


def in_copy(mutant: Mutant, tests: Sequence[str], tree: Path) -> Outcome:
    """Run tests, after options, in a process of their own in a copy of the tree that has the mutant's file."""
    file = tree / mutant.path
    original = file.read_bytes()
    file.unlink()
    file.write_text(mutant.source(), encoding="utf-8")
    _forget_bytecode(file)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", "--no-header", *tests]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    try:
        ran = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=WALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Outcome(killed=True, by="a limit")
    finally:
        file.write_bytes(original)
        _forget_bytecode(file)
    if ran.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return Outcome(killed=False)
    functions = list(dict.fromkeys(map(function_of, tests)))
    if ran.returncode == pytest.ExitCode.USAGE_ERROR and functions != tests:
        return in_copy(mutant, functions, tree)  # the mutant has changed the tests' parameters
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    return Outcome(killed=True, by=failed[1] if failed else "import")


def _forget_bytecode(file: Path) -> None:
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()
