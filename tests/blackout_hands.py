"""Hands of Blackout written down, as tests/hands.py has those of Pitch; the players sit as given.

Hand n is opened by seat (n - 1) mod 4. Bids stand in the order they are made; `trump` is a suit, None in hand 13.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.cards import DECK_52, SUIT, Suit, parse_exact_card
from domain.commands import Command, MakeBid
from domain.decide.whose_turn import with_single_next
from domain.events import CeremonyRevealed, Fact, HandScored, SeatResigned, TrumpTurnedUp
from tests import hands
from tests.given import SEED, Given, deal, given, opened
from tests.hands import held, plays, the

LONG = tuple(" ".join(DECK_52[13 * seat : 13 * seat + 13]) for seat in range(4))
"""Hand 13 with a whole suit in each seat: clubs, diamonds, hearts, spades. Seat 0 leads and takes every trick."""


def eldest_of(hand: int) -> int:
    """Who bids and leads first in hand 1..13 (R-B2)."""
    return (hand - 1) % 4


def dealt(hand: int, each: Sequence[str], trump: Suit | None = "S") -> tuple[Fact, ...]:
    """Hand `hand` is dealt so, and the lowest card of the trump suit that nobody holds is turned up."""
    own = {card for cards in each for card in cards.split()}
    rest = [card for card in DECK_52 if card not in own]
    upcard = next((card for card in rest if SUIT[card] == trump), None)
    stock = [upcard, *(card for card in rest if card != upcard)] if upcard else rest
    turned = (TrumpTurnedUp(hand, upcard, trump),) if upcard and trump else ()
    return *deal(each, hand=hand, dealer=(hand - 2) % 4, stock=" ".join(stock)), *turned


def before(hand: int, scores: Sequence[int] = (0, 0, 0, 0), exact: Sequence[int] = (0, 0, 0, 0)) -> tuple[Fact, ...]:
    """The hands before `hand`, after which these are the scores, and the numbers of exact bids."""
    facts: list[Fact] = []
    for number in range(1, hand):
        each = [" ".join(DECK_52[seat * number : (seat + 1) * number]) for seat in range(4)]
        took = (number, 0, 0, 0)
        bids = tuple(tricks if number <= exact[seat] else tricks + 1 for seat, tricks in enumerate(took))
        changes = tuple(scores) if number == hand - 1 else (0, 0, 0, 0)
        after = tuple(scores) if number == hand - 1 else (0, 0, 0, 0)
        facts += dealt(number, each)
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
    """Hand `hand` after these bids from the eldest on; the seats in `left` resigned as soon as it was dealt."""
    table = given(
        opened(variant="blackout", inorder=True, **options),
        *(before(hand) if past is None else past),
        *dealt(hand, each, trump),
        *(SeatResigned(seat) for seat in left),
    )
    for turn, bid in enumerate(bids):
        table = table.when(MakeBid((eldest_of(hand) + turn) % 4, bid)).happens()
    return table


def playing(bids: Sequence[int], tricks: Sequence[str], **given_: Any) -> Given:
    """The hand of so many tricks, its last card still to be played; more as `bidding` takes it."""
    *most, _ = moves = plays(tricks, 4)
    table = bidding(len(tricks), held(moves, 4), *bids, **given_)
    for move in most:
        table = table.when(move).happens()
    return table


def commit(table: Given, command: Command) -> tuple[Fact, ...]:
    """The facts of `command` and all that the table makes of them, as they are stored."""
    return with_single_next(hands.commit(table, command))


def played(bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[Fact, ...]:
    """The commit of the hand's last card."""
    return commit(playing(bids, tricks, **given_), plays(tricks[-1:], 4)[-1])


def scored(bids: Sequence[int], *tricks: str, **given_: Any) -> HandScored:
    """How that hand is scored."""
    return the(HandScored, played(bids, *tricks, **given_))


def last_hand(*bids: int, scores: Sequence[int], exact: Sequence[int], **given_: Any) -> tuple[Fact, ...]:
    """The commit of the last card of hand 13, in which seat 0 takes every trick."""
    tricks = [f"0: {' '.join(cards)}" for cards in zip(*(own.split() for own in LONG), strict=True)]
    return played(bids, *tricks, trump=None, past=before(13, scores, exact), **given_)


def lead(seat: int, text: str) -> Command:
    """A card of that seat."""
    return plays([f"{seat}: {parse_exact_card(text)}"], 4)[0]
