"""A quick look at what belongs together: whole tricks and whole deals in which nothing is amiss.

Each fact is held against the same things as by a quick look at it alone (plain) or by a close one (checks, order,
envelope, turns), but what is the same for all of them is asked once. Where it cannot tell, or something is wrong, the
answer is None and the facts are looked at one by one: only there are findings made.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from domain.events import CardsDealt, Event, StockLaid, TrickTaken
from domain.rules.choices import Trump
from replay.audit.deals.deal import Recomputed
from replay.audit.fast_path import auction_over, quiet, stays, together, trump_made
from replay.audit.play.deadlines import early
from replay.audit.play.fact_kinds import SERVER
from replay.fold import HandRead, Position
from replay.fold.batch import read_deal, read_trick
from replay.fold.validate import is_lower_hex

Coming = Sequence[Event[Any]]
_FIRST = frozenset({"CardPlayed", "CardsDealt"})
_LED_AFTER = frozenset({"TrickTaken", "TrumpPitched", "BidMade"})


def size(position: Position, event: Event[Any], *, step_by_step: bool) -> int:
    """How many events the whole trick or deal has that may begin with `event`; 0 where none does."""
    hand = position.hand
    if hand is None or event.fact not in _FIRST:
        return 0
    if event.fact == "CardsDealt":
        return 0 if hand.cards else position.seats + bool(hand.dealt.stock)
    return 0 if hand.table or step_by_step else position.seats + 1


def whole_trick(position: Position, coming: Coming, later: Sequence[bool], before: Event[Any]) -> Position | None:
    """The position after the trick that `coming`, a card of each seat and the taking of them, makes up; None for a
    closer look.

    `before` is the event just before, of this hand, and the cards were counted after it; `later` says of each event of
    `coming` whether a later fact of its commit has the turn.
    """
    hand = position.hand
    if hand is None or before.fact not in _LED_AFTER or not quiet(position, hand) or not _may_lead(position, hand):
        return None
    if not _is_taken(position, hand, coming) or not _cards_follow(position, hand, coming):
        return None
    if before.fact == "TrumpPitched" and not (coming[0].data.card == hand.marker and together(coming[0], before)):
        return None
    if any(later[:-2]) or not later[-2] or not _in_order(position, coming, before):
        return None
    taken = coming[-1]
    leads = (taken.data.seat,) if hand.counts[0] > 1 and not later[-1] else ()
    return read_trick(position, taken) if taken.data.next == leads else None


def _may_lead(position: Position, hand: HandRead) -> bool:
    """Whether a trick begins to which each seat has a card to play, by trumps that are made."""
    counts = hand.counts
    if hand.table or not trump_made(position, hand) or counts[0] < 1 or counts.count(counts[0]) < len(counts):
        return False
    led = hand.takers or hand.marker or position.rules.trump is not Trump.PITCHED
    return bool(led) and auction_over(position, hand)


def _is_taken(position: Position, hand: HandRead, coming: Coming) -> bool:
    """Whether the last card is that of a trick which somebody takes, and what is kept of it is."""
    last, event = coming[-2:]
    if event.fact != "TrickTaken" or event.by != SERVER or not together(event, last):
        return False
    fact: TrickTaken = event.data
    if (fact.hand, fact.trick) != (hand.dealt.hand, len(hand.takers) + 1) or len(fact.plays) != position.seats:
        return False
    return 0 <= fact.seat < position.seats and fact.kept == stays(position, hand, fact.plays)


def _cards_follow(position: Position, hand: HandRead, coming: Coming) -> bool:
    """Whether each seat from the leader on plays a card it holds, says who is next, and is gathered so."""
    seats, players, seat = position.seats, position.players, hand.leader or 0
    if seat not in position.turn:
        return False
    for event, play in zip(coming, coming[-1].data.plays, strict=False):
        if event.fact != "CardPlayed" or event.by != players[seat].player:
            return False
        card, held = event.data.card, hand.cards.get(seat, ())
        if not event.data.seat == play.seat == seat or card != play.card:
            return False
        if card not in held or len(held) != hand.counts[seat]:
            return False
        seat = (seat + 1) % seats
        if event.data.next != (() if event is coming[-2] else (seat,)):
            return False
    return True


def _in_order(position: Position, coming: Coming, before: Event[Any]) -> bool:
    """Whether all are for everybody, of this game, in time one after the other."""
    since = position.since
    for last, event in pairwise([before, *coming]):
        if event.seen_by is not None or event.game != before.game or not is_lower_hex(event.salt, 32):
            return False
        if event.at < last.at or not early(position, event.at, since):
            return False
        since = event.at
    return True


def whole_deal(position: Position, coming: Coming, before: Event[Any], deal: Recomputed) -> Position | None:
    """The position after a deal of which `coming` are the cards, seat by seat, and the stock; None for a closer look.

    `before` is the event just before, by which the hand was dealt, and `deal` what its seed makes of it.
    """
    hand = position.hand
    if hand is None or before.fact != "HandDealt" or hand.cards or not _undisturbed(position, hand):
        return None
    told, seats = hand.dealt, position.seats
    if told.counts != tuple(map(len, deal.cards)) or told.stock != len(deal.stock):
        return None
    cards = {seat % seats: deal.cards[seat % seats] for seat in range(told.eldest, told.eldest + seats)}
    for event, seat in zip(coming, [*cards, None], strict=False):
        due = StockLaid(told.n, deal.stock) if seat is None else CardsDealt(told.n, seat, cards[seat])
        if event.data != due or event.seen_by != (() if seat is None else (seat,)):
            return None
        if not _dealt_by_table(position, event, before):
            return None
    return read_deal(position, coming[-1], {"cards": cards, **({"stock": deal.stock} if told.stock else {})})


def _undisturbed(position: Position, hand: HandRead) -> bool:
    """Whether the hand just dealt is in play, by cards that their own seats see, and nothing else is going on."""
    if hand.over or position.ended or position.disputes or position.deal_due or position.asked or position.accused:
        return False
    return not position.blind


def _dealt_by_table(position: Position, event: Event[Any], before: Event[Any]) -> bool:
    if event.by != SERVER or event.game != before.game or not is_lower_hex(event.salt, 32):
        return False
    return together(event, before) and early(position, event.at)
