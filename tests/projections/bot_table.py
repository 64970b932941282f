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
    """A table where `strategies[seat]` decides; a refusal of what it decided raises."""

    strategies: Sequence[str] = ()
    seen: list[ViewFold] = field(default_factory=list)
    told: int = 0

    def view(self, seat: int) -> View:
        """What `seat` sees now."""
        for entry in self.entries[self.told :]:
            for each in self.seen:
                each.add(entry.event)
        self.told = len(self.entries)
        return view_json(self.seen[seat], "")

    def decides(self, seat: int) -> None:
        """The seat's bot answers its view."""
        move = choose(self.strategies[seat], self.view(seat), self.random.randrange)
        self.says(parse_move(move, seat))

    def move(self) -> None:
        """The next move of the turn."""
        (seat,) = self.game.state.turn
        if seat in self.game.state.still_in:
            self.decides(seat)
        else:
            self.do(stand_in_move(self.game.state, seat), SERVER)

    def call(self) -> None:
        """The pitcher's bot calls a partner out of turn, where he may."""
        state = self.game.state
        seat = None if state.hand is None else state.hand.pitcher
        if seat in state.still_in and seat not in state.turn and can_call_partner(state, seat):
            self.decides(seat)

    def accuses(self, seat: int, accused: int) -> None:
        """A delay call, and everybody's vote on it; who still has a partner to call does that first."""
        self.clock += self.random.choice((20, 40))
        self.says(CallDelay(seat, accused, at=self.now))
        while (call := self.game.state.delay) is not None:
            voted = (accused, *dict(call.votes))
            self.decides(next(seat for seat in self.game.state.still_in if seat not in voted))

    def delay(self) -> None:
        """Somebody waits too long and is judged, where that may be."""
        state = self.game.state
        callers = [seat for seat in state.still_in if "call_delay" in self.view(seat)["you"]["may"]]
        if callers:
            self.accuses(self.random.choice(callers), state.turn[0])


def bot_table(seed: int, variant: str, strategies: Sequence[str], **options: Any) -> BotTable:
    """A game of p0, p1 ..., just opened; people to the rules, so that no seat need be a person."""
    seats = range(len(strategies))
    table = BotTable(Random(seed), strategies=strategies, seen=[ViewFold(seat) for seat in seats])
    people = tuple(Player(f"p{seat}", "human") for seat in seats)
    table.do(OpenGame(GAME, 7, variant, options, people), "p0")
    return table


def winner(seed: int, variant: str, strategies: Sequence[str]) -> str:
    """Play a game, each strategy `seed` seats further on; the one that won, or "both"."""
    shift = seed % len(strategies)
    seated = (*strategies[shift:], *strategies[:shift])
    result = bot_table(seed, variant, seated).play().game.state.result
    won = {seated[seat] for seat in result.winners} if result else set[str]()
    return won.pop() if len(won) == 1 else "both"
