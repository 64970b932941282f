"""The bidding: which bids are legal, whose turn it is, and who is the pitcher."""

from collections.abc import Sequence

from domain.rules import Around, Auction


def legal_bids(auction: Auction, high: int | None) -> tuple[int, ...]:
    """The bids over `high`, the highest so far (S13, R-S4, R-S5); passing is legal besides."""
    return tuple(bid for bid in auction.bids if high is None or bid > high)


def bidding_order(auction: Auction, eldest: int, seats: int) -> tuple[int, ...]:
    """Every seat once, the eldest hand first (S14, S15, R-S1)."""
    step = 1 if auction.around is Around.LEFT else -1
    return tuple((eldest + step * turn) % seats for turn in range(seats))


def pitcher(bids: Sequence[int | None]) -> int | None:
    """The seat of the highest bid (S32); None when everybody passed. `bids[seat]`, None for a pass."""
    high = max((bid for bid in bids if bid is not None), default=None)
    return None if high is None else list(bids).index(high)


def pitcher_first(sides: Sequence[tuple[int, ...]], seat: int) -> tuple[tuple[int, ...], ...]:
    """`sides` with the pitcher's own in front."""
    return tuple(sorted(sides, key=lambda side: seat not in side))
