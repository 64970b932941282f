"""Fold functions for the auction, the cards and the score."""

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
from domain.events.declaring import add_to
from domain.evolve.folding import (
    HANDLERS,
    apply,
    apply_move,
    apply_play,
    close_deal,
    continue_turn,
    remove_card,
    set_at,
    standing_undo_point,
    undo_point,
)
from domain.state import GatheredTrick, Hand, State, add_to_trick, current_hand
from domain.struct import replace


@add_to(HANDLERS, BidMade)
def on_bid_made(state: State, event: Event[BidMade]) -> State:
    """Set a seat's bid. In an auction that rises, the last bid is the highest."""
    hand, made = current_hand(state), event.data
    after = replace(
        hand,
        bids=set_at(hand.bids, made.seat, made.bid),
        first_bids=set_at(hand.first_bids, made.seat, (made.bid, state.rules.version)),
        high=made.seat,
        auction_turns=hand.auction_turns + 1,
        turns=hand.turns + 1,
    )
    return apply_move(state, event, after)


@add_to(HANDLERS, BidPassed)
def on_bid_passed(state: State, event: Event[BidPassed]) -> State:
    """Add a seat that passed."""
    hand = current_hand(state)
    passed = (*hand.passed, event.data.seat)
    after = replace(hand, passed=passed, auction_turns=hand.auction_turns + 1, turns=hand.turns + 1)
    return apply_move(state, event, after)


@add_to(HANDLERS, HandThrownIn)
def on_hand_over(state: State, event: Event[HandThrownIn | HandScored]) -> State:
    """End the hand, thrown in or scored."""
    hand = replace(current_hand(state), over=True)
    deals = close_deal(state, hand, getattr(event.data, "changes", None))
    return apply(state, event, hand=hand, turn=(), undo_point=None, moved=event.version, past_deals=deals)


@add_to(HANDLERS, AuctionWon)
def on_auction_won(state: State, event: Event[AuctionWon]) -> State:
    """Set the pitcher. If they were forced, this is their first bid."""
    won, hand = event.data, current_hand(state)
    first = set_at(hand.first_bids, won.seat, hand.first_bids[won.seat] or (won.bid, state.rules.version))
    hand = replace(hand, pitcher=won.seat, bid=won.bid, max=won.max, sides=won.sides, lead=won.seat, first_bids=first)
    return apply_play(state, event, hand, standing_undo_point(state))


@add_to(HANDLERS, TrumpNamed)
def on_trump_named(state: State, event: Event[TrumpNamed]) -> State:
    """Set the trump suit that the pitcher named."""
    hand = current_hand(state)
    return apply_move(state, event, replace(hand, trump=event.data.suit, turns=hand.turns + 1))


@add_to(HANDLERS, PartnerCalled)
def on_partner_called(state: State, event: Event[PartnerCalled]) -> State:
    """Set the card that the pitcher called. It counts from the next trick on. A call out of turn begins no turn."""
    hand = current_hand(state)
    upcoming = len(hand.gathered) + (1 if hand.trick is None else 2)
    called = replace(hand, called=event.data.card, counts_from=upcoming, turns=hand.turns + 1)
    after = apply_move(state, event, called)
    return after if event.data.begins_turn else continue_turn(state, after)


@add_to(HANDLERS, PartnerRevealed)
def on_partner_revealed(state: State, event: Event[PartnerRevealed]) -> State:
    """Set the sides that the call makes."""
    return apply_play(state, event, replace(current_hand(state), sides=event.data.sides, call_settled=True))


@add_to(HANDLERS, CardsDiscarded)
def on_cards_discarded(state: State, event: Event[CardsDiscarded]) -> State:
    """Take discards out of a hand: the cards shown. CardsBuried takes out the others."""
    hand, discard = current_hand(state), event.data
    left = replace(
        _remove_cards(hand, discard.seat, discard.shown),
        counts=set_at(hand.counts, discard.seat, hand.counts[discard.seat] - discard.count),
        discarded=(*hand.discarded, discard.seat),
        turns=hand.turns + 1,
    )
    return apply_play(state, event, left)


def _remove_cards(hand: Hand, seat: int, cards: tuple[Card, ...]) -> Hand:
    held = hand.cards[seat]
    if held is None:
        return hand
    return replace(hand, cards=set_at(hand.cards, seat, tuple([card for card in held if card not in cards])))


