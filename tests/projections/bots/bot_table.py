"""Whole games in memory, every seat played by a bot from its own view."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domain.commands import CallDelay, OpenGame
from domain.decide.stand_in import stand_in_move
from domain.decide.table_talk import can_vote
from domain.engine.cuts import ceremony_key
from domain.engine.legal_moves import can_call_partner
from domain.events import HandDealt, Player
from domain.rules.model import Rules
from domain.state import SERVER, current_hand
from projections.bots import choose, worlds_of
from projections.bots.strong import Analysis, Knowledge, think
from projections.moves.json_moves import parse_move
from projections.views.audience import visible
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
        worlds, state = worlds_of(self.strategies[seat]), self.game.state
        if worlds is None or can_vote(state, seat):
            move = choose(self.strategies[seat], self.view(seat), state.rules, self.random.randrange)
            self.says(parse_move(move, seat))
        else:
            self.says(self.think(seat, worlds).move)

    def think(self, seat: int, worlds: int) -> Analysis:
        """Return what a strong bot would do."""
        hand = current_hand(self.game.state)
        ceremony = next(each for each in self.game.state.ceremonies if each.n == hand.n)
        return think(self.knowledge(seat), ceremony_key(self.game.game, ceremony), worlds)

    def knowledge(self, seat: int) -> Knowledge:
        """Return what `seat` knows now."""
        self.view(seat)
        return Knowledge(self.seen[seat].state, seat, self.facts_seen(seat))

    def facts_seen(self, seat: int) -> list[Any]:
        """Return the facts of this deal that `seat` saw."""
        facts = list[Any]()
        for entry in reversed(self.entries):
            if visible(entry.event, seat, ()):
                facts.append(entry.event.data)
            if isinstance(entry.event.data, HandDealt):
                break
        return facts[::-1]

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


def bot_table(
    seed: int | str,
    variant: str,
    strategies: Sequence[str],
    *,
    make: type[BotTable] = BotTable,
    recorded: Sequence[str | None] | None = None,
    rules: Rules | None = None,
    **options: Any,
) -> BotTable:
    """Open a game of p0, p1 .... The rules count them as people, so no seat has to be a person.

    With `recorded`, the opening says that these strategies play; None is a person. `rules` are those of a rulebook.
    """
    seats = range(len(strategies))
    table = make(Random(seed), strategies=strategies, seen=[ViewFold(seat) for seat in seats])
    bots = recorded or [None for _ in seats]
    players = tuple(Player(f"p{seat}", "bot" if bot else "human", bot) for seat, bot in enumerate(bots))
    table.do(OpenGame(GAME, 7, variant, options, players, rules=rules), "p0")
    return table


def winner(seed: int, variant: str, strategies: Sequence[str]) -> str:
    """Play a game with each strategy moved on by `seed` seats; return the one that won, or "both"."""
    shift = seed % len(strategies)
    seated = (*strategies[shift:], *strategies[:shift])
    result = bot_table(seed, variant, seated).play().game.state.result
    won = {seated[seat] for seat in result.winners} if result else set[str]()
    return won.pop() if len(won) == 1 else "both"
