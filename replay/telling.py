"""Facts in a sentence each, as somebody who tells a hand would put it."""

from collections.abc import Mapping
from typing import Any

from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DrawAnswered,
    DrawProposed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    HandThrownIn,
    MovesTakenBack,
    Peg,
    SeatResigned,
    SeedKept,
    StockLaid,
    TrickTaken,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)

Names = Mapping[int, str]
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def plain(text: str) -> str:
    """`text` with everything a terminal could take for a command, or not show, put as �."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def told(fact: Any, who: Names) -> str:
    """The sentence for `fact`; `who` names the seats."""
    return _of_play(fact, who) or _of_results(fact, who) or _of_consent(fact, who) or _of_table(fact, who)


def _of_play(fact: Any, who: Names) -> str | None:
    match fact:
        case BidMade(seat, bid):
            return f"{who[seat]} bids {bid}"
        case BidPassed(seat):
            return f"{who[seat]} passes"
        case AuctionWon(seat, bid):
            return f"{who[seat]} pitches for {bid}"
        case TrumpPitched(seat, suit):
            return f"{who[seat]} makes {SUITS[suit]} trump"
        case CardPlayed(seat, card):
            return f"{who[seat]} plays {card}"
        case _:
            return None


def _of_results(fact: Any, who: Names) -> str | None:
    match fact:
        case TrickTaken(_, trick, seat):
            return f"{who[seat]} takes trick {trick}"
        case HandScored(_, pegs):
            return _scored(fact, pegs, who)
        case HandThrownIn():
            return "everybody passed; the hand is thrown in"
        case GameEnded(reason, winners):
            won = " and ".join(who[seat] for seat in winners) or "nobody"
            return f"the game is over ({plain(reason)}); {won} wins"
        case _:
            return None


def _scored(fact: HandScored, pegs: tuple[Peg, ...], who: Names) -> str:
    points = ", ".join(f"{peg.point} {who[peg.seat]}" for peg in pegs)
    changes = ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(fact.changes))
    return f"the bid is {'made' if fact.made else 'set'}: {points} ({changes})"


def _of_consent(fact: Any, who: Names) -> str | None:
    match fact:
        case UndoAsked(seat):
            return f"{who[seat]} asks to take the last move back"
        case DrawProposed(seat):
            return f"{who[seat]} proposes a draw"
        case UndoAnswered(seat, accept) | DrawAnswered(seat, accept):
            return f"{who[seat]} {'agrees' if accept else 'does not agree'}"
        case MovesTakenBack(seat):
            return f"the last move of {who[seat]} is taken back"
        case SeatResigned(seat):
            return f"{who[seat]} resigns"
        case _:
            return None


def _of_table(fact: Any, who: Names) -> str:
    match fact:
        case GameOpened():
            return "the game is opened"
        case CeremonyOpened(n, subject):
            return f"the table commits itself to a shuffle: {plain(subject)} (ceremony {n})"
        case HandDealt(hand):
            return f"hand {hand} is dealt by {who[fact.dealer]}"
        case CardsDealt(_, seat, cards):
            return f"{who[seat]} gets {' '.join(cards)}"
        case SeedKept(n) | CeremonyRevealed(n) | CeremonyVoided(n):
            return f"the seed of ceremony {n} is {'kept' if isinstance(fact, SeedKept) else 'shown to everybody'}"
        case StockLaid(_, cards):
            return f"{len(cards)} cards stay in the stock"
        case _:
            return type(fact).__name__
