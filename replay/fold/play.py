"""Readers of the auction, the exchange, the play and the score, and of a whole trick or deal in one step.

The result of one step is the position that following the facts one by one leads to, except for `past`: positions inside
the trick or deal are missing, so a move inside it can't be taken back.
"""

from collections.abc import Mapping

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    Event,
    HandScored,
    HandThrownIn,
    PartnerCalled,
    PartnerRevealed,
    Play,
    StockTaken,
    TrickTaken,
    TrumpNamed,
    TrumpPitched,
)
from domain.rules.choices import Partners
from domain.struct import replace
from replay.fold.declaring import Role, reads
from replay.fold.hand import HandRead, TrickRead
from replay.fold.position import Change, Position, advance


@reads(Role.MOVE, BidMade, BidPassed)
def read_call(position: Position, fact: BidMade | BidPassed) -> Change:
    """Add a bid or pass."""
    bid = fact.bid if isinstance(fact, BidMade) else None
    hand = position.live
    calls = (*hand.calls, (fact.seat, bid))
    hand = replace(hand, calls=calls, totals=(*hand.totals, position.rules.total), turns=hand.turns + 1)
    return {"hand": hand, "turn": fact.next, "proposal": None}


@reads(Role.TABLE, AuctionWon)
def read_auction_won(position: Position, fact: AuctionWon) -> Change:
    """Set the pitcher and the sides."""
    return {"hand": replace(position.live, won=fact, sides=fact.sides), "turn": fact.next, "proposal": None}


@reads(Role.TABLE, HandThrownIn)
def read_thrown_in(position: Position, fact: HandThrownIn) -> Change:
    """End a hand that every seat passed."""
    return {"hand": replace(position.live, over=True, thrown_in=True), "turn": ()}


@reads(Role.MOVE, TrumpNamed)
def read_trump_named(position: Position, fact: TrumpNamed) -> Change:
    """Set the trump that the pitcher names."""
    hand = position.live
    return {"hand": replace(hand, trump=fact.suit, turns=hand.turns + 1), "turn": fact.next, "proposal": None}


@reads(Role.MOVE, PartnerCalled)
def read_partner_called(position: Position, fact: PartnerCalled) -> Change:
    """Set the called card; it counts from the next trick that begins."""
    hand = position.live
    counts_from = len(hand.takers) + (2 if hand.table else 1)
    hand = replace(hand, called=fact.card, called_from=counts_from, turns=hand.turns + 1)
    return {"hand": hand, "turn": fact.next, "proposal": None}


@reads(Role.TABLE, PartnerRevealed)
def read_partner_revealed(position: Position, fact: PartnerRevealed) -> Change:
    """Set the sides: the call has taken effect."""
    return {"hand": replace(position.live, sides=fact.sides, settled=True), "turn": fact.next, "proposal": None}


def change_partners(hand: HandRead, partners: Partners) -> HandRead:
    """Return the hand after a change of how partners are chosen: an earlier call is void (R-C62)."""
    late = partners is Partners.CALL and hand.trump is not None
    return replace(hand, called=None, called_from=0, settled=False, mid_hand=late)


@reads(Role.MOVE, CardsDiscarded)
def read_discards(position: Position, fact: CardsDiscarded) -> Change:
    """Remove discards from a hand; everybody knows the cards shown."""
    hand = _without_discards(position.live, fact.seat, fact.shown)
    hand = replace(
        hand,
        counts=_add_to_count(hand, fact.seat, -fact.count),
        discarded=(*hand.discarded, fact.seat),
        thrown=hand.thrown + fact.count,
        shown=fact.shown,
        filled=False,
        unburied=fact.count - len(fact.shown),
        turns=hand.turns + 1,
    )
    return {"hand": hand, "turn": fact.next, "proposal": None}


def _without_discards(hand: HandRead, seat: int, cards: tuple[Card, ...]) -> HandRead:
    return replace(hand, cards=_without_cards(hand, seat, cards), out=(*hand.out, *cards))


def _without_cards(hand: HandRead, seat: int, cards: tuple[Card, ...]) -> Mapping[int, tuple[Card, ...]]:
    """Return the known hands without these cards of a seat."""
    held = hand.cards.get(seat)
    return hand.cards if held is None else {**hand.cards, seat: tuple([card for card in held if card not in cards])}


def _add_to_count(hand: HandRead, seat: int, more: int) -> tuple[int, ...]:
    counts = list(hand.counts)
    counts[seat] += more
    return tuple(counts)


@reads(Role.CARDS, CardsBuried)
def read_buried_cards(position: Position, fact: CardsBuried) -> Change:
    """Set the cards that were discarded face down."""
    return {"hand": replace(_without_discards(position.live, fact.seat, fact.cards), unburied=0)}


