"""The auction: which bids are possible, who bids next, and how a bid changes when the points change."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.rules.choices import AllPass, BiddingDirection, Bids, DealerBids, Moon, Quirk, Scaling
from domain.rules.model import Auction, Rules, total_worth
from domain.state import Hand

_NO_MOON = Moon.NONE
"""Read off the enum once, because every bid needs it and an enum lookup is slow."""


class BidOptions(NamedTuple):
    """The options of a seat in the auction: whether it can pass, and its bids, lowest first."""

    can_pass: bool
    bids: tuple[int, ...]


def possible_bids(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return every number that is a bid in hand `hand`, lowest first, the moon last (S11, T6, B6, C32)."""
    auction = rules.auction
    above = () if (moon := moon_bid(rules)) is None else (moon,)
    if auction.of is Bids.LISTED:
        return auction.bids + above
    if auction.of is Bids.TRICKS:
        return tuple(range(rules.hand_size(hand) + 1))
    return (*range(minimum_bid(auction, rules.total), rules.total + 1), *above)


def moon_bid(rules: Rules) -> int | None:
    """Return the bid that is the moon, one more than all the points; None if it can't be bid."""
    return None if rules.auction.moon is _NO_MOON else rules.total + 1


def is_moon(rules: Rules, hand: Hand) -> bool:
    """Return whether the pitcher bid the moon."""
    return rules.auction.moon is not _NO_MOON and hand.bid == rules.total + 1


def minimum_bid(auction: Auction, total: int) -> int:
    """Return the lowest bid: four for ten points or more, proportionally less below ten, rounded up (R-C6)."""
    return auction.least if total >= 10 else -(-auction.least * total // 10)


def forced_bid(rules: Rules) -> int:
    """Return the bid that makes the dealer the pitcher if everybody passes (R-C49): `least` as listed bids have it."""
    if rules.auction.of is Bids.LISTED and Quirk.SCALED_LEAST not in rules.quirks:
        return rules.auction.least
    return minimum_bid(rules.auction, rules.total)


def high_bid(hand: Hand) -> int | None:
    """Return the highest bid so far, after scaling; None if nobody has bid."""
    return None if hand.high is None else hand.bids[hand.high]


def bid_options(rules: Rules, hand: Hand) -> BidOptions:
    """Return the options of the seat whose turn it is, given the bids before it."""
    auction, high = rules.auction, high_bid(hand)
    all_bids = possible_bids(rules, hand.number)
    last = hand.auction_turns == len(hand.bids) - 1
    if not auction.rising:
        return BidOptions(auction.passing, _without_hooked_bid(auction, all_bids, hand) if last else all_bids)
    if last and high is None:
        return _dealer_options(rules, all_bids)
    if last and high is not None and auction.dealer is not DealerBids.AS_OTHERS:
        return BidOptions(True, _dealer_answers(rules, all_bids, high))
    return BidOptions(auction.passing, tuple(bid for bid in all_bids if high is None or bid > high))


def _dealer_options(rules: Rules, all_bids: tuple[int, ...]) -> BidOptions:
    """Return the dealer's options if nobody else has bid (T10, R-T3)."""
    if rules.auction.all_pass is AllPass.DEALER_BIDS_LEAST:
        moon = moon_bid(rules)
        return BidOptions(False, tuple(bid for bid in all_bids if bid in (all_bids[0], moon)))
    return BidOptions(rules.auction.all_pass is not AllPass.DEALER_BIDS, all_bids)


def _dealer_answers(rules: Rules, all_bids: tuple[int, ...], high: int) -> tuple[int, ...]:
    """Return the bids by which a dealer who can tie answers the bid `high`; nobody ties the moon (T9, R-T2)."""
    raises, moon = rules.auction.dealer is DealerBids.TIES_OR_RAISES, moon_bid(rules)
    if high == moon:
        return ()
    return tuple(bid for bid in all_bids if bid == high or (bid > high and (raises or bid == moon)))


def hooked_bid(auction: Auction, all_bids: Sequence[int], hand: Hand) -> int | None:
    """Return the bid that the last bidder can't make because the bids would add up to the tricks (B14, R-B5)."""
    rest = all_bids[-1] - sum(bid for bid in hand.bids if bid is not None)
    return rest if auction.hook and rest >= 0 and hand.auction_turns == len(hand.bids) - 1 else None


def _without_hooked_bid(auction: Auction, all_bids: tuple[int, ...], hand: Hand) -> tuple[int, ...]:
    never = hooked_bid(auction, all_bids, hand)
    return tuple([bid for bid in all_bids if bid != never])


def next_bidder(auction: Auction, eldest: int, seats: int, turns: int) -> int:
    """Return the seat that bids after `turns` seats have bid or passed; the eldest hand is first (S14, S15, R-S1)."""
    return (eldest + turns if auction.around is BiddingDirection.LEFT else eldest - turns) % seats


def scale(bid: int, before: int, after: int) -> int:
    """Scale a bid from `before` points to `after`: unchanged for more points, else rounded up (C16, C17, R-C24)."""
    return bid if after >= before else -(-bid * after // before)


def scaled_bid(rules: Rules, new: Rules, hand: Hand, seat: int) -> int | None:
    """Return a seat's bid under the rules `new`; None if the seat has no bid to scale."""
    bid, first_bid = hand.bids[seat], hand.first_bids[seat]
    if seat == hand.pitcher and bid is None:  # R-C49: a dealer who got the bid without bidding
        bid = hand.bid
    if bid is None:
        return None
    if new.changes.scaling is Scaling.ORIGINAL and first_bid is not None:
        return scale(first_bid[0], total_worth(rules.points_of(first_bid[1])), new.total)
    return scale(bid, rules.total, new.total)
