"""A fuzzing campaign against a running server: what is sent, the counts of the answers, and the checks afterwards."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import httpx

from tests.api.conftest import PASSWORD
from tests.api.remote_server import RemoteServer, wait_until_lists_follow
from tests.api.server_process import run_program, start_server
from tests.campaigns.fuzz.raw import raw_case
from tests.campaigns.fuzz.requests import RequestMaker
from tests.campaigns.fuzz.sending import Outcome, send
from tests.conftest import Database

SEED = 20261123
SENDERS = 16
RAW_ANSWERED_AFTER_S = 0.5
"""Bytes that are no whole request may get no answer."""
UNHARMED = {"variant": "pitch", "seats": ["ann", "bob"], "options": {"win": 21}}
FUZZED = {"variant": "pitch", "seats": ["fay", "fred", "bot:simple"], "options": {"win": 7}}
Tick = Callable[[int], object]
"""Hears how many are answered."""


def ignore(_answered: int) -> None:
    """Show no progress."""


@dataclass
class Report:
    """How many answers had each status (0: closed without one), and what was wrong."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        return [f"{count:6}  {status or 'closed without an answer'}" for status, count in sorted(self.statuses.items())]


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


def send_requests(target: Target, many: int, seed: int, tick: Tick = ignore) -> Report:
    """Send fuzzed requests, each of which must be answered."""
    maker = RequestMaker(seed)

    def send_one(number: int) -> tuple[str, Outcome]:
        request = maker.make(number)
        outcome = send(target.server.url, request.to_bytes(target.token(request.caller)))
        if request.endpoint == "users.log_out" and outcome.status == 204:
            target.renew(request.caller)
        fault = outcome.fault or ("" if outcome.status else "no answer")
        return f"request {number}: {request!r:.600}", Outcome(outcome.status, fault)

    return _send_all(send_one, many, tick)


def send_raw_cases(target: Target, many: int, seed: int, tick: Tick = ignore) -> Report:
    """Send fuzzed bytes."""

    def send_one(number: int) -> tuple[str, Outcome]:
        data = raw_case(seed, number)
        return f"raw case {number}: {data[:200]!r}", send(target.server.url, data, RAW_ANSWERED_AFTER_S)

    return _send_all(send_one, many, tick)


def _send_all(send_one: Callable[[int], tuple[str, Outcome]], many: int, tick: Tick) -> Report:
    report = Report()
    with ThreadPoolExecutor(SENDERS) as pool:
        for done, (sent, outcome) in enumerate(pool.map(send_one, range(many)), 1):
            report.statuses[outcome.status] += 1
            report.faults += [f"{sent}: {outcome.fault}"] if outcome.fault else []
            tick(done)
    return report


def harm_done(target: Target, before: bytes) -> list[str]:
    """Return what is wrong with the server after the campaign: its health, its games and its log."""
    found = []
    with suppress(AssertionError):
        wait_until_lists_follow(target.server.url)
    if httpx.get(f"{target.server.url}/health/ready").status_code != 200:
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
    return found
