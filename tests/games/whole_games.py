"""Whole games of people played in a store, and the checks of each finished game.

Players mostly pass, otherwise make the least bid, and play any legal card: uniform bidding would take thousands of
hands. Between moves a seat may act out of turn: undo, propose a draw, call delay of game, change rules, leave.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    OpenGame,
    PassBid,
    ProposeDraw,
    Resign,
    SeatCommand,
    Tick,
    VoteDelay,
)
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import Event, Player, RulesChanged
from domain.rejections import GameOver, Rejected
from domain.rules.variants import VARIANTS
from domain.rules.variants.corellian_versions import VERSIONS
from domain.state import SERVER, State
from domain.store import Games
from domain.store.aggregate import Entry
from replay.audit import GREEN, audit
from replay.history import export_bytes, from_entries, read_export
from replay.rejudge import rejudge
from tests.step_limit import steps

OFTEN: dict[str, Any] = {"when": [1, 3], "end": [1, 60]}
"""A randomizer of short sessions with many changes."""
EVERYTHING: dict[str, Any] = OFTEN | {"points": list(VERSIONS)}
BEGUN = datetime(2026, 11, 21, 8, tzinfo=UTC)
LONG_S = 16
"""Seconds after which a turn may be called a delay of game."""
TIMED: dict[str, Any] = {"randomizer": None, "host_changes": True, "ends_at": "2026-11-21T08:20:00Z"}


class Kind(NamedTuple):
    """A variant, a number of players and the options of a table."""

    variant: str
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        options = ", ".join(f"{name} {value}" for name, value in self.options.items() if name != "randomizer")
        return f"{self.variant}, {self.players} players" + (f", {options}" if options else "")


SHORT: dict[str, dict[str, Any]] = {"pitch": {"win": 7}, "corellian": {"randomizer": OFTEN}}
"""Options of tables whose games are short."""


def kinds(name: str) -> Iterator[Kind]:
    """Yield every number of players, then each option's other values (if `values` lists them) with four players."""
    always = SHORT.get(name, {})
    for players in VARIANTS[name].rules.seats:
        yield Kind(name, players, dict(always))
    for option in VARIANTS[name].options:
        for value in option.values:
            if value not in (option.default, always.get(option.name)) and option.parse is None:
                yield Kind(name, 4, always | {option.name: value})


KINDS = (
    *(kind for name in VARIANTS for kind in kinds(name)),
    Kind("corellian", 4, {"randomizer": EVERYTHING, "ten": "card"}),
    Kind("corellian", 4, TIMED),
    Kind("corellian", 4, TIMED | {"stop": "after_hand"}),
)
"""Every variant at every number of players and under every option, one at a time."""
COMBINATIONS = tuple(Kind("pitch", players, {"win": goal}) for players, goal in product(range(2, 8), (7, 11, 21)))
"""Every number of players and goal of gamerz Pitch."""
ALL = (*COMBINATIONS, *(kind for kind in KINDS if kind not in COMBINATIONS))


