"""Players race on a log of SQLite that is hurt; then every server is killed, and one is started again."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.api.server.test_supervisor import children_of
from tests.api.server_process import NeverListened
from tests.campaigns.kills.damages import MOST_S, Damage, Outcome, copy_log, count_lost, stored_commands
from tests.campaigns.traffic.caller import PASSING, Answer, Caller
from tests.campaigns.traffic.load import Load, kill
from tests.campaigns.traffic.racers import CLIENTS, GAMES, PLAYERS, Racer
from tests.conftest import Database
from tests.waiting import wait_until

MOVES = 40
"""The moves before an older log is copied, and again before the damage."""


class Refused(httpx.HTTPError):
    """A server said to ask later; an actor tries its next turn."""


class Once(Caller):
    """A client that sends each request once, and notes how it was refused: a game may be found corrupt, too."""

    def __init__(self, urls: list[str], seed: str, token: str | None, refusals: list[Answer]) -> None:
        super().__init__(urls, seed, token)
        self._refusals = refusals

    def ask(
        self, method: str, path: str, body: object = None, key: str | None = None, *, url: str | None = None
    ) -> Answer:
        answer = self.once(url or self.chance.choice(self.urls), method, path, body, key)
        if answer.status in PASSING or (answer.status == 500 and answer.problem == "corrupt-log"):
            self._refusals.append(answer)
            raise Refused(answer.content.decode())
        return answer


class Hurt(Load):
    """Servers on one folder, and players who don't repeat what is refused."""

    count = 1

    def __init__(self, database: Database, folder: Path, seed: int) -> None:
        super().__init__(database, folder, seed, pause_s=0.01)
        self.refusals: list[Answer] = []

    def caller(self, seed: str, token: str | None = None, source: str = "127.0.0.1") -> Caller:  # noqa: ARG002
        made = Once(self.urls, f"{seed} {self.seed}", token, self.refusals)
        self.stack.callback(made.close)
        return made

    def begin(self) -> None:
        for _ in range(self.count):
            self.servers.append(self.start_server())
            self.urls.append(self.servers[-1].url)
        for name in PLAYERS:
            self.join(name)
            for number in range(CLIENTS):
                caller = self.caller(f"racer {name} {number}", self.tokens[name])
                self.racers.append(Racer(caller, name, number, self.ledger, self.pause_s))
        for racer in self.racers[::CLIENTS][:GAMES]:
            racer.open_game()
        for each in self.racers:
            each.start()

    def readiness(self) -> list[int]:
        """Return the status of `/health/ready` of each server that runs; 503 if it doesn't answer."""
        return [_status(f"{each.url}/health/ready") for each in self.servers if each.process.poll() is None]

    def kill_all(self, at: int) -> None:
        """Kill all processes of a server at once."""
        process = self.servers[at].process
        for pid in (process.pid, *children_of(process.pid)):
            kill(pid)
        process.wait()

    def start_again(self) -> str | None:
        """Start the first server again. Return what it said if it ends instead."""
        before = self.log.stat().st_size
        try:
            self.replace_server(0)
        except NeverListened:
            return self.log.read_bytes()[before:].decode().strip()
        return None


def _status(url: str) -> int:
    try:
        return httpx.get(url, timeout=5, trust_env=False).status_code
    except httpx.HTTPError:
        return 503


def hurt_once(damage: Damage, folder: Path, seed: int) -> Outcome:
    """Let players race, hurt their log, look whether that's noticed, kill every server, and start one again."""
    data, older, outcome = folder / "data", folder / "older", Outcome(damage)
    with small_disk(data, damage.disk), _servers(damage, data, folder, seed) as load:
        load.wait_for_moves(MOVES)
        copy_log(data, older)
        load.wait_for_moves(MOVES)
        outcome.faults += [f"before it: {each.content[:300]!r}" for each in load.refusals]
        load.refusals.clear()
        before = load.ledger.moves
        if not damage.is_between:
            damage.hurt(data, older)
            _look(load, outcome)
        for each in load.racers:
            each.end()
        for at in range(len(load.servers)):
            load.kill_all(at)
        if damage.is_between:
            damage.hurt(data, older)
        outcome.later = load.ledger.moves - before
        _start_again(load, outcome)
        outcome.faults += load.faults
    return outcome


def _look(load: Hurt, outcome: Outcome) -> None:
    """Wait until each server shows the damage, or is killed."""
    damage, began = outcome.damage, time.monotonic()
    if damage.servers > 1:
        load.kill_all(1)
    if damage.kill_within_s is not None:
        time.sleep(load.chance.uniform(0, damage.kill_within_s))
        return
    while time.monotonic() - began < MOST_S:
        if set(load.readiness()) == {503}:
            outcome.noticed_s = time.monotonic() - began
            break
        time.sleep(0.02)
    else:
        return
    if damage.disk is None:
        moves = load.ledger.moves
        load.refusals.clear()
        wait_until(lambda: len(load.refusals) >= CLIENTS, "no move is refused", within_s=MOST_S)
        if load.ledger.moves > moves + len(load.racers):  # those that were under way
            outcome.faults.append(f"{load.ledger.moves - moves} moves were taken after it was noticed")
    late = [each for each in load.refusals if each.status == 503 and not each.retry_after]
    outcome.faults += [f"a refusal without Retry-After: {each.content[:300]!r}" for each in late[:3]]


def _start_again(load: Hurt, outcome: Outcome) -> None:
    data = load.database.data
    (data / "filler").unlink(missing_ok=True)
    acknowledged = [command for notes in load.ledger.notes.values() for command in notes.commands]
    outcome.acknowledged = len(acknowledged)
    outcome.lost = count_lost(acknowledged, stored_commands(data, load.folder / "copy"))
    outcome.said = load.start_again()
    if outcome.said is None and set(load.readiness()) != {200}:
        outcome.faults.append("it isn't ready after it has started again")


@contextmanager
def _servers(damage: Damage, data: Path, folder: Path, seed: int) -> Iterator[Hurt]:
    load = Hurt(Database(None, data), folder, seed)
    load.count = damage.servers
    with load:
        yield load


@contextmanager
def small_disk(folder: Path, size: str | None) -> Iterator[None]:
    """Let a folder be a disk of this size, in memory, if it has one. That needs root's rights."""
    if size is None:
        yield
        return
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def run_damages(damage: Damage, folder: Path, times: int, seed: int, tick: Callable[[int], None]) -> Sequence[Outcome]:
    """Hurt a log in one way, again and again."""
    outcomes = []
    for number in range(times):
        (folder / str(number)).mkdir()
        outcomes.append(hurt_once(damage, folder / str(number), seed + number))
        tick(number + 1)
    return outcomes
