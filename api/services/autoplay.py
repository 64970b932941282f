"""The house plays for bots and for seats that left, right after a person's move: each move a commit of its own.

A bot is given its seat's view and a source of chance, nothing else. What fails here is logged and left to the worker;
the person's move stands.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from domain.commands import SeatCommand
from domain.decide.delay_of_game import can_vote
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import can_call_partner
from domain.rejections import Rejected
from domain.state import SERVER, State
from domain.store import Commit, Games, RaceLost, StaleVersion, StoreUnavailable
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.views.cache import ViewCache

LOG = logging.getLogger("trickbook.house")
AT_ONCE = 64
"""Moves the house makes in answer to one request; the worker makes the rest."""

View = Mapping[str, Any]
Choose = Callable[[str, View, Callable[[int], int]], Mapping[str, Any]]


def awaits_house(state: State) -> bool:
    """Whether the game waits for a seat the house plays."""
    return bool(house_seats(state))


def house_seats(state: State) -> list[int]:
    """The seats the house has something to do for: those to move, then bots that may call a partner or have a vote.

    Calls and votes of a bot need no turn; of seats that left the table itself gives the votes, and calls in their turn.
    """
    if state.result is not None:
        return []
    bots = [seat for seat in state.still_in if state.seats[seat].kind != "human"]
    moving = [seat for seat in state.turn if seat in bots or seat not in state.still_in]
    asked = [seat for seat in bots if can_call_partner(state, seat) or can_vote(state, seat)]
    return list(dict.fromkeys([*moving, *asked]))


class House:
    """Plays until a person is awaited; `choose(strategy, view, pick)` is how a bot decides, `pick(n)` below n."""

    def __init__(
        self, games: Games, views: ViewCache, choose: Choose = choose, pick: Callable[[int], int] = secrets.randbelow
    ) -> None:
        self._games, self._views = games, views
        self._choose, self._pick = choose, pick

    def play(self, state: State, command_id: str, limit: int = AT_ONCE) -> State:
        """Make up to `limit` moves from `state` on, under `command_id`, a commit each; the state then. Raises nothing.

        Where another process makes a move first, it goes on from that. A seat that fails is left alone, others play on.
        """
        failed: set[int] = set()
        for _ in range(limit):
            seat = next((seat for seat in house_seats(state) if seat not in failed), None)
            if seat is None:
                break
            try:
                state = self._on(state, seat, command_id)
            except StoreUnavailable as error:
                LOG.warning("house: game %s: %s", state.game, error)
                break
            except Rejected as refusal:  # the bot is at fault; what it held stays out of the log
                LOG.warning("house: game %s: %s", state.game, refusal.code)
                failed.add(seat)
            except Exception:
                LOG.exception("house: game %s", state.game)
                failed.add(seat)
        return state

    def _on(self, state: State, seat: int, command_id: str) -> State:
        try:
            return self._move(state, seat, command_id).state
        except (RaceLost, StaleVersion):
            return self._games.state(state.game)

    def _move(self, state: State, seat: int, command_id: str) -> Commit:
        by, move = self._chosen(state, seat)
        return self._games.act(state.game, move, by=by, command_id=command_id, if_match=state.version, follows=True)

    def _chosen(self, state: State, seat: int) -> tuple[str, SeatCommand]:
        sitting = state.seats[seat]
        if sitting.state != "in" or sitting.bot is None:
            return SERVER, stand_in_move(state, seat)
        move = self._choose(sitting.bot, self._views.view(state.game, seat, state.version), self._pick)
        return sitting.player, parse_move(move, seat)
