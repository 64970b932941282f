"""The other work while moves are measured: spectators hold streams, and somebody reads lists. Each is a process."""

import select
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

from bench.server.load import BadAnswer, Line, Player, Request, get

LISTS = ("/api/v1/games?limit=50", "/api/v1/games?status=active&limit=50", "/api/v1/games?variant=pitch&limit=20")
STOP_CHECK_S = 0.2


@dataclass
class Background:
    """The counts of the two processes."""

    streams: int = 0
    frames: int = 0
    streams_open: int = 0
    lists: int = 0
    lists_median_ms: float = 0.0
    lists_p99_ms: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.streams_open} of {self.streams} streams open at the end, {self.frames:,} frames;"
            f" {self.lists} lists, p50 / p99 {self.lists_median_ms:.0f} / {self.lists_p99_ms:.0f} ms"
        )


@contextmanager
def background(
    address: tuple[str, int], paths: Sequence[str], token: str, streams: int, lists_per_s: float
) -> Iterator[Background]:
    """Hold streams of the games at `paths` and read lists during the block; the result is complete after it."""
    seen, context = Background(streams), get_context("fork")
    jobs = [(hold_streams, (address, paths, streams)), (read_lists, (address, token, lists_per_s))]
    running = []
    for job, arguments in jobs if streams else []:
        ours, theirs = context.Pipe()
        process = context.Process(target=job, args=(*arguments, theirs))
        process.start()
        running.append((process, ours))
    for _, pipe in running:
        pipe.recv()
    try:
        yield seen
    finally:
        for process, pipe in running:
            pipe.send("stop")
            for name, value in pipe.recv().items():
                setattr(seen, name, value)
            process.join()


def hold_streams(address: tuple[str, int], paths: Sequence[str], streams: int, pipe: Connection) -> None:
    """Hold spectators' streams, spread over the games, and count frames until told to stop."""
    head = "GET {}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
    held, frames, poll = dict[int, socket.socket](), 0, select.epoll()
    for number in range(streams):
        connection = socket.create_connection(address)
        connection.sendall(head.format(paths[number % len(paths)]).encode())
        begun = connection.recv(1 << 16)  # a burst of them would take all places that one address gets
        if not begun.startswith(b"HTTP/1.1 200 "):
            raise BadAnswer(f"a stream was answered with {begun[:200]!r}")
        held[connection.fileno()] = connection
        poll.register(connection, select.EPOLLIN)
    pipe.send("ready")
    while not pipe.poll():
        for file, _ in poll.poll(STOP_CHECK_S):
            data = held[file].recv(1 << 16)
            frames += data.count(b"\ndata: ")
            if not data:  # its game is over
                poll.unregister(file)
                held.pop(file).close()
    pipe.send({"frames": frames, "streams_open": len(held)})


def _lists(token: str) -> Player:
    while True:
        for path in LISTS:
            yield Request(get(path, token), is_move=False)


def read_lists(address: tuple[str, int], token: str, lists_per_s: float, pipe: Connection) -> None:
    """Read one list after another at a steady pace until told to stop."""
    line, times = Line(address, _lists(token)), list[float]()
    pipe.send("ready")
    due = time.perf_counter()
    while not pipe.poll(max(0.0, due - time.perf_counter())):
        line.send(time.perf_counter())
        while (body := line.receive()) is None:
            pass
        times.append(1000 * (time.perf_counter() - line.since))
        line.next = line.player.send(body)
        due += 1 / lists_per_s
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    pipe.send({"lists": len(times), "lists_median_ms": cuts[49], "lists_p99_ms": cuts[98]})
