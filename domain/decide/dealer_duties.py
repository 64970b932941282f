"""What the table itself owes next: commitments, deals, draws, reveals, the end; and what it does for seats that left.

Pure: the one thing that is random, a fresh seed, comes from the caller.
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
    OpenCeremony,
    PlayCard,
    RevealCeremony,
    Tick,
    VoidCeremony,
    VoteDelay,
)
from domain.decide.dealing import COIN, GAME, dealer_due, next_ceremony, seats_due
from domain.decide.delay_of_game import may_vote
from domain.decide.randomizer import ceremony_key, drawn
from domain.decide.rule_changes import change_waits, prospective
from domain.engine.cuts import undealt, waiting
from domain.engine.deadlines import time_is_up
from domain.engine.endings import coin_due, tied, verdict
from domain.engine.legal_moves import legal_moves
from domain.engine.rulings import voided_by
from domain.protocols import fairdeal
from domain.rules.choices import Phase, Sight, Stop
from domain.state import Ceremony, State

_OWN = Sight.OWN  # read off its class once: it is asked for at every move
NewSeed = Callable[[], bytes]


def owed(state: State, new_seed: NewSeed, now: str = "") -> Command | None:
    """The table's next command at `now` (UTC), None when it waits for a seat or for cuts.

    `new_seed()` gives 32 secret random bytes.
    """
    if state.result is not None:
        return None
    if verdict(state) is not None:
        return _closing(state)
    if time_is_up(state, state.at):
        return Tick(state.at)
    if state.turn:
        return _in_play(state)
    return _between_hands(state, new_seed, now) if state.phase is Phase.WAITING else None


def _in_play(state: State) -> Command | None:
    """What the table does while a seat is to move: votes of those who left, draws, cards nobody can choose (B19)."""
    if state.delay is not None:
        for seat, sitting in enumerate(state.seats):
            if sitting.state != "in" and may_vote(state, seat):
                return VoteDelay(seat, guilty=False)  # R-C66
    rules, hand = state.rules, state.hand
    if hand is not None and hand.deferred and change_waits(state):
        return BringChange()
    if rules.changes.randomizer is not None and (draw := drawn(state, prospective(state))) is not None:
        return draw
    if hand is None or rules.sight(hand.number) is _OWN:
        return None
    return _plays_itself(state)


def _plays_itself(state: State) -> PlayCard | None:
    if state.phase is not Phase.PLAY:
        return None
    moves = legal_moves(state, state.turn[0])
    return next((move for move in moves if isinstance(move, PlayCard)), None)


def _closing(state: State) -> Command:
    """The game is decided: every seed becomes public, and then it is said (S21)."""
    if not state.ceremonies:
        return EndGame()
    first = state.ceremonies[0]
    return RevealCeremony(first.n) if first.dealt else VoidCeremony(first.n)


def _between_hands(state: State, new_seed: NewSeed, now: str) -> Command | None:
    """The hand that is over is revealed, what waited comes, and the next ceremony begins, cuts first (fairdeal/1)."""
    hand = state.hand
    if hand is not None and hand.over and state.rules.stop is Stop.AFTER_HAND and (end := _session_over(state)):
        return end
    for ceremony in state.ceremonies:
        if voided_by(state, ceremony.n) is not None:
            return RevealCeremony(ceremony.n) if ceremony.dealt else VoidCeremony(ceremony.n)
        if ceremony.n == 0 or ceremony.subject == COIN or (ceremony.dealt and _hand_by_hand(state)):
            return _ceremony_of_the_table(state, ceremony)
    if change_waits(state):
        return BringChange()
    due = undealt(state)
    if due is None:
        return OpenCeremony(*next_ceremony(state), new_seed().hex())
    if waiting(state, now) is not None:
        return None
    return DealHand(due.n, _shuffled(state.rules.deck, ceremony_key(state.game, due)))


def _session_over(state: State) -> EndSession | None:
    """The end of a session that was drawn while the hand was played out (R-C42)."""
    end = drawn(state, state.rules)
    return end if isinstance(end, EndSession) else None


def _hand_by_hand(state: State) -> bool:
    return state.opened is not None and state.opened.reveal == "hand"


def _ceremony_of_the_table(state: State, ceremony: Ceremony) -> Command:
    """The next draw of ceremony 0 or of the coin, or the reveal of what has been drawn or dealt."""
    if ceremony.subject == GAME and seats_due(state):
        key = ceremony_key(state.game, ceremony)
        return DrawSeats(ceremony.n, tuple(fairdeal.shuffle(key, "seats", len(state.seats))))
    if ceremony.subject == GAME and dealer_due(state):
        return DrawDealer(ceremony.n, fairdeal.pick(ceremony_key(state.game, ceremony), "dealer", len(state.seats)))
    if ceremony.subject == COIN and coin_due(state):
        return FlipCoin(ceremony.n, fairdeal.pick(ceremony_key(state.game, ceremony), "coin", len(tied(state))))
    return RevealCeremony(ceremony.n)


def _shuffled(deck: tuple[Card, ...], key: bytes) -> tuple[Card, ...]:
    return tuple(map(deck.__getitem__, fairdeal.shuffle(key, "deck", len(deck))))
