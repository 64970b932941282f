"""Whole games in memory, every seat played by a bot from its own view."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domain.commands import CallDelay, OpenGame
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import can_call_partner
from domain.events import Player
from domain.state import SERVER
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.views.seat import View, ViewFold, view_json
from tests.replay.playing import GAME, Table


@dataclass
class BotTable(Table):
    """A table where `strategies[seat]` decides for each seat. A refused decision raises."""

    strategies: Sequence[str] = ()
    seen: list[ViewFold] = field(default_factory=list)
    told: int = 0

    def view(self, seat: int) -> View:
        """Return the current view of `seat`."""
        for entry in self.entries[self.told :]:
            for each in self.seen:
                each.add(entry.event)
        self.told = len(self.entries)
        return view_json(self.seen[seat], "")

    def decides(self, seat: int) -> None:
        """Let the seat's bot decide from its view."""
        move = choose(self.strategies[seat], self.view(seat), self.random.randrange)
        self.says(parse_move(move, seat))

    def move(self) -> None:
        """Let a seat whose turn it is move."""
        (seat,) = self.game.state.turn
        if seat in self.game.state.still_in:
            self.decides(seat)
        else:
            self.do(stand_in_move(self.game.state, seat), SERVER)

    def call(self) -> None:
        """Let the pitcher's bot call a partner out of turn, if the rules allow it."""
        state = self.game.state
        seat = None if state.hand is None else state.hand.pitcher
        if seat in state.still_in and seat not in state.turn and can_call_partner(state, seat):
            self.decides(seat)

    def accuses(self, seat: int, accused: int) -> None:
        """Call delay of game and let all vote; a bot that still has to call a partner does that first."""
        self.clock += self.random.choice((20, 40))
        self.says(CallDelay(seat, accused, at=self.now))
        while (call := self.game.state.delay) is not None:
            voted = (accused, *dict(call.votes))
            self.decides(next(seat for seat in self.game.state.still_in if seat not in voted))

    def delay(self) -> None:
        """Let a seat wait too long and be judged, if the rules allow it."""
        state = self.game.state
        callers = [seat for seat in state.still_in if "call_delay" in self.view(seat)["you"]["may"]]
        if callers:
            self.accuses(self.random.choice(callers), state.turn[0])


def bot_table(seed: int, variant: str, strategies: Sequence[str], **options: Any) -> BotTable:
    """Open a game of p0, p1 .... The rules count them as people, so no seat has to be a person."""
    seats = range(len(strategies))
    table = BotTable(Random(seed), strategies=strategies, seen=[ViewFold(seat) for seat in seats])
    people = tuple(Player(f"p{seat}", "human") for seat in seats)
    table.do(OpenGame(GAME, 7, variant, options, people), "p0")
    return table


def winner(seed: int, variant: str, strategies: Sequence[str]) -> str:
    """Play a game with each strategy moved on by `seed` seats; return the one that won, or "both"."""
    shift = seed % len(strategies)
    seated = (*strategies[shift:], *strategies[:shift])
    result = bot_table(seed, variant, seated).play().game.state.result
    won = {seated[seat] for seat in result.winners} if result else set[str]()
    return won.pop() if len(won) == 1 else "both"
