"""The records of all deals of a history, and their JSON in a report: the facts, cards and keys of each deal."""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from domain.events import CeremonyOpened, CeremonyRevealed, CeremonyVoided, Event, HandDealt, HandScored, Seats
from domain.json_fields import Hash, one_of, says
from replay.audit.deals import ceremonies, deal
from replay.audit.deals.deal import RecomputedDeal
from replay.audit.play.checking import MOVE_FACTS
from replay.audit.scoring import hand_score as score
from replay.fold import Position
from replay.fold.disputes import DISPUTE_FACTS
from replay.history import History
from replay.history.findings import Finding, ReportSection, section

UNREVEALED, RIGHT, WRONG = "unrevealed", "right", "wrong"
DeckCheck = Annotated[str, one_of(RIGHT, WRONG, UNREVEALED)]


class DealScore(TypedDict):
    """A hand's score as recorded and as recomputed."""

    recorded: list[int]
    recomputed: list[int]
    scores: list[int]
    made: bool | None


class PromisedDeal(TypedDict):
    """The commitment that was published before a deal."""

    n: Annotated[int, says("The number of the ceremony.")]
    subject: str
    commit: Hash


class AuditedDeal(PromisedDeal, ReportSection):
    """A deal, and the hand played with it."""

    hand: int | None
    redeal: int | None
    dealer: int | None
    grade: str | None
    missing: Annotated[list[int], says("The seats that had sealed a cut for the deal and withheld it.")]
    missing_beacon: Annotated[
        str | None, says("The round of a beacon that was named for the deal and didn't come in time.")
    ]
    deck: DeckCheck
    voided: bool
    revealed: bool
    moves: int
    taken_back: int
    changes: int
    ended: Annotated[str, says("How the hand ended.")]
    score: DealScore | None


@dataclass
class DealRecord:
    """The audit's record of one ceremony and the hand dealt from it. `deck` is right, wrong or unrevealed.

    Its events have the versions `first` to `last`. `changes` counts the rule changes made in it. `added_up` is the
    score that the audit computed, and `cards_lost` says that the cards of the hand didn't add up.
    """

    opened: CeremonyOpened
    first: int = 0
    last: int = 0
    dealt: HandDealt | None = None
    closed: CeremonyRevealed | CeremonyVoided | None = None
    scored: HandScored | None = None
    added_up: tuple[int, ...] | None = None
    thrown_in: bool = False
    misdealt: bool = False
    void: bool = False
    changes: int = 0
    moves: int = 0
    taken_back: int = 0
    deck: str = UNREVEALED
    recomputed: RecomputedDeal | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)
    cards_lost: bool = False
    findings: list[Finding] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """The outcome: scored, thrown in, misdealt, void, voided, drawn, not dealt, in play, or broken off.

        A deal isn't dealt while it waits for cuts. A ruling makes a deal void. The end of the game makes a deal that
        wasn't dealt voided, and a hand in play broken off. A ceremony of seats, dealer or coin is drawn.
        """
        if self.scored is not None:
            return "scored"
        if self.thrown_in or self.misdealt:
            return "thrown in" if self.thrown_in else "misdealt"
        if self.void or isinstance(self.closed, CeremonyVoided):
            return "void" if self.void else "voided"
        if self.dealt is None:
            return "drawn" if self.closed is not None else "not dealt"
        return "broken off" if self.closed is not None else "in play"

    @property
    def missing(self) -> Seats:
        """The seats that had sealed a cut for the deal and withheld it."""
        return () if self.dealt is None else self.dealt.missing

    @property
    def missing_beacon(self) -> str | None:
        """The round of a beacon that the promise named, if it didn't come before the deal."""
        if self.dealt is None or any(source == self.opened.beacon for source, _ in self.dealt.cuts):
            return None
        return self.opened.beacon

    def ceremony_json(self) -> PromisedDeal:
        """Return the commitment that was published before the deal, as JSON values."""
        return {"n": self.opened.n, "subject": self.opened.subject, "commit": self.opened.commit}

    def to_json(self) -> AuditedDeal:
        """Return the deal and the hand played with it as JSON values, as in a report."""
        dealt = self.dealt
        return {
            **self.ceremony_json(),
            "hand": None if dealt is None else dealt.hand,
            "redeal": None if dealt is None else dealt.redeal,
            "dealer": None if dealt is None else dealt.dealer,
            "grade": None if dealt is None else dealt.grade,
            "missing": list(self.missing),
            "missing_beacon": self.missing_beacon,
            "deck": self.deck,
            "voided": isinstance(self.closed, CeremonyVoided),
            "revealed": self.closed is not None,
            "moves": self.moves,
            "taken_back": self.taken_back,
            "changes": self.changes,
            "ended": self.outcome,
            "score": self._score(),
            **section(self.findings),
        }

    def _score(self) -> DealScore | None:
        if self.scored is None or self.added_up is None:
            return None
        return {
            "recorded": list(self.scored.changes),
            "recomputed": list(self.added_up),
            "scores": list(self.scored.scores),
            "made": self.scored.made,
        }


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