@add_to(HANDLERS, CardsBuried)
def on_cards_buried(state: State, event: Event[CardsBuried]) -> State:
    """Take the face-down discards out of a hand."""
    return apply(state, event, hand=_remove_cards(current_hand(state), event.data.seat, event.data.cards))


@add_to(HANDLERS, CardsDrawn)
def on_cards_drawn(state: State, event: Event[CardsDrawn]) -> State:
    """Count the cards that a seat drew from the stock."""
    return apply(state, event, hand=_take_from_stock(current_hand(state), event.data))


@add_to(HANDLERS, StockTaken)
def on_stock_taken(state: State, event: Event[StockTaken]) -> State:
    """Count the cards that a seat took from the stock without a discard for them."""
    return apply_play(state, event, _take_from_stock(current_hand(state), event.data))


def _take_from_stock(hand: Hand, fact: CardsDrawn | StockTaken) -> Hand:
    counts = set_at(hand.counts, fact.seat, hand.counts[fact.seat] + fact.count)
    return replace(hand, counts=counts, stock_left=hand.stock_left - fact.count)


@add_to(HANDLERS, CardsTaken)
def on_cards_taken(state: State, event: Event[CardsTaken]) -> State:
    """Add the cards that a seat got from the stock to its hand."""
    hand, got = current_hand(state), event.data
    held = sort_cards((*(hand.cards[got.seat] or ()), *got.cards))
    stock = None if hand.stock is None else hand.stock[len(got.cards) :]
    return apply(state, event, hand=replace(hand, cards=set_at(hand.cards, got.seat, held), stock=stock))


@add_to(HANDLERS, TrumpPitched)
def on_trump_pitched(state: State, event: Event[TrumpPitched]) -> State:
    """Set the trump suit by the pitcher's first lead."""
    hand = replace(current_hand(state), trump=event.data.suit, marker=event.data.card)
    return apply(state, event, hand=hand, undo_point=undo_point(state, event), proposal=None, moved=event.version)


@add_to(HANDLERS, CardPlayed)
def on_card_played(state: State, event: Event[CardPlayed]) -> State:
    """Put a card on the table."""
    hand, seat, card = current_hand(state), event.data.seat, event.data.card
    counts, cards = list(hand.counts), list(hand.cards)
    counts[seat] -= 1
    if (held := cards[seat]) is not None:
        cards[seat] = remove_card(held, card)
    after = replace(
        hand,
        counts=tuple(counts),
        trick=add_to_trick(hand, seat, card),
        turns=hand.turns + 1,
        cards=tuple(cards),
        first_joker=card if hand.first_joker is None and RANK[card] == "X" else hand.first_joker,
    )
    pitched = state.undo_point if card == hand.marker else None
    return apply_play(state, event, after, pitched or undo_point(state, event))


@add_to(HANDLERS, TrickTaken)
def on_trick_taken(state: State, event: Event[TrickTaken]) -> State:
    """Gather a trick. Cards in `kept` go to the seats that played them, the others to the taker, who leads next."""
    hand, trick, rules = current_hand(state), event.data, state.rules
    taken = list(hand.taken)
    for played in trick.plays:
        taken[played.seat if trick.kept and played in trick.kept else trick.seat] += (played.card,)
    gathered = replace(
        hand,
        taken=tuple(taken),
        tricks=set_at(hand.tricks, trick.seat, hand.tricks[trick.seat] + 1),
        trick=None,
        last_trick=trick,
        lead=trick.seat,
        gathered=(*hand.gathered, GatheredTrick(trick, not rules.dirty, rules.version)),
    )
    return apply_play(state, event, gathered, standing_undo_point(state))


@add_to(HANDLERS, HandScored)
def on_hand_scored(state: State, event: Event[HandScored]) -> State:
    """End the hand and set the scores."""
    score = event.data
    hands = zip(state.exact_hands, score.bids, score.tricks, strict=True)
    exact_hands = tuple([hits + (bid == tricks) for hits, bid, tricks in hands])
    return replace(on_hand_over(state, event), scores=score.scores, exact_hands=exact_hands, last_hand=score)
