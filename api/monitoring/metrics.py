"""The figures that each process counts (docs/operations.md, "Metrics").

After `share_numbers`, the library keeps the numbers of a process in files, and `exposition` reads those of all
processes there. Until then each process counts in its memory.
"""

import os
from collections.abc import Callable
from multiprocessing import current_process
from pathlib import Path
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, values

from domain.store.group_commit import StoreObserver

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which the library looks for the folder of the files."""
METHODS = frozenset(("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"))
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
COMMANDS = (1, 2, 4, 8, 16, 32, 64, 128)
"""The upper limits of the buckets."""

# Each metric has a label: so a process makes no number before the first it counts, and `share_numbers` comes in time.
REGISTRY = CollectorRegistry()
REQUESTS: Final = Counter("trickbook_requests", "Answers of routes.", ("route", "method", "status"), registry=REGISTRY)
REQUEST_SECONDS: Final = Histogram(
    "trickbook_request_seconds", "Time until an answer was ready.", ("route",), registry=REGISTRY, buckets=SECONDS
)
PROBLEMS: Final = Counter(
    "trickbook_problems", "Answers that refuse a request, by the type of the problem.", ("type",), registry=REGISTRY
)
UNREAD: Final = Counter(
    "trickbook_unread_requests", "Requests refused before a route read them.", ("lane", "reason"), registry=REGISTRY
)
MOVES: Final = Counter("trickbook_moves", "Moves of players that were accepted.", ("type",), registry=REGISTRY)
LIMITS: Final = Counter("trickbook_limits_reached", "Refusals by a limit.", ("limit",), registry=REGISTRY)
COMMIT_SECONDS: Final = Histogram(
    "trickbook_commit_seconds", "Time of a transaction of the log.", ("process",), registry=REGISTRY, buckets=SECONDS
)
COMMIT_COMMANDS: Final = Histogram(
    "trickbook_commit_commands", "Commands in one transaction.", ("process",), registry=REGISTRY, buckets=COMMANDS
)
EVENTS: Final = Counter("trickbook_events", "Events stored.", ("process",), registry=REGISTRY)
LOOKUPS: Final = Counter(
    "trickbook_game_lookups", "Games looked up in memory, by whether they were there.", ("process", "found"),
    registry=REGISTRY,
)  # fmt: skip
MAILS: Final = Counter("trickbook_mails", "Mails, by what became of them.", ("result",), registry=REGISTRY)
RESTARTS: Final = Counter(
    "trickbook_process_restarts", "Processes that ended by themselves.", ("process",), registry=REGISTRY
)


def share_numbers(folder: Path) -> None:
    """Keep the numbers of this process, and of those that it starts from now on, in files in `folder`."""
    os.environ[FOLDER_VARIABLE] = str(folder)
    make_class: Callable[[], Any] = values.MultiProcessValue
    values.ValueClass = make_class()


def store_observer() -> StoreObserver:
    """Return what counts the reports of the store of games in this process."""
    process = current_process().name.removeprefix("trickbook-")
    return StoreObserver(
        COMMIT_SECONDS.labels(process).observe,
        COMMIT_COMMANDS.labels(process).observe,
        EVENTS.labels(process).inc,
        LOOKUPS.labels(process, "yes").inc,
        LOOKUPS.labels(process, "no").inc,
    )
