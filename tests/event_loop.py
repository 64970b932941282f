"""Runs a coroutine of a test."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


def run_coroutine(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a thread of its own, and return its result.

    Tests with a browser leave a running event loop in the thread of the tests, in which `asyncio.run` fails.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Let pytest run an asynchronous test."""

    @wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        run_coroutine(test(*arguments, **named))

    return run
