"""The ledger: it reads a history event by event, and checks each against the position before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.events import (
    BidScaled,
    CardsDealt,
    Event,
    Fact,
    PartnersChanged,
    RulesChanged,
    StockLaid,
    require_every_fact,
)
from replay.audit import disputes  # noqa: F401
from replay.audit.deals import ceremonies, deal  # noqa: F401
from replay.audit.deals.deal_ledger import WRONG, DealLedger, DealRecord
from replay.audit.fast_path import Batch, accept_deal, accept_trick, batch_size
from replay.audit.log.envelope import check_envelope, turn_follows_flags
from replay.audit.log.event_order import due_facts
from replay.audit.play import auction, deadlines, exchange, openings, rule_changes, table_talk  # noqa: F401
from replay.audit.play.checking import CHECKS, DISPUTE_FACTS, SECRET_FACTS
from replay.audit.play.tricks import can_count_cards, check_card_count
from replay.audit.play.turns import NO_TURN, acceptable_turns
from replay.fold import START, MisplacedFact, Position, apply_event, skip_withheld
from replay.fold.validate import is_lower_hex
from replay.history import History, LogLine
from replay.history.findings import Finding

_SEED_RESULTS = frozenset({"CardsDealt", "StockLaid", "SeatsDrawn", "DealerDrawn", "CoinFlipped", "MisdealDeclared"})
"""Facts that follow from a ceremony's seed. If one is wrong, the deal's deck is reported as wrong."""
_MOVES_CARDS = frozenset(
    {"CardsDealt", "StockLaid", "CardsDiscarded", "CardsBuried", "CardsDrawn", "CardsTaken", "CardPlayed", "TrickTaken"}
) | {"StockTaken", "MovesTakenBack"}
SALT_DIGITS = 32
CHECKED_HERE = (CardsDealt, StockLaid, BidScaled, PartnersChanged)
"""Facts whose check needs the ledger: it counts the hands dealt, and knows the facts that a rule change makes due."""
require_every_fact((*CHECKS, *CHECKED_HERE), __name__)
_UNDO = frozenset({"UndoAsked", "MovesTakenBack"})


@dataclass
class Ledger:
    """The state of an audit while it reads a history: deals in order, and findings that belong to no deal.

    `rulings` are the findings on disputes. `unjudged` says from which version on nothing was checked, and why. `due`
    are the facts that must follow a rule change. `counted` says that the hand was found to hold each card of the deck
    once. With `step_by_step` it keeps a position after each card, since moves are taken back.
    """

    position: Position = START
    deal_ledger: DealLedger = field(default_factory=DealLedger)
    findings: list[Finding] = field(default_factory=list)
    rulings: list[Finding] = field(default_factory=list)
    unjudged: Finding | None = None
    last: str = ""
    laid: int = 0
    due: list[Fact] = field(default_factory=list)
    before: Event[Any] | None = None
    hidden: list[tuple[int, int]] = field(default_factory=list)
    counted: bool = False
    step_by_step: bool = False

    @property
    def deals(self) -> list[DealRecord]:
        """The ceremonies in order, and the hands dealt with them."""
        return self.deal_ledger.deals

    def check_next(self, lines: Sequence[LogLine], later: Sequence[bool], place: int) -> int:
        """Check the line at `place`, or a whole trick or deal from there, and return the number of lines checked.

        `later` says for each line whether a later fact of its commit has `next`, or ends the hand.
        """
        line, event = lines[place], lines[place].event
        if line.fault is not None:
            self._add_finding(event, line.version, line.fault)
        if event is None:
            if line.withheld:
                self._check_withheld(line.version)
            else:
                self._skip(line.version)
            return 1
        size = batch_size(self.position, event, step_by_step=self.step_by_step)
        end = place + size
        if size and end <= len(lines):
            batch = [line.event if line.fault is None else None for line in lines[place:end]]
            if self._accept_batch(batch, later[place:end]):
                return size
        self._check_event(event, later[place])
        return 1

    def _skip(self, version: int) -> None:
        """Go on after an event whose fields can't be read."""
        self.position, self.before, self.counted = skip_withheld(self.position, version), None, False

    def _due_facts(self) -> frozenset[str]:
        if self.due:
            return frozenset({type(self.due[0]).__name__})
        return due_facts(self.position, self.last, self.laid, self.deal_ledger.key(self.position))

    def _check_withheld(self, version: int) -> None:
        due, fact = self._due_facts(), ""
        if len(due) == 1 and due <= SECRET_FACTS:
            self.hidden.append((version, max(self.position.ceremonies)))
            (fact,) = due
            self.last = fact
            self.laid += fact == "CardsDealt"
        else:
            self._add_finding(None, version, f"it's withheld, but must be {_either(due)}, which is public")
        self.position, self.counted = skip_withheld(self.position, version, fact), False

    def _previous_event(self) -> Event[Any] | None:
        """Return the previous event if it was shown and readable and no fact is due because of it, else None."""
        before = self.before
        if before is None or self.due or self.position.version != before.version or self.last != before.fact:
            return None
        return before

    def _accept_batch(self, batch: Sequence[Event[Any] | None], later: Sequence[bool]) -> bool:
        """Return whether `batch` is a whole trick or deal without faults. If so, apply it."""
        before, shown = self._previous_event(), [event for event in batch if event is not None]
        if before is None or len(shown) < len(batch):
            return False
        deals = shown[0].fact == "CardsDealt"
        after = self._accept_deal(shown, before) if deals else self._accept_trick(shown, later, before)
        if after is None:
            return False
        self.deal_ledger.extend(shown[-1].version, 0 if deals else len(shown) - 1)
        self.position, self.before, self.last, self.counted = after, shown[-1], shown[-1].fact, True
        self.laid = len(shown) if self.last == "CardsDealt" else 0
        return True

    def _accept_trick(self, batch: Batch, later: Sequence[bool], before: Event[Any]) -> Position | None:
        return accept_trick(self.position, batch, later, before) if self.counted else None

    def _accept_deal(self, batch: Batch, before: Event[Any]) -> Position | None:
        fact: CardsDealt = batch[0].data
        record, recomputed = self.deal_ledger.record(fact), self.deal_ledger.recomputed(fact.n)
        if record is None or record.cards_lost or recomputed is None or self.laid:
            return None
        return accept_deal(self.position, batch, before, recomputed)

    def _check_event(self, event: Event[Any], later: bool) -> None:
        due = self._due_facts()
        if event.fact not in due:
            self._add_finding(event, event.version, f"it's {event.fact}, but must be {_either(due)}")
        try:
            after = apply_event(self.position, event)
            faults = [
                *check_envelope(self.position, event, self.before),
                *self._check_data(event),
                *_check_turn(event, after, later),
            ]
            faults += self._count_cards(event, after)
        except MisplacedFact as error:
            after, faults, self.counted = skip_withheld(self.position, event.version), [str(error)], False
        else:
            self.deal_ledger.record_event(event, self.position, after)
        for sentence in faults:
            self._add_finding(event, event.version, sentence)
        self._update_due(event)
        self.position, self.before, self.last = after, event, event.fact
        self.laid = self.laid + 1 if event.fact == "CardsDealt" else 0

    def _check_data(self, event: Event[Any]) -> Iterator[str]:
        fact = event.data
        if isinstance(fact, CardsDealt):
            return deal.check_cards_dealt(self.position, fact, self.laid, self.deal_ledger.recomputed(fact.n))
        if isinstance(fact, StockLaid):
            return deal.check_stock_laid(self.position, fact, self.deal_ledger.recomputed(fact.n))
        if event.fact in {"BidScaled", "PartnersChanged"}:
            return rule_changes.check_consequence(fact, self.due[0] if self.due else None)
        return CHECKS[type(fact)](self.position, event, self.deal_ledger)

    def _update_due(self, event: Event[Any]) -> None:
        """Set the facts due after a rule change, or take off the first, which this event settles."""
        if isinstance(event.data, RulesChanged) and self.position.opened is not None:
            self.due = rule_changes.facts_due_after_change(self.position, event.data)
        else:
            self.due = self.due[1:]

    def _count_cards(self, event: Event[Any], after: Position) -> Iterator[str]:
        """Count the cards after a fact that moves some, unless they failed to add up earlier in this hand."""
        if event.fact not in _MOVES_CARDS:
            self.counted &= after.hand is not None and not after.hand.over and self.position.hand is not None
            return
        self.counted, record = False, self.deal_ledger.record(event.data)
        if record is None or record.cards_lost:
            return
        for sentence in check_card_count(after.live, after.deck):
            record.cards_lost = True
            yield sentence
        self.counted = not record.cards_lost and can_count_cards(after.live)

    def _add_finding(self, event: Event[Any] | None, version: int, says: str) -> None:
        record = self.deal_ledger.record(event and event.data)
        disputed = event is not None and event.fact in DISPUTE_FACTS
        own = self.rulings if disputed else self.findings
        (own if record is None else record.findings).append(Finding(version, says))
        if record is not None and event is not None and event.fact in _SEED_RESULTS:
            record.deck = WRONG

    def check_end(self) -> None:
        """Check at the end of the history that no revealed event is withheld, and that its last commit is complete."""
        for version, n in self.hidden:
            ceremony = self.position.ceremonies.get(n)
            if ceremony is not None and ceremony.closed:
                self.findings.append(Finding(version, f"it's withheld, although ceremony {n} was revealed"))
        due = self._due_facts()
        if self.unjudged is None and not due & DISPUTE_FACTS:
            says = f"the log ends after it, but {_either(due)} must follow"
            self.findings.append(Finding(self.position.version, says))


