"""The auction and the tricks by bookkeeping: whose turn, whose card, what lies on the table, who took what.

No rule of play is asked here: whether a card followed, or who holds the highest trump, is for rejudge.
"""

from collections.abc import Iterator, Sequence

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    GameOpened,
    HandThrownIn,
    Play,
    Seats,
    TrickTaken,
    TrumpPitched,
)
from domain.rules import Around
from replay.fold import HandRead, Position


def opened(position: Position, fact: GameOpened) -> Iterator[str]:
    """The deck and the sides are those of the recorded rules, and the table is one they are for."""
    seats = len(fact.players)
    if seats not in fact.rules.seats:
        yield f"{seats} players sit at a table for {', '.join(map(str, fact.rules.seats))}"
    if any((player.kind == "bot") != (player.bot is not None) for player in fact.players):
        yield "a player is neither a person nor a bot of a named kind"
    if fact.deck != fact.rules.deck:
        yield "its deck is not that of its rules, in canonical order"
    if fact.sides != fact.rules.sides(seats):
        yield f"its sides are {[list(side) for side in fact.sides]}, not those of its rules"


def said(position: Position, fact: BidMade | BidPassed) -> Iterator[str]:
    """Each seat speaks once, in turn, from the eldest hand on."""
    hand = position.live
    yield from _in_turn(position, fact.seat)
    if fact.seat in dict(hand.said):
        yield f"seat {fact.seat} has spoken already in this auction"
    step = 1 if position.opening.rules.auction.around is Around.LEFT else -1
    last = len(hand.said) + 1 >= position.seats
    yield from _next(fact.next, () if last else ((fact.seat + step) % position.seats,))


def _in_turn(position: Position, seat: int) -> Iterator[str]:
    if seat not in position.turn:
        turn = f"seat {', '.join(map(str, position.turn))}" if position.turn else "no seat"
        yield f"seat {seat} moves where it is the turn of {turn}"


def _next(recorded: Seats, due: Seats) -> Iterator[str]:
    if recorded != due:
        yield f"the turn goes to {list(recorded)} where it should go to {list(due)}"


def thrown_in(position: Position, fact: HandThrownIn) -> Iterator[str]:
    """A hand is thrown in when everybody has passed."""
    if fact.hand != position.live.dealt.hand:
        yield f"hand {fact.hand} is thrown in while hand {position.live.dealt.hand} is in play"
    if any(bid is not None for bid in position.live.bids):
        yield "the hand is thrown in although somebody bid"


def won(position: Position, fact: AuctionWon) -> Iterator[str]:
    """The pitcher is who made the highest bid, and his side stands first."""
    bids = position.live.bids
    high = max((bid for bid in bids if bid is not None), default=None)
    if fact.bid != high or bids[fact.seat] != high:
        yield f"seat {fact.seat} wins the auction with {fact.bid} where the bids are {list(bids)}"
    if fact.forced:
        yield "nobody is forced to pitch in an auction that somebody won"
    if fact.max != (fact.bid == position.opening.rules.auction.highest):
        yield f"it says that {fact.bid} {'is' if fact.max else 'is not'} all there is to bid"
    sides = sorted(position.opening.sides, key=lambda side: fact.seat not in side)
    if list(fact.sides) != sides:
        yield f"its sides are {[list(side) for side in fact.sides]}, not those of the table with the pitcher's first"
    yield from _next(fact.next, (fact.seat,))


def pitched(position: Position, fact: TrumpPitched) -> Iterator[str]:
    """The pitcher's first card makes trump."""
    hand = position.live
    yield from _in_turn(position, fact.seat)
    if hand.trump is not None or hand.table or hand.takers:
        yield "trump is pitched although a card has been led already"
    if hand.won is None or hand.won.seat != fact.seat:
        yield f"seat {fact.seat} pitches trump and is not the pitcher"
    if not fact.card.endswith(fact.suit):
        yield f"{fact.card} pitches {fact.suit}, which is not its suit"


def played(position: Position, fact: CardPlayed) -> Iterator[str]:
    """A card from the seat's own hand, in turn; the first card of a hand is the one that pitched trump."""
    hand = position.live
    yield from _in_turn(position, fact.seat)
    yield from _held(hand, fact.seat, fact.card)
    if hand.trump is None:
        yield "a card is played before trump is made"
    elif not hand.table and not hand.takers and fact.card != hand.marker:
        yield f"{fact.card} is led where {hand.marker} pitched trump"
    if fact.seat in {play.seat for play in hand.table}:
        yield f"seat {fact.seat} plays twice to one trick"
    last = len(hand.table) + 1 >= position.seats
    yield from _next(fact.next, () if last else ((fact.seat + 1) % position.seats,))


def _held(hand: HandRead, seat: int, card: Card) -> Iterator[str]:
    if card in gone(hand):
        yield f"{card} has been played already"
    elif seat in hand.cards and card not in hand.cards[seat]:
        yield f"seat {seat} plays {card} and does not hold it"
    elif any(card in held for other, held in hand.cards.items() if other != seat) or card in (hand.stock or ()):
        yield f"seat {seat} plays {card}, which lies elsewhere"
    if hand.counts[seat] < 1:
        yield f"seat {seat} plays and has no card left"


def gone(hand: HandRead) -> set[Card]:
    """The cards that have left the hands: on the table or taken."""
    return {play.card for play in hand.table} | {card for pile in hand.taken for card in pile}


def gathered(position: Position, fact: TrickTaken) -> Iterator[str]:
    """A full trick, as it lay on the table, goes to one who played to it; he leads the next."""
    hand = position.live
    if (fact.hand, fact.trick) != (number := (hand.dealt.hand, len(hand.takers) + 1)):
        yield f"it is hand {fact.hand} trick {fact.trick} where hand {number[0]} trick {number[1]} ends"
    if fact.plays != hand.table:
        yield f"it gathers {_laid(fact.plays)} where {_laid(hand.table)} lay on the table"
    if len(hand.table) != position.seats:
        yield f"it gathers a trick of {len(hand.table)} cards at a table of {position.seats}"
    if fact.seat not in {play.seat for play in fact.plays}:
        yield f"seat {fact.seat} takes a trick it did not play to"
    if not set(fact.kept) <= set(fact.plays):
        yield f"it keeps {_laid(fact.kept)}, which is not all of this trick"
    yield from _next(fact.next, (fact.seat,) if any(hand.counts) else ())


def _laid(plays: tuple[Play, ...]) -> str:
    return " ".join(f"{play.seat}:{play.card}" for play in plays) or "nothing"


def conserved(hand: HandRead, deck: Sequence[Card]) -> Iterator[str]:
    """Each card of the deck once: in the hands, on the table, taken, or in the stock; where all of them are known."""
    if len(hand.cards) < len(hand.counts) or (hand.stock is None and hand.dealt.stock):
        return
    held = [card for seat in hand.cards.values() for card in seat]
    table = [play.card for play in hand.table]
    taken = [card for pile in hand.taken for card in pile]
    if sorted([*held, *table, *taken, *(hand.stock or ())]) != sorted(deck):
        yield "hands, table, taken cards and stock are not the whole deck, each card once"
    if tuple(len(hand.cards[seat]) for seat in range(len(hand.counts))) != hand.counts:
        yield "the seats do not hold as many cards as they should"
