"""The sides: which seats play together."""

from domain.events import Seats
from domain.rules.choices import FIXED_PARTNERS, ORIENTATIONS, Partners
from domain.rules.model import Rules
from domain.state import Hand


def current_sides(rules: Rules, hand: Hand) -> tuple[Seats, ...]:
    """Return the current sides of the hand; the table's own sides before there is a pitcher."""
    return hand.sides or rules.sides(len(hand.counts))


def bidding_side(rules: Rules, hand: Hand) -> Seats:
    """Return the pitcher's current side; () without a pitcher."""
    return next((side for side in current_sides(rules, hand) if hand.pitcher in side), ())


def sides_for_pitcher(rules: Rules, pitcher: int, seats: int) -> tuple[Seats, ...]:
    """Return the sides, the pitcher's first. A pitcher who calls is alone until the call takes effect (R-C32)."""
    if rules.partners in FIXED_PARTNERS:
        return tuple(sorted(rules.sides(seats), key=lambda side: pitcher not in side))
    return sides_with_partner(pitcher, partner_by_position(rules, pitcher, seats), seats)


def partner_by_position(rules: Rules, pitcher: int, seats: int) -> int | None:
    """Return the seat that position makes the pitcher's partner (C12, R-C27); None if the pitcher calls one."""
    return None if rules.partners is Partners.CALL else (pitcher + ORIENTATIONS[rules.partners]) % seats


def sides_with_partner(pitcher: int, partner: int | None, seats: int) -> tuple[Seats, ...]:
    """Return the pitcher and their partner, if any, against the others; seats ascending (C12, R-C32)."""
    own = tuple(sorted({pitcher} if partner is None else {pitcher, partner}))
    return own, tuple(seat for seat in range(seats) if seat not in own)
