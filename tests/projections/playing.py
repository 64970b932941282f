"""Whole games in memory, played by bots from their own views, with a bit of everything people do besides."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.commands import AnswerProposal, AskUndo, Command, OpenGame, ProposeDraw, Resign
from domain.standing_in import stand_in
from domain.events import Player
from domain.evolve import evolve
from domain.game import Entry, Game, Request
from domain.rejections import Rejected
from domain.state import NEW, SERVER, State
from projections.bots import choose
from projections.moves import command_of
from projections.seat_view import Seen, view

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"


@dataclass
class Table:
    """A game and its whole log; every commit is `entries[a:b]` for two neighbours of `commits`."""

    rng: random.Random
    game: Game = field(default_factory=lambda: Game(GAME))
    entries: list[Entry] = field(default_factory=list)
    commits: list[int] = field(default_factory=lambda: [0])

    @property
    def state(self) -> State:
        return self.game.state

    def state_at(self, version: int) -> State:
        """The whole state after the first `version` events."""
        state = NEW
        for entry in self.entries[:version]:
            state = evolve(state, entry.event)
        return state

    def do(self, command: Command, by: str = SERVER) -> None:
        """One commit; a refusal raises."""
        at = f"2026-11-21T08:{len(self.commits) // 60 % 60:02}:{len(self.commits) % 60:02}.000000Z"
        draft = self.game.draft(command, Request(by, f"c{len(self.commits)}", at), self.rng.randbytes)
        self.game.keep(draft)
        self.entries += draft.entries
        self.commits.append(len(self.entries))

    def tries(self, command: Command, seat: int) -> None:
        """The same, where the rules let it."""
        try:
            self.do(command, f"p{seat}")
        except Rejected:
            return


def opened(rng: random.Random, players: int, win: int = 7, bots: Sequence[int] = (), reveal: str = "hand") -> Table:
    """A game of p0, p1 ...; the seats in `bots` are bots."""
    table = Table(rng)
    seated = tuple(
        Player(f"bot:random:{seat}", "bot", "random") if seat in bots else Player(f"p{seat}", "human")
        for seat in range(players)
    )
    table.do(OpenGame(GAME, 123, "pitch", {"win": win}, seated, reveal=reveal), "p0")
    return table


def played(
    rng: random.Random,
    players: int,
    win: int = 7,
    strategies: Sequence[str] = (),
    unrest: float = 0.0,
    bots: Sequence[int] = (),
    reveal: str = "hand",
) -> Table:
    """A game to its end; `unrest` is how often somebody asks, answers or (seldom) leaves between two moves."""
    table = opened(rng, players, win, bots, reveal)
    seen = [Seen(seat) for seat in range(players)]
    strategy = list(strategies) or ["random"] * players
    told = 0
    while table.state.result is None:
        for entry in table.entries[told:]:
            for each in seen:
                each.add(entry.event)
        told = len(table.entries)
        if rng.random() < unrest:
            _stir(table, rng.randrange(players))
            continue
        seat = table.state.turn[0]
        _move(table, seat, seen[seat], strategy[seat])
    return table


def _move(table: Table, seat: int, seen: Seen, strategy: str) -> None:
    if table.state.seats[seat].state != "in":
        table.do(stand_in(table.state, seat))
        return
    table.do(command_of(choose(strategy, view(seen, ""), table.rng.randrange), seat), f"p{seat}")


def _stir(table: Table, seat: int) -> None:
    ask = table.rng.choice([AskUndo(seat)] * 4 + [ProposeDraw(seat)] + [Resign(seat)] * (table.rng.random() < 0.1))
    table.tries(ask, seat)
    for other in range(len(table.state.seats)):
        if table.rng.random() < 0.8:
            accept = table.state.proposal is not None and table.state.proposal.kind == "undo"
            table.tries(AnswerProposal(other, accept=accept and table.rng.random() < 0.9), other)
