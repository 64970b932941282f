"""The work of each process of the server: requests, heavy requests, or the worker."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path

import uvloop
from flask import Flask

from api.accounts.server_nodes import node_heartbeat
from api.app import create_app
from api.config import Config
from api.container import Services, open_services
from api.mail.outgoing.sender import Mailer
from api.monitoring.log_watch import watched_log
from api.people.services.own_tokens import token_days
from api.people.stored.users import skeleton
from api.play.services.presence import BEAT_S
from api.play.services.strong_bots import StrongBots
from api.server.batch_lane import BatchLane
from api.server.cross_origin import CrossOrigin
from api.server.event_streams import EventStreamHub, StreamSources
from api.server.front import REFUSAL_DELAY_S, Front, Lanes
from api.server.listener import ACCEPT_POLL_S, Address, accepts, listen
from api.server.process_lane import ProcessLane, ThreadLane
from api.server.sender import Pace
from api.server.stop_signals import ignore_interrupts, on_stop_signals
from api.worker import Worker
from projections.followers.troubles import background

LIGHT_PLACES = 512
LOGIN_AT_ONCE, LOGIN_QUEUE = 2, 32
WAITING_AT_ONCE, WAITING_QUEUE = 4, 64
HEAVY_AT_ONCE, HEAVY_QUEUE = 2, 32
"""How many requests of a lane the request process gives to one heavy process at a time, and how many wait."""
HEAVY_SHARE = 8
"""How many heavy requests of one client may wait or run."""
EXPORTS, EXPORTS_OF_ONE_CLIENT, EXPORT_TIMEOUT_S = 2, 1, 3600
HEAVY_THREADS = LOGIN_AT_ONCE + WAITING_AT_ONCE + HEAVY_AT_ONCE + EXPORTS
HEAVY_TIMEOUT_S = 30.0
HEAVY_START_S = 30.0
YOUNG_OBJECTS = 10_000
"""How many more objects than before there are when the garbage collector runs."""
SWITCH_S = 0.0005
"""How long one of the two busy threads of the request process keeps the interpreter from the other; Python's own value
is 5 ms. Its share in the figures of `bench.server.attacks` wasn't measured alone."""
HEAVY_NICENESS = 10
"""How much lower the priority of heavy processes is, so that moves get the cores first."""


@dataclass(frozen=True)
class RequestProcess:
    """Receives every request, runs the light ones, and passes heavy ones to the processes behind `heavy_sockets`.

    It sends True on `ready` once it accepts connections. In `bells` it rings for the other processes of the server.
    """

    config: Config
    host: str
    port: int
    heavy_sockets: Sequence[Path]
    ready: Connection
    bells: Path

    def __call__(self) -> None:
        _begin()
        app = create_app(self.config)
        skeleton("")  # the tables of letters that look alike load now, and not while moves wait for a guest's name
        _collect_garbage_rarely()
        sys.setswitchinterval(SWITCH_S)
        services: Services = app.extensions["trickbook"]
        services.join_others(self.bells, "requests")
        with (
            closing(services),
            token_days(services.accounts.tokens),
            node_heartbeat(services.node),
            background(services.presence.run, "presence", BEAT_S),
            watched_log(services.log_watch),
        ):
            uvloop.run(self._serve(app))

    async def _serve(self, app: Flask) -> None:
        services: Services = app.extensions["trickbook"]
        lanes = Lanes(
            light=BatchLane("light", LIGHT_PLACES),
            login=self._processes(LOGIN_AT_ONCE, LOGIN_QUEUE, LOGIN_QUEUE // 2),
            waiting=self._processes(WAITING_AT_ONCE, WAITING_QUEUE, WAITING_QUEUE // 2),
            heavy=self._processes(HEAVY_AT_ONCE, HEAVY_QUEUE, HEAVY_SHARE),
            export=ProcessLane(self.heavy_sockets[:1], EXPORTS, 0, EXPORTS_OF_ONE_CLIENT, EXPORT_TIMEOUT_S),
            player_of=services.accounts.tokens.remembered_player,
            forget_player=services.accounts.tokens.forget,
        )
        pace = Pace(total_s=EXPORT_TIMEOUT_S)
        streams = EventStreamHub(StreamSources.of(services), lanes.light, services.wakeups)
        delay_s = REFUSAL_DELAY_S if self.config.is_limited else 0.0
        front = Front(
            app,
            lanes,
            streams,
            pace=pace,
            proxies=self.config.trusted_proxies,
            refusal_delay_s=delay_s,
            cross_origin=CrossOrigin(self.config.cors_origins),
        )
        await self._wait_for_heavy_processes()
        await listen(front, Address(self.host, self.port), lambda: self.ready.send(True))
        streams.join()

    def _processes(self, each: int, queue: int, share: int) -> ProcessLane:
        return ProcessLane(self.heavy_sockets, each, queue, share, HEAVY_TIMEOUT_S)

    async def _wait_for_heavy_processes(self) -> None:
        """Return once all of them accept connections, or after `HEAVY_START_S`: light requests don't need them."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEAVY_START_S):
                for path in self.heavy_sockets:
                    while not await accepts(Address(uds=path)):
                        await asyncio.sleep(ACCEPT_POLL_S)


@dataclass(frozen=True)
class HeavyProcess:
    """Runs the heavy requests that arrive on a Unix socket.

    It ends itself if a request takes too long, since a thread can't be stopped; the supervisor starts another. If
    `plays_bots`, it plays for the bots of tables with a strong one beside that.
    """

    config: Config
    socket: Path
    plays_bots: bool = False

    def __call__(self) -> None:
        _begin()
        os.nice(HEAVY_NICENESS)
        self.socket.unlink(missing_ok=True)
        app = create_app(self.config)
        _collect_garbage_rarely()
        services: Services = app.extensions["trickbook"]
        services.join_others(self.socket.parent, self.socket.stem)
        bots = StrongBots(services).running() if self.plays_bots else nullcontext()
        with closing(services), token_days(services.accounts.tokens), watched_log(services.log_watch), bots:
            uvloop.run(self._serve(app))

    async def _serve(self, app: Flask) -> None:
        threads = ThreadLane("heavy", HEAVY_THREADS, HEAVY_QUEUE, timeout_s=HEAVY_TIMEOUT_S)
        front = Front(app, Lanes(threads), trusts_client_header=True)
        await listen(front, Address(uds=self.socket), lambda: None)


@dataclass(frozen=True)
class WorkerProcess:
    """Runs the worker until SIGTERM."""

    config: Config
    bells: Path

    def __call__(self) -> None:
        _begin()
        stop = threading.Event()
        on_stop_signals(stop.set)
        with (
            closing(open_services(self.config)) as services,
            node_heartbeat(services.node),
            watched_log(services.log_watch),
        ):
            services.join_others(self.bells, "worker")
            _collect_garbage_rarely()
            Worker(services, [("mail", Mailer(services).run)]).run(stop)


def _begin() -> None:
    """Leave Ctrl+C to the supervisor, which stops its processes in order, and end when the supervisor is gone."""
    ignore_interrupts()
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _collect_garbage_rarely() -> None:
    """Leave out the objects that exist by now, and collect rarely: it took a tenth of the time of moves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