def _check_turn(event: Event[Any], after: Position, later: bool) -> Iterator[str]:
    """Check `next`: only the last fact of a commit that can have it names seats (docs/events.md)."""
    if not hasattr(event.data, "next"):
        return
    right = NO_TURN if later else acceptable_turns(after)
    if event.data.next not in right:
        either = " or ".join(str(list(seats)) for seats in sorted(right))
        yield f"the turn goes to {list(event.data.next)}, but should go to {either}"


def _either(facts: frozenset[str]) -> str:
    return " or ".join(sorted(facts)) or "nothing"


def check_events(history: History) -> Ledger:
    """Check the events of `history`, as far as they're in order and readable."""
    lines, unjudged = _readable_lines(history.lines)
    deal_ledger = DealLedger(seeds=DealLedger.read_seeds(history), roots=[line.prev for line in history.lines])
    ledger = Ledger(deal_ledger=deal_ledger, unjudged=unjudged, step_by_step=_has_undo(history))
    later, place = turn_follows_flags(history.lines), 0
    while place < len(lines):
        place += ledger.check_next(lines, later, place)
    ledger.check_end()
    ledger.findings += [*_unread_opening(history.lines), *_repeated_salts(lines)]
    ledger.unjudged = ledger.unjudged or _unknown_choice(lines)
    return ledger


