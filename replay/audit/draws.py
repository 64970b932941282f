"""What FairDeal draws besides decks, drawn again from the seed: seats, the first dealer, the coin, the randomizer."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.events import CoinFlipped, DealerDrawn, SeatsDrawn
from domain.protocols import fairdeal
from domain.rules.choices import Stop
from replay.audit.endings import tied
from replay.audit.rule_menu import entries
from replay.fold import HandRead, Position


class Moment(NamedTuple):
    """What the randomizer draws before a turn: whether the session ends, whether a rule changes; None: not known."""

    ends: bool | None
    changes: bool | None


QUIET = Moment(False, False)


def moment(position: Position, key: bytes | None) -> Moment:
    """What it draws now, by the deal's `key`: the end first, then a change, once each turn (R-C45, R-C46)."""
    chance, hand = position.rules.changes.randomizer, position.hand
    if chance is None or hand is None or hand.over:
        return QUIET
    at_once = chance.end is not None and position.rules.stop is Stop.AT_ONCE
    ends = _fires(key, f"randomizer {hand.turns} end", chance.end) if at_once else False
    may_change = hand.drawn != hand.turns and bool(entries(position))
    changes = _fires(key, f"randomizer {hand.turns} when", chance.when) if may_change else False
    return Moment(ends, changes)


def _fires(key: bytes | None, label: str, odds: tuple[int, int] | None) -> bool | None:
    """Whether a chance comes true; None where the seed is not known, False for odds that are none."""
    if key is None:
        return None
    try:
        return odds is not None and fairdeal.chance(key, label, *odds)
    except ValueError:
        return False


def last_call(position: Position, hand: HandRead, key: bytes | None) -> list[str] | None:
    """The labels under which the randomizer has ended a session that plays its hand out; None where it is not known."""
    chance = position.rules.changes.randomizer
    if chance is None or chance.end is None or position.rules.stop is Stop.AT_ONCE:
        return []
    if key is None:
        return None
    labels = [f"randomizer {turn} end" for turn in range(hand.turns)]
    return [label for label in labels if _fires(key, label, chance.end)]


def drawn(key: bytes, label: str, of: int) -> int | None:
    """Which of `of` a draw picks; None for a number nothing can be picked from."""
    try:
        return fairdeal.pick(key, label, of)
    except ValueError:
        return None


def seats_drawn(position: Position, fact: SeatsDrawn, key: bytes | None) -> Iterator[str]:
    """The order of the seats is the shuffle of ceremony 0 (R-B1)."""
    yield from _of_the_game(position, fact.n)
    if key is not None and list(fact.order) != (order := fairdeal.shuffle(key, "seats", position.seats)):
        yield f"its order is {list(fact.order)} where ceremony {fact.n} draws {order}"


def dealer_drawn(position: Position, fact: DealerDrawn, key: bytes | None) -> Iterator[str]:
    """The first dealer is the pick of ceremony 0 (R-T1, R-C8)."""
    yield from _of_the_game(position, fact.n)
    if key is not None and fact.seat != (seat := fairdeal.pick(key, "dealer", position.seats)):
        yield f"its dealer is seat {fact.seat} where ceremony {fact.n} draws seat {seat}"


def _of_the_game(position: Position, n: int) -> Iterator[str]:
    promise = position.promises.get(n)
    if promise is None or promise.subject != "game" or promise.closed:
        yield f"it draws from ceremony {n}, which is not open for seats or dealer"


def coin_flipped(position: Position, fact: CoinFlipped, key: bytes | None) -> Iterator[str]:
    """A coin between those who are still tied, as its own ceremony draws it (B26, R-B12)."""
    promise, seats = position.promises.get(fact.n), tied(position)
    if promise is None or promise.subject != "coin" or promise.closed:
        yield f"it draws from ceremony {fact.n}, which is not open for a coin"
    if fact.seats != seats:
        yield f"the coin is between seats {list(fact.seats)} where seats {list(seats)} are tied"
    if fact.winner not in fact.seats:
        yield f"seat {fact.winner} wins a coin it has no part in"
    elif key is not None and fact.winner != (seat := fact.seats[drawn(key, "coin", len(fact.seats)) or 0]):
        yield f"the coin goes to seat {fact.winner} where ceremony {fact.n} draws seat {seat}"
