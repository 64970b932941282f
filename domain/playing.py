"""Judging cards, gathering tricks, and scoring a hand when its last trick is in."""

from domain.cards import Suit, suit_of
from domain.commands import PlayCard
from domain.events import CardPlayed, Fact, HandScored, Play, TrickTaken, TrumpPitched
from domain.legal import must_be_turn
from domain.rejections import MustFollow, NotInHand
from domain.rules import Trump
from domain.scoring import Contract, Played, scored
from domain.state import Hand, State, Trick, dealt_hand, led, open_trick
from domain.tricks import legal_cards, taker

SUIT_NAMES: dict[Suit, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def _first_led(hand: Hand, command: PlayCard) -> tuple[TrumpPitched, ...]:
    return () if hand.trump else (TrumpPitched(command.seat, suit_of(command.card), command.card),)  # S33


TRUMP_MADE = {Trump.PITCHED: _first_led}
"""The trump a card makes, if it is the one that makes it, by how trump is made."""


def play_card(state: State, command: PlayCard) -> tuple[Fact, ...]:
    """The card, the trump it pitches (S33), the trick it completes and the hand that trick ends.

    Refuses a card the seat does not hold, in the same words wherever the card may be (S18), and one that does not
    follow (S34, S35).
    """
    must_be_turn(state, command.seat)
    hand, seat, card = dealt_hand(state), command.seat, command.card
    _judge(state, hand, command)
    trick, pitched = open_trick(hand, seat), TRUMP_MADE[state.rules.trump](hand, command)
    trump = pitched[0].suit if pitched else hand.trump
    plays = (*trick.plays, Play(seat, card))
    if len(plays) < len(state.seats):
        return *pitched, CardPlayed(seat, card, next=((seat + 1) % len(state.seats),))
    return *pitched, CardPlayed(seat, card, next=()), *_gathered(state, trick, plays, trump)


def _judge(state: State, hand: Hand, command: PlayCard) -> None:
    held, suit = hand.cards[command.seat] or (), led(hand.trick)
    if command.card not in held:
        raise NotInHand(f"you do not hold {command.card}")
    legal = legal_cards(state.rules.follow, held, hand.trump, suit)
    if suit is not None and command.card not in legal:
        raise MustFollow(f"{SUIT_NAMES[suit]} was led and you can follow; play {' or '.join(legal)}")


def _gathered(state: State, trick: Trick, plays: tuple[Play, ...], trump: Suit | None) -> tuple[Fact, ...]:
    """The trick goes to its taker, who leads the next (S37, S47, R-S9); the last one brings the score (S38)."""
    hand = dealt_hand(state)
    seat = taker(state.rules.ranks, plays, trump)
    last = sum(hand.counts) == 1
    gathered = TrickTaken(hand.number, trick.number, seat, plays, kept=(), next=() if last else (seat,))
    return (gathered, _score(state, gathered, trump)) if last else (gathered,)


def _score(state: State, last: TrickTaken, trump: Suit | None) -> HandScored:
    hand = dealt_hand(state)
    cards = tuple(play.card for play in last.plays)
    taken = tuple(own + cards if seat == last.seat else own for seat, own in enumerate(hand.taken))
    tricks = tuple(own + (seat == last.seat) for seat, own in enumerate(hand.tricks))
    contract = None if hand.pitcher is None or hand.bid is None else Contract(hand.pitcher, hand.bid)
    played = Played(trump, contract, hand.sides or state.rules.sides(len(state.seats)), taken, tricks)
    result = scored(state.rules, played, state.scores, state.still_in)
    return HandScored(
        hand=hand.number,
        pegs=result.pegs,
        counts=result.counts,
        made=result.made,
        changes=result.changes,
        scores=result.scores,
        tricks=tricks,
        bids=hand.bids,
    )
