"""Checks of FairDeal's other draws: seats, the first dealer and the coin, drawn again from the seed."""

from collections.abc import Iterator

from domain.events import CoinFlipped, DealerDrawn, SeatsDrawn
from domain.protocols import fairdeal
from replay.audit.play.checking import ceremony_key, checks
from replay.audit.play.randomizer import pick
from replay.audit.scoring.endings import tied_seats
from replay.fold import Position


@checks(SeatsDrawn, given=ceremony_key)
def check_seats_drawn(position: Position, fact: SeatsDrawn, key: bytes | None) -> Iterator[str]:
    """Check that the order of the seats is the shuffle of ceremony 0 (R-B1)."""
    yield from _check_ceremony(position, fact.n)
    if key is not None and list(fact.order) != (order := fairdeal.shuffle(key, "seats", position.seats)):
        yield f"its order is {list(fact.order)}, but ceremony {fact.n} draws {order}"


@checks(DealerDrawn, given=ceremony_key)
def check_dealer_drawn(position: Position, fact: DealerDrawn, key: bytes | None) -> Iterator[str]:
    """Check that the first dealer is the pick of ceremony 0 (R-T1, R-C8)."""
    yield from _check_ceremony(position, fact.n)
    if key is not None and fact.seat != (seat := fairdeal.pick(key, "dealer", position.seats)):
        yield f"its dealer is seat {fact.seat}, but ceremony {fact.n} draws seat {seat}"


def _check_ceremony(position: Position, n: int) -> Iterator[str]:
    ceremony = position.ceremonies.get(n)
    if ceremony is None or ceremony.subject != "game" or ceremony.closed:
        yield f"it draws from ceremony {n}, which isn't open for seats or dealer"


@checks(CoinFlipped, given=ceremony_key)
def check_coin_flipped(position: Position, fact: CoinFlipped, key: bytes | None) -> Iterator[str]:
    """Check that the coin is between the seats still tied, and falls as its ceremony draws it (B26, R-B12)."""
    ceremony, seats = position.ceremonies.get(fact.n), tied_seats(position)
    if ceremony is None or ceremony.subject != "coin" or ceremony.closed:
        yield f"it draws from ceremony {fact.n}, which isn't open for a coin"
    if fact.seats != seats:
        yield f"the coin is between seats {list(fact.seats)}, but seats {list(seats)} are tied"
    if fact.winner not in fact.seats:
        yield f"seat {fact.winner} wins the coin, but isn't one of its seats"
    elif key is not None and fact.winner != (seat := fact.seats[pick(key, "coin", len(fact.seats)) or 0]):
        yield f"the coin goes to seat {fact.winner}, but ceremony {fact.n} draws seat {seat}"
