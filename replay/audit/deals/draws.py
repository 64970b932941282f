"""What FairDeal draws besides decks, drawn again from the seed: seats, the first dealer and the coin."""

from collections.abc import Iterator

from domain.events import CoinFlipped, DealerDrawn, SeatsDrawn
from domain.protocols import fairdeal
from replay.audit.play.randomizer import pick
from replay.audit.scoring.endings import tied_seats
from replay.fold import Position


def check_seats_drawn(position: Position, fact: SeatsDrawn, key: bytes | None) -> Iterator[str]:
    """The order of the seats is the shuffle of ceremony 0 (R-B1)."""
    yield from _of_the_game(position, fact.n)
    if key is not None and list(fact.order) != (order := fairdeal.shuffle(key, "seats", position.seats)):
        yield f"its order is {list(fact.order)} where ceremony {fact.n} draws {order}"


def check_dealer_drawn(position: Position, fact: DealerDrawn, key: bytes | None) -> Iterator[str]:
    """The first dealer is the pick of ceremony 0 (R-T1, R-C8)."""
    yield from _of_the_game(position, fact.n)
    if key is not None and fact.seat != (seat := fairdeal.pick(key, "dealer", position.seats)):
        yield f"its dealer is seat {fact.seat} where ceremony {fact.n} draws seat {seat}"


def _of_the_game(position: Position, n: int) -> Iterator[str]:
    promise = position.promises.get(n)
    if promise is None or promise.subject != "game" or promise.closed:
        yield f"it draws from ceremony {n}, which is not open for seats or dealer"


def check_coin_flipped(position: Position, fact: CoinFlipped, key: bytes | None) -> Iterator[str]:
    """A coin between those who are still tied, as its own ceremony draws it (B26, R-B12)."""
    promise, seats = position.promises.get(fact.n), tied_seats(position)
    if promise is None or promise.subject != "coin" or promise.closed:
        yield f"it draws from ceremony {fact.n}, which is not open for a coin"
    if fact.seats != seats:
        yield f"the coin is between seats {list(fact.seats)} where seats {list(seats)} are tied"
    if fact.winner not in fact.seats:
        yield f"seat {fact.winner} wins a coin it has no part in"
    elif key is not None and fact.winner != (seat := fact.seats[pick(key, "coin", len(fact.seats)) or 0]):
        yield f"the coin goes to seat {fact.winner} where ceremony {fact.n} draws seat {seat}"
