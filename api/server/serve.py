"""`trickbook serve`: one command that starts, watches and stops every process of the server."""

import logging
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from api.config import Config
from api.monitoring.metrics import RESTARTS, share_numbers
from api.ops.files import temporary_folder
from api.server.processes import HeavyProcess, RequestProcess, WorkerProcess
from api.server.stop_signals import on_stop_signals
from domain.store import StoreUnavailable
from domain.store.sql.database import DATABASE_ERRORS, describe_error
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.supervisor")
MAX_PAUSE_S = 5.0
STEADY_S = 10.0
"""A process that has run for so long is started again at once after it ends."""
STOP_TIMEOUT_S = 15.0
POLL_S = 0.5
START_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""Forked processes share the memory of imported modules."""


def run_process(name: str, run: Callable[[], None]) -> None:
    """Run a process to its end. The reason for an early end is one line of the log."""
    try:
        run()
    except (*DATABASE_ERRORS, StoreUnavailable, RowsUnavailable) as error:
        LOG.warning("the %s process can't run: %s", name, describe_error(error))
    except Exception:
        LOG.exception("the %s process can't run", name)
    else:
        return
    sys.exit(1)


@dataclass
class Child:
    """A process and how to start it."""

    name: str
    run: Callable[[], None]
    process: BaseProcess | None = None
    started_at: float = 0.0
    failures: int = 0
    start_at: float = 0.0

    def start(self, context: BaseContext) -> None:
        self.started_at = time.monotonic()
        arguments = (self.name, self.run)
        self.process = context.Process(target=run_process, args=arguments, name=f"trickbook-{self.name}")  # type: ignore[attr-defined]
        self.process.start()

    def note_end(self, process: BaseProcess) -> None:
        """Log that the process ended by itself, and set when to start it again: later after each quick failure."""
        process.join()  # without it, the exit code isn't known yet
        now = time.monotonic()
        self.failures = 0 if now - self.started_at > STEADY_S else self.failures + 1
        pause = 0.0 if not self.failures else min(MAX_PAUSE_S, 0.1 * 2**self.failures)
        process.join(1)  # its exit code may not be known yet
        LOG.error("the %s process ended with exit code %s; starting it again", self.name, process.exitcode)
        self.process, self.start_at = None, now + pause
        RESTARTS.labels(self.name).inc()

    def signal_stop(self) -> None:
        """Send SIGTERM."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()

    def join(self, seconds: float) -> None:
        """Wait for the end of the process, and kill it if it doesn't end in time."""
        if self.process is None:
            return
        self.process.join(seconds)
        if self.process.is_alive():
            LOG.error("the %s process didn't stop within %.0f s; killing it", self.name, seconds)
            self.process.kill()
            self.process.join()


@dataclass
class Supervisor:
    """Runs children in stages: it starts the later stages first, and stops the earlier ones first."""

    stages: Sequence[Sequence[Child]]
    context: BaseContext = field(default_factory=lambda: multiprocessing.get_context(START_METHOD))
    stopping: bool = False

    def start(self) -> None:
        """Start every process."""
        for stage in reversed(self.stages):
            for child in stage:
                child.start(self.context)

    def stop(self) -> None:
        """Make `watch` return."""
        self.stopping = True

    def is_ready(self, child: Child, ready: Connection, seconds: float) -> bool:
        """Wait until the child sends something on `ready`; return False if it ends first, after `stop`, or too late."""
        until = time.monotonic() + seconds
        while child.process is not None and not self.stopping and time.monotonic() < until:
            if changed := wait([ready, child.process.sentinel], POLL_S):
                return ready in changed
        return False

    def watch(self) -> None:
        """Start processes again that end, until `stop`."""
        children = [child for stage in self.stages for child in stage]
        while not self.stopping:
            running = [(child, child.process) for child in children if child.process is not None]
            ended = wait([process.sentinel for _, process in running], POLL_S)
            for child, process in running:
                if process.sentinel in ended and not self.stopping:
                    child.note_end(process)
            for child in children:
                if child.process is None and time.monotonic() >= child.start_at and not self.stopping:
                    child.start(self.context)

    def end(self) -> None:
        """Stop every process, stage by stage."""
        for stage in self.stages:
            for child in stage:
                child.signal_stop()
            until = time.monotonic() + STOP_TIMEOUT_S
            for child in stage:
                child.join(max(0.1, until - time.monotonic()))


READY_TIMEOUT_S = 60.0
LONGEST_STOP_S = 2 * STOP_TIMEOUT_S
"""How long a stop may take: that of requests, and then that of heavy processes and the worker."""
LONGEST_TMPDIR = 70
"""In bytes; names below it take 33. The address of a Unix socket has at most 107 on Linux, 103 on macOS (sun_path)."""


class NoRequestProcess(Exception):
    """The request process ended or didn't answer; its log says why."""


def run_server(config: Config, host: str, port: int, *, worker: bool, started: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, then finish the current requests; call `started` with the URL.

    Port 0 picks a free port. Raises OSError if the address isn't available.
    """
    with temporary_folder(_place_for_sockets()) as folder:
        share_numbers(folder)
        with closing(reserve_port(host, port)) as reserved:
            address = reserved.getsockname()
            _run(config, address[0], address[1], folder, worker=worker, started=started)


def _run(config: Config, host: str, port: int, folder: Path, *, worker: bool, started: Callable[[str], None]) -> None:
    sockets = [folder / f"heavy-{number}.sock" for number in range(config.heavy_processes)]
    heavy = [
        Child(f"heavy-{number}", HeavyProcess(config, path, plays_bots=worker and number == 0))
        for number, path in enumerate(sockets)
    ]
    supervisor = Supervisor(())
    receiving, sending = supervisor.context.Pipe(duplex=False)
    requests = Child("requests", RequestProcess(config, host, port, sockets, sending, folder))
    # requests end first: until then, they pass heavy ones on
    supervisor.stages = ([requests], [*heavy, *([Child("worker", WorkerProcess(config, folder))] if worker else [])])
    on_stop_signals(supervisor.stop)
    supervisor.start()
    try:
        if supervisor.is_ready(requests, receiving, READY_TIMEOUT_S):
            started(f"http://{_bracketed(host)}:{port}")
            supervisor.watch()
        elif not supervisor.stopping:
            raise NoRequestProcess
    finally:
        supervisor.end()


def _place_for_sockets() -> Path:
    """Return where the folder for sockets and counters goes: to /tmp if TMPDIR is too long for a socket."""
    place = Path(tempfile.gettempdir())
    return Path(os.sep, "tmp") if len(os.fsencode(place)) > LONGEST_TMPDIR else place


def reserve_port(host: str, port: int) -> socket.socket:
    """Return a socket that holds the port, without listening; processes of this user can share it (SO_REUSEPORT).

    Raise OSError if another server listens there.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    with socket.socket(family, socket.SOCK_STREAM) as exclusive:
        exclusive.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        exclusive.bind(address)
        exclusive.listen(1)
        address = exclusive.getsockname()
    shared = socket.socket(family, socket.SOCK_STREAM)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind(address)
    return shared


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
