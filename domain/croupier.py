"""What the table itself owes next: a commitment, a deal, a reveal, the end; and what it plays for a seat that left.

Pure: the one thing that is random, a fresh seed, comes from the caller.
"""

from collections.abc import Callable

from domain import fairdeal
from domain.cards import RANK, RANKS, SUIT, SUITS, Card
from domain.commands import (
    DealHand,
    EndGame,
    OpenCeremony,
    PlayCard,
    RevealCeremony,
    TableCommand,
    VoidCeremony,
)
from domain.dealing import next_deal
from domain.endings import verdict
from domain.legal import Move, legal_moves
from domain.rules import Phase
from domain.state import Ceremony, State

LEAVING_ORDER = (*RANKS[:9], "X", *RANKS[9:])
"""A seat that left plays its lowest card by this order alone: 2 to 10, jokers, J, Q, K, A (contract.md, Leaving)."""


def owed(state: State, new_seed: Callable[[], bytes]) -> TableCommand | None:
    """The table's next command, None when it waits for a seat; `new_seed()` gives 32 secret random bytes."""
    if state.result is not None:
        return None
    ended = verdict(state) is not None
    if not ended and state.turn:
        return None
    dealt = next((each for each in state.ceremonies if each.dealt), None)
    if dealt is not None and (ended or _hand_by_hand(state)):
        return RevealCeremony(dealt.n)
    undealt = next((each for each in state.ceremonies if not each.dealt), None)
    if ended:
        return EndGame() if undealt is None else VoidCeremony(undealt.n)
    if state.phase is not Phase.WAITING:
        return None
    return _open(state, new_seed()) if undealt is None else _deal(state, undealt)


def _hand_by_hand(state: State) -> bool:
    """Whether deals are revealed now: the table reveals hand by hand, and the hand is over."""
    return state.opened is not None and state.opened.reveal == "hand" and state.phase is Phase.WAITING


def _open(state: State, seed: bytes) -> OpenCeremony:
    return OpenCeremony(state.ceremony_count + 1, next_deal(state).subject, seed.hex())


def _deal(state: State, ceremony: Ceremony) -> DealHand:
    if ceremony.seed is None:
        raise LookupError("only who knows the seed can deal")
    key = fairdeal.key(state.game, ceremony.n, ceremony.subject, bytes.fromhex(ceremony.seed), ())
    deck = state.rules.deck
    return DealHand(ceremony.n, tuple(deck[place] for place in fairdeal.shuffle(key, "deck", len(deck))))


def _lowest(card: Card) -> tuple[int, int]:
    suit = SUIT[card]
    return LEAVING_ORDER.index(RANK[card]), SUITS.index(suit) if suit else 0


def stand_in(state: State, seat: int) -> Move:
    """What the table plays for a seat that left: a pass or the lowest bid, the lowest legal card (R-P9)."""
    moves = legal_moves(state, seat)
    cards = [move for move in moves if isinstance(move, PlayCard)]
    if cards:
        return min(cards, key=lambda move: _lowest(move.card))
    return moves[0]
