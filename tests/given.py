"""given(facts).when(command).then(facts): tests that read like the rules. `trickbook.testing` has it for everybody.

given(*deal("4 players")).when(MakeBid(0, 3)).then(BidMade(0, 3, next=(1,)))
given(*facts).when(PlayCard(1, "2C")).rejected(MustFollow)
"""

from domain.events import AuctionWon, BidMade, BidPassed, Fact
from trickbook.testing import AT, GAME, SEED, Given, When, cards, deal, events, game_opened, given, state_of

__all__ = [
    "AT", "GAME", "SEED", "Given", "When", "auction", "cards", "deal", "events", "game_opened", "given", "state_of",
]  # fmt: skip


def auction(*bids: int, eldest: int = 0) -> tuple[Fact, ...]:
    """Return the facts of an auction of Pitch from the eldest hand on, 0 for a pass, won by the highest bid."""
    seats, high = len(bids), max(bids)
    order = [(eldest + turn) % seats for turn in range(seats)]
    won = order[bids.index(high)]
    said: list[Fact] = []
    for seat, bid in zip(order, bids, strict=True):
        after: tuple[int, ...] = () if seat == order[-1] else ((seat + 1) % seats,)
        said.append(BidMade(seat, bid, after) if bid else BidPassed(seat, after))
    sides = ((won,), *((seat,) for seat in range(seats) if seat != won))
    return *said, AuctionWon(won, high, forced=False, max=high == 5, sides=sides, next=(won,))
