"""Which facts may come next: one commit's facts follow each other in a fixed order (docs/design.md#commits)."""

from collections.abc import Callable
from functools import cache

from domain.events import require_every_fact
from domain.rules.choices import AllPass, Call, Fill, FirstDealer, Seating, Trump
from replay.audit.deals import cuts
from replay.audit.deals.deal import seats_without_honours
from replay.audit.disputes.rulings import facts_due_after_void, possible_dispute_facts
from replay.audit.play import deadlines as clock
from replay.audit.play.consent import is_undo_granted
from replay.audit.play.fact_kinds import TABLE_TALK_FACTS
from replay.audit.play.randomizer import randomizer_draws, session_end_labels
from replay.audit.play.rule_menu import is_change_held_back
from replay.audit.play.turns import is_blind, next_players
from replay.audit.scoring.endings import due_end, is_coin_due
from replay.fold import HandRead, Position

Facts = frozenset[str]

NOTHING: Facts = frozenset()
_REVEALS = frozenset({"CeremonyRevealed", "CeremonyVoided"})
_DRAWS = frozenset({"SeedKept", "SeatsDrawn", "DealerDrawn", "CoinFlipped"})


@cache
def only(*facts: str) -> Facts:
    """These facts and no other."""
    return frozenset(facts)


def due_facts(position: Position, last: str, laid: int, key: bytes | None = None) -> Facts:
    """The facts one of which must come next: `last` was the last one, `laid` counts the CardsDealt of this deal.

    `key` is that of the deal in play, None where its seed is not known; what hangs on it or on cards that are not shown
    may then come or not.
    """
    if position.opened is None:
        return only("GameOpened")
    if position.ended:
        return possible_dispute_facts(position)
    facts = facts_due_after_void(position) or _owed(position, last, laid, key)
    return facts | possible_dispute_facts(position) if "SeatResigned" in facts else facts


def _owed(position: Position, last: str, laid: int, key: bytes | None) -> Facts:
    """The same for a game that goes on, disputes aside."""
    if last in {"CeremonyOpened", "TrumpPitched"}:
        return only({"CeremonyOpened": "SeedKept", "TrumpPitched": "CardPlayed"}[last])
    if drawing := _cutting(position, last) or _drawing(position, last):
        return drawing
    hand = position.hand
    if hand is None or hand.over:
        return _between(position, key)
    if last in {"HandDealt", "CardsDealt", "StockLaid"} and (dealing := _dealing(position, hand, last, laid)):
        return dealing
    if due_end(position) or last in _REVEALS:
        return _ending(position)
    return _in_play(position, hand, key)


def _cutting(position: Position, last: str) -> Facts:
    """What may come while the deal waits for cuts (fairdeal/1); nothing where it does not."""
    due = cuts.facts_due_while_cutting(position)
    return due if due and last not in _REVEALS and not due_end(position) else NOTHING


def _drawing(position: Position, last: str) -> Facts:
    """What a ceremony draws that has just been opened; the coin and ceremony 0 are revealed at once."""
    if last not in _DRAWS:
        return NOTHING
    seats, dealer = _drawn_at_the_opening(position)
    if last == "SeedKept":
        n = max(position.promises, default=0)
        subject = position.promises[n].subject if n in position.promises else ""
        first = "SeatsDrawn" if seats else "DealerDrawn"
        return only({"game": first, "coin": "CoinFlipped"}.get(subject, "HandDealt"))
    if last == "SeatsDrawn" and dealer:
        return only("DealerDrawn")
    return only("CeremonyRevealed")


def _drawn_at_the_opening(position: Position) -> tuple[bool, bool]:
    rules = position.opening.rules
    return rules.seating is Seating.DRAWN, rules.first_dealer is FirstDealer.DRAWN


def _between(position: Position, key: bytes | None) -> Facts:
    """Between two hands: what is over is revealed, the game ends, held-back changes come in, the next deal begins."""
    over = clock.game_deadline(position)
    if due_end(position) or (over is not None and position.at >= over):
        return _ending(position)
    if position.opening.reveal == "hand" and any(each.dealt and not each.closed for each in position.promises.values()):
        return only("CeremonyRevealed")
    hand = position.hand
    if hand is not None and (labels := session_end_labels(position, hand, key)) != []:
        return _ending(position) | (NOTHING if labels else _next_hand(position))
    return _next_hand(position)


