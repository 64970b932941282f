"""A fuzzing campaign against a running server: what is sent, the counts of the answers, and the checks afterwards."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, local

from tests.api.conftest import PASSWORD
from tests.api.remote_server import RemoteServer
from tests.api.server_process import run_program, start_server
from tests.campaigns.fuzz.raw import raw_case
from tests.campaigns.fuzz.requests import FuzzedRequest, RequestMaker
from tests.campaigns.fuzz.sending import Outcome, Sender, send_raw
from tests.conftest import Database

SEED = 20261123
SENDERS, RAW_SENDERS = 4, 16
MOST_FAULTS = 20
READY_TIMEOUT_S = 120.0
UNHARMED = {"variant": "pitch", "seats": ["ann", "bob"], "options": {"win": 21}}
FUZZED = {"variant": "pitch", "seats": ["fay", "fred", "bot:simple"], "options": {"win": 7}}


@dataclass
class Report:
    """How many answers had each status (0: closed without one), and what was wrong."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, sent: str) -> None:
        """Count an outcome."""
        self.statuses[outcome.status] += 1
        if outcome.fault and len(self.faults) < MOST_FAULTS:
            self.faults.append(f"{sent}: {outcome.fault}")


@dataclass
class Target:
    """A server with the game of ann and bob, board 1, that nobody else may change, and one of fay and fred, board 2."""

    server: RemoteServer
    log: Path
    _lock: Lock = field(default_factory=Lock)

    def token(self, caller: str) -> str | None:
        """Return a caller's token, None for a caller without one."""
        with self._lock:
            return self.server[caller].token if caller not in ("nobody", "bad") else None

    def renew(self, caller: str) -> None:
        """Log a caller in again who has logged out."""
        with self._lock:
            body = {"name": caller, "password": PASSWORD}
            self.server.tokens[caller] = self.server.nobody.post("/tokens", body).get_json()["token"]

    def unharmed_log(self) -> bytes:
        """Return the export of the game that nobody may change."""
        return self.server.nobody.get("/games/1/export").data


@contextmanager
def fuzz_target(database: Database, log: Path) -> Iterator[Target]:
    """Start a server without rate limits that logs to a file, with both games."""
    with log.open("wb") as stderr, start_server(database, stderr=stderr, LIMITS="off", LOG="info") as serving:
        target = Target(RemoteServer(serving.url), log)
        for name in ("ann", "bob", "fay", "fred", "rhea"):
            assert target.token(name)
        for name, game in (("ann", UNHARMED), ("fay", FUZZED)):
            assert target.server[name].post("/games", game).status_code == 201
        for name in ("arbiter", "moderator"):
            role = run_program("user", "role", "rhea", name, "--data", str(database.data), url=database.url)
            assert role.returncode == 0, role.stderr
        yield target


def send_requests(target: Target, many: int, seed: int, progress: Callable[[], None]) -> Report:
    """Send fuzzed requests on a few connections."""
    report, maker, mine = Report(), RequestMaker(seed), local()

    def send(number: int) -> None:
        if not hasattr(mine, "sender"):
            mine.sender = Sender(target.server.url)
            senders.append(mine.sender)
        request = maker.make(number)
        outcome = mine.sender.send(request, target.token(request.caller))
        if request.endpoint == "users.log_out" and outcome.status == 204:
            target.renew(request.caller)
        report.add(outcome, describe(number, request))
        progress()

    senders: list[Sender] = []
    with ThreadPoolExecutor(SENDERS) as pool:
        list(pool.map(send, range(many)))
    for sender in senders:
        sender.close()
    return report


def describe(number: int, request: FuzzedRequest) -> str:
    """Return a line that names a request."""
    shown = f"{request.method} {request.target[:120]!r} {request.headers!r:.200} {request.body[:200]!r}"
    return f"request {number} by {request.caller} to {request.endpoint}: {shown}"


def send_raw_cases(target: Target, many: int, seed: int, progress: Callable[[], None]) -> Report:
    """Send fuzzed bytes, each on a connection of its own."""
    report = Report()

    def send(number: int) -> None:
        data = raw_case(seed, number)
        report.add(send_raw(target.server.url, data), f"raw case {number}: {data[:200]!r}")
        progress()

    with ThreadPoolExecutor(RAW_SENDERS) as pool:
        list(pool.map(send, range(many)))
    return report


def harm_done(target: Target, before: bytes) -> list[str]:
    """Return what is wrong with the server after the campaign: its health, its games and its log."""
    found = []
    if not is_ready(target):
        found.append("the server isn't ready")
    if target.unharmed_log() != before:
        found.append("the log of a game has changed that nobody may change")
    for game in (1, 2):
        audit = target.server.nobody.get(f"/games/{game}/audit").get_json()
        if audit["verdict"]["findings"]:
            found.append(f"the audit of game {game}: {audit['verdict']}")
    view = target.server.nobody.get("/games/1").get_json()
    mover = target.server[("ann", "bob")[view["turn"]["seats"][0]]]
    moved = mover.post("/games/1/moves", {"type": "pass"})
    if moved.status_code != 201:
        found.append(f"a move after the campaign: {moved.text}")
    return found + log_faults(target.log)


def is_ready(target: Target) -> bool:
    """Return whether all stores answer and the lists have followed, within a while."""
    ready = FuzzedRequest("GET", b"/health/ready", (), b"", "nobody", "health.ready")
    until = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < until:
        with closing(Sender(target.server.url)) as sender:
            if sender.send(ready, None).status == 200:
                return True
        time.sleep(0.2)
    return False


def log_faults(log: Path) -> list[str]:
    """Return the lines of the server's log that aren't JSON, or report an error."""
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            entry = {"level": "error", "message": "this line isn't JSON"}
        if "trace" in entry or entry["level"] in ("error", "critical"):
            found.append(f"the server's log: {line[:2000]}")
    return found[:MOST_FAULTS]
