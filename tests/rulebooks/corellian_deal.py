"""A second implementation of Corellian Pitch, from the rule sheet alone: auction, partners, misdeals and discards."""

from collections.abc import Sequence

from tests.rulebooks.corellian import SEATS, Setting, is_point_card, is_trump


def legal_bids(said: Sequence[int], setting: Setting) -> list[int]:
    """R-C5 to R-C7, R-C49, R-C51; `said` from the eldest on, each as scaled. 0 is a pass, also the dealer's."""
    high = next((bid for bid in reversed(said) if bid), 0)
    return [0, *range(max(setting.least, high + 1), setting.total + 1)]


def bidder(said: Sequence[int], eldest: int = 0) -> int:
    """R-C5, R-C23: the last seat that did not pass, even if bids were scaled since; otherwise the dealer."""
    last = max((place for place, bid in enumerate(said) if bid), default=SEATS - 1)
    return (eldest + last) % SEATS


def partner(of: int, orientation: str) -> int:
    """C12, R-C27: the bidder's partner, "across", "left" or "right"."""
    return (of + {"left": 1, "across": 2, "right": 3}[orientation]) % SEATS


def holder(hands: Sequence[Sequence[str]], of: int, card: str) -> int | None:
    """C13, C14, R-C30: the seat that the called card makes the partner; None if the bidder or no seat holds it."""
    return next((seat for seat, own in enumerate(hands) if card in own and seat != of), None)


def misdealt_seats(hands: Sequence[Sequence[str]]) -> list[int]:
    """C4, R-C4: the seats dealt no ace, king, queen, jack or joker."""
    return [seat for seat, own in enumerate(hands) if not any(card[0] in "AKQJX" for card in own)]


def may_discard(
    cards: Sequence[str], thrown: Sequence[str], trump: str, setting: Setting, bidding: bool, called: str | None
) -> bool:
    """R-C3, R-C48: whether these cards can be discarded; `bidding` for the bidder, who has taken the stock.

    Nobody else throws the called card.
    """
    if len(set(thrown)) != len(thrown) or set(thrown) - set(cards):
        return False
    left = [card for card in cards if card not in thrown]
    if len(left) > 6 or (bidding and len(left) != 6):
        return False
    if not bidding and called in thrown:
        return False
    points = [card for card in cards if is_point_card(card, trump, setting) or (card == called and not bidding)]
    return sum(card in left for card in points) == min(6, len(points))


def shown_discards(thrown: Sequence[str], trump: str, setting: Setting) -> list[str]:
    """R-C3, R-C48: the bidder's discards that are shown."""
    return [card for card in thrown if is_trump(card, trump, setting)]
