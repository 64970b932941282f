"""Accept whole tricks and whole deals at once if nothing is wrong with them.

The fast path may accept only what the checks of each fact accept (tests/replay/audit/test_fast_path.py). If it can't
tell, or something is wrong, it returns None, and the ledger checks the facts one by one: only that yields findings.
Without it, games of Pitch, Setback and Blackout take nearly twice as long (docs/decisions/0014-second-reading.md).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from domain.events import CardsDealt, Event, Play, StockLaid, TrickTaken
from domain.memo import memoize_by_identity
from domain.rules.choices import Fill, Follow, Partners, Trump
from domain.rules.model import Rules
from replay.audit.deals.deal import RecomputedDeal
from replay.audit.play.checking import SERVER
from replay.audit.play.deadlines import is_before_deadlines
from replay.audit.play.tricks import plays_kept
from replay.fold import HandRead, Position
from replay.fold.play import read_deal, read_trick
from replay.fold.validate import is_lower_hex

Batch = Sequence[Event[Any]]
_FIRST = frozenset({"CardPlayed", "CardsDealt"})
_LED_AFTER = frozenset({"TrickTaken", "TrumpPitched", "BidMade"})


def batch_size(position: Position, event: Event[Any], *, step_by_step: bool) -> int:
    """Return the number of events in the trick or deal that may begin with `event`, or 0 if none begins there."""
    hand = position.hand
    if hand is None or event.fact not in _FIRST:
        return 0
    if event.fact == "CardsDealt":
        return 0 if hand.cards else position.seats + bool(hand.dealt.stock)
    return 0 if hand.table or step_by_step or not _has_simple_rules(position.rules) else position.seats + 1


def accept_trick(position: Position, batch: Batch, later: Sequence[bool], before: Event[Any]) -> Position | None:
    """Return the position after the trick in `batch`: a card from each seat, then TrickTaken. None if not sure.

    `before` is the previous event, after which all cards of the hand were counted. `later` says for each event of
    `batch` whether a later fact of its commit sets the turn.
    """
    hand = position.hand
    if hand is None or before.fact not in _LED_AFTER or not _is_quiet(position, hand) or not _may_lead(position, hand):
        return None
    if not _is_taken(position, hand, batch) or not _cards_follow(position, hand, batch):
        return None
    if before.fact == "TrumpPitched" and not (batch[0].data.card == hand.marker and _is_same_commit(batch[0], before)):
        return None
    if any(later[:-2]) or not later[-2] or not _in_order(position, batch, before):
        return None
    taken = batch[-1]
    leads = (taken.data.seat,) if hand.counts[0] > 1 and not later[-1] else ()
    return read_trick(position, taken) if taken.data.next == leads else None


def _may_lead(position: Position, hand: HandRead) -> bool:
    """Whether a trick can begin: every seat has a card to play, and trump is known."""
    counts = hand.counts
    if hand.table or not _is_trump_known(position, hand) or counts[0] < 1 or counts.count(counts[0]) < len(counts):
        return False
    led = hand.takers or hand.marker or position.rules.trump is not Trump.PITCHED
    return bool(led) and _is_auction_over(position, hand)


def _is_taken(position: Position, hand: HandRead, batch: Batch) -> bool:
    """Whether the last event takes the trick, in the same commit, and players keep the cards that they may keep."""
    last, event = batch[-2:]
    if event.fact != "TrickTaken" or event.by != SERVER or not _is_same_commit(event, last):
        return False
    fact: TrickTaken = event.data
    if (fact.hand, fact.trick) != (hand.dealt.hand, len(hand.takers) + 1) or len(fact.plays) != position.seats:
        return False
    return 0 <= fact.seat < position.seats and fact.kept == _kept_plays(position, hand, fact.plays)


def _cards_follow(position: Position, hand: HandRead, batch: Batch) -> bool:
    """Whether each seat in turn plays a card it holds, names the next seat, and has its card in the trick taken."""
    seats, players, seat = position.seats, position.players, hand.leader or 0
    if seat not in position.turn:
        return False
    for event, play in zip(batch, batch[-1].data.plays, strict=False):
        if event.fact != "CardPlayed" or event.by != players[seat].player:
            return False
        card, held = event.data.card, hand.cards.get(seat, ())
        if not event.data.seat == play.seat == seat or card != play.card:
            return False
        if card not in held or len(held) != hand.counts[seat]:
            return False
        seat = (seat + 1) % seats
        if event.data.next != (() if event is batch[-2] else (seat,)):
            return False
    return True


def _in_order(position: Position, batch: Batch, before: Event[Any]) -> bool:
    """Whether all events are public, belong to this game, and come in order of time and before any deadline."""
    since = position.since
    for last, event in pairwise([before, *batch]):
        if event.seen_by is not None or event.game != before.game or not is_lower_hex(event.salt, 32):
            return False
        if event.at < last.at or not is_before_deadlines(position, event.at, since):
            return False
        since = event.at
    return True


def accept_deal(position: Position, batch: Batch, before: Event[Any], deal: RecomputedDeal) -> Position | None:
    """Return the position after the deal in `batch`: the cards of each seat, then the stock. None if not sure.

    `before` is the HandDealt just before, and `deal` the deal that follows from its seed.
    """
    hand = position.hand
    if hand is None or before.fact != "HandDealt" or hand.cards or not _undisturbed(position, hand):
        return None
    dealt, seats = hand.dealt, position.seats
    if dealt.counts != tuple(map(len, deal.cards)) or dealt.stock != len(deal.stock):
        return None
    cards = {seat % seats: deal.cards[seat % seats] for seat in range(dealt.eldest, dealt.eldest + seats)}
    for event, seat in zip(batch, [*cards, None], strict=False):
        due = StockLaid(dealt.n, deal.stock) if seat is None else CardsDealt(dealt.n, seat, cards[seat])
        if event.data != due or event.seen_by != (() if seat is None else (seat,)):
            return None
        if not _dealt_by_table(position, event, before):
            return None
    return read_deal(position, batch[-1], {"cards": cards, **({"stock": deal.stock} if dealt.stock else {})})


def _undisturbed(position: Position, hand: HandRead) -> bool:
    """Whether the hand just dealt is in play, its seats see their own cards, and no proposal or dispute is open."""
    if hand.over or position.ended or position.disputes or position.deal_due:
        return False
    return not (position.proposal or position.delay_call or position.blind)


def _dealt_by_table(position: Position, event: Event[Any], before: Event[Any]) -> bool:
    if event.by != SERVER or event.game != before.game or not is_lower_hex(event.salt, 32):
        return False
    return _is_same_commit(event, before) and is_before_deadlines(position, event.at)


def _is_quiet(position: Position, hand: HandRead) -> bool:
    """Whether a hand is in play, no proposal or dispute is open, and the rules let any card end a trick."""
    if hand.over or position.ended or position.disputes or position.left or position.deal_due:
        return False
    if position.opening.timing.pace is not None:
        return False
    if position.proposal or position.delay_call or hand.called or hand.deferred or hand.unburied or hand.untaken:
        return False
    return not position.blind and _has_simple_rules(position.rules) and not _may_be_over(position)


def _is_auction_over(position: Position, hand: HandRead) -> bool:
    contract = position.rules.auction.contract
    return len(hand.calls) == position.seats and (not contract or hand.won is not None)


@memoize_by_identity
def _has_simple_rules(rules: Rules) -> bool:
    """Whether any card may end a trick, and nothing is drawn, named, called, discarded or taken from the stock."""
    named = rules.trump is Trump.NAMED or rules.partners is Partners.CALL or rules.fill is not Fill.NOTHING
    return not named and rules.follow is not Follow.TRUMPS_ONLY and rules.changes.randomizer is None


def _may_be_over(position: Position) -> bool:
    goal = position.rules.goal
    return not position.persons or (goal is not None and max(position.scores) >= goal)


def _is_trump_known(position: Position, hand: HandRead) -> bool:
    """Whether trump is known. If trump is turned up and there is no stock, no suit is trump (B11)."""
    return hand.trump is not None or position.rules.trump is Trump.TURNED_UP


def _is_same_commit(event: Event[Any], before: Event[Any]) -> bool:
    return (event.at, event.command) == (before.at, before.command)


def _kept_plays(position: Position, hand: HandRead, plays: tuple[Play, ...]) -> tuple[Play, ...]:
    rules = position.rules
    return () if rules.dirty or not rules.keeps else plays_kept(rules, hand, plays)
