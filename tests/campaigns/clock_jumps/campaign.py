"""Two servers under a load of all kinds, and clocks that jump. What waits is compared all the time.

On SQLite both servers are on one machine. On PostgreSQL each has its own clock, and the database has a third one: if
that is right, it's a second clock; if all three jump at one moment, nobody knows the time until they're right again.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from unittest.mock import patch

import httpx

from api.accounts.accounts import ACCOUNTS
from domain.store.held_clock import machine_time
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from domain.store.sql.database import open_database
from tests import postgres
from tests.api.server_process import ServerProcess, run_program
from tests.campaigns.clock_jumps.bystanders import ADDRESS, Bystanders
from tests.campaigns.clock_jumps.machine_clock import MachineClock
from tests.campaigns.soak.campaign import VICTIM, Plan, Soak
from tests.campaigns.soak.samples import lag_of
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Answer, Caller
from tests.campaigns.traffic.checks import faults_of_store
from tests.campaigns.traffic.load import Report
from tests.conftest import Database
from tests.inbox.receivers import HOST
from tests.ports import free_port
from tests.waiting import wait_until

STORES = ("sqlite", "postgres")
HOUR_S, DAY_S = 3600, 24 * 3600
JUMPS_S = {"+40 days": 40 * DAY_S, "-40 days": -40 * DAY_S, "+1 hour": HOUR_S, "-1 hour": -HOUR_S, "+10^9 s": 10**9}
"""How far clocks jump."""
HOLD_AFTER_S = 7.0
"""How long after a jump a worker must have recorded that the clock is held."""
TRUE_WITHIN_S = 120.0
"""How far the time of anything that is kept may be from the true time: a jump is more."""
BASE_S, LAPSE_S = 15, 60
"""How long a player has in games that really end by time, and how long tables form that really lapse."""
END_WITHIN_S = 240.0
"""How long after the last jump all that is due by then may take to end."""
KILL_SHARE = 0.25
"""During which part of the jumps a server is killed, so that its processes start beside a wrong clock."""
SERVER_PROBLEM, NOT_READY, UNAUTHORIZED = 500, 503, 401
SQLITE_COLUMNS = """SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.type = 'BIGINT'"""
PG_COLUMNS = """SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'office' AND data_type = 'bigint'"""
BY_ITS_OWN_CLOCK = "nodes"
"""A table that PostgreSQL's clock is asked for: a row of a killed node may have a time of a jump, and is forgotten."""
AT = re.compile(r'"at":"([^"]+)"')