@reads(Role.CARDS, CardsDrawn, StockTaken)
def read_stock_taken(position: Position, fact: CardsDrawn | StockTaken) -> Change:
    """Move `count` cards from the front of the stock to a seat."""
    hand = position.live
    more = replace(
        hand,
        counts=_add_to_count(hand, fact.seat, fact.count),
        stock_left=hand.stock_left - fact.count,
        untaken=fact.count,
        filled=True,
    )
    turn: Change = {"turn": fact.next, "proposal": None} if isinstance(fact, StockTaken) else {}
    return {"hand": more, **turn}


@reads(Role.CARDS, CardsTaken)
def read_taken_cards(position: Position, fact: CardsTaken) -> Change:
    """Set the cards that a seat took from the stock."""
    hand = position.live
    known = {seat: (*own, *(fact.cards if seat == fact.seat else ())) for seat, own in hand.cards.items()}
    stock = None if hand.stock is None else hand.stock[len(fact.cards) :]
    return {"hand": replace(hand, cards=known, stock=stock, untaken=None)}


def skip_withheld_cards(hand: HandRead, fact: str) -> HandRead:
    """Return the hand after a withheld fact."""
    if fact == "CardsBuried":
        return replace(hand, unburied=0)
    return replace(hand, untaken=None) if fact == "CardsTaken" else hand


@reads(Role.MOVE, TrumpPitched)
def read_trump_pitched(position: Position, fact: TrumpPitched) -> Change:
    """Set trump to the suit of the pitcher's first card."""
    return {"hand": replace(position.live, trump=fact.suit, marker=fact.card), "proposal": None}


@reads(Role.MOVE, CardPlayed)
def read_card_played(position: Position, fact: CardPlayed) -> Change:
    """Move a card from a hand to the table."""
    hand = position.live
    cards = _without_cards(hand, fact.seat, (fact.card,))
    table, counts = (*hand.table, Play(fact.seat, fact.card)), _add_to_count(hand, fact.seat, -1)
    hand = replace(hand, counts=counts, cards=cards, table=table, turns=hand.turns + 1)
    return {"hand": hand, "turn": fact.next, "proposal": None}


@reads(Role.TABLE, TrickTaken)
def read_trick_taken(position: Position, fact: TrickTaken) -> Change:
    """Give the trick to its taker, except for the kept cards."""
    hand = position.live
    piles = [list(pile) for pile in hand.taken]
    for each in fact.plays:
        piles[each.seat if each in fact.kept else fact.seat].append(each.card)
    hand = replace(
        hand,
        table=(),
        taken=tuple(map(tuple, piles)),
        takers=(*hand.takers, fact.seat),
        gathered=(*hand.gathered, TrickRead(fact.seat, fact.plays, fact.kept, position.rules)),
    )
    return {"hand": hand, "turn": fact.next, "proposal": None}


@reads(Role.TABLE, HandScored)
def read_hand_scored(position: Position, fact: HandScored) -> Change:
    """Set the result of the hand and the scores."""
    hits = [bid == tricks for bid, tricks in zip(fact.bids, fact.tricks, strict=True)]
    exact = tuple(count + hit for count, hit in zip(position.exact, hits, strict=True))
    hand = replace(position.live, over=True)
    return {"hand": hand, "turn": (), "scores": fact.scores, "exact": exact, "made": fact.made}


def read_trick(position: Position, taken: Event[TrickTaken]) -> Position:
    """Return the position after a whole trick: one card of each seat on an empty table, and then `taken`."""
    fact, hand = taken.data, position.live
    played = {each.seat: each.card for each in fact.plays}
    hand = replace(
        hand,
        counts=tuple([count - 1 for count in hand.counts]),
        cards={seat: _without(held, played[seat]) for seat, held in hand.cards.items()},
        taken=_piled(hand, fact),
        takers=(*hand.takers, fact.seat),
        gathered=(*hand.gathered, TrickRead(fact.seat, fact.plays, fact.kept, position.rules)),
        turns=hand.turns + len(fact.plays),
    )
    change: Change = {"version": taken.version, "at": taken.at, "past": position, "hand": hand, "proposal": None}
    change |= {"turn": fact.next, "awaited": fact.next or (fact.plays[-1].seat,)}
    change |= {"since": taken.at, "began": taken.version, "reminded": (), "held_ms": 0}
    return advance(position, change)


def _without(held: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = held.index(card)
    return held[:at] + held[at + 1 :]


def _piled(hand: HandRead, fact: TrickTaken) -> tuple[tuple[Card, ...], ...]:
    """Return the cards each seat has taken: the taker gets all cards of the trick but those in `kept`."""
    piles = list(hand.taken)
    for play in fact.plays:
        piles[play.seat if play in fact.kept else fact.seat] += (play.card,)
    return tuple(piles)


def read_deal(position: Position, last: Event[object], cards: Change) -> Position:
    """Return the position after all cards of a deal; `last` is its last event, `cards` sets `cards` and `stock`."""
    hand = replace(position.live, **cards)
    return advance(position, {"version": last.version, "at": last.at, "past": position, "hand": hand})
