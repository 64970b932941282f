"""Checks of deals: the dealer, the counts, and every card, recomputed from the seed that was promised (fairdeal/1).

The shuffled deck is dealt one card at a time from the eldest hand on. The rest is the stock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.cards import RANK, Card
from domain.events import CardsDealt, Event, HandDealt, MisdealDeclared, StockLaid
from domain.events.declaring import add_to
from domain.protocols import fairdeal
from domain.rules.choices import AllPass
from replay.audit.deals.ceremonies import ceremony_key, check_mix, mix_grade, next_hand
from replay.audit.play.checking import CHECKS, checks, recomputed_deal
from replay.fold import CeremonyRead, Position
from replay.fold.validate import is_lower_hex


@dataclass(frozen=True)
class RecomputedDeal:
    """A deal computed from its seed: deck, `cards[seat]` in the order dealt, stock, and the key of its draws."""

    deck: tuple[Card, ...] = field(repr=False)
    cards: tuple[tuple[Card, ...], ...] = field(repr=False)
    stock: tuple[Card, ...] = field(repr=False)
    key: bytes | None = field(default=None, repr=False)


def recompute_deal(
    game: str, ceremony: CeremonyRead, dealt: HandDealt, seed: str, canonical: Sequence[Card]
) -> RecomputedDeal:
    """Return the deal from `seed`; raise ValueError if FairDeal doesn't accept the ceremony's texts or numbers."""
    key = ceremony_key(game, dealt.n, ceremony, seed, dealt.cuts)
    deck = tuple([canonical[place] for place in fairdeal.shuffle(key, "deck", len(canonical))])
    cards, used = hand_out(deck, dealt)
    return RecomputedDeal(deck, cards, deck[used:], key)


def hand_out(deck: Sequence[Card], dealt: HandDealt) -> tuple[tuple[tuple[Card, ...], ...], int]:
    """Return each seat's cards and the number dealt: card i to seat (eldest + i) mod n, until all hands are full."""
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


@add_to(CHECKS, HandDealt)
def _check_deal(position: Position, event: Event[Any], _: object) -> Iterator[str]:
    yield from check_hand_dealt(position, event.data)
    yield from check_mix(position, event.data, event.at)


def check_hand_dealt(position: Position, fact: HandDealt) -> Iterator[str]:
    """Check the ceremony, the hand's number, the dealer, the counts of cards, and the cuts and seals."""
    ceremony, due = position.ceremonies.get(fact.n), next_hand(position)
    if ceremony is None or ceremony.dealt or ceremony.closed or not ceremony.subject.startswith("deal "):
        yield f"it deals from ceremony {fact.n}, which isn't open for a deal"
    if (fact.hand, fact.redeal) != due:
        next_one = f"hand {due[0]}{f' redeal {due[1]}' if due[1] else ''}"
        yield f"it deals hand {fact.hand} redeal {fact.redeal}, but {next_one} is due"
    if fact.dealer != (dealer := _next_dealer(position)):
        yield f"seat {fact.dealer} deals, but seat {dealer} should"
    if fact.eldest != (eldest := (fact.dealer + 1) % position.seats):
        yield f"the eldest hand is seat {fact.eldest}, but should be seat {eldest}"
    yield from _check_counts(position, fact)
    yield from _check_cuts(position, fact, ceremony.seals if ceremony else {})


def _next_dealer(position: Position) -> int:
    """Return the seat that deals next: the one to the left, or the same seat after a misdeal (R-S3, R-C4).

    It's also the same seat after a hand that was thrown in, if the rules say so.
    """
    hand = position.hand
    if hand is None:
        return position.seats - 1 if position.dealer is None else position.dealer
    again = hand.thrown_in and position.rules.auction.all_pass is AllPass.SAME_DEALER
    return hand.dealt.dealer if hand.misdealt or again else (hand.dealt.dealer + 1) % position.seats


def _check_counts(position: Position, fact: HandDealt) -> Iterator[str]:
    size, deck = position.rules.hand_size(max(1, fact.hand)), len(position.opening.deck)
    if any(count != size for count in fact.counts):
        yield f"it deals {list(fact.counts)} cards, but each seat must get {size}"
    if fact.stock != deck - sum(fact.counts):
        yield f"its stock is {fact.stock} cards, but {deck - sum(fact.counts)} of {deck} are left"


