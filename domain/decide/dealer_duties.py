"""The duties of the table next: commitments, deals, draws, reveals, the end of the game, and votes for seats that left.

Pure: the only random input, a fresh seed, comes from the caller.
"""

from collections.abc import Callable

from domain.cards import Card
from domain.commands import (
    BringChange,
    Command,
    DealHand,
    DrawDealer,
    DrawSeats,
    EndGame,
    EndSession,
    FlipCoin,
    HandOver,
    OpenCeremony,
    PlayCard,
    RevealCeremony,
    Tick,
    VoidCeremony,
    VoteDelay,
)
from domain.decide.dealing import COIN_SUBJECT, GAME_SUBJECT, is_dealer_draw_due, is_seat_draw_due, next_ceremony
from domain.decide.rule_changes import is_deferred_change_due, next_draw, prospective_rules
from domain.decide.table_talk import can_vote, is_handover_agreed
from domain.engine.cuts import ceremony_awaiting_cuts, ceremony_key
from domain.engine.deadlines import is_time_up
from domain.engine.endings import is_coin_due, is_log_full, tied_leaders, verdict
from domain.engine.legal_moves import legal_moves
from domain.engine.rulings import voiding_dispute
from domain.protocols import fairdeal
from domain.rules.choices import Phase, Sight, Stop
from domain.state import Ceremony, State

_OWN = Sight.OWN  # an enum lookup is slow, and every move needs it
NewSeed = Callable[[], bytes]


def next_duty(state: State, new_seed: NewSeed, now: str = "") -> Command | None:
    """Return the table's next command at `now` (UTC); None while it waits for a seat, for cuts, or for a beacon.

    `new_seed()` returns 32 secret random bytes.
    """
    if state.result is not None:
        return None
    if verdict(state) is not None:
        return _duty_at_game_end(state)
    if is_time_up(state, state.at):
        return Tick(state.at)
    if state.handover is not None and is_handover_agreed(state):
        return HandOver(state.handover.seat)
    if state.turn:
        return _duty_in_play(state)
    return _duty_between_hands(state, new_seed, now) if state.phase is Phase.WAITING else None


def _duty_in_play(state: State) -> Command | None:
    """Return what the table does while a seat is to move: votes for seats that left, draws, automatic plays (B19)."""
    if state.delay is not None:
        for seat, sitting in enumerate(state.seats):
            if sitting.state != "in" and can_vote(state, seat):
                return VoteDelay(seat, guilty=False)  # R-C66
    rules, hand = state.rules, state.hand
    if hand is not None and hand.deferred and is_deferred_change_due(state):
        return BringChange()
    if rules.changes.randomizer is not None and (draw := next_draw(state, prospective_rules(state))) is not None:
        return draw
    if hand is None or rules.sight(hand.number) is _OWN:
        return None
    return _automatic_play(state)


def _automatic_play(state: State) -> PlayCard | None:
    if state.phase is not Phase.PLAY:
        return None
    moves = legal_moves(state, state.turn[0])
    return next((move for move in moves if isinstance(move, PlayCard)), None)


def _duty_at_game_end(state: State) -> Command:
    """Reveal every seed first, and then end the game (S21)."""
    if not state.ceremonies:
        return EndGame()
    first = state.ceremonies[0]
    return RevealCeremony(first.n) if first.dealt else VoidCeremony(first.n)


def _duty_between_hands(state: State, new_seed: NewSeed, now: str) -> Command | None:
    """Reveal the finished hand, apply deferred changes, and start the next ceremony, cuts first (fairdeal/1)."""
    hand = state.hand
    if hand is not None and hand.over and state.rules.stop is Stop.AFTER_HAND and (end := _session_end(state)):
        return end
    for ceremony in state.ceremonies:
        if voiding_dispute(state, ceremony.n) is not None:
            return RevealCeremony(ceremony.n) if ceremony.dealt else VoidCeremony(ceremony.n)
        if ceremony.n == 0 or ceremony.subject == COIN_SUBJECT or (ceremony.dealt and _is_revealed_by_hand(state)):
            return _ceremony_duty(state, ceremony)
    if is_deferred_change_due(state):
        return BringChange()
    due = state.pending_deal
    if due is None and is_log_full(state):
        return EndGame()
    if due is None:
        return OpenCeremony(*next_ceremony(state), new_seed().hex(), now)
    if ceremony_awaiting_cuts(state, now) is not None:
        return None
    return DealHand(due.n, _shuffle(state.rules.deck, ceremony_key(state.game, due)))


def _session_end(state: State) -> EndSession | None:
    """Return the end of a session that was drawn while the hand was played out (R-C42), or None."""
    end = next_draw(state, state.rules)
    return end if isinstance(end, EndSession) else None


def _is_revealed_by_hand(state: State) -> bool:
    return state.opened is not None and state.opened.reveal == "hand"


def _ceremony_duty(state: State, ceremony: Ceremony) -> Command:
    """Return the next draw of ceremony 0 or of the coin, or the reveal of a finished ceremony."""
    if ceremony.subject == GAME_SUBJECT and is_seat_draw_due(state):
        key = ceremony_key(state.game, ceremony)
        return DrawSeats(ceremony.n, tuple(fairdeal.shuffle(key, "seats", len(state.seats))))
    if ceremony.subject == GAME_SUBJECT and is_dealer_draw_due(state):
        return DrawDealer(ceremony.n, fairdeal.pick(ceremony_key(state.game, ceremony), "dealer", len(state.seats)))
    if ceremony.subject == COIN_SUBJECT and is_coin_due(state):
        return FlipCoin(ceremony.n, fairdeal.pick(ceremony_key(state.game, ceremony), "coin", len(tied_leaders(state))))
    return RevealCeremony(ceremony.n)


def _shuffle(deck: tuple[Card, ...], key: bytes) -> tuple[Card, ...]:
    return tuple(map(deck.__getitem__, fairdeal.shuffle(key, "deck", len(deck))))
