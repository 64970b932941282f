"""Reading at one go what belongs together: a trick from its first card to its taker, a deal with all its cards.

The position is the one that following the facts one by one leads to, but for `past`: there is none within the trick or
the deal, so a move in it cannot be taken back.
"""

from domain.cards import Card
from domain.events import Event, TrickTaken
from domain.struct import replace
from replay.fold.position import Change, HandRead, Position, TrickRead, advance


def read_trick(position: Position, taken: Event[TrickTaken]) -> Position:
    """After a whole trick: `taken` and, before it, a card of each seat, none of which lay on the table yet."""
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
    change: Change = {"version": taken.version, "at": taken.at, "past": position, "hand": hand, "asked": None}
    change |= {"turn": fact.next, "awaited": fact.next or (fact.plays[-1].seat,)}
    change |= {"since": taken.at, "began": taken.version, "reminded": ()}
    return advance(position, change)


def _without(held: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = held.index(card)
    return held[:at] + held[at + 1 :]


def _piled(hand: HandRead, fact: TrickTaken) -> tuple[tuple[Card, ...], ...]:
    """What each seat has taken: all of the trick goes to one, but for what is kept."""
    piles = list(hand.taken)
    for play in fact.plays:
        piles[play.seat if play in fact.kept else fact.seat] += (play.card,)
    return tuple(piles)


def read_deal(position: Position, last: Event[object], cards: Change) -> Position:
    """After the cards of a whole deal, of which `last` is the last event; they make `cards` and `stock` of the hand."""
    hand = replace(position.live, **cards)
    return advance(position, {"version": last.version, "at": last.at, "past": position, "hand": hand})
