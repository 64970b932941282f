"""Threads that run beside a block, and end with it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def background(run: Callable[[threading.Event], object], name: str, timeout_s: float) -> Iterator[None]:
    """Call `run(stop)` in a thread of its own; at the end of the block set `stop`, and wait `timeout_s` at most."""
    stop = threading.Event()
    thread = threading.Thread(target=run, args=(stop,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout_s)
