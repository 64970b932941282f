"""Cards and tricks by bookkeeping: whose card, what lies on the table, who was passed over, what is kept, who took it.

Whether a card followed, and who holds the highest, is for rejudge.
"""

from collections.abc import Iterator, Sequence

from domain.cards import OFF_SUIT, RANK, SUIT, Card
from domain.events import CardPlayed, Play, TrickTaken, TrumpPitched, TrumpTurnedUp
from domain.rules.choices import Follow, Trump
from domain.rules.model import Rules
from replay.audit.play.auction import check_turn
from replay.audit.play.trumps import is_trump
from replay.audit.play.turns import can_play, is_blind
from replay.fold import HandRead, Position


def check_trump_turned_up(position: Position, fact: TrumpTurnedUp) -> Iterator[str]:
    """The upcard is the first of the stock, and trump is its suit (B10, R-B6)."""
    hand = position.live
    if fact.hand != hand.dealt.hand:
        yield f"it turns up the trump of hand {fact.hand} in hand {hand.dealt.hand}"
    if hand.stock is not None and hand.stock[:1] != (fact.card,):
        yield f"{fact.card} is turned up, which is not the first card of the stock"
    if SUIT[fact.card] != fact.suit:
        yield f"{fact.card} makes {fact.suit} trump, which is not its suit"


def check_trump_pitched(position: Position, fact: TrumpPitched) -> Iterator[str]:
    """The pitcher's first card makes trump."""
    hand = position.live
    yield from check_turn(position, fact.seat)
    if position.rules.trump is not Trump.PITCHED:
        yield "trump is pitched in a game that makes it otherwise"
    if hand.trump is not None or hand.table or hand.takers:
        yield "trump is pitched although a card has been led already"
    if hand.won is None or hand.won.seat != fact.seat:
        yield f"seat {fact.seat} pitches trump and is not the pitcher"
    if SUIT[fact.card] != fact.suit:
        yield f"{fact.card} pitches {fact.suit}, which is not its suit"


def check_card_played(position: Position, fact: CardPlayed) -> Iterator[str]:
    """A card from the seat's own hand, in turn; the first card of a hand is the one that pitched trump."""
    hand, rules = position.live, position.rules
    yield from check_turn_or_blind(position, fact.seat)
    yield from _held(hand, fact.seat, fact.card)
    if hand.trump is None and rules.trump is not Trump.TURNED_UP:
        yield "a card is played before trump is made"
    elif rules.trump is Trump.PITCHED and not hand.table and not hand.takers and fact.card != hand.marker:
        yield f"{fact.card} is led where {hand.marker} pitched trump"
    if rules.follow is Follow.TRUMPS_ONLY and hand.trump and not is_trump(rules, hand.trump, fact.card):
        yield f"{fact.card} is no trump, and only trumps are played"
    if fact.seat in {play.seat for play in hand.table}:
        yield f"seat {fact.seat} plays twice to one trick"
    yield from _duty(position, hand, fact)


def check_turn_or_blind(position: Position, seat: int) -> Iterator[str]:
    """In turn; cards that play themselves go round from the eldest hand, whoever's turn is told."""
    if not is_blind(position):
        yield from check_turn(position, seat)
        return
    hand = position.live
    if seat != (due := (hand.dealt.eldest + len(hand.table)) % position.seats):
        yield f"the card of seat {seat} plays itself where that of seat {due} comes next"


def _duty(position: Position, hand: HandRead, fact: CardPlayed) -> Iterator[str]:
    """Who holds the called card plays it as soon as he may (R-C29)."""
    if hand.called is None or hand.won is None or len(hand.takers) + 1 < hand.called_from:
        return
    if fact.seat == hand.won.seat or fact.card == hand.called:
        return
    holds = hand.called in hand.cards.get(fact.seat, ()) and is_trump(position.rules, hand.trump, hand.called)
    if position.rules.follow is Follow.TRUMPS_ONLY and holds:
        yield f"seat {fact.seat} plays {fact.card} and holds {hand.called}, which was called"


