"""The records of all deals of a history: which fact belongs to which deal, and the cards and keys from the seeds."""

from dataclasses import dataclass, field
from typing import Any

from domain.events import CeremonyOpened, Event, HandDealt
from replay.audit.deals import ceremonies, deal
from replay.audit.deals.deal_record import RIGHT, UNREVEALED, WRONG, DealRecord
from replay.audit.play.fact_kinds import MOVE_FACTS
from replay.audit.scoring import hand_score as score
from replay.fold import Position
from replay.fold.disputes import DISPUTE_FACTS
from replay.history import History

SEED_FACTS = frozenset({"SeedKept", "CeremonyRevealed", "CeremonyVoided"})
_DISPUTES = frozenset(DISPUTE_FACTS)
_COUNTED_MOVES = MOVE_FACTS - {"TrumpPitched"}


@dataclass
class DealLedger:
    """The deals in order. `seeds[n]` are the seeds of ceremony `n` in the history; `roots[size]` those of the log."""

    deals: list[DealRecord] = field(default_factory=list)
    seeds: dict[int, list[str]] = field(default_factory=dict, repr=False)
    roots: list[bytes] = field(default_factory=list, repr=False)
    _first: dict[int | None, DealRecord] = field(default_factory=dict, repr=False)
    _last: dict[int | None, DealRecord] = field(default_factory=dict, repr=False)

    @staticmethod
    def read_seeds(history: History) -> dict[int, list[str]]:
        """Return the seeds in a history, kept and revealed, by the number of their ceremony."""
        seeds: dict[int, list[str]] = {}
        for event in history.events:
            if event.fact in SEED_FACTS:
                seeds.setdefault(event.data.n, []).append(event.data.seed)
        return seeds

    def record(self, fact: Any) -> DealRecord | None:
        """Return the deal of a fact: the one it names, else the last. Facts of disputes belong to no deal."""
        if type(fact) in _DISPUTES:
            return None
        named = self._last.get(getattr(fact, "n", None))
        return named or (self.deals[-1] if self.deals else None)

    def recomputed(self, n: int | None) -> deal.RecomputedDeal | None:
        """Return the deal from ceremony `n`, or None if its seed isn't known."""
        return self._first[n].recomputed if n in self._first else None

    def key(self, position: Position) -> bytes | None:
        """Return the key of the deal in play, or None if its seed isn't known."""
        if position.hand is None:
            return None
        record = self._first.get(position.hand.dealt.n)
        return None if record is None else record.key

    def key_of(self, n: int) -> bytes | None:
        """Return the key of ceremony `n`, or None if its seed isn't known."""
        return self._first[n].key if n in self._first else None

    def extend(self, version: int, moves: int) -> None:
        """Extend the deal in play to `version`, by that number of moves."""
        self.deals[-1].last = version
        self.deals[-1].moves += moves

    def record_event(self, event: Event[Any], before: Position, after: Position) -> None:
        """Update the records by an event, with the positions before and after it."""
        fact = event.data
        if event.fact == "RulingGiven" and fact.voids is not None:
            self.deals[-1].void = self.deals[-1].opened.n == fact.voids
        if event.fact == "CeremonyOpened":
            self._open(fact, event, after)
        if self.deals:
            self.deals[-1].last = event.version
        record = self.record(fact)
        if record is None:
            return
        record.moves += event.fact in _COUNTED_MOVES
        match event.fact:
            case "HandDealt":
                record.dealt = fact
                self._recompute(record, fact, event.game, after)
            case "CeremonyRevealed" | "CeremonyVoided":
                record.closed = fact
            case "RulesChanged" | "RulesChangeDeferred":
                record.changes += fact.cause != "deferred"
            case "HandScored" if before.hand is not None:
                record.scored, record.added_up = fact, score.score_changes(before, before.hand)
            case _:
                _note_outcome(record, event.fact)

    def _open(self, fact: CeremonyOpened, event: Event[Any], after: Position) -> None:
        record = DealRecord(fact, event.version)
        self.deals.append(record)
        self._first.setdefault(fact.n, record)
        self._last[fact.n] = record
        if fact.subject in (ceremonies.GAME, ceremonies.COIN):
            seed = self._seed(record, event.game, after)
            record.key = (
                None if seed is None else ceremonies.ceremony_key(event.game, fact.n, after.ceremonies[fact.n], seed)
            )

    def _seed(self, record: DealRecord, game: str, after: Position) -> str | None:
        """Return the seed that was promised, or None if the history doesn't have it. Set `record.deck` by it."""
        n = record.opened.n
        seeds = self.seeds.get(n, [])
        ceremony = after.ceremonies[n]
        promised = [seed for seed in dict.fromkeys(seeds) if ceremonies.matches_commitment(game, n, ceremony, seed)]
        record.deck = RIGHT if promised else WRONG if seeds else UNREVEALED
        return promised[0] if promised else None

    def _recompute(self, record: DealRecord, dealt: HandDealt, game: str, after: Position) -> None:
        """Recompute the deal from its seed, if the promised seed is known."""
        seed = self._seed(record, game, after)
        try:
            if seed is not None:
                ceremony, deck = after.ceremonies[record.opened.n], after.opening.deck
                record.recomputed = deal.recompute_deal(game, ceremony, dealt, seed, deck)
                record.key = record.recomputed.key
        except ValueError:
            record.deck = WRONG


def _note_outcome(record: DealRecord, fact: str) -> None:
    record.thrown_in = record.thrown_in or fact == "HandThrownIn"
    record.misdealt = record.misdealt or fact == "MisdealDeclared"
    record.taken_back += fact == "MovesTakenBack"
