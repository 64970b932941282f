"""Runs a coroutine of a test."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_coroutine(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a thread of its own, and return its result.

    Tests with a browser leave a running event loop in the thread of the tests, in which `asyncio.run` fails.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()
