"""A year of correspondence in simulated time: two schedulers, restarts, and players who sleep, travel and return."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime, timedelta
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from uuid import UUID

from api.accounts.people.hours import PlayerHours
from api.services.autoplay import AutoPlayer, waits_for_autoplayer
from api.services.people.closed_times import ClosedTimes
from domain.commands import ClaimTime, Command, OpenGame, ReturnSeat, Tick
from domain.decide.handing_over import has_undealt_ceremony
from domain.decide.stand_in import stand_in_move
from domain.engine.deadlines import is_claimed_by_players, is_overdue
from domain.events import Player, Timing, TurnPace
from domain.rejections import Rejected
from domain.state import SERVER, State
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.lists.deadlines import due_games
from projections.storage.rows import RowStore
from projections.views.cache import ViewCache
from tests.clocks.questions import choose_question, outcomes
from tests.step_limit import MOST_STEPS, check_steps

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEP = 6 * HOUR
PACES = (
    None,
    TurnPace("daily", move_s=3 * 86_400),
    TurnPace("bank", base_s=10 * 86_400, move_s=36 * 3600, cap_s=12 * 86_400),
)
AUTOPILOTS = ("forfeit", "claim", "bot:simple")
PLAYERS = 3
NEWCOMERS = 1_000_000
"""Where the numbers of people begin who take over a seat; nobody does twice."""


def text(moment: datetime) -> str:
    """Return the time in the format of events."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Outages:
    """The times in which no server ran, as the store of games asks for them."""

    def __init__(self) -> None:
        self.spans = list[tuple[datetime, datetime]]()

    def is_held(self) -> bool:
        return False

    def held_ms(self, since: str, until: str) -> int:
        begin, end = datetime.fromisoformat(since), datetime.fromisoformat(until)
        covered = (min(end, last) - max(begin, first) for first, last in self.spans)
        return sum(span // timedelta(milliseconds=1) for span in covered if span > timedelta())


def hours_of(player: str) -> PlayerHours:
    """Return the hours of a player: every third has nights in New York, every third weekends and two weeks in July."""
    number = int(player.removeprefix("p")) % 3
    if number == 1:
        return PlayerHours("America/New_York", "23:00", "07:00")
    vacation = tuple(date(2026, 7, 1) + timedelta(days=day) for day in range(14))
    return PlayerHours("Europe/Berlin", weekends=True, vacation=vacation) if number == 2 else PlayerHours()


class Scheduler:
    """A server process of its own on the store: its games, its list of deadlines, and its bots."""

    def __init__(self, year: "Year", data: Path) -> None:
        self.year, self.data = year, data
        self.fired = 0
        self.open()

    def open(self) -> None:
        """Start the process."""
        self._stack = ExitStack()
        year, chance = self.year, Random(self.year.chance.random())
        games = Games(
            self.data,
            entropy=chance.randbytes,
            clock=lambda: text(year.now),
            holds=year.outages,
        )
        games.use_hours(ClosedTimes(hours_of))
        self.games = self._stack.enter_context(closing(games))
        self._rows = self._stack.enter_context(closing(RowStore(self.data, None, PROJECTIONS)))
        self._followers = LogFollower(self.games, self._rows)
        self.bots = AutoPlayer(self.games, ViewCache(self.games), pick=chance.randrange)

    def restart(self) -> None:
        """Stop the process and start another one."""
        self.close()
        self.open()

    def close(self) -> None:
        """Stop the process."""
        self._stack.close()

    def due(self) -> list[str]:
        """Return the games that are due now."""
        self._followers.catch_up()
        with self._rows.snapshot("agenda") as reading:
            return due_games(reading, text(self.year.now), 10_000)

    def tick(self, game: str) -> None:
        """Send a tick to a game, and let bots play on."""
        try:
            commit = self.games.act(game, Tick(), by=SERVER, command_id=self.year.command_id())
        except Rejected:  # the game is over, and the list is behind
            return
        self.fired += bool(commit.entries)
        self.bots.play(commit.state, self.year.command_id())


class Year:
    """So many games over a number of days. `acts` are the times at which somebody looks at a game again."""

    def __init__(self, data: Path, games: int, days: int, restarts: int, seed: int = 1) -> None:
        self.chance, self.now, self.outages = Random(seed), BEGIN, Outages()
        self.end, self.commands = BEGIN + days * DAY, 0
        self.schedulers = [Scheduler(self, data) for _ in range(2)]
        self.acts = list[tuple[datetime, str]]()
        self.games = [self._open(number) for number in range(games)]
        self._restarts = sorted(self.chance.randrange(1, days) for _ in range(restarts))

    def command_id(self) -> str:
        """Return a new id for a command."""
        self.commands += 1
        check_steps(self.commands, MOST_STEPS * len(self.acts or "x"))
        return f"{self.commands:016x}-{0:016x}"

    def _open(self, number: int) -> str:
        """Open a game; each pace is played with each autopilot, three games in nine."""
        game, pace, autopilot = str(UUID(int=number + 1)), PACES[number % 3], AUTOPILOTS[number // 3 % 3]
        players = tuple(Player(f"p{number + seat}", "human") for seat in range(PLAYERS))
        timing = Timing(nag_days=1, forfeit_days=4, pace=pace)
        opening = OpenGame(game, number, "pitch", {"win": 21}, players, timing, autopilot=autopilot)
        self.schedulers[number % 2].games.open(opening, by=players[0].player, command_id=self.command_id())
        self._look_later(game)
        return game

    def _look_later(self, game: str) -> None:
        """Somebody looks at the game again after hours, mostly, after days, or after a month."""
        wait = self.chance.choice([HOUR, 2 * HOUR, 6 * HOUR, 9 * HOUR, 20 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY])
        if self.chance.random() < 0.01:
            wait = 30 * DAY
        heappush(self.acts, (self.now + wait * self.chance.uniform(0.5, 1.5), game))

    def run(self) -> None:
        """Let the time pass in steps. In each, people act, and then both schedulers do what is due."""
        upto = BEGIN
        while upto < self.end:
            upto += STEP
            if self._restarts and upto > BEGIN + self._restarts[0] * DAY:
                self._restart(upto)
                upto = self.now
            while self.acts and self.acts[0][0] <= upto:
                at, game = heappop(self.acts)
                self.now = max(self.now, at)
                self._act(game)
            self.now = max(self.now, upto)
            self._schedule()

    def _restart(self, upto: datetime) -> None:
        """Restart a scheduler, or stop both for a day and a half."""
        self._restarts.pop(0)
        first, second = self.schedulers
        self.chance.choice((first, second)).restart()
        if len(self._restarts) % 3 == 0:
            self.outages.spans.append((self.now, upto + 36 * HOUR))
            self.now = upto + 36 * HOUR

    def _schedule(self) -> None:
        """Both schedulers see what is due, and only then act: one of them in each game."""
        turns = [(scheduler, game) for scheduler in self.schedulers for game in scheduler.due()]
        self.chance.shuffle(turns)
        for scheduler, game in turns:
            scheduler.tick(game)

    def _act(self, game: str) -> None:
        """Let a person move, claim, come back, or forget it."""
        scheduler = self.chance.choice(self.schedulers)
        state = scheduler.games.state(game)
        if state.result is not None:
            return
        command, by = self._choose(state)
        if command is not None:
            try:
                state = scheduler.games.act(game, command, by=by, command_id=self.command_id()).state
            except Rejected:  # the time was out, and its end was written first
                state = scheduler.games.state(game)
            if waits_for_autoplayer(state):
                scheduler.bots.play(state, self.command_id())
        self._look_later(game)

    def _choose(self, state: State) -> tuple[Command | None, str]:
        spoken = choose_question(state, self.chance, f"p{NEWCOMERS + self.commands}")
        if spoken is not None:
            return spoken[0], state.seats[spoken[1]].player
        away = [seat for seat in state.still_in if state.seats[seat].lenders]
        if away and not has_undealt_ceremony(state) and self.chance.random() < 0.3:
            return ReturnSeat(away[0]), state.seats[away[0]].lenders[0]
        seat = next((seat for seat in state.turn if seat in state.persons), None)
        if seat is None:
            return None, SERVER
        claimer = next((each for each in state.persons if each != seat), None)
        is_late = is_claimed_by_players(state) and is_overdue(state, text(self.now))
        if claimer is not None and is_late and self.chance.random() < 0.5:
            return ClaimTime(claimer), state.seats[claimer].player
        return stand_in_move(state, seat), state.seats[seat].player

    def facts(self) -> Iterator[Counter[str]]:
        """Yield how often each fact is in each game."""
        for game in self.games:
            yield Counter(entry.event.fact for entry in self.schedulers[0].games.entries(game))

    def outcomes(self) -> Counter[str]:
        """Count how the questions about seats ended."""
        return sum((outcomes(self.schedulers[0].games.entries(game)) for game in self.games), Counter[str]())

    def close(self) -> None:
        """Stop both schedulers."""
        for scheduler in self.schedulers:
            scheduler.close()
