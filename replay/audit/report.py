"""The audit of a game as one object, and its verdict (trickbook-audit/1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, Protocol, TypedDict

from domain.json_fields import Hash, Uuid, says
from replay.audit.deals.deal_ledger import AuditedDeal, DealRecord, PromisedDeal
from replay.audit.disputes import RulingSection, rulings_to_json
from replay.audit.ledger import Ledger, check_events
from replay.audit.log.hash_chain import check_log
from replay.history import History, NoSuchHand
from replay.history.findings import Finding, RejudgeSection, ReportedFault, ReportSection, section
from replay.history.receipts import NO_RECEIPTS, ReceiptChecks, ReportedReceipt, check_receipts

FORMAT: Final = "trickbook-audit/1"
GREEN, WRONG, CANNOT_TELL = 0, 1, 2
SAYS = {GREEN: "all green", WRONG: "a check failed", CANNOT_TELL: "cannot decide"}


JOURNAL_NOTE = says(
    properties={"at": {"type": "string"}, "what": {"type": "string"}},
    required=["at", "what"],
    additionalProperties=True,
)


class FileSection(TypedDict, total=False):
    """The fields that only the report on a file has."""

    line_ends: Annotated[str, says("How its line ends differ from those that a server writes, if they do.")]


class LogSection(ReportSection, FileSection):
    """The log's links, and its receipts."""

    size: int
    root: Hash | None
    withheld: Annotated[int, says("How many events the caller may not see.")]
    receipts: list[ReportedReceipt] | Literal["absent"]
    unjudged: Annotated[ReportedFault | None, says("From which event on nothing was checked, and why.")]


class AuditVerdict(TypedDict):
    """The result: 0 if everything is right, 1 if something is wrong, 2 if it isn't known yet."""

    code: int
    says: str
    findings: int


class AuditReport(TypedDict):
    """The report of an audit."""

    audit: Literal["trickbook-audit/1"]
    game: Uuid
    board: Annotated[int, says("0 if it isn't known.")]
    variant: str
    complete: Annotated[bool, says("Whether the game is over.")]
    log: LogSection
    table: ReportSection
    hands: list[AuditedDeal]
    unrevealed: list[PromisedDeal]
    rulings: RulingSection
    journal: Annotated[
        list[Annotated[dict[str, Any], JOURNAL_NOTE]],
        says("The operator's acts on the stores or this game, such as a restore."),
    ]
    rejudge: RejudgeSection | None
    verdict: AuditVerdict


class Section(Protocol):
    """A section of a report that another package fills in, such as rejudge."""

    @property
    def findings(self) -> Sequence[Finding]: ...

    @property
    def waits(self) -> str | None: ...

    def restrict(self, first: int, last: int) -> "Section": ...

    def to_json(self) -> RejudgeSection: ...


@dataclass(frozen=True)
class Report:
    """The result of an audit: of the log, of its events, and of rejudging (None if it wasn't requested).

    `deals` are the deals that it reports on: all of them, or those of one hand.
    """

    history: History
    log: tuple[Finding, ...]
    ledger: Ledger
    deals: tuple[DealRecord, ...]
    rejudged: Section | None = None
    receipts: ReceiptChecks = NO_RECEIPTS

    def of_hand(self, hand: int) -> "Report":
        """Return the report on one hand; raise NoSuchHand if the history doesn't deal it."""
        deals = tuple(each for each in self.deals if each.dealt is not None and each.dealt.hand == hand)
        if not deals:
            raise NoSuchHand(f"there is no hand {hand} in this history")
        rejudged = None if self.rejudged is None else self.rejudged.restrict(deals[0].first, deals[-1].last)
        return replace(self, deals=deals, rejudged=rejudged)

    @property
    def findings(self) -> list[Finding]:
        """All findings: those about the file first, then by version."""
        findings = [*self.log, *self.receipts.findings, *self.ledger.findings, *self.ledger.rulings]
        findings += (finding for each in self.deals for finding in each.findings)
        findings += self.rejudged.findings if self.rejudged is not None else ()
        return sorted(dict.fromkeys(findings), key=lambda finding: finding.version or 0)

    @property
    def unrevealed(self) -> list[DealRecord]:
        """The deals reported on whose seeds aren't public."""
        return [each for each in self.deals if each.closed is None]

    def code(self, *, live_is_fine: bool = False) -> int:
        """Return 0 if all is green, 1 if a check failed, 2 if the audit can't decide.

        It can't decide if a receipt has an unknown key, an event can't be read, or deals aren't revealed yet. With
        `live_is_fine`, as for `verify`, deals that aren't revealed don't count.
        """
        if self.findings:
            return WRONG
        if self.receipts.waits is not None:
            return CANNOT_TELL
        waiting = bool(self.unrevealed) or (self.rejudged is not None and self.rejudged.waits is not None)
        if self.ledger.unjudged is not None or (waiting and not live_is_fine):
            return CANNOT_TELL
        return GREEN

    def says(self, code: int) -> str:
        """Return the verdict in words. If only line ends differ from the server's file, it says so."""
        only = self.history.line_ends is not None and code == GREEN
        return SAYS[code] + ("; only line ends differ from the server's file" if only else "")

    def to_json(self, *, live_is_fine: bool = False) -> AuditReport:
        header, code = self.history.header, self.code(live_is_fine=live_is_fine)
        return {
            "audit": FORMAT,
            "game": header.game,
            "board": header.board,
            "variant": header.variant,
            "complete": self.ledger.position.ended is not None,
            "log": self._log(),
            "table": section(self.ledger.findings),
            "hands": [each.to_json() for each in self.deals],
            "unrevealed": [each.ceremony_json() for each in self.unrevealed],
            "rulings": rulings_to_json(self.ledger.position, self.ledger.rulings),
            "journal": list(map(dict, self.history.admin_log)),
            "rejudge": None if self.rejudged is None else self.rejudged.to_json(),
            "verdict": {"code": code, "says": self.says(code), "findings": len(self.findings)},
        }

    def _log(self) -> LogSection:
        trailer, unjudged = self.history.trailer, self.ledger.unjudged
        return {
            "size": len(self.history.lines),
            "root": None if trailer is None else trailer.root,
            "withheld": self.history.withheld,
            "receipts": self.receipts.to_json(),
            **self._file(),
            "unjudged": None if unjudged is None else unjudged.to_json(),
            **section([*self.log, *self.receipts.findings]),
        }

    def _file(self) -> FileSection:
        return {} if self.history.line_ends is None else {"line_ends": self.history.line_ends}


def audit(
    history: History,
    rejudged: Section | None = None,
    known_roots: Sequence[str] = (),
    receipts: ReceiptChecks | None = None,
) -> Report:
    """Return the report on `history`, with the section `rejudged` if given.

    `known_roots` are roots of the game's log that someone noted down, from views or answers. `receipts` are receipts
    checked against the history; by default, only the receipt in its trailer is checked.
    """
    ledger = check_events(history)
    receipts = check_receipts(history) if receipts is None else receipts
    return Report(history, tuple(check_log(history, known_roots)), ledger, tuple(ledger.deals), rejudged, receipts)
