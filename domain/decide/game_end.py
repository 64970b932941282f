"""Decide the end of a game: by its score, by the randomizer, or by the clock, which also forfeits and reminds."""

from domain.commands import EndGame, EndSession, Tick
from domain.engine.deadlines import held_ms, is_late, is_time_up, people_to_move, reminds_at
from domain.engine.endings import session_winners, verdict
from domain.engine.limits import is_log_full
from domain.engine.rulings import with_ruled_outcome
from domain.events import CeremonyRevealed, CeremonyVoided, Fact, GameEnded, SeatForfeited, Seats, TurnReminded
from domain.rejections import NotDue
from domain.rules.choices import Stop
from domain.state import SERVER, Ceremony, Hand, State

FORFEIT_CAUSE = "time"
"""Why the table takes a seat out of the game when its time runs out."""


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
    """Return the forfeit of a seat that is out of time, else the reminder of this turn, else nothing (R-P10).

    Only one seat forfeits at a time, because a forfeit can end the game. The time for which the clock was held doesn't
    count: at a deadline that the log knows, a reminder records what was held since, and so the later deadline.
    """
    people, held = people_to_move(state), max(held, held_ms(state))
    if is_late(state, at, held):
        return (SeatForfeited(people[0], FORFEIT_CAUSE, held),)
    reminds = reminds_at(state)
    due = is_late(state, at) or (reminds is not None and at >= reminds)
    return tuple(TurnReminded(seat, held) for seat in people) if due else ()
