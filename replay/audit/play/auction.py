"""Checks of the auction: the bids and the winning bid."""

from collections.abc import Iterator

from domain.events import AuctionWon, BidMade, BidPassed, HandThrownIn, Seats
from domain.rules.choices import ORIENTATIONS, AllPass, Bids, DealerBids, Moon, Partners, Quirk
from domain.rules.model import Rules
from replay.audit.play.checking import checks
from replay.fold import HandRead, Position

FIXED_SIDES = (Partners.ALONE, Partners.PAIRS, Partners.TEAMS)
"""The ways to play together that don't depend on the pitcher."""


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
    elif isinstance(fact, BidPassed):
        yield from _check_pass(position, fact.seat)
    elif fact.bid not in possible_bids(position.rules, hand.dealt.hand):
        yield f"{fact.bid} is not a valid bid in this hand"
    elif not _fits_bids_before(position, fact.bid):
        yield f"seat {fact.seat} bids {fact.bid}, which the bids before it don't allow: {list(hand.bids)}"


def _check_pass(position: Position, seat: int) -> Iterator[str]:
    """Check that a seat may pass: a dealer may after a bid, and without one if the rules don't make them bid (T10)."""
    auction = position.rules.auction
    if auction.rising and _is_last_call(position):
        forced = auction.all_pass in (AllPass.DEALER_BIDS_LEAST, AllPass.DEALER_BIDS)
        may = not forced if _standing_bid(position) is None else _answers_bids(position) or auction.passing
    else:
        may = auction.passing
    if not may:
        yield f"seat {seat} passes, but must bid"


def _fits_bids_before(position: Position, bid: int) -> bool:
    """Tell whether a bid of this hand is high enough, and one that the last seat to bid may make (T9, T10, B14)."""
    rules, standing, last = position.rules, _standing_bid(position), _is_last_call(position)
    possible = possible_bids(rules, position.live.dealt.hand)
    if not rules.auction.rising:
        rest = possible[-1] - sum(each for each in position.live.bids if each is not None)
        return not (rules.auction.hook and last and bid == rest)
    if standing is None:
        least_only = last and rules.auction.all_pass is AllPass.DEALER_BIDS_LEAST
        return not least_only or bid == possible[0] or is_moon(rules, bid)
    if not last or not _answers_bids(position):
        return bid > standing
    raises = rules.auction.dealer is DealerBids.TIES_OR_RAISES or is_moon(rules, bid)
    return (bid == standing and not is_moon(rules, bid)) or (bid > standing and raises)


def _standing_bid(position: Position) -> int | None:
    """Return the last bid as it stands now, or None if nobody has bid."""
    hand = position.live
    return next((hand.bids[seat] for seat, bid in reversed(hand.calls) if bid is not None), None)


def _is_last_call(position: Position) -> bool:
    return len(position.live.calls) == position.seats - 1


def _answers_bids(position: Position) -> bool:
    """Tell whether the last seat to bid has an answer of its own to a bid (R-T2)."""
    return position.rules.auction.dealer is not DealerBids.AS_OTHERS


def is_moon(rules: Rules, bid: int) -> bool:
    """Tell whether a bid is the moon: one more than all the points, at a table that plays it."""
    return rules.auction.moon is not Moon.NONE and bid == rules.total + 1


def possible_bids(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return the bids that the rules allow in a hand, the moon last."""
    auction = rules.auction
    match auction.of:
        case Bids.LISTED:
            bids = auction.bids
        case Bids.TRICKS:
            bids = tuple(range(rules.hand_size(max(1, hand)) + 1))
        case _:
            bids = tuple(range(_scaled_least(rules), rules.total + 1))
    return bids if auction.moon is Moon.NONE else (*bids, rules.total + 1)


def _scaled_least(rules: Rules) -> int:
    """Return the least bid of the version in force, scaled down and rounded up for less than ten points (R-C6)."""
    return (rules.auction.least * min(rules.total, 10) + 9) // 10


def _forced_bid(rules: Rules) -> int:
    """Return the bid of a dealer who has it without bidding: scaled like other bids only if bids are points."""
    is_as_written = rules.auction.of is Bids.LISTED and Quirk.SCALED_LEAST not in rules.quirks
    return rules.auction.least if is_as_written else _scaled_least(rules)


def check_turn(position: Position, seat: int) -> Iterator[str]:
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
    seat, original, total = bids[-1] if bids else (hand.dealt.dealer, _forced_bid(position.rules), 0)
    bid = hand.bids[seat] if bids else original
    if (fact.seat, fact.bid) != (seat, bid):
        yield f"seat {fact.seat} wins the auction with {fact.bid}, but the bids are {list(hand.bids)}"
    if fact.forced != _is_forced(position, hand):
        yield f"the bid of seat {fact.seat} is recorded as {'forced' if fact.forced else 'not forced'}"
    if fact.max != (bool(bids) and original >= total):
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
    if partners in FIXED_SIDES:
        return tuple(sorted(position.opening.sides, key=lambda side: pitcher not in side))
    if partners is Partners.CALL:
        return split_sides((pitcher,), seats)
    return split_sides((pitcher, (pitcher + ORIENTATIONS[partners]) % seats), seats)


def split_sides(side: Seats, seats: int) -> tuple[Seats, ...]:
    """Return `side` and the side of all other seats, seats ascending."""
    return tuple(sorted(side)), tuple(seat for seat in range(seats) if seat not in side)
