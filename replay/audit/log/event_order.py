"""Which facts may come next: the facts of a commit have a fixed order (docs/design.md#commits)."""

from collections.abc import Callable
from functools import cache

from domain.events import require_every_fact
from domain.rules.choices import AllPass, Call, FirstDealer, Seating, Trump
from replay.audit.deals import ceremonies
from replay.audit.deals.deal import seats_without_honours
from replay.audit.disputes import facts_due_after_void, possible_dispute_facts
from replay.audit.play import deadlines as clock
from replay.audit.play.checking import TABLE_TALK_FACTS
from replay.audit.play.exchange import exchange_facts_due
from replay.audit.play.rule_changes import is_change_held_back, randomizer_draws, session_end_labels
from replay.audit.play.table_talk import due_after_agreement, is_drop_due, is_undo_granted, is_verdict_due
from replay.audit.play.turns import next_blind_seat, next_players
from replay.audit.scoring.endings import due_end, is_log_full
from replay.fold import HandRead, Position

Facts = frozenset[str]

NOTHING: Facts = frozenset()
_REVEALS = frozenset({"CeremonyRevealed", "CeremonyVoided"})
_DRAWS = frozenset({"SeedKept", "SeatsDrawn", "DealerDrawn", "CoinFlipped"})


_FOLLOWED_BY = {"CeremonyOpened": "SeedKept", "TrumpPitched": "CardPlayed", "TimeClaimed": "SeatForfeited"}
"""Facts after which one other fact must come."""


@cache
def only(*facts: str) -> Facts:
    """Return a set of only these facts."""
    return frozenset(facts)


def due_facts(position: Position, last: str, laid: int, key: bytes | None = None) -> Facts:
    """Return the facts of which one must come next, after the fact `last` and `laid` CardsDealt of this deal.

    `key` is that of the deal in play, or None if its seed isn't known. A fact that depends on an unknown key, or on
    cards that aren't shown, may then come or not.
    """
    if position.opened is None:
        return only("GameOpened")
    if position.ended:
        return possible_dispute_facts(position)
    if position.delay_call is not None and is_drop_due(position):
        return only("DelayDropped")
    after_void = facts_due_after_void(position) if position.disputes else NOTHING
    facts = after_void or _due_in_game(position, last, laid, key)
    return _union(facts, possible_dispute_facts(position)) if "SeatResigned" in facts else facts


@cache
def _union(one: Facts, other: Facts) -> Facts:
    return one | other


def _due_in_game(position: Position, last: str, laid: int, key: bytes | None) -> Facts:
    """Return the facts due in a game that isn't over, without those of disputes."""
    if last in _FOLLOWED_BY:
        return only(_FOLLOWED_BY[last])
    if drawing := (position.deal_due and _cutting(position, last)) or _drawing(position, last):
        return drawing
    hand = position.hand
    if hand is None or hand.over:
        return _between(position, key)
    if last in {"HandDealt", "CardsDealt", "StockLaid"} and (dealing := _dealing(position, hand, last, laid)):
        return dealing
    if due_end(position) or last in _REVEALS or clock.is_time_up(position):
        return _ending(position)
    return _in_play(position, hand, key)


def _cutting(position: Position, last: str) -> Facts:
    """Return the facts due while the deal waits for cuts or a beacon (fairdeal/1); none if it doesn't wait."""
    due = ceremonies.facts_due_while_cutting(position)
    if not due or last in _REVEALS or due_end(position):
        return NOTHING
    return only("DelayJudged") if is_verdict_due(position) else due


def _drawing(position: Position, last: str) -> Facts:
    """Return the draw due from the ceremony just opened, then its reveal: coin and ceremony 0 are revealed at once."""
    if last not in _DRAWS:
        return NOTHING
    seats, dealer = _drawn_at_opening(position)
    if last == "SeedKept":
        n = max(position.ceremonies, default=0)
        subject = position.ceremonies[n].subject if n in position.ceremonies else ""
        first = "SeatsDrawn" if seats else "DealerDrawn"
        return only({"game": first, "coin": "CoinFlipped"}.get(subject, "HandDealt"))
    if last == "SeatsDrawn" and dealer:
        return only("DealerDrawn")
    return only("CeremonyRevealed")


def _drawn_at_opening(position: Position) -> tuple[bool, bool]:
    """Return whether ceremony 0 draws the seats, and whether it draws the first dealer."""
    rules = position.opening.rules
    return rules.seating is Seating.DRAWN, rules.first_dealer is FirstDealer.DRAWN


