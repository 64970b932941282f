"""The autoplayer: it plays for bots, and for seats that left the table, right after a person's move.

Each move is a commit of its own, with the time of the move before it: how long a bot thinks doesn't show. A bot gets
its seat's view, the rules and a source of randomness, nothing else. A strong bot thinks too long for a request, so all
bots of its table play elsewhere (`strong_bots`). An error here is logged and left to the worker; the person's move
stands.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from domain.commands import SeatCommand
from domain.decide.stand_in import stand_in_move
from domain.decide.table_talk import can_vote
from domain.engine.legal_moves import can_call_partner
from domain.engine.timestamps import parse_time
from domain.rejections import Rejected
from domain.rules.model import Rules
from domain.state import SERVER, State
from domain.store import Commit, Games, RaceLost, StaleVersion, StoreUnavailable
from projections.bots import choose, worlds_of
from projections.moves.json_moves import parse_move
from projections.views.cache import ViewCache

LOG = logging.getLogger("trickbook.autoplay")
MAX_MOVES_PER_REQUEST = 64
"""The autoplayer's moves in answer to one request; the worker plays the rest."""
AT_ONCE_US = 2_000_000
"""How long after a fact bots still answer at once; the worker plays for those who wait longer."""

View = Mapping[str, Any]
ChooseMove = Callable[[str, View, Rules, Callable[[int], int]], Mapping[str, Any]]
"""`choose(strategy, view, rules, pick)` returns a bot's move; `pick(n)` is a random number from 0 to n - 1."""


def waits_for_autoplayer(state: State) -> bool:
    """Return whether the game waits for a seat that the autoplayer plays at once."""
    return any(is_quick(state, seat) for seat in seats_to_play(state))


def seats_to_play(state: State) -> list[int]:
    """Return the seats that the autoplayer can act for: seats to move, then bots that may call a partner or vote.

    A bot may call and vote outside its turn. For a seat that left, the rules give its vote, and it calls in its turn.
    """
    if state.result is not None:
        return []
    bots = [seat for seat in state.still_in if state.seats[seat].kind != "human"]
    to_move = [seat for seat in state.turn if seat in bots or seat not in state.still_in]
    with_choice = [seat for seat in bots if can_call_partner(state, seat) or can_vote(state, seat)]
    return list(dict.fromkeys([*to_move, *with_choice]))


def is_quick(state: State, seat: int) -> bool:
    """Return whether a request can play for the seat: at a table with a strong bot, bots only vote at once."""
    if state.seats[seat].state != "in" or can_vote(state, seat):
        return True
    return all(worlds_of(each.bot) is None for each in state.seats)


def fixed_time(before: str, now: str) -> str:
    """Return the time of bots' moves at once after a fact: that of the fact, unless a server was stopped meanwhile."""
    return before if parse_time(now) - parse_time(before) < AT_ONCE_US else now


class AutoPlayer:
    """Plays a game on until it waits for a person."""

    def __init__(
        self,
        games: Games,
        views: ViewCache,
        choose: ChooseMove = choose,
        pick: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._games, self._views = games, views
        self._choose, self._pick = choose, pick

    def play(self, state: State, command_id: str, limit: int = MAX_MOVES_PER_REQUEST) -> State:
        """Make up to `limit` moves from `state` on and return the last state. Errors are logged, never raised.

        The time of all these moves is fixed before the first bot thinks. If another process moves first, play continues
        from that move. A seat that fails is skipped; others play on.
        """
        failed, at = set[int](), fixed_time(state.at, self._games.now())
        for _ in range(limit):
            seat = next((seat for seat in seats_to_play(state) if seat not in failed and is_quick(state, seat)), None)
            if seat is None:
                break
            try:
                state = self._play_seat(state, seat, command_id, at)
            except StoreUnavailable as error:
                LOG.warning("autoplay of game %s: %s", state.game, error)
                break
            except Rejected as refusal:  # the bot's fault; its cards stay out of the log
                LOG.warning("autoplay of game %s: %s", state.game, refusal.code)
                failed.add(seat)
            except Exception:
                LOG.exception("autoplay of game %s", state.game)
                failed.add(seat)
        return state

    def _play_seat(self, state: State, seat: int, command_id: str, at: str) -> State:
        try:
            return self._move(state, seat, command_id, at).state
        except (RaceLost, StaleVersion):
            return self._games.state(state.game)

    def _move(self, state: State, seat: int, command_id: str, at: str) -> Commit:
        by, move = self._choose_command(state, seat)
        return self._games.act(
            state.game, move, by=by, command_id=command_id, if_match=state.version, follow_up=True, at=at
        )

    def _choose_command(self, state: State, seat: int) -> tuple[str, SeatCommand]:
        player = state.seats[seat]
        if player.state != "in" or player.bot is None:
            return SERVER, stand_in_move(state, seat)
        return player.player, self.quick_choice(state, seat, player.bot)

    def quick_choice(self, state: State, seat: int, strategy: str) -> SeatCommand:
        """Return the move of a bot of that strategy, not a strong one, in this seat."""
        view = self._views.view(state.game, seat, state.version)
        return parse_move(self._choose(strategy, view, state.rules, self._pick), seat)
