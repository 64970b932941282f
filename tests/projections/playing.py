"""Whole games in memory, played from views, with some proposals, delay calls and leaving."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallDelay,
    ChangeRules,
    Command,
    OpenGame,
    ProposeDraw,
    Resign,
    SeatCommand,
    Tick,
    VoteDelay,
)
from domain.decide.stand_in import stand_in_move
from domain.engine.rule_menu import available_changes
from domain.events import Player
from domain.evolve import evolve
from domain.rejections import GameOver, Rejected
from domain.state import EMPTY_STATE, SERVER, State
from domain.store.aggregate import Entry, Game, Request
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.views.seat import View, ViewFold, view_json
from tests.step_limit import check_steps

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
BEGUN = datetime(2026, 11, 21, 8, tzinfo=UTC)
LONG = 16
"""Seconds after which delay of game can be called."""


@dataclass
class Table:
    """A game and its log; each commit is `entries[a:b]` for two neighbouring values a, b of `commits`."""

    rng: random.Random
    game: Game = field(default_factory=lambda: Game(GAME))
    entries: list[Entry] = field(default_factory=list)
    commits: list[int] = field(default_factory=lambda: [0])
    seconds: int = 0
    commands: int = 0

    @property
    def state(self) -> State:
        return self.game.state

    def state_at(self, version: int) -> State:
        """Return the state after the first `version` events."""
        state = EMPTY_STATE
        for entry in self.entries[:version]:
            state = evolve(state, entry.event)
        return state

    def do(self, command: Command, by: str = SERVER, after: int = 1) -> None:
        """Commit a command `after` seconds after the last, if it has any effect; a refusal raises."""
        check_steps(self.commands)
        self.commands += 1
        at = (BEGUN + timedelta(seconds=self.seconds + after)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        draft = self.game.draft(command, Request(by, f"c{len(self.commits)}", at), self.rng.randbytes)
        self.seconds += after
        self.game.apply_draft(draft)
        self.entries += draft.entries
        if draft.entries:
            self.commits.append(len(self.entries))

    def tries(self, command: SeatCommand, after: int = 1) -> None:
        """Commit a command of its seat's player, if the rules allow it."""
        try:
            self.do(command, self.state.seats[command.seat].player, after)
        except Rejected:
            return

    def ticks(self) -> None:
        """Let the clock tick."""
        with suppress(GameOver):
            self.do(Tick())


def open_table(
    rng: random.Random,
    players: int,
    win: int = 7,
    bots: Sequence[int] = (),
    reveal: str = "hand",
    variant: str = "pitch",
    options: Mapping[str, Any] | None = None,
) -> Table:
    """Open a game of p0, p1 ...; the seats in `bots` are bots. `win` is the goal of Pitch unless the options set it."""
    table = Table(rng)
    seated = tuple(
        Player(f"bot:random:{seat}", "bot", "random") if seat in bots else Player(f"p{seat}", "human")
        for seat in range(players)
    )
    chosen = {"win": win} if variant == "pitch" and options is None else dict(options or {})
    table.do(OpenGame(GAME, 123, variant, chosen, seated, reveal=reveal), "p0")
    return table


def play_game(
    rng: random.Random,
    players: int,
    win: int = 7,
    strategies: Sequence[str] = (),
    unrest: float = 0.0,
    most: int = 10**6,
    **opening: Any,
) -> Table:
    """Play a game to its end, or to `most` events; `unrest` is how often a seat proposes, answers or (rarely) leaves.

    Without `strategies` each player makes any move that their view offers. `opening` holds arguments of `open_table`.
    """
    table = open_table(rng, players, win, **opening)
    seen = [ViewFold(seat) for seat in range(players)]
    told = 0
    while table.state.result is None and len(table.entries) < most:
        for entry in table.entries[told:]:
            for each in seen:
                each.add(entry.event)
        told = len(table.entries)
        if rng.random() < unrest:
            stir(table, rng.randrange(players))
            table.ticks()
            continue
        seat = table.state.turn[0]
        chosen = _by(strategies[seat]) if strategies else anyhow
        _move(table, seat, seen[seat], chosen)
    return table


Choose = Callable[[View, random.Random], dict[str, Any]]


def _by(strategy: str) -> Choose:
    return lambda shown, rng: choose(strategy, shown, rng.randrange)


def anyhow(shown: View, rng: random.Random) -> dict[str, Any]:
    """Return any move that a view offers; in auctions mostly a pass or the least bid, so that games end."""
    you = shown["you"]
    legal: list[dict[str, Any]] = you["legal"]
    if not legal:
        return any_choice(you["choose"], rng)
    if legal[0]["type"] == "pass":
        return legal[0] if len(legal) == 1 or rng.random() < 0.7 else legal[1 if rng.random() < 0.9 else -1]
    return rng.choice(legal)


DECK = [f"{rank}{suit}" for suit in "CDHS" for rank in (*map(str, range(2, 11)), *"JQKA")] + ["X1", "X2"]


def any_choice(wanted: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return any choice that a view allows a seat."""
    if wanted["type"] == "call_partner":
        return {"type": "call_partner", "card": rng.choice(DECK)}
    others = [card for card in wanted["from"] if card not in wanted["must"]]
    more = rng.randint(wanted["min"], wanted["max"]) - len(wanted["must"])
    return {"type": "discard", "cards": [*wanted["must"], *rng.sample(others, more)]}


def _move(table: Table, seat: int, seen: ViewFold, chosen: Choose) -> None:
    sitting = table.state.seats[seat]
    if sitting.state != "in":
        table.do(stand_in_move(table.state, seat))
        return
    table.do(parse_move(chosen(view_json(seen, ""), table.rng), seat), sitting.player)


def stir(table: Table, seat: int) -> None:
    """Let a seat make a proposal that needs no turn and the others answer; refused commands have no effect."""
    rng = table.rng
    ask: SeatCommand = rng.choice([AskUndo(seat)] * 4 + [ProposeDraw(seat)] + [Resign(seat)] * (rng.random() < 0.1))
    if table.state.rules.delay is not None and rng.random() < 0.5:
        ask = CallDelay(seat, table.state.turn[0])
    elif table.state.rules.changes.host and rng.random() < 0.5:
        seat = table.state.seat_of(table.state.host) or 0
        ask = ChangeRules(seat, rng.choice(available_changes(table.state.rules)))
    table.tries(ask, after=LONG)
    if rng.random() < 0.3:
        return  # leave the proposal open for a while
    for other in range(len(table.state.seats)):
        if rng.random() < 0.8:
            proposal = table.state.proposal
            accept = proposal is not None and proposal.kind == "undo"
            table.tries(AnswerProposal(other, accept=accept and rng.random() < 0.9))
        if rng.random() < 0.8:
            table.tries(VoteDelay(other, guilty=rng.random() < 0.8))