def _between(position: Position, key: bytes | None) -> Facts:
    """Return the facts due between hands: reveals, the end, deferred rule changes, or the next ceremony."""
    if due_end(position) or clock.is_time_up(position):
        return _ending(position)
    if handing_over := _handing_over(position):
        return handing_over
    ceremonies = position.ceremonies.values()
    if position.opening.reveal == "hand" and any(each.dealt and not each.closed for each in ceremonies):
        return only("CeremonyRevealed")
    hand = position.hand
    if hand is not None and (labels := session_end_labels(position, hand, key)) != []:
        return _ending(position) | (NOTHING if labels else _next_hand(position))
    return _next_hand(position)


def _next_hand(position: Position) -> Facts:
    if position.hand is not None and position.hand.deferred:
        return only("RulesChanged")
    return _ending(position) if is_log_full(position) else only("CeremonyOpened")


def _ending(position: Position) -> Facts:
    """Return the facts due at the end: first every seed is revealed, then the game ends."""
    return only("GameEnded") if all(each.closed for each in position.ceremonies.values()) else _REVEALS


def _dealing(position: Position, hand: HandRead, last: str, laid: int) -> Facts:
    """Return the facts due in an unfinished deal; none if it's finished."""
    if last != "StockLaid" and laid < position.seats:
        return only("CardsDealt")
    if last != "StockLaid" and hand.dealt.stock:
        return only("StockLaid")
    if seats_without_honours(position, hand.cards):
        return only("MisdealDeclared")
    unknown = position.rules.misdeal and len(hand.cards) < position.seats
    if position.rules.trump is Trump.TURNED_UP and hand.dealt.stock:
        return only("TrumpTurnedUp") | (only("MisdealDeclared") if unknown else NOTHING)
    return only("MisdealDeclared") | _in_play(position, hand, None) if unknown else NOTHING


def _in_play(position: Position, hand: HandRead, key: bytes | None) -> Facts:
    """Return the facts due in a hand: the server's own facts first, then randomizer draws, then moves of seats."""
    if handing_over := _handing_over(position):
        return handing_over
    if position.proposal is not None and is_undo_granted(position):
        return only("MovesTakenBack")
    if judging := _judging(position):
        return judging
    if exchange := exchange_facts_due(position, hand):
        return exchange
    phase = position.phase
    if phase == "auction" and len(hand.calls) == position.seats:
        return _after_auction(position, hand)
    playing = phase in {"play", "waiting"}
    if playing:
        return _in_tricks(position, hand, key, phase)
    return _before_move(position, hand, key, possible_facts(position, hand, phase))


def _handing_over(position: Position) -> Facts:
    """Return the hand-over that everybody agreed to, or the forfeit in its place (R-P13)."""
    due = None if position.question is None else due_after_agreement(position)
    return NOTHING if due is None else only(due)


def _judging(position: Position) -> Facts:
    """Return the facts due on a delay call: votes for seats that left, and the verdict (C29, R-C66)."""
    call = position.delay_call
    if call is None:
        return NOTHING
    if is_verdict_due(position):
        return only("DelayJudged")
    votes = dict(call.votes)
    return only("DelayVoted") if any(seat not in votes and seat != call.seat for seat in position.left) else NOTHING


def _after_auction(position: Position, hand: HandRead) -> Facts:
    dealer_wins = position.rules.auction.all_pass is AllPass.DEALER_HAS_IT
    return only("AuctionWon" if dealer_wins or any(bid is not None for _, bid in hand.calls) else "HandThrownIn")


def _in_tricks(position: Position, hand: HandRead, key: bytes | None, phase: str) -> Facts:
    """Return the facts due in the play: if no seat can play a card, the trick is taken or the hand scored."""
    if position.blind and len(hand.table) < position.seats and hand.counts[next_blind_seat(position, hand)]:
        return _before_move(position, hand, key, only("CardPlayed"))
    if reveals_secret_call(position, hand):
        return only("PartnerRevealed")
    players = next_players(position)
    over = NOTHING
    if players.nobody:
        over = only("TrickTaken") if hand.table else only(_after_last_trick(position, hand))
    if not players.seats:
        return over
    if reveals_announced_call(position, hand):
        return over | only("PartnerRevealed")
    moves = _before_move(position, hand, key, possible_facts(position, hand, phase))
    return moves if position.turn or not over else moves | over


def _after_last_trick(position: Position, hand: HandRead) -> str:
    unrevealed = position.rules.call is Call.SECRET and hand.called is not None and not hand.settled
    return "PartnerRevealed" if unrevealed and len(hand.takers) >= hand.called_from else "HandScored"