def _check_cuts(position: Position, fact: HandDealt, seals: Mapping[str, str]) -> Iterator[str]:
    persons = {str(seat) for seat in position.persons}
    if fact.grade != (grade := mix_grade(seals, fact.cuts, persons)):
        yield f"its grade is {fact.grade}, but its cuts and seals make {grade}"
    sources = {source for source, _ in fact.cuts}
    missing = sorted(int(seat) for seat in seals if seat in persons - sources)
    if list(fact.missing) != missing:
        yield f"it names {list(fact.missing)} as seats without a cut, but these are {missing}"
    if any(not is_lower_hex(cut, 64) for _, cut in fact.cuts):
        yield "a cut isn't 32 bytes in hex"


def check_cards_dealt(position: Position, fact: CardsDealt, laid: int, deal: RecomputedDeal | None) -> Iterator[str]:
    """Check that the seat is the next to get cards, and gets the number recorded and the cards that the seed deals."""
    dealt = position.live.dealt
    if fact.n != dealt.n:
        yield f"it deals from ceremony {fact.n} in a hand dealt from ceremony {dealt.n}"
    if fact.seat != (seat := (dealt.eldest + laid) % position.seats):
        yield f"it deals to seat {fact.seat}, but seat {seat} is next"
    if len(fact.cards) != dealt.counts[fact.seat]:
        yield f"seat {fact.seat} gets {len(fact.cards)} cards, but the deal says {dealt.counts[fact.seat]}"
    others = {card for held in position.live.cards.values() for card in held}
    if others & set(fact.cards) or len(set(fact.cards)) < len(fact.cards):
        yield f"seat {fact.seat} gets a card that was already dealt"
    if deal is not None and fact.cards != deal.cards[fact.seat]:
        yield f"seat {fact.seat} gets other cards than the seed of ceremony {dealt.n} deals"


def check_stock_laid(position: Position, fact: StockLaid, deal: RecomputedDeal | None) -> Iterator[str]:
    """Check the stock: the number of cards recorded, and the cards that the seed leaves, in order."""
    dealt = position.live.dealt
    if fact.n != dealt.n:
        yield f"it lays the stock of ceremony {fact.n} in a hand dealt from ceremony {dealt.n}"
    if len(fact.cards) != dealt.stock:
        yield f"the stock is {len(fact.cards)} cards, but the deal says {dealt.stock}"
    if deal is not None and fact.cards != deal.stock:
        yield f"the stock isn't the one that the seed of ceremony {dealt.n} leaves"


def seats_without_honours(position: Position, cards: Mapping[int, Sequence[Card]]) -> tuple[int, ...]:
    """Return the seats in `cards` that were dealt none of the ranks of which each seat must have one (C4)."""
    must = position.rules.misdeal
    return tuple(seat for seat in sorted(cards) if must and not any(RANK[card] in must for card in cards[seat]))


@checks(MisdealDeclared, given=recomputed_deal)
def check_misdeal_declared(position: Position, fact: MisdealDeclared, deal: RecomputedDeal | None) -> Iterator[str]:
    """Check that exactly the seats without an honor are named, by their cards or by the seed (C4, R-C4)."""
    hand = position.live
    if (fact.hand, fact.redeal) != (hand.dealt.hand, hand.dealt.redeal):
        recorded, due = f"hand {fact.hand} redeal {fact.redeal}", f"hand {hand.dealt.hand} redeal {hand.dealt.redeal}"
        yield f"it declares a misdeal of {recorded} in {due}"
    known = hand.cards if deal is None else dict(enumerate(deal.cards))
    short = seats_without_honours(position, known)
    if (len(known) == position.seats or not fact.seats) and fact.seats != short:
        yield f"it is a misdeal for seats {list(fact.seats)}, but seats {list(short)} have no honor"
    elif any(seat in known and seat not in short for seat in fact.seats):
        yield f"it is a misdeal for seats {list(fact.seats)}, some of which have an honor"
