"""Bookkeeping: a history is read fact by fact, and each is held against where the game stood before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.events import CardsDealt, Event, Fact, RulesChanged, StockLaid
from replay.audit.deals import deal
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.deals.deal_record import WRONG, DealRecord
from replay.audit.dispatch import check_fact
from replay.audit.disputes.rulings import DISPUTE_FACTS
from replay.audit.fast_path import Batch, accept_deal, accept_trick, batch_size
from replay.audit.log.commit_order import turn_follows_flags
from replay.audit.log.envelope import check_envelope
from replay.audit.log.event_order import due_facts
from replay.audit.play import rule_changes as changes
from replay.audit.play.fact_kinds import SECRET_FACTS
from replay.audit.play.tricks import can_count_cards, check_card_count
from replay.audit.play.turns import acceptable_turns
from replay.fold import START, MisplacedFact, Position, apply_event, skip_withheld
from replay.history import History, LogLine
from replay.history.findings import Finding

DRAWN = frozenset({"CardsDealt", "StockLaid", "SeatsDrawn", "DealerDrawn", "CoinFlipped", "MisdealDeclared"})
"""What a ceremony's seed makes; where one is wrong, so is its deck."""
_MOVE_CARDS = frozenset(
    {"CardsDealt", "StockLaid", "CardsDiscarded", "CardsBuried", "CardsDrawn", "CardsTaken", "CardPlayed", "TrickTaken"}
) | {"StockTaken", "MovesTakenBack"}
_UNDO = frozenset({"UndoAsked", "MovesTakenBack"})


@dataclass
class Ledger:
    """The books of one history: deals in order, and what was found outside of any of them, `rulings` in disputes.

    `unjudged` is the version from which on nothing could be judged, and why. `owed` are the consequences of a change of
    the rules that must follow it. `counted` says that each card of the deck was found once in the hand as it stands.
    `step_by_step` asks for a position after each card, for moves that are taken back.
    """

    position: Position = START
    deal_ledger: DealLedger = field(default_factory=DealLedger)
    findings: list[Finding] = field(default_factory=list)
    rulings: list[Finding] = field(default_factory=list)
    unjudged: Finding | None = None
    last: str = ""
    laid: int = 0
    owed: list[Fact] = field(default_factory=list)
    before: Event[Any] | None = None
    hidden: list[tuple[int, int]] = field(default_factory=list)
    counted: bool = False
    step_by_step: bool = False

    @property
    def deals(self) -> list[DealRecord]:
        """The ceremonies in order, and the hands dealt with them."""
        return self.deal_ledger.deals

    def enter(self, lines: Sequence[LogLine], later: Sequence[bool], place: int) -> int:
        """Read on from `place`, by one line or by several that belong together; how many.

        `later` says for each line that a later fact of its commit has the turn, or ends the hand.
        """
        event = lines[place].event
        if event is None:
            self._pass_over(lines[place].version)
            return 1
        end = place + batch_size(self.position, event, step_by_step=self.step_by_step)
        batch = [line.event for line in lines[place:end]]
        if batch and end <= len(lines) and self._accept_batch(batch, later[place:end]):
            return end - place
        self._check_fact(event, later[place])
        return 1

    def _awaited(self) -> frozenset[str]:
        if self.owed:
            return frozenset({type(self.owed[0]).__name__})
        return due_facts(self.position, self.last, self.laid, self.deal_ledger.key(self.position))

    def _pass_over(self, version: int) -> None:
        awaited, fact = self._awaited(), ""
        if len(awaited) == 1 and awaited <= SECRET_FACTS:
            self.hidden.append((version, max(self.position.promises)))
            (fact,) = awaited
            self.last = fact
            self.laid += fact == "CardsDealt"
        else:
            self._found(None, version, f"it is withheld where {_either(awaited)} must stand, which everybody may see")
        self.position, self.counted = skip_withheld(self.position, version, fact), False

    def _just_before(self) -> Event[Any] | None:
        """The event just before, where it was shown and could be read, and nothing that must follow it is owed."""
        before = self.before
        if before is None or self.owed or self.position.version != before.version or self.last != before.fact:
            return None
        return before

    def _accept_batch(self, coming: Sequence[Event[Any] | None], later: Sequence[bool]) -> bool:
        """Read on by a whole trick or deal, if `coming` are one and nothing is amiss in it."""
        before, shown = self._just_before(), [event for event in coming if event is not None]
        if before is None or len(shown) < len(coming):
            return False
        deals = shown[0].fact == "CardsDealt"
        after = self._accept_deal(shown, before) if deals else self._accept_trick(shown, later, before)
        if after is None:
            return False
        self.deal_ledger.extend(shown[-1].version, 0 if deals else len(shown) - 1)
        self.position, self.before, self.last, self.counted = after, shown[-1], shown[-1].fact, True
        self.laid = len(shown) if self.last == "CardsDealt" else 0
        return True

    def _accept_trick(self, coming: Batch, later: Sequence[bool], before: Event[Any]) -> Position | None:
        return accept_trick(self.position, coming, later, before) if self.counted else None

    def _accept_deal(self, coming: Batch, before: Event[Any]) -> Position | None:
        fact: CardsDealt = coming[0].data
        record, made = self.deal_ledger.record(fact), self.deal_ledger.recomputed(fact.n)
        if record is None or record.cards_lost or made is None or self.laid:
            return None
        return accept_deal(self.position, coming, before, made)

    def _check_fact(self, event: Event[Any], later: bool) -> None:
        awaited = self._awaited()
        if event.fact not in awaited:
            self._found(event, event.version, f"{event.fact} stands where {_either(awaited)} must stand")
        try:
            after = apply_event(self.position, event)
            said = [
                *check_envelope(self.position, event, self.before),
                *self._judge(event),
                *_turn(event, after, later),
            ]
            said += self._cards_lost(event, after)
        except MisplacedFact as error:
            after, said, self.counted = skip_withheld(self.position, event.version), [str(error)], False
        else:
            self.deal_ledger.record_event(event, self.position, after)
        for sentence in said:
            self._found(event, event.version, sentence)
        self._owe(event)
        self.position, self.before, self.last = after, event, event.fact
        self.laid = self.laid + 1 if event.fact == "CardsDealt" else 0

    def _judge(self, event: Event[Any]) -> Iterator[str]:
        fact, made = event.data, self.deal_ledger.recomputed(getattr(event.data, "n", None))
        if isinstance(fact, CardsDealt):
            return deal.check_cards_dealt(self.position, fact, self.laid, made)
        if isinstance(fact, StockLaid):
            return deal.check_stock_laid(self.position, fact, made)
        if event.fact in {"BidScaled", "PartnersChanged"}:
            return changes.check_consequence(fact, self.owed[0] if self.owed else None)
        return check_fact(self.position, event, self.deal_ledger)

    def _owe(self, event: Event[Any]) -> None:
        """What a change brings about at once; each fact that follows it pays one of them off."""
        if isinstance(event.data, RulesChanged) and self.position.opened is not None:
            self.owed = changes.facts_due_after_change(self.position, event.data)
        else:
            self.owed = self.owed[1:]

    def _cards_lost(self, event: Event[Any], after: Position) -> Iterator[str]:
        """Cards are counted after every fact that moves some, until they fail to add up in this hand."""
        record = self.deal_ledger.record(event.data)
        if event.fact not in _MOVE_CARDS:
            self.counted &= after.hand is not None and not after.hand.over and self.position.hand is not None
            return
        self.counted = False
        if record is None or record.cards_lost:
            return
        for sentence in check_card_count(after.live, after.opening.deck):
            record.cards_lost = True
            yield sentence
        self.counted = not record.cards_lost and can_count_cards(after.live)

    def _found(self, event: Event[Any] | None, version: int, says: str) -> None:
        record = self.deal_ledger.record(event and event.data)
        disputed = event is not None and event.fact in DISPUTE_FACTS
        own = self.rulings if disputed else self.findings
        (own if record is None else record.findings).append(Finding(version, says))
        if record is not None and event is not None and event.fact in DRAWN:
            record.deck = WRONG

    def close(self) -> None:
        """The end of the history: nothing withheld that has been revealed, and no commit left half."""
        for version, n in self.hidden:
            promise = self.position.promises.get(n)
            if promise is not None and promise.closed:
                self.findings.append(Finding(version, f"it is withheld although ceremony {n} has been revealed"))
        awaited = self._awaited()
        if self.unjudged is None and not awaited & DISPUTE_FACTS:
            says = f"the log breaks off after it, where {_either(awaited)} must follow"
            self.findings.append(Finding(self.position.version, says))


