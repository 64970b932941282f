"""A server of a simulation: its application and the parts of its worker, which take turns when a step says so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from api.app import create_app
from api.clock import ClockRecords, ServerClock
from api.config import Config
from api.container import Services
from api.mail.outgoing.sender import Mailer
from api.play.services.server_commands import UNAVAILABLE
from api.worker import Worker
from domain.store.sql.database import DATABASE_ERRORS
from tests.api.conftest import config_for, services_of
from tests.campaigns.simulation.seam import Crash, Seam
from tests.campaigns.simulation.simulated_time import MachineClock, SimulatedTime
from tests.conftest import Database

API = "/api/v1"


def relay_of(server: str) -> str:
    """Return the host of the mail server that takes a server's mails."""
    return f"{server.lower()}.relay.example"


@dataclass(frozen=True)
class Answer:
    """A server's answer: its status, and its JSON, or its bytes if it isn't JSON."""

    status: int
    body: Any


class SimulatedServer:
    """One of the servers on a store. After a crash it starts again at its next step."""

    def __init__(self, name: str, database: Database, time: SimulatedTime) -> None:
        self.name, self._time = name, time
        relay = f"smtp://{relay_of(name)}"
        self._config = replace(config_for(database), webhooks="off", smtp_url=relay, mail_domain="cards.example.org")
        self.clock, self.seam = MachineClock(time), Seam(time, postgres=database.url is not None)
        self._app: Flask | None = None
        self._worker: Worker | None = None

    @property
    def runs(self) -> bool:
        """Whether the server runs."""
        return self._app is not None

    @property
    def services(self) -> Services:
        """The services of the server, which starts if it doesn't run."""
        return services_of(self.app)

    @property
    def app(self) -> Flask:
        """The application of the server, which starts if it doesn't run."""
        if self._app is None:
            self.start()
        assert self._app is not None
        return self._app

    @property
    def worker(self) -> Worker:
        """The worker of the server."""
        assert self.app is not None
        assert self._worker is not None
        return self._worker

    def start(self) -> None:
        """Start the server, as after a crash: its tables are made if they are missing."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("api.accounts.accounts.open_clock", self._open_clock)
            self._app = create_app(self._config)
        self.seam.attach(services_of(self._app))
        self._worker = Worker(services_of(self._app))

    def _open_clock(self, records: ClockRecords, config: Config) -> ServerClock:
        clock, steady = self.clock, self._time.steady_us
        return ServerClock(records, config.clock_jump_s, config.clock_gap_s, machine=clock, steady=steady)

    def crash(self) -> None:
        """End as a killed process does: nothing more is written, and what wasn't committed is gone.

        The clock is right at the next start.
        """
        self.clock.ahead_s = 0.0
        if self._app is not None:
            services_of(self._app).close()
        self._app = self._worker = None

    def ask(
        self,
        token: str | None,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer | None:
        """Return the answer to a request, or None if the server crashed before it answered."""
        sent = dict(headers or {}) | ({} if token is None else {"Authorization": f"Bearer {token}"})
        environ = EnvironBuilder(API + path, method=method, json=body, headers=list(sent.items())).get_environ()
        app = self.app
        try:
            parts, status, found = run_wsgi_app(app, environ, buffered=True)
        except Crash:
            self.crash()
            return None
        content, kind = b"".join(parts), found.get("Content-Type", "")
        is_json = "json" in kind and "ndjson" not in kind
        return Answer(int(status.split()[0]), app.json.loads(content) if is_json and content else content)

    def turn(self, name: str) -> str:
        """Let a part of the worker take a turn; return what became of it in a word."""
        parts: dict[str, Callable[[Worker], object]] = {
            "deadlines": Worker.tick,
            "autoplay": Worker.play_waiting_games,
            "queued moves": Worker.play_queued_moves,
            "tables": Worker.finish_tables,
            "receipts": Worker.issue_receipts,
            "lists": lambda _: self.services.followers.catch_up(),
            "heartbeat": lambda _: self.services.clock.beat(),
            "mail": lambda _: Mailer(self.services).run_once(),
        }
        try:
            parts[name](self.worker)
        except Crash:
            self.crash()
            return "crashed"
        except (*UNAVAILABLE, *DATABASE_ERRORS):
            return "failed"
        return "done"


TURNS = ("deadlines", "autoplay", "queued moves", "tables", "receipts", "lists", "heartbeat")


@contextmanager
def simulated_pauses(time: SimulatedTime) -> Iterator[None]:
    """Let the pauses of failing games pass in simulated time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.play.services.server_commands.monotonic", time.seconds)
        yield