def _next_hand(position: Position) -> Facts:
    waiting = position.hand is not None and bool(position.hand.deferred) and not is_coin_due(position)
    return only("RulesChanged" if waiting else "CeremonyOpened")


def _ending(position: Position) -> Facts:
    """Every seed becomes public, then the game ends."""
    return only("GameEnded") if all(each.closed for each in position.promises.values()) else _REVEALS


def _dealing(position: Position, hand: HandRead, last: str, laid: int) -> Facts:
    """The rest of a deal; nothing once it is done."""
    if last != "StockLaid" and laid < position.seats:
        return only("CardsDealt")
    if last != "StockLaid" and hand.dealt.stock:
        return only("StockLaid")
    if position.rules.trump is Trump.TURNED_UP and hand.dealt.stock:
        return only("TrumpTurnedUp")
    if seats_without_honours(position, hand.cards):
        return only("MisdealDeclared")
    unknown = position.rules.misdeal and len(hand.cards) < position.seats
    return only("MisdealDeclared") | _in_play(position, hand, None) if unknown else NOTHING


def _in_play(position: Position, hand: HandRead, key: bytes | None) -> Facts:
    """What comes of itself in a hand, then what the randomizer draws, then what seats may do."""
    if is_undo_granted(position):
        return only("MovesTakenBack")
    if judging := _judging(position):
        return judging
    if exchange := _exchange(position, hand):
        return exchange
    phase = position.phase
    if phase == "auction" and len(hand.calls) == position.seats:
        return _auction_closed(position, hand)
    playing = phase in {"play", "waiting"}
    return _at_the_table(position, hand, key, phase) if playing else _moment(position, hand, key, phase)


def _judging(position: Position) -> Facts:
    """The verdict on a delay call, and the votes of seats that left (C29, R-C66)."""
    call = position.delay_call
    if call is None:
        return NOTHING
    votes = dict(call.votes)
    if False in votes.values() or len(votes) >= position.seats - 1:
        return only("DelayJudged")
    return only("DelayVoted") if any(seat not in votes and seat != call.seat for seat in position.left) else NOTHING


def _exchange(position: Position, hand: HandRead) -> Facts:
    """Cards that were thrown or drawn are named; who threw draws, and the pitcher has the rest of the stock (R-C2)."""
    if hand.unburied:
        return only("CardsBuried")
    if hand.untaken:
        return only("CardsTaken")
    if not hand.stock_left or hand.table or not hand.won:
        return NOTHING
    fill, thrower = position.rules.fill, hand.discarded[-1] if hand.discarded else hand.won.seat
    if fill is Fill.DISCARD and thrower != hand.won.seat and hand.counts[thrower] < position.rules.kept_cards:
        return only("CardsDrawn")
    all_threw = len(set(hand.discarded) - {hand.won.seat}) == position.seats - 1
    if fill is Fill.DISCARD and all_threw:
        return only("StockTaken")
    before_play = position.phase in {"waiting", "play"}
    return only("StockTaken") if fill is Fill.PITCHER_TAKES and before_play else NOTHING


def _auction_closed(position: Position, hand: HandRead) -> Facts:
    has_it = position.rules.auction.all_pass is AllPass.DEALER_HAS_IT
    return only("AuctionWon" if has_it or any(bid is not None for _, bid in hand.calls) else "HandThrownIn")


def _at_the_table(position: Position, hand: HandRead, key: bytes | None, phase: str) -> Facts:
    """A trick nobody can play to is taken, a hand nobody can play on is scored; a call takes effect in time."""
    if is_blind(position) and len(hand.table) + sum(map(len, hand.taken)) < position.seats:
        return only("CardPlayed")
    if reveals_secret_call(position, hand):
        return only("PartnerRevealed")
    players = next_players(position)
    over = NOTHING
    if players.nobody:
        over = only("TrickTaken") if hand.table else only(_after_the_tricks(position, hand))
    if not players.seats:
        return over
    if reveals_announced_call(position, hand):
        return over | only("PartnerRevealed")
    on = _moment(position, hand, key, phase)
    return on if position.turn or not over else on | over


def _after_the_tricks(position: Position, hand: HandRead) -> str:
    told_late = position.rules.call is Call.SECRET and hand.called is not None and not hand.settled
    return "PartnerRevealed" if told_late and len(hand.takers) >= hand.called_from else "HandScored"