class StrictCaller(Caller):
    """A caller for whom each answer must be one of a server that knows what it's doing, and what time it is."""

    def __init__(self, urls: list[str], seed: str, token: str | None = None, source: str = "127.0.0.1") -> None:
        super().__init__(urls, seed, token, source)
        self.is_known = token is not None
        """Whether the token is good all the time."""

    def once(self, url: str, method: str, path: str, body: object = None, key: str | None = None) -> Answer:
        headers = {} if key is None else {"Idempotency-Key": key}
        headers |= {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        got = self._http.request(method, f"{url}/api/v1{path}", json=body, headers=headers)
        what = f"{method} {path}: {got.status_code} {got.text[:300]}"
        assert got.status_code < SERVER_PROBLEM or got.status_code == NOT_READY, what
        assert got.status_code != NOT_READY or "Retry-After" in got.headers, f"{what} without Retry-After"
        assert not (self.is_known and got.status_code == UNAUTHORIZED), what
        off_s = abs((parsedate_to_datetime(got.headers["Date"]) - datetime.now(UTC)).total_seconds())
        assert off_s <= TRUE_WITHIN_S, f"{what}, at {got.headers['Date']}"
        return Answer(got.status_code, got.content)


class Comparing(Actor):
    """Compares what waits with what it was, again and again."""

    what = "looks at all that waits"
    pause_s = 1.0

    def __init__(self, waiting: Bystanders) -> None:
        super().__init__(waiting.stills[0].caller)
        self.waiting = waiting

    def turn(self) -> None:
        for still in self.waiting.stills:
            if self._stop.is_set():
                return
            assert (found := still.faults()) == [], found
        for url in list(self.caller.urls):
            ready = httpx.get(f"{url}/health/ready", timeout=30, trust_env=False)
            assert ready.status_code == 200, ready.text
        self.done += 1


class Ending(Actor):
    """Opens games and tables that really end by their time, and sees that none ends too soon."""

    what = "games and tables that ended by their time"
    pause_s = 0.5

    def __init__(self, caller: Caller, name: str) -> None:
        super().__init__(caller)
        self.name = name
        self.running: dict[str, tuple[float, float]] = {}
        """When each began, on a counter, and how long it has."""

    def turn(self) -> None:
        if len(self.running) < 2:
            self.open()
        for game, (began, has_s) in list(self.running.items()):
            answer = self.caller.ask("GET", f"/games/{game}")
            passed_s = time.monotonic() - began
            if answer.status == 200 and answer.body["status"] in ("forming", "active"):
                continue
            assert passed_s >= has_s, f"{game} had {has_s:.0f} s and ended after {passed_s:.1f} s: {answer}"
            del self.running[game]
            self.done += 1

    def open(self) -> None:
        """Open the next one of each kind that doesn't run."""
        began = time.monotonic()
        pace = {"kind": "live", "base_s": BASE_S, "increment_s": 0}
        game = {"variant": "pitch", "seats": [self.name, "bot:simple"], "timing": {"pace": pace}}
        table = {"variant": "pitch", "seats": [self.name, "open"], "expires_s": LAPSE_S}
        kinds = [(float(BASE_S), game), (float(LAPSE_S), table)]
        for has_s, body in kinds:
            if has_s not in {each for _, each in self.running.values()}:
                opened = self.caller.ask("POST", "/games", body, self._key())
                assert opened.status == 201, opened
                self.running[str(opened.body["id"])] = began, has_s


@dataclass(frozen=True)
class Machines:
    """The clocks of the two servers, and that of PostgreSQL. On one machine they are one."""

    servers: Sequence[MachineClock]
    database: MachineClock | None = None

    def right(self) -> None:
        """Let every clock show the right time."""
        for clocks in self.choices().values():
            for clock in clocks:
                clock.set(0)

    def choices(self) -> Mapping[str, Sequence[MachineClock]]:
        """Return which clocks can jump together, by a name; the last are all."""
        one, other = self.servers
        if self.database is None:
            return {"the machine": [one]}
        return {"one server": [one], "the other server": [other], "both servers": [one, other],
                "all three": [one, other, self.database]}  # fmt: skip


@contextmanager
def open_machines(store: str, folder: Path) -> Iterator[tuple[str | None, Machines]]:
    """Yield the URL of a new PostgreSQL database, or None for SQLite, and the clocks, all of them right."""
    if store == "sqlite":
        clock = MachineClock(folder, "machine")
        yield None, Machines([clock, clock])
        return
    one, other, third = (MachineClock(folder, name) for name in ("one", "other", "database"))
    with ExitStack() as stack:
        with patch.dict("os.environ", third.environ):
            cluster = stack.enter_context(postgres.cluster())
        yield cluster.server.dsn, Machines([one, other], third)


class ClockJumps(Soak):
    """The load of a soak, and those who wait, on machines whose clocks jump."""

    webhook_patience_s = 400.0

    def __init__(self, database: Database, folder: Path, seed: int, seconds: float, machines: Machines) -> None:
        super().__init__(database, folder, seed, Plan(seconds, seconds, pause_s=0.3), folder / "samples.ndjson")
        self.machines = machines
        self._began = time.time()

    def start_server(self, **environ: str) -> ServerProcess:
        machine = self.machines.servers[len(self.servers) % len(self.machines.servers)]
        return super().start_server(**{**machine.environ, **environ})

    def replace_server(self, at: int, **environ: str) -> None:
        super().replace_server(at, **{**self.machines.servers[at].environ, **environ})

    def caller(self, seed: str, token: str | None = None, source: str = "127.0.0.1") -> Caller:
        made = StrictCaller(self.urls, f"{seed} {self.seed}", token, source)
        self.stack.callback(made.close)
        return made

    def join(self, name: str) -> Caller:
        made = super().join(name)
        assert isinstance(made, StrictCaller)
        made.is_known = True
        return made

    def prepare(self) -> None:
        with patch.dict("os.environ", self.machines.servers[0].environ):
            super().prepare()
        address = f"https://{HOST}:{free_port()}/inbox"
        self.waiting = Bystanders(self.caller, self._give_role, self._settle, self._codes, address)
        self.waiting.gather()
        wait_until(lambda: self._codes(ADDRESS), "no code comes by mail")
        self._first_mail = len(self.relay.raw)
        for still in self.waiting.stills:
            assert isinstance(still.caller, StrictCaller)
            still.caller.is_known = still.caller.token is not None
        self.ending = Ending(self.join("edna"), "edna")
        self.others += [Comparing(self.waiting), self.ending]

    def run(self) -> None:
        """Let clocks jump until the time is over; in the end all are right, and everything goes on."""
        until, is_first = time.monotonic() + self.plan.seconds, True
        try:
            while (time.monotonic() < until or is_first) and not self.faults:
                self._rest(self.chance.uniform(3, 12))
                self._jump(is_first=is_first)
                is_first = False
                self.machines.right()
        finally:
            self.machines.right()
        self._rest(HOLD_AFTER_S)
        self._go_on()

    def check(self) -> list[str]:
        found = [*super().check(), *self.waiting.faults(), *self.waiting.go_on()]
        return [*found, *self._wrong_times(time.time())]

    def _jump(self, *, is_first: bool) -> None:
        """Let some clocks jump, once or twice. At the first time all do, and an operator looks."""
        who, clocks = list(self.machines.choices().items())[-1]
        if not is_first:
            who, clocks = self.chance.choice(list(self.machines.choices().items()))
        for _ in range(1 if is_first else self.chance.choice((1, 1, 2))):
            name = "+40 days" if is_first else self.chance.choice(list(JUMPS_S))
            for clock in clocks:
                clock.set(JUMPS_S[name])
            self.report.kills[f"{name} of {who}"] += 1
            self._rest(HOLD_AFTER_S + self.chance.uniform(0, 15))
            if is_first:
                self.report.faults += self._faults_of_doctor()
            elif self.chance.random() < KILL_SHARE and not self.faults:
                self.report.kills["a server, meanwhile"] += 1
                self.kill_server(VICTIM)

    def _faults_of_doctor(self) -> list[str]:
        """Return what `trickbook doctor` doesn't say while the clock is held."""
        with patch.dict("os.environ", self.machines.servers[0].environ):
            said = run_program("doctor", "--data", str(self.database.data), url=self.database.url)
        named = "the clock is held", "they wait: games: ", "tables that form: ", "people who left: 2", "guests without"
        return [f"doctor doesn't say {each!r}: {said.stdout}{said.stderr}" for each in named if each not in said.stdout]

    def _go_on(self) -> None:
        """See that people can join, that games go on, and that what is due ends."""
        begun = dict(self.ending.running)
        self.join("newton")
        wait_until(self.have_moved(10), "the games don't go on")
        wait_until(lambda: self.faults or not begun.keys() & self.ending.running.keys(), "nothing ends", END_WITHIN_S)
        wait_until(lambda: self.faults or all(self.done.values()), "somebody does nothing")

    def _settle(self) -> None:
        """Wait until the inboxes tell what has happened by now."""
        wait_until(lambda: not any(lag_of(url) for url in self.urls), "the lists stay behind")

    def _give_role(self, name: str, role: str) -> None:
        done = run_program("user", "role", name, role, "--data", str(self.database.data), url=self.database.url)
        assert done.returncode == 0, done.stderr

    def _wrong_times(self, ended: float) -> Iterator[str]:
        """Yield what bears a time of a jump: facts, mails, messages to a webhook, and rows of the accounts."""
        first, last = self._began - TRUE_WITHIN_S, ended + TRUE_WITHIN_S
        facts = AT.findall(self.caller("exports").ask("GET", "/exports/games").content.decode())
        times = {f"a fact at {at}": datetime.fromisoformat(at).timestamp() for at in facts}
        for mail in (mail for _, mail in self.relay.mails if mail["Date"]):  # a relay adds it
            times[f"a mail of {mail['Date']}"] = parsedate_to_datetime(str(mail["Date"])).timestamp()
        for message in self.receiver.messages:
            times[f"a message at {message.headers['webhook-timestamp']}"] = int(message.headers["webhook-timestamp"])
        yield from (what for what, at in times.items() if not first <= at <= last)
        self.report.summaries.append(f"{len(facts)} facts, {len(times)} different times of facts, mails and messages")
        yield from self._wrong_rows(first, last)

    def _wrong_rows(self, first: float, last: float) -> Iterator[str]:
        """Yield the numbers in the accounts that are times of a jump, in microseconds."""
        data, url = self.database.data, self.database.url
        with closing(open_database(ACCOUNTS, data, url, DEFAULT_TIMEOUTS, machine_time)) as office:
            columns = office.run(PG_COLUMNS if self.database.url else SQLITE_COLUMNS)
            for table, column in (each for each in columns if each[0] != BY_ITS_OWN_CLOCK):
                for name, jump_s in JUMPS_S.items():
                    between = [round((at + jump_s) * 1_000_000) for at in (first, last)]
                    found = office.run(f"SELECT {column} FROM {table} WHERE {column} BETWEEN ? AND ?", *between)
                    if found:
                        yield f"{len(found)} times of {name} in {table}.{column}, such as {found[0][0]}"


def run_jumps(database: Database, folder: Path, seed: int, seconds: float, machines: Machines) -> Report:
    """Let clocks jump for some time beside all kinds of work, and return what was found."""
    with ClockJumps(database, folder, seed, seconds, machines) as jumps:
        try:
            jumps.run()
            report = jumps.end()
        except AssertionError as fault:  # with what was found before, of which it may be a consequence
            report = jumps.report
            report.faults += [*jumps.faults, str(fault)]
    report.faults += faults_of_store(database)
    return report
