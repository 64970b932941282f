"""The audit's record of one deal, and its JSON in a report."""

from dataclasses import dataclass, field
from typing import Annotated, TypedDict

from domain.events import CeremonyOpened, CeremonyRevealed, CeremonyVoided, HandDealt, HandScored, Seats
from domain.json_fields import Hash, one_of, says
from replay.audit.deals.deal import RecomputedDeal
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
