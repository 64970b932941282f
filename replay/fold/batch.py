"""Reads a whole trick, or all cards of a deal, in one step.

The result is the position that following the facts one by one leads to, except for `past`: positions inside the trick
or deal are missing, so a move inside it can't be taken back.
"""

from domain.cards import Card
from domain.events import Event, TrickTaken
from domain.struct import replace
from replay.fold.hand import HandRead, TrickRead
from replay.fold.position import Change, Position, advance


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
