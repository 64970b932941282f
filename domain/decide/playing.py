"""Decide cards played to a trick."""

from domain.cards import SUIT, SUIT_NAMES
from domain.commands import PlayCard
from domain.decide.consequences import next_player_after, trick_with_next_lead, with_consequences
from domain.engine.legal_moves import can_play, out_of_turn_error, playable_cards
from domain.engine.tricks import suit_by_card
from domain.engine.wording import one_of
from domain.events import CardPlayed, Fact, TrumpPitched
from domain.rejections import MustFollow, MustPlayCalled, NotATrump, NotInHand
from domain.rules.choices import Follow, Trump
from domain.rules.model import Rules
from domain.state import Hand, State, current_hand


def play_card(state: State, command: PlayCard) -> tuple[Fact, ...]:
    """Record the card, the trump it pitches (S33), the trick it completes, and the hand that this trick ends.

    Refuse a card that the seat doesn't hold, in the same words wherever it is (S18), one that doesn't follow (S34, S35,
    B20), a plain card if only trumps are played (R-C9), and another card than the called one (R-C29).
    """
    rules, hand, seat, card = state.rules, current_hand(state), command.seat, command.card
    if seat not in state.turn:
        raise out_of_turn_error(state, seat)
    if not can_play(rules, hand, seat, card):
        raise _card_error(state, hand, command)
    pitched = () if hand.trump is not None else _pitch_trump(rules, command)
    following = next_player_after(rules, hand, seat, card)
    if following is not None and card != hand.called:
        return *pitched, CardPlayed(seat, card, (following,))
    if following is None and (taken := trick_with_next_lead(rules, hand, seat, card)) is not None:
        return *pitched, CardPlayed(seat, card, ()), taken
    return with_consequences(state, *pitched, CardPlayed(seat, card, ()))


def _pitch_trump(rules: Rules, command: PlayCard) -> tuple[TrumpPitched, ...]:
    """Return the trump that the first lead makes, if the hand has none yet (S33)."""
    suit = SUIT[command.card]
    if rules.trump is not Trump.PITCHED or suit is None:
        return ()
    return (TrumpPitched(command.seat, suit, command.card),)


def _card_error(state: State, hand: Hand, command: PlayCard) -> NotInHand | MustPlayCalled | NotATrump | MustFollow:
    held, legal = hand.cards[command.seat] or (), playable_cards(state.rules, hand, command.seat)
    advice = f"You can play {one_of(legal)}."
    if command.card not in held:
        return NotInHand(f"You don't hold {command.card}.")
    if legal == (hand.called,):
        return MustPlayCalled(f"The pitcher called your card, so you must play it. {advice}")
    if state.rules.follow is Follow.TRUMPS_ONLY or hand.trick is None:
        return NotATrump(f"You can only play trumps now. {advice}")
    led = suit_by_card(state.rules.off, hand.trump)[hand.trick.plays[0].card]
    return MustFollow(f"You must follow the suit led, {SUIT_NAMES[led] if led else 'trump'}. {advice}")