def reveals_secret_call(position: Position, hand: HandRead) -> bool:
    """Whether a secret call is told now, because the card lies on the table (R-C29's other answer)."""
    counts = hand.called is not None and not hand.settled and len(hand.takers) + 1 >= hand.called_from
    return position.rules.call is Call.SECRET and counts and hand.called in {play.card for play in hand.table}


def reveals_announced_call(position: Position, hand: HandRead) -> bool:
    """Whether a call takes effect now: before the next trick gets its first card (C11, R-C29)."""
    waits = hand.called is not None and not hand.settled and not hand.table
    return position.rules.call is Call.ANNOUNCED and waits


def _moment(position: Position, hand: HandRead, key: bytes | None, phase: str) -> Facts:
    """A change that need not wait any more comes in; the randomizer draws; then seats may act."""
    if hand.deferred and not is_change_held_back(position):
        return only("RulesChanged")
    ends, changes = randomizer_draws(position, key)
    if ends:
        return only("CeremonyRevealed")
    change = "RulesChangeDeferred" if is_change_held_back(position) else "RulesChanged"
    if changes and ends is False:
        return only(change)
    drawn = (NOTHING if ends is False else only("CeremonyRevealed")) | (NOTHING if changes is False else only(change))
    return drawn if changes else drawn | possible_facts(position, hand, phase)


def possible_facts(position: Position, hand: HandRead, phase: str = "") -> Facts:
    """What may come when the table waits for a seat."""
    rules, words = position.rules, list[str]()
    if position.call_due:
        words.append("PartnerCalled")
    if position.phase == "play" and rules.trump is Trump.PITCHED and hand.trump is None:
        words.append("TrumpPitched")
    if clock.game_deadline(position) is not None:
        words.append("CeremonyRevealed")
    if rules.changes.host:
        words.append("RulesChangeDeferred" if is_change_held_back(position) else "RulesChanged")
    return _free(phase or position.phase, rules.delay is not None, clock.possible_deadline_facts(position), *words)


@cache
def _free(phase: str, delays: bool, calls: Facts, *words: str) -> Facts:
    """The same for each of the few tables there are in this respect."""
    said = TABLE_TALK_FACTS if delays else TABLE_TALK_FACTS - {"DelayCalled", "DelayVoted"}
    return _OF_PHASE[phase] | said | calls | set(words)


_OF_PHASE = {
    "auction": only("BidMade", "BidPassed"),
    "naming": only("TrumpNamed"),
    "calling": only("PartnerCalled"),
    "discarding": only("CardsDiscarded"),
    "waiting": NOTHING,
    "play": only("CardPlayed"),
}
_ADMITTED_BY: dict[Callable[..., Facts], Facts] = {
    due_facts: only("GameOpened"),
    cuts.facts_due_while_cutting: only("CutOpened"),
    clock.possible_deadline_facts: only("SeatForfeited", "TurnReminded"),
    possible_dispute_facts: only("DisputeOpened", "RulingGiven", "RulingAppealed", "RulingDecided"),
    _owed: only("SeedKept"),
    _drawing: only("SeatsDrawn", "DealerDrawn", "CoinFlipped", "HandDealt"),
    _next_hand: only("CeremonyOpened"),
    _ending: _REVEALS | {"GameEnded"},
    _dealing: only("CardsDealt", "StockLaid", "TrumpTurnedUp", "MisdealDeclared"),
    _in_play: only("MovesTakenBack"),
    _judging: only("DelayJudged"),
    _exchange: only("CardsBuried", "CardsTaken", "CardsDrawn", "StockTaken"),
    _auction_closed: only("AuctionWon", "HandThrownIn"),
    _at_the_table: only("PartnerRevealed", "TrickTaken", "HandScored"),
    _moment: only("RulesChanged", "RulesChangeDeferred"),
    possible_facts: only("TrumpPitched"),
    _free: TABLE_TALK_FACTS.union(*_OF_PHASE.values()),
}
"""The facts that may come, by the function that says when."""
_OWED_TO_CHANGES = only("BidScaled", "PartnersChanged")
"""Facts that follow a rule change at once. The ledger checks their order."""
require_every_fact(_OWED_TO_CHANGES.union(*_ADMITTED_BY.values()), __name__)