class Clock:
    """A clock that advances by a second at each reading, and by more if a player waits."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> str:
        self.seconds += 1
        return (BEGUN + timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Playing:
    """A running game in a store; its number decides every choice."""

    def __init__(self, games: Games, clock: Clock, number: int, kind: Kind) -> None:
        self.games, self.clock, self.number = games, clock, number
        self.rng, self.asked = random.Random(f"{number} {kind}"), steps()
        self.game = str(UUID(int=number))
        people = tuple(Player(f"p{seat}", "human") for seat in range(kind.players))
        opening = OpenGame(self.game, number, kind.variant, kind.options, people)
        self.state = games.open(opening, by="p0", command_id=self._id()).state

    def _id(self) -> str:
        return f"{self.number:08x}{next(self.asked):08x}-{0:016x}"

    def does(self, command: Command, by: str) -> None:
        """Execute a command; a refusal raises, except if the store first ends a game whose time is up."""
        try:
            self.state = self.games.act(self.game, command, by=by, command_id=self._id()).state
        except GameOver:
            self.state = self.games.state(self.game)

    def tries(self, command: SeatCommand) -> None:
        """Execute a command of the player in its seat, if the rules accept it."""
        try:
            self.does(command, self.state.seats[command.seat].player)
        except Rejected:
            return

    def moves(self) -> None:
        """Let the seat whose turn it is move; the table moves for a seat that left."""
        seat = self.state.turn[0]
        sitting = self.state.seats[seat]
        if sitting.state != "in":
            self.does(stand_in_move(self.state, seat), SERVER)
        else:
            self.does(chosen(self.state, seat, self.rng), sitting.player)

    def stirs(self) -> None:
        """Let a seat act out of turn and the others answer or not; then let the clock tick."""
        rng, seats = self.rng, range(len(self.state.seats))
        self.clock.seconds += LONG_S
        self.tries(self._wish(rng.randrange(len(seats))))
        for other in seats:
            if rng.random() < 0.8:
                undo = self.state.proposal is not None and self.state.proposal.kind == "undo"
                self.tries(AnswerProposal(other, accept=undo and rng.random() < 0.8))
            if rng.random() < 0.8:
                self.tries(VoteDelay(other, guilty=rng.random() < 0.8))
        self.does(Tick(), SERVER)

    def _wish(self, seat: int) -> SeatCommand:
        rng, rules = self.rng, self.state.rules
        wishes: list[SeatCommand] = [*[AskUndo(seat)] * 6, ProposeDraw(seat)]
        if rules.delay is not None:
            wishes += [CallDelay(seat, self.state.turn[0])] * 6
        if rules.changes.host:
            wishes += [ChangeRules(self.state.seat_of(self.state.host) or 0, rng.choice(available_changes(rules)))] * 12
        return Resign(seat) if rng.random() < 0.1 else rng.choice(wishes)


def chosen(state: State, seat: int, rng: random.Random) -> SeatCommand:
    """Return the move of a random player."""
    moves = legal_moves(state, seat)
    if moves and isinstance(moves[0], PassBid):
        return moves[1] if len(moves) > 1 and rng.random() < 0.25 else moves[0]
    if moves:
        return rng.choice(moves)
    may = legal_discards(state, seat)
    if may is None:
        return CallPartner(seat, rng.choice(state.rules.deck))
    others = [card for card in may.optional if card not in may.required]
    more = rng.randint(may.minimum, may.maximum) - len(may.required)
    return Discard(seat, (*may.required, *rng.sample(others, more)))


def play(games: Games, clock: Clock, number: int, kind: Kind, unrest: float = 0.0) -> str:
    """Play game `number` to its end and return its id. `unrest` is how often a seat acts out of turn before a move."""
    playing = Playing(games, clock, number, kind)
    while playing.state.result is None:
        if playing.rng.random() < unrest or ("ends_at" in kind.options and playing.rng.random() < 0.1):
            playing.stirs()
        else:
            playing.moves()
    return playing.game


WON = {"pitch": "goal", "setback": "goal", "blackout": "hands", "corellian": "randomizer"}
"""The reasons for which games end if no player leaves and no time is set."""


def check(games: Games, game: str, kind: Kind) -> list[Entry]:
    """Check a finished game and return its log."""
    entries, state = games.entries(game), games.state(game)
    assert state.result is not None
    if len(state.still_in) == kind.players:
        assert state.result.reason == ("time" if "ends_at" in kind.options else WON[kind.variant])
    assert set(state.result.winners) <= set(state.still_in)
    assert state.result.winners
    whole = read_export(export_bytes(from_entries(entries, {})))
    assert whole.faults == ()
    report = audit(whole, rejudge(whole))
    assert (report.code(), report.findings) == (GREEN, [])
    return entries


def changes(events: list[Event[Any]]) -> int:
    """Return how often the rules changed."""
    return sum(isinstance(event.data, RulesChanged) for event in events)
