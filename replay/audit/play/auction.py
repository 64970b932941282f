"""Checks of the auction: the bids and the winning bid."""

from collections.abc import Iterator

from domain.events import AuctionWon, BidMade, BidPassed, HandThrownIn, Seats
from domain.rules.choices import ORIENTATIONS, AllPass, Bids, Partners
from domain.rules.model import Rules
from replay.audit.play.checking import checks
from replay.fold import HandRead, Position


def side_lists(sides: tuple[Seats, ...]) -> list[list[int]]:
    """Return the sides as lists, as a finding shows them."""
    return [list(side) for side in sides]


@checks(BidMade, BidPassed)
def check_bid(position: Position, fact: BidMade | BidPassed) -> Iterator[str]:
    """Check that a seat bids or passes once and in turn, and that the rules allow the bid or the pass."""
    hand = position.live
    yield from check_turn(position, fact.seat)
    if fact.seat in dict(hand.calls):
        yield f"seat {fact.seat} has bid or passed in this auction already"
    if isinstance(fact, BidPassed) and not position.rules.auction.passing:
        yield f"seat {fact.seat} passes, but every seat must bid"
    if isinstance(fact, BidMade) and fact.bid not in possible_bids(position.rules, hand.dealt.hand):
        yield f"{fact.bid} is not a valid bid in this hand"


def possible_bids(rules: Rules, hand: int) -> range | tuple[int, ...]:
    """Return the bids that the rules allow in a hand."""
    auction = rules.auction
    match auction.of:
        case Bids.LISTED:
            return auction.bids
        case Bids.TRICKS:
            return range(rules.hand_size(max(1, hand)) + 1)
        case _:
            return range(least_bid(rules), rules.total + 1)


def least_bid(rules: Rules) -> int:
    """Return the least bid of the version in force, scaled down and rounded up for less than ten points (R-C6)."""
    return (rules.auction.least * min(rules.total, 10) + 9) // 10


def check_turn(position: Position, seat: int) -> Iterator[str]:
    """Check that it is the turn of `seat`."""
    if seat not in position.turn:
        turn = f"seat {', '.join(map(str, position.turn))}" if position.turn else "no seat"
        yield f"seat {seat} moves, but it is the turn of {turn}"


@checks(HandThrownIn)
def check_hand_thrown_in(position: Position, fact: HandThrownIn) -> Iterator[str]:
    """Check that the hand in play is thrown in, and that every seat has passed."""
    if fact.hand != position.live.dealt.hand:
        yield f"hand {fact.hand} is thrown in, but hand {position.live.dealt.hand} is in play"
    if any(bid is not None for bid in position.live.bids):
        yield "the hand is thrown in, but a seat has bid"


@checks(AuctionWon)
def check_auction_won(position: Position, fact: AuctionWon) -> Iterator[str]:
    """Check that the last bid wins, since each bid is higher than the one before, or the dealer wins without a bid."""
    hand = position.live
    bids = [(seat, bid, total) for (seat, bid), total in zip(hand.calls, hand.totals, strict=True) if bid is not None]
    seat, original, total = bids[-1] if bids else (hand.dealt.dealer, least_bid(position.rules), 0)
    bid = hand.bids[seat] if bids else original
    if (fact.seat, fact.bid) != (seat, bid):
        yield f"seat {fact.seat} wins the auction with {fact.bid}, but the bids are {list(hand.bids)}"
    if fact.forced != _is_forced(position, hand):
        yield f"the bid of seat {fact.seat} is recorded as {'forced' if fact.forced else 'not forced'}"
    if fact.max != (original == total):
        yield f"{fact.bid} is recorded as {'the highest' if fact.max else 'less than the highest'} possible bid"
    if fact.sides != (sides := sides_of(position, fact.seat)):
        due = side_lists(sides)
        yield f"the sides are {side_lists(fact.sides)}, but should be {due}, the pitcher's side first"


def _is_forced(position: Position, hand: HandRead) -> bool:
    """Tell whether the dealer won the auction only because all others passed (T10, R-C49)."""
    others = any(bid is not None for _, bid in hand.calls[:-1])
    match position.rules.auction.all_pass:
        case AllPass.DEALER_BIDS_LEAST | AllPass.DEALER_BIDS:
            return not others
        case AllPass.DEALER_HAS_IT:
            return all(bid is None for _, bid in hand.calls)
        case _:
            return False


def sides_of(position: Position, pitcher: int) -> tuple[Seats, ...]:
    """Return the sides, the pitcher's first; before they call a partner, the pitcher is alone (C12, R-C27, R-C32)."""
    partners, seats = position.rules.partners, position.seats
    if partners in (Partners.ALONE, Partners.PAIRS):
        return tuple(sorted(position.opening.sides, key=lambda side: pitcher not in side))
    if partners is Partners.CALL:
        return split_sides((pitcher,), seats)
    return split_sides((pitcher, (pitcher + ORIENTATIONS[partners]) % seats), seats)


def split_sides(side: Seats, seats: int) -> tuple[Seats, ...]:
    """Return `side` and the side of all other seats, seats ascending."""
    return tuple(sorted(side)), tuple(seat for seat in range(seats) if seat not in side)
