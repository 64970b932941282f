"""The plain course of play, three facts of four: bids, cards and tricks in which nothing is amiss, by a quick look.

Where a quick look cannot tell, or something is wrong, the answer is None and everything is asked one by one (checks,
order, envelope, turns): only there are findings made. So a card passes here only if none of those had a word to say.
"""

from collections.abc import Callable
from typing import Any

from domain.events import BidMade, BidPassed, CardPlayed, Event, Play, TrickTaken
from domain.memo import memoize_by_identity
from domain.rules.choices import Fill, Follow, Partners, Trump
from domain.rules.model import Rules
from replay.audit.play.auction import bids
from replay.audit.play.deadlines import early
from replay.audit.play.fact_kinds import SERVER
from replay.audit.play.tricks import kept
from replay.audit.play.turns import bidder
from replay.fold import HandRead, Position, follow_unchecked, memoize_on_position
from replay.fold.validate import is_lower_hex

CARDS = frozenset({"CardPlayed", "TrickTaken"})
SPOKEN = frozenset({"BidMade", "BidPassed"})
PLAIN = CARDS | SPOKEN
"""What is looked at."""
BEFORE = dict.fromkeys(CARDS, CARDS | {"TrumpPitched", "BidMade"}) | dict.fromkeys(
    SPOKEN, SPOKEN | {"StockLaid", "TrumpTurnedUp"}
)
"""What they come after."""
_DEAL_ENDS = {Trump.TURNED_UP: "TrumpTurnedUp"}
"""The last fact of a deal with a stock, where that is not the stock itself."""


def plainly(position: Position, event: Event[Any], before: Event[Any], later: bool) -> Position | None:
    """The position after a bid, a card or a trick, None for a closer look.

    `before` is the event just before, of this hand, and the cards were counted after it; `later` as for `Books.enter`.
    """
    hand = position.hand
    if hand is None or before.fact not in BEFORE[event.fact] or not quiet(position, hand):
        return None
    if not _in_order(position, event, before) or not _RIGHT[event.fact](position, hand, event, before):
        return None
    after = follow_unchecked(position, event)
    if event.data.next != (() if later else _next(after)):
        return None
    return after


def quiet(position: Position, hand: HandRead) -> bool:
    """Whether a hand is played in which nothing else goes on, at a table where no card but for following is owed."""
    if hand.over or position.ended or position.disputes or position.left or position.deal_due:
        return False
    if position.asked or position.accused or hand.called or hand.deferred or hand.unburied or hand.untaken:
        return False
    return not position.blind and _plain_rules(position.rules) and not _maybe_over(position)


def auction_over(position: Position, hand: HandRead) -> bool:
    contract = position.rules.auction.contract
    return len(hand.said) == position.seats and (not contract or hand.won is not None)


@memoize_by_identity
def _plain_rules(rules: Rules) -> bool:
    """Whether any card may end a trick, and nothing is drawn, named, called, thrown away or taken from the stock."""
    named = rules.trump is Trump.NAMED or rules.partners is Partners.CALL or rules.fill is not Fill.NOTHING
    return not named and rules.follow is not Follow.TRUMPS_ONLY and rules.changes.randomizer is None


def _maybe_over(position: Position) -> bool:
    goal = position.rules.goal
    return not position.persons or (goal is not None and max(position.scores) >= goal)


def _in_order(position: Position, event: Event[Any], before: Event[Any]) -> bool:
    """Whether the envelope is right but for author, time and command: for everybody, of this game, in time."""
    if event.seen_by is not None or event.game != before.game or not is_lower_hex(event.salt, 32):
        return False
    return early(position, event.at)


def _word(position: Position, hand: HandRead, event: Event[BidMade | BidPassed], before: Event[Any]) -> bool:
    """A bid or a pass in turn; the first where nothing else may follow the deal."""
    fact, rules = event.data, position.rules
    if hand.won is not None or hand.table or position.turn != (fact.seat,) or _next(position) != (fact.seat,):
        return False
    if event.at < before.at or event.by != position.players[fact.seat].player or fact.seat in dict(hand.said):
        return False
    if not hand.said and (rules.misdeal or before.fact != _DEAL_ENDS.get(rules.trump, "StockLaid")):
        return False
    return fact.bid in bids(rules, hand.dealt.hand) if isinstance(fact, BidMade) else rules.auction.passing


def _card(position: Position, hand: HandRead, event: Event[CardPlayed], before: Event[Any]) -> bool:
    seat, card = event.data.seat, event.data.card
    if not auction_over(position, hand):
        return False
    if not 0 <= seat < position.seats or seat not in position.turn or event.by != position.players[seat].player:
        return False
    if seat in [play.seat for play in hand.table]:
        return False
    if (seat,) != _next(position) or card not in hand.cards.get(seat, ()) or len(hand.cards[seat]) != hand.counts[seat]:
        return False
    if before.fact == "TrumpPitched":
        return card == hand.marker and trump_made(position, hand) and together(event, before)
    return trump_made(position, hand) and _after(position, hand, event, before)


def trump_made(position: Position, hand: HandRead) -> bool:
    """Whether it is known what is trump; where it is turned up and there is no stock, nothing is (B11)."""
    return hand.trump is not None or position.rules.trump is Trump.TURNED_UP


def _after(position: Position, hand: HandRead, event: Event[CardPlayed], before: Event[Any]) -> bool:
    """A commit of its own, and not the first card where that had to pitch trump."""
    return event.at >= before.at and bool(hand.table or hand.takers or position.rules.trump is not Trump.PITCHED)


def together(event: Event[Any], before: Event[Any]) -> bool:
    return (event.at, event.command) == (before.at, before.command)


def _trick(position: Position, hand: HandRead, event: Event[TrickTaken], before: Event[Any]) -> bool:
    fact = event.data
    if not auction_over(position, hand):
        return False
    if before.fact != "CardPlayed" or event.by != SERVER or not together(event, before) or not hand.table:
        return False
    if (fact.hand, fact.trick) != (hand.dealt.hand, len(hand.takers) + 1) or fact.plays != hand.table:
        return False
    if _next(position) or fact.seat not in [play.seat for play in fact.plays]:
        return False
    return fact.kept == stays(position, hand, fact.plays)


def stays(position: Position, hand: HandRead, plays: tuple[Play, ...]) -> tuple[Play, ...]:
    rules = position.rules
    return () if rules.dirty or not rules.keeps else kept(rules, hand, plays)


@memoize_on_position
def _next(position: Position) -> tuple[int, ...]:
    """Who bids next; who plays next where any card will do: round from the last card up to the leader, or from him."""
    hand, seats = position.live, position.seats
    if position.phase == "auction":
        return bidder(position, hand)
    start = hand.table[-1].seat + 1 if hand.table else (hand.leader or 0)
    for turn in range((hand.table[0].seat - start) % seats if hand.table else seats):
        if hand.counts[(start + turn) % seats]:
            return ((start + turn) % seats,)
    return ()


_RIGHT: dict[str, Callable[..., bool]] = {
    "BidMade": _word,
    "BidPassed": _word,
    "CardPlayed": _card,
    "TrickTaken": _trick,
}
