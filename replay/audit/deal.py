"""Ceremonies and deals: promised, dealt, revealed or voided, each once and in order, and every card recomputed.

A seed is tested against its commitment, the deck is shuffled anew from it (fairdeal/1), and dealt one card at a time
from the eldest hand; what is left is the stock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domain import fairdeal
from domain.cards import Card
from domain.events import (
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    HandDealt,
    SeedKept,
    StockLaid,
)
from domain.rules import FirstDealer
from replay.fold import Position, Promise
from replay.shape import is_hex


@dataclass(frozen=True)
class Recomputed:
    """A deal as its seed makes it: the deck, each seat's cards in the order dealt, and the stock."""

    deck: tuple[Card, ...] = field(repr=False)
    cards: tuple[tuple[Card, ...], ...] = field(repr=False)
    stock: tuple[Card, ...] = field(repr=False)


def recomputed(game: str, promise: Promise, dealt: HandDealt, seed: str, canonical: Sequence[Card]) -> Recomputed:
    """The deal of `dealt` from `seed`; ValueError when the ceremony's texts or numbers are none FairDeal takes."""
    cuts = [(source, bytes.fromhex(cut)) for source, cut in dealt.cuts]
    key = fairdeal.key(game, dealt.n, promise.subject, bytes.fromhex(seed), cuts)
    deck = tuple(canonical[place] for place in fairdeal.shuffle(key, "deck", len(canonical)))
    cards, used = hand_out(deck, dealt)
    return Recomputed(deck, cards, deck[used:])


def hand_out(deck: Sequence[Card], dealt: HandDealt) -> tuple[tuple[tuple[Card, ...], ...], int]:
    """Each seat's cards and how many were dealt: card i to seat (eldest + i) mod n, until every hand is full."""
    hands: list[list[Card]] = [[] for _ in dealt.counts]
    seat, used = dealt.eldest, 0
    while used < len(deck) and any(len(hand) < count for hand, count in zip(hands, dealt.counts, strict=True)):
        if len(hands[seat]) < dealt.counts[seat]:
            hands[seat].append(deck[used])
            used += 1
        seat = (seat + 1) % len(hands)
    return tuple(map(tuple, hands)), used


def keeps(game: str, n: int, promise: Promise, seed: str) -> bool:
    """Whether `seed` is the one `promise` committed to."""
    try:
        return fairdeal.commit(game, n, promise.subject, bytes.fromhex(seed)).hex() == promise.commit
    except ValueError:
        return False


def opened(position: Position, fact: CeremonyOpened) -> Iterator[str]:
    """A ceremony opens when the one before has dealt, under the next number, for the next deal."""
    last = max(position.promises, default=0)
    if fact.n != last + 1:
        yield f"ceremony {fact.n} opens after ceremony {last}"
    if any(not each.dealt and not each.closed for each in position.promises.values()):
        yield f"ceremony {fact.n} opens while another has not dealt"
    if fact.subject != (subject := f"deal hand {_next_hand(position)}"):
        yield f'its subject is "{fact.subject}" but "{subject}" is due'
    if any(not is_hex(seal, 64) for seal in fact.seals.values()):
        yield "a seal is not 32 bytes in hex"


def _next_hand(position: Position) -> int:
    return position.hand.dealt.hand + 1 if position.hand else 1


def kept(position: Position, fact: SeedKept, game: str) -> Iterator[str]:
    """The seed stands directly behind its commitment, and fits it."""
    if fact.n != max(position.promises, default=0):
        yield f"it keeps a seed for ceremony {fact.n}, which was not just opened"
    elif not keeps(game, fact.n, position.promises[fact.n], fact.seed):
        yield f"its seed does not match the commitment of ceremony {fact.n}"


def dealt(position: Position, fact: HandDealt) -> Iterator[str]:
    """Whose deal it is, how many cards, and on what the deal rests."""
    promise = position.promises.get(fact.n)
    if promise is None or promise.dealt or promise.closed:
        yield f"it deals from ceremony {fact.n}, which is not open for a deal"
    if (fact.hand, fact.redeal) != (_next_hand(position), 0):
        yield f"it deals hand {fact.hand} redeal {fact.redeal} where hand {_next_hand(position)} is due"
    if fact.dealer != (dealer := _next_dealer(position)):
        yield f"seat {fact.dealer} deals where seat {dealer} should"
    if fact.eldest != (eldest := (fact.dealer + 1) % position.seats):
        yield f"the eldest hand is seat {fact.eldest} where it should be seat {eldest}"
    if fact.next != (fact.eldest,):
        yield f"the turn goes to {list(fact.next)} and not to the eldest hand"
    yield from _cards_told(position, fact)
    yield from _basis(position, fact, promise.seals if promise else {})


