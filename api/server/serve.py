"""`trickbook serve`: one command that starts, watches and stops every process of the server."""

import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from api.config import Config
from api.monitoring.metrics import share_numbers
from api.ops.files import temporary_folder
from api.server.processes import HeavyProcess, RequestProcess, WorkerProcess
from api.server.stop_signals import on_stop_signals
from api.server.supervisor import STOP_TIMEOUT_S, Child, Supervisor

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