def _held(hand: HandRead, seat: int, card: Card) -> Iterator[str]:
    if card in cards_played_or_out(hand):
        yield f"{card} has been played already"
    elif seat in hand.cards and card not in hand.cards[seat]:
        yield f"seat {seat} plays {card} and does not hold it"
    elif any(card in held for other, held in hand.cards.items() if other != seat) or card in (hand.stock or ()):
        yield f"seat {seat} plays {card}, which lies elsewhere"
    if hand.counts[seat] < 1:
        yield f"seat {seat} plays and has no card left"


def cards_played_or_out(hand: HandRead) -> set[Card]:
    """The cards that have left the hands: on the table, taken or thrown away."""
    return {play.card for play in hand.table} | {card for pile in hand.taken for card in pile} | set(hand.out)


def check_trick_taken(position: Position, fact: TrickTaken) -> Iterator[str]:
    """A trick as it lay on the table, to which everybody who could has played, goes to one who played to it."""
    hand = position.live
    if (fact.hand, fact.trick) != (number := (hand.dealt.hand, len(hand.takers) + 1)):
        yield f"it is hand {fact.hand} trick {fact.trick} where hand {number[0]} trick {number[1]} ends"
    if fact.plays != hand.table:
        yield f"it gathers {_laid(fact.plays)} where {_laid(hand.table)} lay on the table"
    yield from _passed_over(position, hand)
    if fact.seat not in {play.seat for play in fact.plays}:
        yield f"seat {fact.seat} takes a trick it did not play to"
    if fact.kept != (stays := plays_kept(position.rules, hand, fact.plays)):
        yield f"it keeps {_laid(fact.kept)} where {_laid(stays)} stays with who played it"


def _passed_over(position: Position, hand: HandRead) -> Iterator[str]:
    """Who has not been asked since the last card must not be able to play (R-C9, R-C53)."""
    if not hand.table:
        return
    last, left = hand.table[-1].seat, (hand.table[0].seat - hand.table[-1].seat - 1) % position.seats
    asked = [(last + turn) % position.seats for turn in range(1, left + 1)]
    if could := [seat for seat in asked if can_play(position, hand, seat)]:
        yield f"it gathers a trick to which seat {', '.join(map(str, could))} could still have played"


def plays_kept(rules: Rules, hand: HandRead, plays: Sequence[Play]) -> tuple[Play, ...]:
    """What stays with who played it: the lowest trump there is by rank and its off card, on a clean table (R-C56)."""
    if rules.dirty or not rules.keeps or hand.trump is None or not rules.ranks:
        return ()
    rank = rules.ranks[-1 if rules.reverse else 0]
    suits = {hand.trump, OFF_SUIT[hand.trump]}
    low = [play for play in plays if RANK[play.card] == rank and SUIT[play.card] in suits]
    return tuple(play for play in low if is_trump(rules, hand.trump, play.card))


def _laid(plays: Sequence[Play]) -> str:
    return " ".join(f"{play.seat}:{play.card}" for play in plays) or "nothing"


def can_count_cards(hand: HandRead) -> bool:
    """Whether all cards are known."""
    if len(hand.cards) < len(hand.counts) or (hand.stock is None and hand.stock_left):
        return False
    return not hand.unburied and not hand.untaken


def check_card_count(hand: HandRead, deck: Sequence[Card]) -> Iterator[str]:
    """Each card of the deck once: in the hands, on the table, taken, thrown away or in the stock; where all are known.

    Between a fact that moves cards and the one that names them there is nothing to count.
    """
    if not can_count_cards(hand):
        return
    held = [card for seat in hand.cards.values() for card in seat]
    table = [play.card for play in hand.table]
    taken = [card for pile in hand.taken for card in pile]
    known = [*held, *table, *taken, *hand.out, *(hand.stock or ())]
    if len(known) != len(deck) or not set(known).issuperset(deck):
        yield "hands, table, taken cards, discards and stock are not the whole deck, each card once"
    if tuple(len(hand.cards[seat]) for seat in range(len(hand.counts))) != hand.counts:
        yield "the seats do not hold as many cards as they should"
    if len(hand.stock or ()) != hand.stock_left:
        yield f"the stock has {len(hand.stock or ())} cards where {hand.stock_left} should be left"
