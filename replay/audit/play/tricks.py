"""Checks of cards and tricks: the holder of a card, the open trick, seats left out, kept cards and the taker.

`replay.rejudge` checks whether a card follows suit and which card takes the trick.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from domain.cards import OFF_SUIT, RANK, SUIT, Card
from domain.events import CardPlayed, Play, TrickTaken, TrumpPitched, TrumpTurnedUp
from domain.rules.choices import Follow, OpeningLead, Quirk, Trump
from domain.rules.model import Rules
from replay.audit.play.auction import check_turn
from replay.audit.play.checking import checks
from replay.audit.play.trumps import is_trump
from replay.audit.play.turns import can_play, is_blind, is_opening_lead, next_blind_seat
from replay.fold import HandRead, Position

_TRUMPS_ONLY, _PITCHED = Follow.TRUMPS_ONLY, Trump.PITCHED
"""Read once: every card needs them, and reading an enum's member takes as long as a call."""


@checks(TrumpTurnedUp)
def check_trump_turned_up(position: Position, fact: TrumpTurnedUp) -> Iterator[str]:
    """Check that the upcard is the first card of the stock, and that its suit is trump (B10, R-B6)."""
    hand = position.live
    if fact.hand != hand.dealt.hand:
        yield f"trump is turned up for hand {fact.hand}, but hand {hand.dealt.hand} is in play"
    if hand.stock is not None and hand.stock[:1] != (fact.card,):
        yield f"{fact.card} is turned up, but it isn't the first card of the stock"
    if SUIT[fact.card] != fact.suit:
        yield f"{fact.card} makes {fact.suit} trump, but has another suit"


@checks(TrumpPitched)
def check_trump_pitched(position: Position, fact: TrumpPitched) -> Iterator[str]:
    """Check that the pitcher pitches trump with the first card of the hand."""
    hand = position.live
    yield from check_turn(position, fact.seat)
    if position.rules.trump is not Trump.PITCHED:
        yield "trump is pitched, but the rules make trump in another way"
    if hand.trump is not None or hand.table or hand.takers:
        yield "trump is pitched, but a card has been led already"
    if hand.won is None or hand.won.seat != fact.seat:
        yield f"seat {fact.seat} pitches trump, but is not the pitcher"
    if SUIT[fact.card] != fact.suit:
        yield f"{fact.card} pitches {fact.suit} as trump, but has another suit"


@checks(CardPlayed)
def check_card_played(position: Position, fact: CardPlayed) -> Iterator[str]:
    """Check that the card comes in turn from the seat's hand, and that the first one is the card that pitched trump."""
    hand, rules = position.live, position.rules
    yield from check_turn_or_blind(position, fact.seat)
    yield from _check_holder(hand, fact.seat, fact.card)
    if hand.trump is None and rules.trump not in (Trump.TURNED_UP, Trump.FIXED):
        yield "a card is played, but trump is not made yet"
    elif rules.trump is _PITCHED and not hand.table and not hand.takers and fact.card != hand.marker:
        yield f"{fact.card} is led, but {hand.marker} pitched trump"
    if rules.follow is _TRUMPS_ONLY and hand.trump and not is_trump(rules, hand.trump, fact.card):
        yield f"{fact.card} is played, but is not a trump, and only trumps may be played"
    if fact.seat in [play.seat for play in hand.table]:
        yield f"seat {fact.seat} plays twice to one trick"
    yield from _check_opening_lead(rules, hand, fact)
    yield from _check_called_card(position, hand, fact)


def _check_opening_lead(rules: Rules, hand: HandRead, fact: CardPlayed) -> Iterator[str]:
    """Check that the first card is a trump if the rules ask for one, as far as the cards are known (R-C10)."""
    if not is_opening_lead(rules, hand) or rules.opening_lead is OpeningLead.ANY:
        return
    if is_trump(rules, hand.trump, fact.card):
        return
    held = hand.cards.get(fact.seat, ())
    if rules.opening_lead is OpeningLead.TRUMP or any(is_trump(rules, hand.trump, card) for card in held):
        yield f"{fact.card} is led first, but a trump must be"


def check_turn_or_blind(position: Position, seat: int) -> Iterator[str]:
    """Check that it is the turn of `seat`; the cards of a blind hand are played in order from the leader."""
    if not is_blind(position):
        yield from check_turn(position, seat)
        return
    if seat != (due := next_blind_seat(position, position.live)):
        yield f"the blind card of seat {seat} is played, but that of seat {due} comes next"