def _turn(event: Event[Any], after: Position, later: bool) -> Iterator[str]:
    """Who must move next, said once in a commit, by the last fact that can say it (docs/events.md)."""
    if not hasattr(event.data, "next"):
        return
    right = frozenset({()}) if later else acceptable_turns(after)
    if event.data.next not in right:
        either = " or ".join(str(list(seats)) for seats in sorted(right))
        yield f"the turn goes to {list(event.data.next)} where it should go to {either}"


def _either(facts: frozenset[str]) -> str:
    return " or ".join(sorted(facts)) or "nothing more"


def check_events(history: History) -> Ledger:
    """The books of `history`, as far as its events stand in order and can be read."""
    lines, unjudged = _readable(history.lines)
    deal_ledger = DealLedger(seeds=DealLedger.read_seeds(history), roots=[line.prev for line in history.lines])
    books = Ledger(deal_ledger=deal_ledger, unjudged=unjudged, step_by_step=_asks_undo(history))
    later, place = turn_follows_flags(history.lines), 0
    while place < len(lines):
        place += books.enter(lines, later, place)
    books.close()
    return books


def _readable(lines: Sequence[LogLine]) -> tuple[Sequence[LogLine], Finding | None]:
    """The first lines, as far as they stand in order and can be read, and why no further."""
    for place, line in enumerate(lines, 1):
        if line.version != place:
            says = "from here on the events are out of order and were not judged"
        elif line.unread is not None:
            says = f"{line.unread}; from here on nothing was judged"
        else:
            continue
        return lines[: place - 1], Finding(line.version, says)
    return lines, None


def _asks_undo(history: History) -> bool:
    return not _UNDO.isdisjoint([event.fact for event in history.events])
