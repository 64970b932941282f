"""Decide bids and passes, and how the auction ends."""

from domain.commands import MakeBid, PassBid
from domain.decide.consequences import kitty_facts
from domain.engine.auction import (
    bid_options,
    forced_bid,
    high_bid,
    hooked_bid,
    moon_bid,
    next_bidder,
    possible_bids,
)
from domain.engine.legal_moves import require_turn
from domain.engine.sides import sides_for_pitcher
from domain.engine.wording import one_of
from domain.events import AuctionWon, BidMade, BidPassed, Fact, HandThrownIn, Seats
from domain.rejections import BidTooHigh, BidTooLow, Hooked, MustBid, NotABid
from domain.rules.choices import AllPass, Bids
from domain.rules.model import Rules, total_worth
from domain.state import Hand, State, current_hand


def make_bid(state: State, command: MakeBid) -> tuple[Fact, ...]:
    """Record a bid; refuse numbers that aren't bids, bids that are too low or too high, and the hooked bid."""
    require_turn(state, command.seat)
    rules, hand = state.rules, current_hand(state)
    if command.bid == 0 and rules.auction.zero_passes:
        return pass_bid(state, PassBid(command.seat))
    if command.bid not in bid_options(rules, hand).bids:
        raise _bid_error(rules, hand, command.bid)
    bid_made = BidMade(command.seat, command.bid, _seats_to_act(state))
    return (bid_made, *_auction_result(state, command.seat, command.bid)) if not bid_made.next else (bid_made,)


def _bid_error(rules: Rules, hand: Hand, bid: int) -> NotABid | BidTooLow | BidTooHigh | Hooked:
    """Make the refusal of this bid; it says which bids are allowed (S11, S13, T8, T9, B14, C32)."""
    all_bids, high, advice = possible_bids(rules, hand.number), high_bid(hand), describe_options(rules, hand)
    if rules.auction.of is Bids.POINTS and bid > all_bids[-1]:
        return BidTooHigh(f"{bid} is more than the {rules.total} points of a hand. {advice}")
    if rules.auction.of is Bids.POINTS and 0 < bid < all_bids[0]:
        return BidTooLow(f"{bid} is less than the lowest bid, {all_bids[0]}. {advice}")
    if bid not in all_bids:
        return NotABid(f"{bid} isn't a bid. {advice}")
    if bid == hooked_bid(rules.auction, all_bids, hand):
        return Hooked(f"With {bid}, the bids would add up to {all_bids[-1]}, the number of tricks. {advice}")
    if high is None or bid > high:
        return BidTooHigh(f"The dealer can't bid {bid} now. {advice}")
    return BidTooLow(f"{bid} isn't higher than {high}. {advice}")


def describe_options(rules: Rules, hand: Hand) -> str:
    """Describe the options, such as "You can bid 4 or 5, or pass."; a second sentence names the moon."""
    can_pass, numbers = bid_options(rules, hand)
    if not numbers:
        return "You can only pass."
    alternative = "" if not can_pass else " or pass" if len(numbers) == 1 else ", or pass"
    moon = f" {numbers[-1]} is the moon." if numbers[-1] == moon_bid(rules) else ""
    return f"You can bid {one_of(numbers)}{alternative}.{moon}"


def pass_bid(state: State, command: PassBid) -> tuple[Fact, ...]:
    """Record a pass if passing is allowed; the last one decides what happens to the hand (S16, T10, B7)."""
    require_turn(state, command.seat)
    rules, hand = state.rules, current_hand(state)
    if not bid_options(rules, hand).can_pass:
        raise MustBid(f"You can't pass now. {describe_options(rules, hand)}")
    bid_passed = BidPassed(command.seat, _seats_to_act(state))
    return (bid_passed, *_auction_result(state, command.seat, None)) if not bid_passed.next else (bid_passed,)


def _seats_to_act(state: State) -> Seats:
    """Return who acts next, () after the last bidder (S14); without a pitcher the eldest hand leads (B17)."""
    hand = current_hand(state)
    if hand.auction_turns < len(state.seats) - 1:
        return (next_bidder(state.rules.auction, hand.eldest, len(state.seats), hand.auction_turns + 1),)
    return () if state.rules.auction.contract else (hand.eldest,)


def _auction_result(state: State, seat: int, bid: int | None) -> tuple[Fact, ...]:
    """Return the facts that end the auction: a pitcher, who may take a kitty, or a hand thrown in."""
    rules, hand = state.rules, current_hand(state)
    if bid is not None:
        return _won(state, seat, bid, forced=_is_forced(rules, hand), everything=bid >= rules.total)
    if hand.high is not None:
        return _won(state, hand.high, high_bid(hand) or 0, forced=False, everything=_is_bid_for_everything(rules, hand))
    if rules.auction.all_pass is AllPass.DEALER_HAS_IT:
        return _won(state, hand.dealer, forced_bid(rules), forced=True, everything=False)
    return (HandThrownIn(hand.number),)


def _is_forced(rules: Rules, hand: Hand) -> bool:
    """Return whether the dealer had to bid because nobody else did (T10)."""
    return hand.high is None and rules.auction.all_pass in (AllPass.DEALER_BIDS_LEAST, AllPass.DEALER_BIDS)


def _is_bid_for_everything(rules: Rules, hand: Hand) -> bool:
    """Return whether the highest bid was for all the points there were when it was made (R-C50)."""
    first_bid = None if hand.high is None else hand.first_bids[hand.high]
    return first_bid is not None and first_bid[0] >= total_worth(rules.points_of(first_bid[1]))


def _won(state: State, seat: int, bid: int, *, forced: bool, everything: bool) -> tuple[Fact, ...]:
    """Return the pitcher, and the kitty that they take before naming trump, if any."""
    sides, kitty = sides_for_pitcher(state.rules, seat, len(state.seats)), kitty_facts(state, seat)
    return AuctionWon(seat, bid, forced, everything, sides, () if kitty else (seat,)), *kitty
