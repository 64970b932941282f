"""A world of a simulation: clients and two servers on one store, whose steps follow from a seed."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from random import Random

from api.tables.services.forming import command_of_table
from tests.campaigns.simulation import checks
from tests.campaigns.simulation.clients import Client
from tests.campaigns.simulation.mailboxes import Mailboxes, check_mails, confirm_address, finish_mails, simulated_mail
from tests.campaigns.simulation.observer import Observer, Violation
from tests.campaigns.simulation.seam import ACCOUNT_FAULTS, LIST_FAULTS, LOG_FAULTS, MAIL_FAULTS
from tests.campaigns.simulation.servers import TURNS, SimulatedServer, simulated_pauses
from tests.campaigns.simulation.simulated_time import SimulatedTime, parse_us
from tests.conftest import Database
from tests.plugins.chance import seeded_randomness

KINDS = {
    "play": 60, "send again": 8, "open": 3, "table": 5, "write": 3, "queue": 3, "worker": 24, "mail": 6, "fault": 4,
    "crash": 1, "time": 5, "clock": 1,
}  # fmt: skip
"""How often each kind of step is drawn."""
NAMES = ("ann", "bob", "cid", "dee")
PAUSES_S = (50, 50, 600, 1800, 3600)
OUTAGE_S = 2400
"""How long no server gives a heartbeat, now and then. After longer ones, an operator has to look at the clock."""
DOWN_S = 7200
"""How long a killed server stays down, now and then, while the other one goes on."""
JUMPS_S = (-7200, -600, 300, 7200, 90_000)
BEAT_S = 50
"""How often the servers give heartbeats in a pause: after a minute of silence, the clock is held."""
TURN_SHARE = 0.75
"""How often a player looks at a game in which it is their turn."""
MOST_ACTIVE = 3
LAST_TURNS = 40
"""How often everything takes a turn at the end, until nothing changes."""


@dataclass(frozen=True)
class Step:
    """A step: its number decides all that is drawn in it, so that a story without some of its steps stays itself."""

    number: int
    kind: str


def draw_steps(seed: str, number: int) -> list[Step]:
    """Return the steps of a seed."""
    kinds = Random(f"steps {seed}").choices(list(KINDS), list(KINDS.values()), k=number)
    return [Step(at, kind) for at, kind in enumerate(kinds)]


class World:
    """Two servers on one store, the clients, and an observer. `story` has a line for each step."""

    def __init__(self, database: Database, seed: str, observer: Observer, time: SimulatedTime) -> None:
        self._seed, self._time, self._observer = seed, time, observer
        self.servers = [SimulatedServer(name, database, time) for name in "AB"]
        self.clients = [Client.register(name, self.servers[0]) for name in NAMES]
        self.mailboxes = Mailboxes()
        self.story: list[str] = []
        self._faults = Counter[str]()
        self.secret = self.servers[0].services.secret
        self._last: dict[tuple[str, str], int] = {}
        self._kinds: dict[str, Callable[[Random], str]] = {
            "play": self._play,
            "send again": self._send_again,
            "open": self._open,
            "table": self._table,
            "write": self._write,
            "queue": self._queue,
            "worker": self._worker,
            "mail": self._send_mail,
            "fault": self._fault,
            "crash": self._crash,
            "time": self._pass_time,
            "clock": self._set_clock,
        }

    @property
    def variants(self) -> Counter[str]:
        """The number of games by variant."""
        return Counter(log.state.rules.variant for log in self._observer.logs.values())

    @property
    def faults(self) -> Counter[str]:
        """How often each fault was met."""
        return sum((server.seam.met for server in self.servers), self._faults)

    def begin_mail(self) -> None:
        """Give the players addresses, and let the outbox begin at the log's end."""
        for client in self.clients:
            confirm_address(self.servers[0].services.accounts, client)
        self.mailboxes.take_turn(self.servers[0])

    def take(self, step: Step) -> None:
        """Take a step, then check what must hold after every one."""
        chance = Random(f"{self._seed} {step.number}")
        self.story.append(f"{step.number}: {step.kind}")
        self.story[-1] = f"{step.number}: {self._kinds[step.kind](chance)}"
        self._observe()

    def _observe(self) -> None:
        for _, event in self._observer.read():
            checks.check_time(event, self._time.now_us())

    def _play(self, chance: Random) -> str:
        server = chance.choice(self.servers)
        places = [
            (client, game, seat, seat in log.state.turn)
            for client in self.clients
            for game, log in self._observer.logs.items()
            if (seat := log.state.seat_of(client.player)) is not None and log.state.result is None
        ]
        if not places:
            return self._open(chance)
        to_move = [place for place in places if place[3]]
        client, game, seat, _ = chance.choice(to_move if to_move and chance.random() < TURN_SHARE else places)
        waits = [sent for sent in client.unanswered if sent.path.startswith(f"/games/{game}/")]
        if waits and chance.random() < 0.7:
            done = client.send(server, waits[-1], chance)
        else:
            done = client.play(server, game, seat, chance)
        self._observe()
        if client.shown is not None:
            checks.check_view(client.shown, seat, self._last, client.name, self._observer.logs[game], chance)
            client.shown = None
        self._check_answers(client)
        return f"{client.name} at {server.name} in {game[:8]}: {done}"

    def _send_again(self, chance: Random) -> str:
        client, server = chance.choice(self.clients), chance.choice(self.servers)
        again = client.unanswered or [sent for sent in client.sent if sent.answer and sent.answer.status == 201]
        if not again:
            return f"{client.name} has nothing to send again"
        sent = chance.choice(again)
        before = sent.answer
        done = client.send(server, sent, chance)
        self._observe()
        if before is not None and sent.answer is not None and sent.answer.status != before.status:
            raise Violation("a repeat gets the first answer", f"{sent.key}: {before.status}, {sent.answer.status}")
        self._check_answers(client)
        return f"{client.name} at {server.name} again {done}"

    def _check_answers(self, client: Client) -> None:
        for sent in client.sent[-3:]:
            checks.check_answer(sent, client, self._observer, self.secret)

    def _open(self, chance: Random) -> str:
        active = [log for log in self._observer.logs.values() if log.state.result is None]
        client, server = chance.choice(self.clients), chance.choice(self.servers)
        if len(active) >= MOST_ACTIVE:
            return "enough games are open"
        done = client.open_game(server, [name for name in NAMES if name != client.name], chance)
        self._observe()
        self._check_answers(client)
        return f"{client.name} at {server.name} {done}"

    def _table(self, chance: Random) -> str:
        client, server = chance.choice(self.clients), chance.choice(self.servers)
        return f"{client.name} at {server.name} {client.claim(server, chance)}"

    def _write(self, chance: Random) -> str:
        client, server = chance.choice(self.clients), chance.choice(self.servers)
        games = [game for game, log in self._observer.logs.items() if log.state.seat_of(client.player) is not None]
        if not games:
            return f"{client.name} has no game to write to"
        return f"{client.name} at {server.name} {client.write(server, chance.choice(games))}"

    def _queue(self, chance: Random) -> str:
        client, server = chance.choice(self.clients), chance.choice(self.servers)
        views = [view for view in client.seen.values() if view["status"] == "active"]
        if not views:
            return f"{client.name} has no game to queue a card for"
        return f"{client.name} at {server.name} {client.queue(server, chance.choice(views), chance)}"

    def _worker(self, chance: Random) -> str:
        server, part = chance.choice(self.servers), chance.choice(TURNS)
        return f"{part} at {server.name}: {server.turn(part)}"

    def _send_mail(self, chance: Random) -> str:
        server = chance.choice(self.servers)
        return f"mail at {server.name}: {self.mailboxes.take_turn(server)}"

    def _fault(self, chance: Random) -> str:
        server = chance.choice(self.servers)
        if chance.random() < 0.2:
            server.seam.mail_fault = chance.choice(MAIL_FAULTS)
            return f"the next mail of {server.name}: {server.seam.mail_fault}"
        if chance.random() < 0.7:
            server.seam.log_fault = chance.choice(LOG_FAULTS)
            return f"the next write of {server.name} to the log: {server.seam.log_fault}"
        if chance.random() < 0.5:
            server.seam.account_fault = chance.choice(ACCOUNT_FAULTS)
            return f"the next write of {server.name} about people or tables: {server.seam.account_fault}"
        server.seam.list_fault = chance.choice(LIST_FAULTS)
        return f"the next write of {server.name} to the lists: {server.seam.list_fault}"

    def _crash(self, chance: Random) -> str:
        server = chance.choice(self.servers)
        server.crash()
        self._faults["server: killed"] += 1
        if chance.random() < 0.5:
            return f"{server.name} is killed"
        self._faults["server: down"] += 1
        self._pass_slowly(DOWN_S, [each for each in self.servers if each is not server])
        return f"{server.name} is killed, and down for {DOWN_S} s"

    def _pass_time(self, chance: Random) -> str:
        if chance.random() < 0.05:
            beating = [server for server in self.servers if server.turn("heartbeat") == "done"]
            if not beating:
                return "no server can write a heartbeat, and a longer silence needs an operator"
            if beating[0].services.clock.is_held():  # a start after a silence goes on from the last heartbeat then
                return "the clock is held, and a silence needs an operator"
            self._time.pass_s(OUTAGE_S)
            self._faults["clock: no heartbeat"] += 1
            return f"{OUTAGE_S} s pass without a heartbeat"
        seconds = chance.choice(PAUSES_S)
        self._pass_slowly(seconds, self.servers)
        return f"{seconds} s pass"

    def _pass_slowly(self, seconds: int, servers: Sequence[SimulatedServer]) -> None:
        """Let time pass, with heartbeats of these servers."""
        for _ in range(0, seconds, BEAT_S):
            self._time.pass_s(BEAT_S)
            for server in servers:
                server.turn("heartbeat")

    def _set_clock(self, chance: Random) -> str:
        """Set the clock of a server that runs, or right it again.

        Two clocks that are wrong alike are believed, and so is one at a start (docs/operations.md#the-clock).
        """
        wrong = [server for server in self.servers if server.clock.ahead_s]
        candidates = wrong or [each for each in self.servers if each.runs]
        if not candidates:
            return "no server runs, so no clock jumps"
        server = candidates[0] if wrong else chance.choice(candidates)
        server.clock.ahead_s = 0.0 if wrong else chance.choice(JUMPS_S)
        self._faults["clock: jumps"] += not wrong
        return f"the clock of {server.name} is {server.clock.ahead_s:.0f} s ahead"

    def finish(self) -> None:
        """Let the faults end and everything catch up, answer what is unanswered, and check everything."""
        chance = Random(f"{self._seed} end")
        for server in self.servers:
            server.seam.heal()
            server.clock.ahead_s = 0.0
        self._catch_up_with_clocks()
        self._settle()
        for client in self.clients:
            for sent in client.unanswered:
                for _ in range(LAST_TURNS):
                    if sent.answer is None:
                        client.send(self.servers[0], sent, chance)
            self._observe()
            if client.unanswered:
                raise Violation("every command is answered", f"{client.unanswered[0]}")
            for sent in client.sent:
                checks.check_answer(sent, client, self._observer, self.secret)
        self._settle()
        self._check_commands()
        self._check_bots()
        for server in self.servers:
            checks.check_lists(server, self._observer.games)
        for game, log in self._observer.logs.items():
            is_over = log.state.result is not None
            checks.check_game(game, self.servers, self._observer.games, is_over=is_over)
        checks.check_inboxes(self.servers[1], self.clients)
        checks.check_tables(self.servers[0], self.clients, self._observer)
        checks.check_texts(self.servers[1], self.clients)
        finish_mails(self.servers, self.mailboxes, self._time)
        check_mails(self.servers[0].services.accounts, self.clients, self._observer, self.mailboxes)

    def _catch_up_with_clocks(self) -> None:
        """Let time pass until it's later than all events: a clock was ahead, and workers wait for their time."""
        latest = max((parse_us(log.events[-1].at) for log in self._observer.logs.values()), default=0)
        self._pass_slowly(max(latest - self._time.now_us(), 0) // 1_000_000, self.servers)

    def _settle(self) -> None:
        """Let the workers take turns until the log doesn't grow any more."""
        for _ in range(LAST_TURNS):
            before = sum(len(log.events) for log in self._observer.logs.values())
            for server in self.servers:
                for part in TURNS:
                    self._time.pass_s(3)
                    if server.turn(part) != "done":
                        raise Violation("a server recovers", f"{part} at {server.name}")
            self._observe()
            if before == sum(len(log.events) for log in self._observer.logs.values()):
                break
        for server in self.servers:
            server.turn("lists")

    def _check_commands(self) -> None:
        """Check that every command of a player in the log is acknowledged, opens a full table, or was queued."""
        known = {
            sent.command(self.secret, client.player)
            for client in self.clients
            for sent in client.sent
            if sent.answer is not None and sent.answer.status == 201
        }
        queued = {(client.player, *each) for client in self.clients for each in client.queued}
        people = {client.player for client in self.clients}
        for game, log in self._observer.logs.items():
            first = [log.events[versions[0] - 1] for versions in log.commands.values()]
            for event in first:
                if event.by not in people or event.command in known | {command_of_table(self.secret, game)}:
                    continue
                if (event.by, game, getattr(event.data, "card", None)) not in queued:
                    raise Violation("no refused command is stored", f"{game}: {event.command} {event.fact}")

    def _check_bots(self) -> None:
        """Check that no game waits for a bot."""
        for game, log in self._observer.logs.items():
            state = log.state
            if state.result is None and any(state.seats[seat].kind == "bot" for seat in state.turn):
                raise Violation("bots play on", game)


@dataclass
class Outcome:
    """The outcome of a world: its steps, the violation if there was one, its story, and what happened in it."""

    steps: int
    violation: Violation | None
    story: list[str]
    variants: Counter[str]
    """The number of games by variant."""
    faults: Counter[str]
    """How often each fault was met."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.variants.total()


@contextmanager
def open_world(database: Database, seed: str) -> Iterator[World]:
    """Open a world on a new store."""
    time = SimulatedTime()
    with ExitStack() as stack:
        stack.enter_context(seeded_randomness(f"world {seed}"))
        stack.enter_context(simulated_pauses(time))
        first = SimulatedServer("A", database, time)
        first.start()
        first.crash()
        observer = Observer(database)
        stack.enter_context(closing(observer.games))
        world = World(database, seed, observer, time)
        for server in world.servers:
            stack.callback(server.crash)
        stack.enter_context(simulated_mail(world.servers, world.mailboxes))
        world.begin_mail()
        yield world


def run_steps(database: Database, seed: str, steps: Sequence[Step]) -> Outcome:
    """Take steps in a new world, then finish it. Stop at the first violation."""
    with open_world(database, seed) as world:
        violation = None
        try:
            for step in steps:
                world.take(step)
            world.finish()
        except Violation as found:
            violation = found
        except Exception as found:  # noqa: BLE001 - a part of a server raised what it may never raise
            violation = Violation("no part of a server fails", repr(found))
        return Outcome(len(world.story), violation, world.story, world.variants, world.faults)
