"""What a seat may do now, from what that seat knows."""

from domain.auction import legal_bids
from domain.commands import MakeBid, PassBid, PlayCard
from domain.rejections import OutOfTurn
from domain.rules import Phase
from domain.state import Hand, State, led
from domain.tricks import legal_cards

Move = MakeBid | PassBid | PlayCard
"""A move of the turn: one that `next` waits for."""


def high_bid(hand: Hand) -> int | None:
    """The highest bid so far, None when nobody has bid."""
    return max((bid for bid in hand.bids if bid is not None), default=None)


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every move `seat` may make now, lowest bid first, cards in canonical order; none when it is not its turn."""
    hand = state.hand
    if hand is None or seat not in state.turn:
        return ()
    if state.phase is Phase.AUCTION:
        bids = legal_bids(state.rules.auction, high_bid(hand))
        return (PassBid(seat), *(MakeBid(seat, bid) for bid in bids))
    cards = legal_cards(state.rules.follow, hand.cards[seat] or (), hand.trump, led(hand.trick))
    return tuple(PlayCard(seat, card) for card in cards)


def must_be_turn(state: State, seat: int) -> None:
    """Refuses a move out of turn (S7)."""
    if seat not in state.turn:
        raise OutOfTurn(f"it is the turn of seat {', '.join(map(str, state.turn))}, not of seat {seat}")
