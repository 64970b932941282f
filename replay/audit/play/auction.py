"""The opening and the auction by bookkeeping: who is at the table, who spoke, who won with what."""

from collections.abc import Iterator

from domain.events import AuctionWon, BidMade, BidPassed, GameOpened, HandThrownIn, Seats
from domain.rules.choices import ORIENTATIONS, AllPass, Bids, Partners
from domain.rules.model import Rules
from replay.fold import HandRead, Position


def check_game_opened(position: Position, fact: GameOpened) -> Iterator[str]:
    """The deck and the sides are those of the recorded rules, and the table is one they are for."""
    seats = len(fact.players)
    if seats not in fact.rules.seats:
        yield f"{seats} players sit at a table for {', '.join(map(str, fact.rules.seats))}"
    if any((player.kind == "bot") != (player.bot is not None) for player in fact.players):
        yield "a player is neither a person nor a bot of a named kind"
    if fact.deck != fact.rules.deck:
        yield "its deck is not that of its rules, in canonical order"
    if fact.sides != fact.rules.sides(seats):
        yield f"its sides are {side_lists(fact.sides)}, not those of its rules"


def side_lists(sides: tuple[Seats, ...]) -> list[list[int]]:
    """Sides as a sentence shows them."""
    return [list(side) for side in sides]


def check_bid(position: Position, fact: BidMade | BidPassed) -> Iterator[str]:
    """Each seat speaks once, in turn, and where everybody must bid nobody passes."""
    hand = position.live
    yield from check_turn(position, fact.seat)
    if fact.seat in dict(hand.said):
        yield f"seat {fact.seat} has spoken already in this auction"
    if isinstance(fact, BidPassed) and not position.rules.auction.passing:
        yield f"seat {fact.seat} passes where everybody must bid"
    if isinstance(fact, BidMade) and fact.bid not in possible_bids(position.rules, hand.dealt.hand):
        yield f"{fact.bid} is not a bid of this hand"


def possible_bids(rules: Rules, hand: int) -> range | tuple[int, ...]:
    """The numbers that are bids."""
    auction = rules.auction
    match auction.of:
        case Bids.LISTED:
            return auction.bids
        case Bids.TRICKS:
            return range(rules.hand_size(max(1, hand)) + 1)
        case _:
            return range(least_bid(rules), rules.total + 1)


def least_bid(rules: Rules) -> int:
    """The least bid of the version in force: in smaller ones than ten points as much less, rounded up (R-C6)."""
    return (rules.auction.least * min(rules.total, 10) + 9) // 10


def check_turn(position: Position, seat: int) -> Iterator[str]:
    """Whether the table waits for this seat."""
    if seat not in position.turn:
        turn = f"seat {', '.join(map(str, position.turn))}" if position.turn else "no seat"
        yield f"seat {seat} moves where it is the turn of {turn}"


def check_hand_thrown_in(position: Position, fact: HandThrownIn) -> Iterator[str]:
    """A hand is thrown in when everybody has passed."""
    if fact.hand != position.live.dealt.hand:
        yield f"hand {fact.hand} is thrown in while hand {position.live.dealt.hand} is in play"
    if any(bid is not None for bid in position.live.bids):
        yield "the hand is thrown in although somebody bid"


def check_auction_won(position: Position, fact: AuctionWon) -> Iterator[str]:
    """The pitcher is who bid last, for each bid is over the one before; without a bid it may be the dealer's."""
    hand = position.live
    spoken = [(seat, bid, total) for (seat, bid), total in zip(hand.said, hand.totals, strict=True) if bid is not None]
    seat, made, total = spoken[-1] if spoken else (hand.dealt.dealer, least_bid(position.rules), 0)
    bid = hand.bids[seat] if spoken else made
    if (fact.seat, fact.bid) != (seat, bid):
        yield f"seat {fact.seat} wins the auction with {fact.bid} where the bids are {list(hand.bids)}"
    if fact.forced != _forced(position, hand):
        yield f"it says that the pitcher {'had' if fact.forced else 'did not have'} to take it"
    if fact.max != (made == total):
        yield f"it says that {fact.bid} {'is' if fact.max else 'is not'} all there is to bid"
    if fact.sides != (sides := sides_of(position, fact.seat)):
        due = side_lists(sides)
        yield f"its sides are {side_lists(fact.sides)}, not those of the table with the pitcher's first, {due}"


def _forced(position: Position, hand: HandRead) -> bool:
    """Whether the dealer had it because nobody else would (T10, R-C49)."""
    others = any(bid is not None for _, bid in hand.said[:-1])
    match position.rules.auction.all_pass:
        case AllPass.DEALER_BIDS_LEAST | AllPass.DEALER_BIDS:
            return not others
        case AllPass.DEALER_HAS_IT:
            return all(bid is None for _, bid in hand.said)
        case _:
            return False


def sides_of(position: Position, pitcher: int) -> tuple[Seats, ...]:
    """The sides once there is a pitcher, his own first; alone where he has yet to call (C12, R-C27, R-C32)."""
    partners, seats = position.rules.partners, position.seats
    if partners in (Partners.ALONE, Partners.PAIRS):
        return tuple(sorted(position.opening.sides, key=lambda side: pitcher not in side))
    if partners is Partners.CALL:
        return split_sides((pitcher,), seats)
    return split_sides((pitcher, (pitcher + ORIENTATIONS[partners]) % seats), seats)


def split_sides(side: Seats, seats: int) -> tuple[Seats, ...]:
    """A side and all others, seats ascending."""
    return tuple(sorted(side)), tuple(seat for seat in range(seats) if seat not in side)
