"""Deals: whose they are, and every card recomputed from the seed that was promised.

The deck is shuffled anew (fairdeal/1) and dealt one card at a time from the eldest hand; what is left is the stock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domain.cards import RANK, Card
from domain.events import CardsDealt, HandDealt, MisdealDeclared, StockLaid
from domain.protocols import fairdeal
from replay.audit.deals.ceremonies import ceremony_key, mix_grade, next_hand
from replay.fold import Position, Promise
from replay.fold.validate import is_lower_hex


@dataclass(frozen=True)
class RecomputedDeal:
    """A deal as its seed makes it: the deck, each seat's cards in the order dealt, the stock, and the draws' key."""

    deck: tuple[Card, ...] = field(repr=False)
    cards: tuple[tuple[Card, ...], ...] = field(repr=False)
    stock: tuple[Card, ...] = field(repr=False)
    key: bytes | None = field(default=None, repr=False)


def recompute_deal(
    game: str, promise: Promise, dealt: HandDealt, seed: str, canonical: Sequence[Card]
) -> RecomputedDeal:
    """The deal of `dealt` from `seed`; ValueError when the ceremony's texts or numbers are none FairDeal takes."""
    key = ceremony_key(game, dealt.n, promise, seed, dealt.cuts)
    deck = tuple([canonical[place] for place in fairdeal.shuffle(key, "deck", len(canonical))])
    cards, used = hand_out(deck, dealt)
    return RecomputedDeal(deck, cards, deck[used:], key)


def hand_out(deck: Sequence[Card], dealt: HandDealt) -> tuple[tuple[tuple[Card, ...], ...], int]:
    """Each seat's cards and how many were dealt: card i to seat (eldest + i) mod n, until every hand is full."""
    seats, size = len(dealt.counts), max(dealt.counts, default=0)
    if 0 < size * seats <= len(deck) and min(dealt.counts) == size:
        used = size * seats
        return tuple([tuple(deck[(seat - dealt.eldest) % seats : used : seats]) for seat in range(seats)]), used
    hands: list[list[Card]] = [[] for _ in dealt.counts]
    seat, used = dealt.eldest, 0
    full = min(len(deck), sum(max(0, count) for count in dealt.counts))
    while used < full:
        if len(hands[seat]) < dealt.counts[seat]:
            hands[seat].append(deck[used])
            used += 1
        seat = (seat + 1) % len(hands)
    return tuple(map(tuple, hands)), used


def check_hand_dealt(position: Position, fact: HandDealt) -> Iterator[str]:
    """Whose deal it is, how many cards, and on what the deal rests."""
    promise, due = position.promises.get(fact.n), next_hand(position)
    if promise is None or promise.dealt or promise.closed or not promise.subject.startswith("deal "):
        yield f"it deals from ceremony {fact.n}, which is not open for a deal"
    if (fact.hand, fact.redeal) != due:
        next_one = f"hand {due[0]}{f' redeal {due[1]}' if due[1] else ''}"
        yield f"it deals hand {fact.hand} redeal {fact.redeal} where {next_one} is due"
    if fact.dealer != (dealer := _next_dealer(position)):
        yield f"seat {fact.dealer} deals where seat {dealer} should"
    if fact.eldest != (eldest := (fact.dealer + 1) % position.seats):
        yield f"the eldest hand is seat {fact.eldest} where it should be seat {eldest}"
    yield from _cards_told(position, fact)
    yield from _basis(position, fact, promise.seals if promise else {})


def _next_dealer(position: Position) -> int:
    """The deal moves left, but a misdeal is dealt again by the same seat (R-S3, R-C4)."""
    if position.hand is None:
        return position.seats - 1 if position.dealer is None else position.dealer
    return (position.hand.dealt.dealer + (not position.hand.misdealt)) % position.seats


def _cards_told(position: Position, fact: HandDealt) -> Iterator[str]:
    size, deck = position.rules.hand_size(max(1, fact.hand)), len(position.opening.deck)
    if any(count != size for count in fact.counts):
        yield f"it deals {list(fact.counts)} cards where each seat gets {size}"
    if fact.stock != deck - sum(fact.counts):
        yield f"its stock is {fact.stock} cards where {deck - sum(fact.counts)} of {deck} are left"


def _basis(position: Position, fact: HandDealt, seals: Mapping[str, str]) -> Iterator[str]:
    persons = {str(seat) for seat in position.persons}
    if fact.grade != (grade := mix_grade(seals, fact.cuts, persons)):
        yield f"its grade is {fact.grade} where cuts and seals make {grade}"
    shown = {source for source, _ in fact.cuts}
    missing = sorted(int(seat) for seat in seals if seat in persons - shown)
    if list(fact.missing) != missing:
        yield f"it names {list(fact.missing)} as missing their cuts where {missing} are"
    if any(not is_lower_hex(cut, 64) for _, cut in fact.cuts):
        yield "a cut is not 32 bytes in hex"


def check_cards_dealt(position: Position, fact: CardsDealt, laid: int, deal: RecomputedDeal | None) -> Iterator[str]:
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


def check_stock_laid(position: Position, fact: StockLaid, deal: RecomputedDeal | None) -> Iterator[str]:
    """The cards nobody got, in order."""
    told = position.live.dealt
    if fact.n != told.n:
        yield f"it lays the stock of ceremony {fact.n} in a hand dealt from {told.n}"
    if len(fact.cards) != told.stock:
        yield f"the stock is {len(fact.cards)} cards where {told.stock} were told"
    if deal is not None and fact.cards != deal.stock:
        yield f"the stock is not the one the seed of ceremony {told.n} leaves"


def seats_without_honours(position: Position, cards: Mapping[int, Sequence[Card]]) -> tuple[int, ...]:
    """The seats, of those whose `cards` are given, that were dealt none of the ranks everybody must have (C4)."""
    must = position.rules.misdeal
    return tuple(seat for seat in sorted(cards) if must and not any(RANK[card] in must for card in cards[seat]))


def check_misdeal_declared(position: Position, fact: MisdealDeclared, deal: RecomputedDeal | None) -> Iterator[str]:
    """Just the seats that were dealt no honour, by their cards or by the seed (C4, R-C4)."""
    hand = position.live
    if (fact.hand, fact.redeal) != (hand.dealt.hand, hand.dealt.redeal):
        yield f"hand {fact.hand} redeal {fact.redeal} is a misdeal in hand {hand.dealt.hand} redeal {hand.dealt.redeal}"
    known = hand.cards if deal is None else dict(enumerate(deal.cards))
    short = seats_without_honours(position, known)
    if (len(known) == position.seats or not fact.seats) and fact.seats != short:
        yield f"it is a misdeal for seats {list(fact.seats)} where seats {list(short)} have no honour"
    elif any(seat in known and seat not in short for seat in fact.seats):
        yield f"it is a misdeal for seats {list(fact.seats)}, some of which have an honour"
