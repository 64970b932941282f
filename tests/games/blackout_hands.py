"""Hands of Blackout as text, like those of Pitch in tests/games/hands.py; the players sit as given.

Seat (n - 1) mod 4 opens hand n. Bids are in the order in which they are made; `trump` is a suit, or None in hand 13.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.cards import DECK_52, SUIT, Suit
from domain.commands import Command, MakeBid
from domain.decide.commits import with_single_next
from domain.events import CeremonyRevealed, Fact, HandScored, SeatResigned, TrumpTurnedUp
from tests.games import hands
from tests.games.hands import hands_of_plays, only_fact, plays
from tests.given import SEED, Given, deal, game_opened, given

LONG = tuple(" ".join(DECK_52[13 * seat : 13 * seat + 13]) for seat in range(4))
"""Hand 13 with a whole suit in each seat: clubs, diamonds, hearts, spades. Seat 0 leads and takes every trick."""


def eldest_of(hand: int) -> int:
    """Return the seat that bids and leads first in hand 1..13 (R-B2)."""
    return (hand - 1) % 4


def deal_hand(hand: int, each: Sequence[str], trump: Suit | None = "S") -> tuple[Fact, ...]:
    """Return the facts of this deal; the lowest card of the trump suit that no seat holds is turned up."""
    own = {card for cards in each for card in cards.split()}
    rest = [card for card in DECK_52 if card not in own]
    upcard = next((card for card in rest if SUIT[card] == trump), None)
    stock = [upcard, *(card for card in rest if card != upcard)] if upcard else rest
    turned = (TrumpTurnedUp(hand, upcard, trump),) if upcard and trump else ()
    return *deal(each, hand=hand, dealer=(hand - 2) % 4, stock=" ".join(stock)), *turned


def earlier_hands(
    hand: int, scores: Sequence[int] = (0, 0, 0, 0), exact: Sequence[int] = (0, 0, 0, 0)
) -> tuple[Fact, ...]:
    """Return the facts of the hands before `hand`, which leave these scores and numbers of exact bids."""
    facts: list[Fact] = []
    for number in range(1, hand):
        each = [" ".join(DECK_52[seat * number : (seat + 1) * number]) for seat in range(4)]
        took = (number, 0, 0, 0)
        bids = tuple(tricks if number <= exact[seat] else tricks + 1 for seat, tricks in enumerate(took))
        changes = tuple(scores) if number == hand - 1 else (0, 0, 0, 0)
        after = tuple(scores) if number == hand - 1 else (0, 0, 0, 0)
        facts += deal_hand(number, each)
        facts += [HandScored(number, (), (), None, changes, after, took, bids), CeremonyRevealed(number, SEED)]
    return tuple(facts)


def bidding(
    hand: int,
    each: Sequence[str],
    *bids: int,
    trump: Suit | None = "S",
    left: Iterable[int] = (),
    past: tuple[Fact, ...] | None = None,
    **options: Any,
) -> Given:
    """Return hand `hand` after these bids from the eldest on; the seats in `left` resigned right after the deal."""
    table = given(
        game_opened(variant="blackout", inorder=True, **options),
        *(earlier_hands(hand) if past is None else past),
        *deal_hand(hand, each, trump),
        *(SeatResigned(seat) for seat in left),
    )
    return hands.go_on(table, *(MakeBid((eldest_of(hand) + turn) % 4, bid) for turn, bid in enumerate(bids)))


def playing(bids: Sequence[int], tricks: Sequence[str], **given_: Any) -> Given:
    """Return the hand with that many tricks before its last card; other arguments are those of `bidding`."""
    *most, _ = moves = plays(tricks, 4)
    return hands.go_on(bidding(len(tricks), hands_of_plays(moves, 4), *bids, **given_), *most)


def commit(table: Given, command: Command) -> tuple[Fact, ...]:
    """Return the stored facts of `command` and of the table's duties after it."""
    return with_single_next(hands.commit(table, command))


def play_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[Fact, ...]:
    """Return the facts of the commit of the hand's last card."""
    return commit(playing(bids, tricks, **given_), plays(tricks[-1:], 4)[-1])


def score_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> HandScored:
    """Return the score of that hand."""
    return only_fact(HandScored, play_hand(bids, *tricks, **given_))


def last_hand(*bids: int, scores: Sequence[int], exact: Sequence[int], **given_: Any) -> tuple[Fact, ...]:
    """Return the commit of the last card of hand 13, in which seat 0 takes every trick."""
    tricks = [f"0: {' '.join(cards)}" for cards in zip(*(own.split() for own in LONG), strict=True)]
    return play_hand(bids, *tricks, trump=None, past=earlier_hands(13, scores, exact), **given_)
