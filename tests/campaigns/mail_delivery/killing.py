"""kill -9 of the programs that take and send mail, while four people play by mail through them."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from api.app import create_app
from tests.api.conftest import config_for, services_of
from tests.api.server_process import limits_file, server_environment
from tests.campaigns.mail_delivery.players import MailPlayers
from tests.campaigns.traffic.load import kill
from tests.conftest import Database
from tests.mail.post_office import DOMAIN, NAMES, PostOffice, Relay
from tests.ports import free_port
from tests.waiting import wait_until

LAUNCHER = (sys.executable, "-m", "tests.campaigns.mail_delivery.short_leases")
PATIENCE_S = 120.0
MOMENTS = ("worker", "before the relay's answer", "after the relay's answer", "listener", "both")
"""The program to kill at a random moment, or the worker right before or after the relay takes a mail."""
MAX_PAUSE_S, MAX_AFTER_S = 0.8, 0.02


@dataclass
class KillingRelay(Relay):
    """Keeps the bytes of all mails, and kills the worker before or after its answer if asked to."""

    raw: list[bytes] = field(default_factory=list)
    moment: str = ""
    pause_s: float = 0.0
    worker: int = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Keep a mail; let the worker end if this is the moment."""
        moment, self.moment = self.moment, ""
        assert isinstance(envelope.content, bytes)
        self.raw.append(envelope.content)
        answer = await super().handle_DATA(server, session, envelope)
        if moment.startswith("before"):
            os.kill(self.worker, signal.SIGKILL)
        elif moment.startswith("after"):
            asyncio.get_running_loop().call_later(self.pause_s, os.kill, self.worker, signal.SIGKILL)
        return answer


@contextmanager
def killing_relay() -> Iterator[KillingRelay]:
    """Run such a relay on a free port."""
    relay = KillingRelay(free_port())
    controller = Controller(relay, hostname="127.0.0.1", port=relay.port)
    controller.start()
    yield relay
    controller.stop()


class MailPrograms:
    """`trickbook work` and `trickbook mail listen`, which are started again after each kill."""

    def __init__(self, database: Database, settings: dict[str, str], log: Path) -> None:
        self.port, self._log, self._file = free_port(), log, log.open("ab")
        environment, pipe = server_environment(database.url, **settings), subprocess.PIPE
        self._launcher = subprocess.Popen(
            LAUNCHER, env=environment, stdin=pipe, stdout=pipe, stderr=self._file, text=True
        )
        data = ("--data", str(database.data))
        self._commands = {"worker": ("work", *data), "listener": ("mail", "listen", "--port", str(self.port), *data)}
        self.running: dict[str, int] = {}

    def start(self, name: str) -> None:
        """Start a program, and wait until it says that it works."""
        launcher = self._launcher
        assert launcher.stdin is not None
        assert launcher.stdout is not None
        print(json.dumps(self._commands[name]), file=launcher.stdin, flush=True)
        said = [launcher.stdout.readline().strip() for _ in range(2)]
        assert all(said), self._log.read_text()
        self.running[name] = int(next(each for each in said if each.isdecimal()))

    def end(self, name: str) -> None:
        """Kill a program unless it's dead, and wait until it is."""
        process = self.running.pop(name)
        kill(process)
        wait_until(lambda: not self.is_alive(process), "a killed program lives")

    @staticmethod
    def is_alive(process: int) -> bool:
        """Return whether a process runs."""
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True

    def close(self) -> None:
        """Kill all programs."""
        for name in list(self.running):
            self.end(name)
        self._launcher.kill()
        self._launcher.communicate()
        self._file.close()


@dataclass
class KilledTable:
    """Four people at a board who play by mail."""

    office: PostOffice
    relay: KillingRelay
    programs: MailPrograms
    players: MailPlayers
    draw: Random

    def move(self) -> None:
        """Let the player in turn move, in the next game if one is over."""

        def has_moved() -> bool:
            if self.players.current is None:
                self.open()
            return self.players.move()

        wait_until(has_moved, "no reply to a mail about a turn is taken")

    def open(self) -> None:
        """Open the next game."""
        made = self.office[NAMES[0]].caller.post("/games", {"variant": "blackout", "seats": list(NAMES)})
        assert made.status_code == 201, made.text
        self.players.begin(made.get_json()["id"])

    def kill_one(self) -> None:
        """Kill at a random moment while the player in turn moves; start again what was killed."""
        moment = self.draw.choice(MOMENTS)
        names = {"both": ("worker", "listener"), "listener": ("listener",)}.get(moment, ("worker",))
        if "relay" in moment:
            worker = self.relay.worker = self.programs.running["worker"]
            self.relay.pause_s, self.relay.moment = self.draw.uniform(0, MAX_AFTER_S), moment
            dead = partial(wait_until, lambda: not self.programs.is_alive(worker), "the worker sends nothing")
        else:
            dead = partial(time.sleep, self.draw.uniform(0, MAX_PAUSE_S))
        with ThreadPoolExecutor(1) as thread:
            restarted = thread.submit(self._restart, dead, names)
            self.move()
            restarted.result(PATIENCE_S)

    def _restart(self, dead: Callable[[], object], names: tuple[str, ...]) -> None:
        dead()
        for name in names:
            self.programs.end(name)
        for name in names:
            self.programs.start(name)


@contextmanager
def killed_table(database: Database, seed: int) -> Iterator[KilledTable]:
    """Open a server's store, its two programs of mail, a relay and a table."""
    draw = Random(f"mails {seed}")
    with ExitStack() as stack:
        relay = stack.enter_context(killing_relay())
        config = replace(config_for(database), smtp_url=relay.url, mail_domain=DOMAIN, mail_delay_s=0)
        app = create_app(config)
        stack.callback(services_of(app).close)
        limits = limits_file(database.data / "limits.toml", mail_delay_s=0)
        settings = {"SMTP_URL": relay.url, "MAIL_DOMAIN": DOMAIN, "LIMITS": limits, "LOG": "warning"}
        programs = MailPrograms(database, settings, database.data / "programs.log")
        stack.callback(programs.close)
        office = PostOffice(app, relay, port=programs.port)
        for name in NAMES:
            office.register(name)
        office.send_all()  # the server begins with the log's end
        for each in ("worker", "listener"):
            programs.start(each)
        table = KilledTable(office, relay, programs, MailPlayers(relay, programs.port, draw), draw)
        table.open()
        yield table