def _next_dealer(position: Position) -> int:
    if position.hand is not None:
        return (position.hand.dealt.dealer + 1) % position.seats
    return {FirstDealer.LAST_SEAT: position.seats - 1}[position.opening.rules.first_dealer]


def _cards_told(position: Position, fact: HandDealt) -> Iterator[str]:
    size, deck = position.opening.rules.hand_size(max(1, fact.hand)), len(position.opening.deck)
    if any(count != size for count in fact.counts):
        yield f"it deals {list(fact.counts)} cards where each seat gets {size}"
    if fact.stock != deck - sum(fact.counts):
        yield f"its stock is {fact.stock} cards where {deck - sum(fact.counts)} of {deck} are left"


def _basis(position: Position, fact: HandDealt, seals: Mapping[str, str]) -> Iterator[str]:
    persons = {str(seat) for seat in position.persons}
    if fact.grade != (grade := earned(seals, fact.cuts, persons)):
        yield f"its grade is {fact.grade} where cuts and seals make {grade}"
    shown = {source for source, _ in fact.cuts}
    missing = sorted(int(seat) for seat in seals if seat in persons - shown)
    if list(fact.missing) != missing:
        yield f"it names {list(fact.missing)} as missing their cuts where {missing} are"
    if any(not is_hex(cut, 64) for _, cut in fact.cuts):
        yield "a cut is not 32 bytes in hex"


def earned(seals: Mapping[str, str], cuts: Sequence[tuple[str, str]], persons: set[str]) -> str:
    """The grade of a deal: F0 without cuts, F1 with one, F2 where each person sealed and cut, F3 with a beacon too."""
    sources = {source for source, _ in cuts}
    if not sources & persons:
        return "F0"
    if not persons <= sources & set(seals):
        return "F1"
    return "F3" if any(not source.isdecimal() for source in sources) else "F2"


def cards_dealt(position: Position, fact: CardsDealt, laid: int, deal: Recomputed | None) -> Iterator[str]:
    """A seat's cards: the seat whose turn it is to get them, as many as told, and the ones the seed deals."""
    told = position.live.dealt
    if fact.n != told.n:
        yield f"it deals from ceremony {fact.n} in a hand dealt from {told.n}"
    if fact.seat != (seat := (told.eldest + laid) % position.seats):
        yield f"it deals to seat {fact.seat} where seat {seat} comes next"
    if len(fact.cards) != told.counts[fact.seat]:
        yield f"seat {fact.seat} gets {len(fact.cards)} cards where {told.counts[fact.seat]} were told"
    others = {card for held in position.live.cards.values() for card in held}
    if others & set(fact.cards) or len(set(fact.cards)) < len(fact.cards):
        yield f"seat {fact.seat} gets a card that has been dealt already"
    if deal is not None and fact.cards != deal.cards[fact.seat]:
        yield f"seat {fact.seat} gets other cards than the seed of ceremony {told.n} deals"


def stock_laid(position: Position, fact: StockLaid, deal: Recomputed | None) -> Iterator[str]:
    """The cards nobody got, in order."""
    told = position.live.dealt
    if fact.n != told.n:
        yield f"it lays the stock of ceremony {fact.n} in a hand dealt from {told.n}"
    if len(fact.cards) != told.stock:
        yield f"the stock is {len(fact.cards)} cards where {told.stock} were told"
    if deal is not None and fact.cards != deal.stock:
        yield f"the stock is not the one the seed of ceremony {told.n} leaves"


def revealed(position: Position, fact: CeremonyRevealed, game: str) -> Iterator[str]:
    """A deal is revealed once, with the seed that was promised."""
    promise = position.promises.get(fact.n)
    if promise is None or not promise.dealt or promise.closed:
        yield f"it reveals ceremony {fact.n}, which is not there to be revealed"
    else:
        yield from _same_seed(promise, fact.n, fact.seed, game)


def voided(position: Position, fact: CeremonyVoided, game: str) -> Iterator[str]:
    """A ceremony that never dealt is voided by the table, with the seed that was promised."""
    promise = position.promises.get(fact.n)
    if (fact.reason, fact.by) != ("ended", "server"):
        yield f'it is voided by {fact.by}, "{fact.reason}", where the table voids what the end overtook'
    if promise is None or promise.dealt or promise.closed:
        yield f"it voids ceremony {fact.n}, which is not there to be voided"
    else:
        yield from _same_seed(promise, fact.n, fact.seed, game)


def _same_seed(promise: Promise, n: int, seed: str, game: str) -> Iterator[str]:
    if promise.seed is not None and promise.seed != seed:
        yield f"its seed is not the one kept for ceremony {n}"
    if not keeps(game, n, promise, seed):
        yield f"its seed does not match the commitment of ceremony {n}"
