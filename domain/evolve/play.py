"""Folding the auction, the cards and the score."""

from domain.cards import RANK, Card, sort_cards
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
    StockTaken,
    TrickTaken,
    TrumpNamed,
    TrumpPitched,
)
from domain.evolve.helpers import after, aside, before, move, past, play, put, without
from domain.state import Gathered, Hand, State, dealt_hand, joined
from domain.struct import replace


def bid(state: State, event: Event[BidMade]) -> State:
    """A seat has bid; in an auction that rises the last bid is the highest."""
    hand, spoken = dealt_hand(state), event.data
    called = replace(
        hand,
        bids=put(hand.bids, spoken.seat, spoken.bid),
        first_bids=put(hand.first_bids, spoken.seat, (spoken.bid, state.rules.version)),
        high=spoken.seat,
        asked=hand.asked + 1,
        turns=hand.turns + 1,
    )
    return move(state, event, called)


def passed(state: State, event: Event[BidPassed]) -> State:
    """A seat has passed."""
    hand = dealt_hand(state)
    return move(state, event, replace(hand, asked=hand.asked + 1, turns=hand.turns + 1))


def hand_over(state: State, event: Event[HandThrownIn | HandScored]) -> State:
    """Nothing more is played in this hand."""
    hand = replace(dealt_hand(state), over=True)
    ends = past(state, hand, getattr(event.data, "changes", None))
    return after(state, event, hand=hand, turn=(), before=None, moved=event.version, past=ends)


def auction_won(state: State, event: Event[AuctionWon]) -> State:
    """There is a pitcher; who was forced has made his bid now."""
    won, hand = event.data, dealt_hand(state)
    first = put(hand.first_bids, won.seat, hand.first_bids[won.seat] or (won.bid, state.rules.version))
    hand = replace(hand, pitcher=won.seat, bid=won.bid, max=won.max, sides=won.sides, lead=won.seat, first_bids=first)
    return play(state, event, hand)


def trump_named(state: State, event: Event[TrumpNamed]) -> State:
    """The pitcher has named trump."""
    hand = dealt_hand(state)
    return move(state, event, replace(hand, trump=event.data.suit, turns=hand.turns + 1))


def partner_called(state: State, event: Event[PartnerCalled]) -> State:
    """The pitcher has called a card, which counts from the next trick on."""
    hand = dealt_hand(state)
    upcoming = len(hand.gathered) + (1 if hand.trick is None else 2)
    called = replace(hand, called=event.data.card, counts_from=upcoming, turns=hand.turns + 1)
    return aside(state, move(state, event, called))


def partner_revealed(state: State, event: Event[PartnerRevealed]) -> State:
    """The call has taken effect."""
    return play(state, event, replace(dealt_hand(state), sides=event.data.sides, settled=True))


def discarded(state: State, event: Event[CardsDiscarded]) -> State:
    """A seat has thrown cards away; those shown leave its hand at once, the others with CardsBuried."""
    hand, thrown = dealt_hand(state), event.data
    left = replace(
        _without(hand, thrown.seat, thrown.shown),
        counts=put(hand.counts, thrown.seat, hand.counts[thrown.seat] - thrown.count),
        discarded=(*hand.discarded, thrown.seat),
        turns=hand.turns + 1,
    )
    return play(state, event, left)


def _without(hand: Hand, seat: int, cards: tuple[Card, ...]) -> Hand:
    held = hand.cards[seat]
    if held is None:
        return hand
    return replace(hand, cards=put(hand.cards, seat, tuple(card for card in held if card not in cards)))


def buried(state: State, event: Event[CardsBuried]) -> State:
    """What was thrown face down."""
    return after(state, event, hand=_without(dealt_hand(state), event.data.seat, event.data.cards))


def drawn(state: State, event: Event[CardsDrawn]) -> State:
    """A seat has filled up."""
    return after(state, event, hand=_from_stock(dealt_hand(state), event.data))


def stock_taken(state: State, event: Event[StockTaken]) -> State:
    """The pitcher has the rest."""
    return play(state, event, _from_stock(dealt_hand(state), event.data))


def _from_stock(hand: Hand, fact: CardsDrawn | StockTaken) -> Hand:
    counts = put(hand.counts, fact.seat, hand.counts[fact.seat] + fact.count)
    return replace(hand, counts=counts, stock_left=hand.stock_left - fact.count)


def taken(state: State, event: Event[CardsTaken]) -> State:
    """Which cards those were."""
    hand, got = dealt_hand(state), event.data
    held = sort_cards((*(hand.cards[got.seat] or ()), *got.cards))
    stock = None if hand.stock is None else hand.stock[len(got.cards) :]
    return after(state, event, hand=replace(hand, cards=put(hand.cards, got.seat, held), stock=stock))


def trump_pitched(state: State, event: Event[TrumpPitched]) -> State:
    """The pitcher's first lead is trump."""
    hand = replace(dealt_hand(state), trump=event.data.suit, marker=event.data.card)
    return after(state, event, hand=hand, before=before(state, event), proposal=None, moved=event.version)


def card_played(state: State, event: Event[CardPlayed]) -> State:
    """A card lies on the table."""
    hand, seat, card = dealt_hand(state), event.data.seat, event.data.card
    counts, cards = list(hand.counts), list(hand.cards)
    counts[seat] -= 1
    if (held := cards[seat]) is not None:
        cards[seat] = without(held, card)
    lying = replace(
        hand,
        counts=tuple(counts),
        trick=joined(hand, seat, card),
        turns=hand.turns + 1,
        cards=tuple(cards),
        first_joker=card if hand.first_joker is None and RANK[card] == "X" else hand.first_joker,
    )
    pitched = state.before if card == hand.marker else None
    return play(state, event, lying, pitched or before(state, event))


def trick_taken(state: State, event: Event[TrickTaken]) -> State:
    """A trick is gathered; what is kept goes to who played it, all else to its taker, who leads next."""
    hand, trick, rules = dealt_hand(state), event.data, state.rules
    taken = list(hand.taken)
    for play_ in trick.plays:
        taken[play_.seat if trick.kept and play_ in trick.kept else trick.seat] += (play_.card,)
    gathered = replace(
        hand,
        taken=tuple(taken),
        tricks=put(hand.tricks, trick.seat, hand.tricks[trick.seat] + 1),
        trick=None,
        last_trick=trick,
        lead=trick.seat,
        gathered=(*hand.gathered, Gathered(trick, not rules.dirty, rules.version)),
    )
    return play(state, event, gathered)


def scored(state: State, event: Event[HandScored]) -> State:
    """The hand has its result."""
    score = event.data
    hands = zip(state.exact, score.bids, score.tricks, strict=True)
    exact = tuple([hits + (bid == tricks) for hits, bid, tricks in hands])
    return replace(hand_over(state, event), scores=score.scores, exact=exact, last_hand=score)
