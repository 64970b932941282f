"""Decide the end of a game: by its score, by the randomizer, or by the clock, which also forfeits and reminds."""

from domain.commands import EndGame, EndSession, Tick
from domain.engine.deadlines import is_late, is_time_up, people_to_move, reminds_at
from domain.engine.endings import session_winners, verdict
from domain.engine.rulings import with_ruled_outcome
from domain.events import CeremonyRevealed, CeremonyVoided, Fact, GameEnded, SeatForfeited, TurnReminded
from domain.rejections import NotDue
from domain.rules.choices import Stop
from domain.state import SERVER, Ceremony, Hand, State

FORFEIT_CAUSE = "time"
"""Why the table takes a seat out of the game when its time runs out."""


def end_game(state: State, command: EndGame) -> tuple[Fact, ...]:
    """Declare the verdict of the facts once every seed is public (S21, B24, R-P8, R-P9)."""
    ending = verdict(state)
    if ending is None or state.ceremonies:
        raise NotDue("The game isn't over.")
    return (with_ruled_outcome(state, GameEnded(ending.reason, ending.winners, state.scores)),)


def end_session(state: State, command: EndSession) -> tuple[Fact, ...]:
    """End the session by the randomizer: now, or after the hand in which the end was drawn (C6, R-C42, R-C46)."""
    hand = state.hand
    if hand is None or command.n != hand.n or command.label not in _end_labels(state, hand):
        raise NotDue("The randomizer doesn't end the session now.")
    return _end_now(state, "randomizer", command.n, command.label)


def _end_labels(state: State, hand: Hand) -> tuple[str, ...]:
    """Return the labels under which an end of the session can have been drawn by now."""
    randomizer = state.rules.changes.randomizer
    if randomizer is None or randomizer.end is None:
        return ()
    if state.rules.stop is Stop.AT_ONCE:
        return () if hand.over else (f"randomizer {hand.turns} end",)
    return tuple(f"randomizer {t} end" for t in range(hand.turns)) if hand.over else ()


def _end_now(state: State, reason: str, n: int | None = None, label: str | None = None) -> tuple[Fact, ...]:
    """Publish every seed and end the game; an unfinished hand scores nothing (R-C42)."""
    seeds = [_close_ceremony(each, each.seed) for each in state.ceremonies if each.seed is not None]
    return *seeds, with_ruled_outcome(state, GameEnded(reason, session_winners(state), state.scores, n, label))


def _close_ceremony(ceremony: Ceremony, seed: str) -> CeremonyRevealed | CeremonyVoided:
    if ceremony.dealt:
        return CeremonyRevealed(ceremony.n, seed)
    return CeremonyVoided(ceremony.n, "ended", SERVER, seed)


def tick(state: State, command: Tick) -> tuple[Fact, ...]:
    """Apply the clock: end a game whose time is up (C6), else forfeit or remind the awaited seat (R-P10)."""
    at = max(command.at, state.at)  # time never goes back within a game
    return _end_now(state, "time") if is_time_up(state, at) else _clock_facts(state, at)


def _clock_facts(state: State, at: str) -> tuple[Fact, ...]:
    """Return the forfeit of a seat that is out of time, else the one reminder of this turn, else nothing (R-P10).

    Only one seat forfeits at a time, because a forfeit can end the game.
    """
    people = people_to_move(state)
    if is_late(state, at):
        return (SeatForfeited(people[0], FORFEIT_CAUSE),)
    reminds = reminds_at(state)
    return () if reminds is None or at < reminds else tuple(TurnReminded(seat) for seat in people)
