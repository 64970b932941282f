"""Judging bids and passes, and the close of the auction."""

from collections.abc import Callable

from domain.auction import bidding_order, legal_bids, pitcher, pitcher_first
from domain.commands import MakeBid, PassBid
from domain.events import AuctionWon, BidMade, BidPassed, Fact, HandThrownIn, Seats
from domain.legal import high_bid, must_be_turn
from domain.rejections import BidTooLow, NotABid
from domain.rules import AllPass
from domain.state import Hand, State, dealt_hand


def make_bid(state: State, command: MakeBid) -> tuple[Fact, ...]:
    """A bid over the highest so far (S13, R-S4); refused are numbers that are no bids (S11, R-S6)."""
    auction, high = state.rules.auction, high_bid(dealt_hand(state))
    must_be_turn(state, command.seat)
    if command.bid == 0 and auction.zero_passes:
        return pass_bid(state, PassBid(command.seat))
    bids = ", ".join(map(str, auction.bids))
    if command.bid not in auction.bids:
        raise NotABid(f"{command.bid} is not a bid; bid one of {bids}, or pass")
    if high is not None and command.bid <= high:
        over = [f"bid {bid}" for bid in legal_bids(auction, high)]
        raise BidTooLow(f"{command.bid} is not over {high}; {' or '.join([*over, 'pass'])}")
    if _last(state):
        return BidMade(command.seat, command.bid, ()), *_close(state, command.seat, command.bid)
    return (BidMade(command.seat, command.bid, _next_bidder(state)),)


def pass_bid(state: State, command: PassBid) -> tuple[Fact, ...]:
    """Always legal in turn; when everybody has passed the hand is thrown in (S16)."""
    must_be_turn(state, command.seat)
    if _last(state):
        return BidPassed(command.seat, ()), *_close(state, command.seat, None)
    return (BidPassed(command.seat, _next_bidder(state)),)


def _last(state: State) -> bool:
    """Whether everybody else has been asked (S14)."""
    return dealt_hand(state).asked == len(state.seats) - 1


def _next_bidder(state: State) -> Seats:
    hand = dealt_hand(state)
    return (bidding_order(state.rules.auction, hand.eldest, len(state.seats))[hand.asked + 1],)


NOBODY_BID: dict[AllPass, Callable[[Hand], Fact]] = {AllPass.THROW_IN: lambda hand: HandThrownIn(hand.number)}
"""What becomes of a hand nobody bid on (S16)."""


def _close(state: State, seat: int, bid: int | None) -> tuple[Fact, ...]:
    hand = dealt_hand(state)
    bids = (*hand.bids[:seat], bid, *hand.bids[seat + 1 :])
    won = pitcher(bids)
    if won is None:
        return (NOBODY_BID[state.rules.auction.all_pass](hand),)
    high = bids[won] or 0
    everything = high == state.rules.auction.highest
    sides = pitcher_first(state.rules.sides(len(state.seats)), won)
    return (AuctionWon(won, high, forced=False, max=everything, sides=sides, next=(won,)),)
