"""Decide the end of a game: by its score, by the randomizer, or by the clock, which also ends and reminds of turns."""

from domain.commands import ClaimTime, EndGame, EndSession, Tick, TimeTurn
from domain.decide.table_talk import has_undealt_ceremony
from domain.engine.deadlines import (
    autopilot_bot,
    counts_from,
    held_ms,
    is_claimed_by_players,
    is_late,
    is_overdue,
    is_time_up,
    is_timing_due,
    people_to_move,
    reminds_at,
    running_clock,
    turn_time_ms,
)
from domain.engine.endings import is_log_full, session_winners, verdict
from domain.engine.paces import deadline_after, has_closed_hours
from domain.engine.rulings import with_ruled_outcome
from domain.events import (
    CeremonyRevealed,
    CeremonyVoided,
    Fact,
    GameEnded,
    SeatForfeited,
    SeatHandedOver,
    Seats,
    TimeClaimed,
    TurnReminded,
    TurnTimed,
)
from domain.rejections import NoClaim, NotDue
from domain.rules.choices import Stop
from domain.state import SERVER, Ceremony, Hand, State, free_bot_id, require

TIME_CAUSE = "time"
"""Why the table takes a seat out of the game when its time runs out."""
CLAIM_CAUSE = "claimed"
"""Why a seat is out of the game whose time another player claimed."""


def end_game(state: State, command: EndGame) -> tuple[Fact, ...]:
    """Declare the verdict of the facts once every seed is public (S21, B24, R-P8, R-P9), or that the log is full."""
    ending = verdict(state)
    if ending is None and is_log_full(state):
        return _end_now(state, "limit", ())
    if ending is None or state.ceremonies:
        raise NotDue("The game isn't over.")
    return (with_ruled_outcome(state, GameEnded(ending.reason, ending.winners, state.scores)),)


def end_session(state: State, command: EndSession) -> tuple[Fact, ...]:
    """End the session by the randomizer: now, or after the hand in which the end was drawn (C6, R-C42, R-C46)."""
    hand = state.hand
    if hand is None or command.n != hand.n or command.label not in _end_labels(state, hand):
        raise NotDue("The randomizer doesn't end the session now.")
    return _end_now(state, "randomizer", session_winners(state), command.n, command.label)


def _end_labels(state: State, hand: Hand) -> tuple[str, ...]:
    """Return the labels under which an end of the session can have been drawn by now."""
    randomizer = state.rules.changes.randomizer
    if randomizer is None or randomizer.end is None:
        return ()
    if state.rules.stop is Stop.AT_ONCE:
        return () if hand.over else (f"randomizer {hand.turns} end",)
    return tuple(f"randomizer {t} end" for t in range(hand.turns)) if hand.over else ()


def _end_now(
    state: State, reason: str, winners: Seats, n: int | None = None, label: str | None = None
) -> tuple[Fact, ...]:
    """Publish every seed and end the game; an unfinished hand scores nothing (R-C42)."""
    seeds = [_close_ceremony(each, each.seed) for each in state.ceremonies if each.seed is not None]
    return *seeds, with_ruled_outcome(state, GameEnded(reason, winners, state.scores, n, label))


def _close_ceremony(ceremony: Ceremony, seed: str) -> CeremonyRevealed | CeremonyVoided:
    if ceremony.dealt:
        return CeremonyRevealed(ceremony.n, seed)
    return CeremonyVoided(ceremony.n, "ended", SERVER, seed)


def tick(state: State, command: Tick) -> tuple[Fact, ...]:
    """Apply the clock: end a game whose time is up (C6), else forfeit or remind the awaited seat (R-P10)."""
    at = max(command.at, state.at)  # time never goes back within a game
    if is_time_up(state, at):
        return _end_now(state, "time", session_winners(state))
    return _clock_facts(state, at, command.held_ms)


def _clock_facts(state: State, at: str, held: int) -> tuple[Fact, ...]:
    """Return what becomes of a seat that is out of time, else the reminder of this turn, else nothing (R-P10).

    Only one seat is taken at a time, because a forfeit can end the game. The time for which the clock was held doesn't
    count: at a deadline that the log knows, a reminder records what was held since, and so the later deadline.
    """
    people, known = people_to_move(state), held_ms(state)
    if held > known and running_clock(state) is not None:
        return ()  # the table sets the clock of the turn again first
    held = max(held, known)
    if is_late(state, at, held):
        return _time_out(state, held)
    reminds = reminds_at(state)
    due = is_late(state, at) or (reminds is not None and at >= reminds)
    return tuple(TurnReminded(seat, held) for seat in people) if due else ()


def time_turn(state: State, command: TimeTurn) -> tuple[Fact, ...]:
    """Start the clock of the turn, or set it again with the time for which it was held."""
    if not is_timing_due(state, command.held_ms):
        raise NotDue("The clock of this turn runs already.")
    pace, left = require(require(state.opened).timing.pace), turn_time_ms(state)
    held = 0 if running_clock(state) is None else command.held_ms
    closed = command.closed if has_closed_hours(pace) else ()
    deadline, within = deadline_after(counts_from(state), left + held, closed)
    return (TurnTimed(people_to_move(state)[0], left, within, held, deadline),)


def claim_time(state: State, command: ClaimTime) -> tuple[Fact, ...]:
    """Record the claim of another player, and the forfeit of the seat that is out of time."""
    if not is_claimed_by_players(state):
        raise NoClaim("At this table nobody claims a time: the clock itself takes a seat that is out of time.")
    late = people_to_move(state)
    if not late or late[0] == command.seat or command.seat not in state.persons:
        raise NoClaim("You can claim only the time of another player whose turn it is.")
    if not is_overdue(state, command.at, command.held_ms):
        raise NoClaim("The player to move still has time. The deadline is in the view of the game.")
    known = held_ms(state)
    held = known if running_clock(state) is not None else max(known, command.held_ms)
    return TimeClaimed(command.seat, late[0]), SeatForfeited(late[0], CLAIM_CAUSE, held)


def _time_out(state: State, held: int) -> tuple[Fact, ...]:
    """Return what becomes of the awaited seat, which is out of time: a bot gets it, or it's forfeit.

    The fact of a hand-over doesn't say how long the clock was held, so a reminder says it first.
    """
    seat, bot = people_to_move(state)[0], autopilot_bot(state)
    if bot is None or state.persons == (seat,) or has_undealt_ceremony(state):
        return (SeatForfeited(seat, TIME_CAUSE, held),)
    if held > held_ms(state):
        return (TurnReminded(seat, held),)
    return (SeatHandedOver(seat, state.seats[seat].player, free_bot_id(state, bot), "bot", bot),)