def reveals_secret_call(position: Position, hand: HandRead) -> bool:
    """Whether a secret call is revealed now, because the called card is on the table (R-C29's other answer)."""
    if hand.called is None or hand.settled or len(hand.takers) + 1 < hand.called_from:
        return False
    return position.rules.call is Call.SECRET and hand.called in {play.card for play in hand.table}


def reveals_announced_call(position: Position, hand: HandRead) -> bool:
    """Whether an announced call takes effect now: before the first card of the next trick (C11, R-C29)."""
    if hand.called is None or hand.settled or hand.table:
        return False
    return position.rules.call is Call.ANNOUNCED


def _before_move(position: Position, hand: HandRead, key: bytes | None, moves: Facts) -> Facts:
    """Return a deferred rule change that needn't wait any more, else what the randomizer draws, else `moves`."""
    if hand.deferred and not is_change_held_back(position):
        return only("RulesChanged")
    ends, changes = randomizer_draws(position, key)
    if ends:
        return only("CeremonyRevealed")
    change = "RulesChangeDeferred" if is_change_held_back(position) else "RulesChanged"
    if changes and ends is False:
        return only(change)
    drawn = _union(
        NOTHING if ends is False else only("CeremonyRevealed"), NOTHING if changes is False else only(change)
    )
    return drawn if changes else _union(drawn, moves)


def possible_facts(position: Position, hand: HandRead, phase: str = "") -> Facts:
    """Return the facts that may come while the server waits for a seat."""
    if clock.is_timing_due(position):
        return only("TurnTimed")
    rules, words = position.rules, list[str]()
    if clock.clock_of_turn(position) is not None:
        words.append("TurnTimed")
    if position.call_due:
        words.append("PartnerCalled")
    if hand.trump is None and position.phase == "play" and rules.trump is Trump.PITCHED:
        words.append("TrumpPitched")
    if clock.game_deadline(position) is not None:
        words.append("CeremonyRevealed")
    if rules.changes.host:
        words.append("RulesChangeDeferred" if is_change_held_back(position) else "RulesChanged")
    if any(position.lent.values()):
        words.append("SeatReturned")
    due = clock.possible_deadline_facts(position)
    return _facts_of_phase(phase or position.phase, rules.delay is not None, due, *words)


@cache
def _facts_of_phase(phase: str, has_delay_calls: bool, deadlines: Facts, *others: str) -> Facts:
    talk = TABLE_TALK_FACTS if has_delay_calls else TABLE_TALK_FACTS - {"DelayCalled", "DelayVoted"}
    return _MOVES_OF_PHASE[phase] | talk | deadlines | set(others)


_MOVES_OF_PHASE = {
    "auction": only("BidMade", "BidPassed"),
    "naming": only("TrumpNamed"),
    "calling": only("PartnerCalled"),
    "discarding": only("CardsDiscarded"),
    "waiting": NOTHING,
    "play": only("CardPlayed"),
}
_RETURNED_BY: dict[Callable[..., Facts], Facts] = {
    due_facts: only("GameOpened", "DelayDropped"),
    ceremonies.facts_due_while_cutting: only("CutOpened", "BeaconRecorded"),
    clock.possible_deadline_facts: only("SeatForfeited", "TurnReminded", "TimeClaimed"),
    possible_dispute_facts: only("DisputeOpened", "DisputeWithdrawn", "RulingGiven", "RulingAppealed", "RulingDecided"),
    _due_in_game: only("SeedKept"),
    _drawing: only("SeatsDrawn", "DealerDrawn", "CoinFlipped", "HandDealt"),
    _next_hand: only("CeremonyOpened"),
    _ending: _REVEALS | {"GameEnded"},
    _dealing: only("CardsDealt", "StockLaid", "TrumpTurnedUp", "MisdealDeclared"),
    _in_play: only("MovesTakenBack"),
    _judging: only("DelayJudged"),
    exchange_facts_due: only("CardsBuried", "CardsTaken", "CardsDrawn", "StockTaken"),
    _after_auction: only("AuctionWon", "HandThrownIn"),
    _in_tricks: only("PartnerRevealed", "TrickTaken", "HandScored"),
    _before_move: only("RulesChanged", "RulesChangeDeferred"),
    _handing_over: only("SeatHandedOver"),
    possible_facts: only("TrumpPitched", "SeatReturned", "TurnTimed"),
    _facts_of_phase: TABLE_TALK_FACTS.union(*_MOVES_OF_PHASE.values()),
}
"""For each function, the facts that only it returns."""
_DUE_AFTER_CHANGES = only("BidScaled", "PartnersChanged")
"""Facts that follow a rule change at once. The ledger checks their order."""
require_every_fact(_DUE_AFTER_CHANGES.union(*_RETURNED_BY.values()), __name__)