def _unread_opening(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield what is wrong with an opening that can't be read, after which nothing can be checked."""
    for line in lines[:1]:
        if line.event is None and line.fault is not None:
            yield Finding(line.version, line.fault)


def _repeated_salts(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a finding for each salt that another event had before: a salt is random, and hides one event."""
    seen = dict[str, int]()
    for line in lines:
        salt = "" if line.event is None else line.event.salt
        if is_lower_hex(salt, SALT_DIGITS) and seen.setdefault(salt, line.version) != line.version:
            yield Finding(line.version, f"its salt is that of event {seen[salt]}")


def _unknown_choice(lines: Sequence[LogLine]) -> Finding | None:
    """Return which choice of the opening isn't known, so that nobody can tell whether the rules follow from it."""
    opened = lines[0].event if lines else None
    unknown = openings.unknown_choice(opened.data) if opened is not None and opened.fact == "GameOpened" else None
    return None if unknown is None else Finding(1, unknown)


def _readable_lines(lines: Sequence[LogLine]) -> tuple[Sequence[LogLine], Finding | None]:
    """Return the lines up to the first one that is out of order or unreadable, and a finding about that one."""
    for place, line in enumerate(lines, 1):
        if line.version != place:
            says = "from here on the events are out of order and weren't checked"
        elif line.unread is not None and (line.fault is None or place == 1):
            says = f"{line.unread}; from here on nothing was checked"
        else:
            continue
        return lines[: place - 1], Finding(line.version, says)
    return lines, None


def _has_undo(history: History) -> bool:
    return not _UNDO.isdisjoint([event.fact for event in history.events])