def _check_called_card(position: Position, hand: HandRead, fact: CardPlayed) -> Iterator[str]:
    """Check that the holder of the called card plays it as soon as it's allowed (R-C29)."""
    if hand.called is None or hand.won is None or len(hand.takers) + 1 < hand.called_from:
        return
    if fact.seat == hand.won.seat or fact.card == hand.called:
        return
    holds = hand.called in hand.cards.get(fact.seat, ()) and is_trump(position.rules, hand.trump, hand.called)
    if position.rules.follow is _TRUMPS_ONLY and holds:
        yield f"seat {fact.seat} plays {fact.card}, but must play {hand.called}, the called card"


def _check_holder(hand: HandRead, seat: int, card: Card) -> Iterator[str]:
    if is_played_or_out(hand, card):
        yield f"{card} has been played already"
    elif seat in hand.cards and card not in hand.cards[seat]:
        yield f"seat {seat} plays {card}, but does not hold it"
    elif card in (hand.stock or ()) or any(card in held for other, held in hand.cards.items() if other != seat):
        yield f"seat {seat} plays {card}, but another hand or the stock holds it"
    if hand.counts[seat] < 1:
        yield f"seat {seat} plays {card}, but has no card left"


def is_played_or_out(hand: HandRead, card: Card) -> bool:
    """Tell whether a card has left the hands: on the table, taken or discarded."""
    if card in hand.out or card in [play.card for play in hand.table]:
        return True
    return card in chain(*hand.taken)


@checks(TrickTaken)
def check_trick_taken(position: Position, fact: TrickTaken) -> Iterator[str]:
    """Check the number and cards of a trick, that no seat was left out, and that the taker played to it."""
    hand = position.live
    if (fact.hand, fact.trick) != (number := (hand.dealt.hand, len(hand.takers) + 1)):
        yield f"trick {fact.trick} of hand {fact.hand} is taken, but trick {number[1]} of hand {number[0]} is in play"
    if fact.plays != hand.table:
        yield f"the trick is recorded as {_plays_text(fact.plays)}, but {_plays_text(hand.table)} lay on the table"
    yield from _check_nobody_left_out(position, hand)
    if fact.seat not in {play.seat for play in fact.plays}:
        yield f"seat {fact.seat} takes a trick that it did not play to"
    if fact.kept != (due := plays_kept(position.rules, hand, fact.plays)):
        yield f"the kept cards are {_plays_text(fact.kept)}, but should be {_plays_text(due)}"


def _check_nobody_left_out(position: Position, hand: HandRead) -> Iterator[str]:
    """Check that no seat between the last card and the leader could still play (R-C9, R-C53)."""
    if not hand.table:
        return
    last, count = hand.table[-1].seat, (hand.table[0].seat - hand.table[-1].seat - 1) % position.seats
    left_out = [(last + turn) % position.seats for turn in range(1, count + 1)]
    if able := [seat for seat in left_out if can_play(position, hand, seat)]:
        yield f"the trick is taken, but seat {', '.join(map(str, able))} could still play to it"


def plays_kept(rules: Rules, hand: HandRead, plays: Sequence[Play]) -> tuple[Play, ...]:
    """Return the plays whose cards stay with their players at a clean table: lowest trump and off card (R-C56)."""
    if rules.dirty or not rules.keeps or hand.trump is None:
        return ()
    ranks = rules.ranks if Quirk.LOW_JOKER in rules.quirks else tuple([rank for rank in rules.ranks if rank != "X"])
    rank = ranks[-1 if rules.reverse else 0] if ranks else None
    suits = {hand.trump, OFF_SUIT[hand.trump]}
    low = [play for play in plays if RANK[play.card] == rank and SUIT[play.card] in suits]
    return tuple(play for play in low if is_trump(rules, hand.trump, play.card))


def _plays_text(plays: Sequence[Play]) -> str:
    return " ".join(f"{play.seat}:{play.card}" for play in plays) or "nothing"


def can_count_cards(hand: HandRead) -> bool:
    """Tell whether all cards are known."""
    if len(hand.cards) < len(hand.counts) or (hand.stock is None and hand.stock_left):
        return False
    return not hand.unburied and hand.untaken is None


def check_card_count(hand: HandRead, deck: AbstractSet[str]) -> Iterator[str]:
    """Check that each card of the deck is in one place: a hand, the table, a taken trick, the discards or the stock.

    Yields nothing if `can_count_cards` is False, such as between a fact that moves cards and the one that names them.
    """
    if not can_count_cards(hand):
        return
    stock, table = hand.stock or (), [play.card for play in hand.table]
    known = list(chain(table, hand.out, stock, *hand.cards.values(), *hand.taken))
    if len(known) != len(deck) or set(known) != deck:
        yield "hands, table, taken cards, discards and stock do not make up the deck with each card once"
    if tuple([len(hand.cards[seat]) for seat in range(len(hand.counts))]) != hand.counts:
        yield "a seat does not hold the number of cards that it should"
    if len(stock) != hand.stock_left:
        yield f"the stock has {len(stock)} cards, but should have {hand.stock_left}"
