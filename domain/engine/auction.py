"""The bidding: what may be said, in which order, and what a bid becomes when the points change."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.rules.choices import AllPass, BiddingDirection, Bids, DealerBids, Scaling
from domain.rules.model import Auction, Rules, total_worth
from domain.state import Hand


class BidOptions(NamedTuple):
    """What a seat may say: whether it may pass, and its bids, lowest first."""

    can_pass: bool
    bids: tuple[int, ...]


def possible_bids(rules: Rules, hand: int) -> tuple[int, ...]:
    """Every number that is a bid in hand `hand`, lowest first (S11, T6, B6, C32)."""
    auction = rules.auction
    if auction.of is Bids.LISTED:
        return auction.bids
    if auction.of is Bids.TRICKS:
        return tuple(range(rules.hand_size(hand) + 1))
    return tuple(range(minimum_bid(auction, rules.total), rules.total + 1))


def minimum_bid(auction: Auction, total: int) -> int:
    """The least bid: four of ten points and more, as much less of fewer, rounded up (R-C6)."""
    return auction.least if total >= 10 else -(-auction.least * total // 10)


def high_bid(hand: Hand) -> int | None:
    """The highest bid so far as it stands, None when nobody has bid."""
    return None if hand.high is None else hand.bids[hand.high]


def bid_options(rules: Rules, hand: Hand) -> BidOptions:
    """What the seat whose turn it is may say, by the bids before it."""
    auction, high = rules.auction, high_bid(hand)
    every = possible_bids(rules, hand.number)
    last = hand.auction_turns == len(hand.bids) - 1
    if not auction.rising:
        return BidOptions(auction.passing, _without_hooked_bid(auction, every, hand) if last else every)
    if last and high is None:
        return _dealer_options(auction, every)
    if last and high is not None and auction.dealer is not DealerBids.AS_OTHERS:
        raises = auction.dealer is DealerBids.TIES_OR_RAISES
        return BidOptions(True, tuple(bid for bid in every if bid == high or (raises and bid > high)))
    return BidOptions(auction.passing, tuple(bid for bid in every if high is None or bid > high))


def _dealer_options(auction: Auction, every: tuple[int, ...]) -> BidOptions:
    """What the dealer may say when nobody else has bid (T10, R-T3)."""
    if auction.all_pass is AllPass.DEALER_BIDS_LEAST:
        return BidOptions(False, every[:1])
    return BidOptions(auction.all_pass is not AllPass.DEALER_BIDS, every)


def hooked_bid(auction: Auction, every: Sequence[int], hand: Hand) -> int | None:
    """The bid the last bidder may not make, because the bids would add up to the tricks (B14, R-B5)."""
    rest = every[-1] - sum(bid for bid in hand.bids if bid is not None)
    return rest if auction.hook and rest >= 0 and hand.auction_turns == len(hand.bids) - 1 else None


def _without_hooked_bid(auction: Auction, every: tuple[int, ...], hand: Hand) -> tuple[int, ...]:
    never = hooked_bid(auction, every, hand)
    return tuple([bid for bid in every if bid != never])


def next_bidder(auction: Auction, eldest: int, seats: int, asked: int) -> int:
    """Who speaks when `asked` seats have spoken, the eldest hand first (S14, S15, R-S1)."""
    return (eldest + asked if auction.around is BiddingDirection.LEFT else eldest - asked) % seats


def scale(bid: int, before: int, after: int) -> int:
    """`bid` out of `before` points, out of `after`: the same when there are more, else rounded up (C16, C17, R-C24)."""
    return bid if after >= before else -(-bid * after // before)


def scaled_bid(rules: Rules, new: Rules, hand: Hand, seat: int) -> int | None:
    """A seat's bid once the rules are `new`; None where it has none that can be scaled."""
    bid, made = hand.bids[seat], hand.first_bids[seat]
    if seat == hand.pitcher and bid is None:  # R-C49: a dealer who has it without having bid
        bid = hand.bid
    if bid is None:
        return None
    if new.changes.scaling is Scaling.ORIGINAL and made is not None:
        return scale(made[0], total_worth(rules.points_of(made[1])), new.total)
    return scale(bid, rules.total, new.total)
