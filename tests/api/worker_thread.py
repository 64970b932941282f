"""A worker beside an app in this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from api.container import Services
from api.worker import STOP_TIMEOUT_S, Worker


@contextmanager
def running_worker(services: Services) -> Iterator[Worker]:
    """Run a worker in a thread; stop it and wait for it at the end."""
    worker, stop = Worker(services), threading.Event()
    thread = threading.Thread(target=worker.run, args=(stop,), name="worker", daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        stop.set()
        thread.join(STOP_TIMEOUT_S)
