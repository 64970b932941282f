"""The disputes of a game as its log records them: authors, times, commands, and the texts stored beside the log.

The accused gets the news of a dispute, and answers in words beside the log.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

from api.accounts.accounts import Accounts
from api.evidence.stored.dispute_texts import (
    DisputeAnswer,
    DisputeDetails,
    DisputeText,
    DisputeTexts,
    has_answered,
    note_of,
    set_answer,
)
from api.inbox.stored.outbox import InboxNote, leave_notes
from domain.engine.timestamps import format_time
from domain.events import DisputeOpened, DisputeWithdrawn, Event, Evidence, RulingAppealed, RulingDecided, RulingGiven
from domain.events.disputes import AppealOutcome, DisputeKind, Ruled, Ruling, StandardOfProof
from domain.json_fields import DisputeStatus, Time, one_of, says
from domain.protocols.merkle_log import canonical
from domain.rejections import AlreadyRuled, AlreadyWithdrawn, NoSuchDispute
from domain.state import Dispute, State
from projections.lists.inbox_entries import NoteDetails

Withholds = Callable[[Event[Any]], bool]
"""Returns whether the text of a fact is kept from this reader now."""
PARTS: dict[type[Any], str] = {
    DisputeOpened: "opened",
    DisputeWithdrawn: "withdrawal",
    RulingGiven: "ruling",
    RulingAppealed: "appeal",
    RulingDecided: "decision",
}


class FactHead(TypedDict):
    """The envelope of a fact about a dispute."""

    version: int
    at: Time
    by: Annotated[str, says("The player's id.")]


class ShownText(TypedDict, total=False):
    """The text of a fact, for the seats of the game and for arbiters."""

    text: str | None
    salt: str | None
    erased: Annotated[bool, says("Whether a moderator has erased the text.")]
    withheld: Annotated[bool, says("Whether the text is withheld until the hand is over.")]


class ShownDetails(TypedDict, total=False):
    """The details of an opening, for those who get its text."""

    details: DisputeDetails


class DisputeOpening(FactHead, ShownText, ShownDetails):
    """A player disputes a hand. The text, the salt and what became of them are for its seats and for arbiters."""

    seat: int
    hand: int
    at_version: int
    kind: Annotated[str, one_of(*DisputeKind)]
    note: Annotated[str, says("The hash of the text, and of the details if there are any.")]


class DisputeWithdrawal(FactHead):
    """The player who opened a dispute has taken it back."""

    seat: int


class DisputeRuling(FactHead, ShownText):
    """An arbiter's ruling."""

    decision: Annotated[str, one_of(*Ruling)]
    changes: tuple[int, ...]
    voids: int | None
    basis: Annotated[str | None, says("The clause that it rests on.")]
    standard: Annotated[str, one_of(*StandardOfProof)]
    evidence: Evidence
    note: Annotated[str, says("The hash of the text.")]
    ruled: Ruled | None
    appeal_until: Annotated[Time | None, says("When appeals end; null for a ruling from before there was an end.")]
    drops_call: Annotated[bool, says("Whether it also ended an open delay call, as rulings of version 1 did.")]


class DisputeAppeal(FactHead, ShownText):
    """A player's appeal."""

    seat: int


class DisputeDecision(FactHead, ShownText):
    """Another arbiter's decision on the appeal."""

    decision: Annotated[str, one_of(*AppealOutcome)]
    ruled: Ruled | None


class ShownDisputeAnswer(TypedDict):
    """Another player's answer in a dispute. No fact holds it, or its hash."""

    seat: int
    by: Annotated[str | None, says("The player's id; null if their account was deleted.")]
    at: Time
    text: str | None
    erased: Annotated[bool, says("Whether the text was erased.")]
    withheld: Annotated[bool, says("Whether the text is withheld until the hand is over.")]


class ShownDispute(TypedDict):
    """A dispute with all of its facts, null until they exist."""

    dispute: Annotated[int, says("Its number in the game.")]
    status: DisputeStatus
    opened: DisputeOpening
    withdrawal: DisputeWithdrawal | None
    ruling: DisputeRuling | None
    appeal: DisputeAppeal | None
    decision: DisputeDecision | None
    answers: NotRequired[list[ShownDisputeAnswer]]


def withholds_nothing(event: Event[Any]) -> bool:
    """Let the reader read every text."""
    return False


@dataclass
class DisputeRecord:
    """One dispute: its events by part, in log order."""

    number: int
    parts: dict[str, Event[Any]] = field(default_factory=dict)

    @property
    def status(self) -> DisputeStatus:
        """The dispute's status: open, withdrawn, ruled, appealed, upheld or reversed."""
        if "withdrawal" in self.parts:
            return "withdrawn"
        if (event := self.parts.get("decision")) is not None:
            decision: DisputeStatus = event.data.decision
            return decision
        return "appealed" if "appeal" in self.parts else "ruled" if "ruling" in self.parts else "open"

    @property
    def commands(self) -> list[str]:
        """The ids of the commands behind its facts; texts are stored under them."""
        return [event.command for event in self.parts.values()]

    @property
    def arbiters(self) -> Iterator[str]:
        """The ids of the arbiters who ruled and decided."""
        return (event.by for part, event in self.parts.items() if part in ("ruling", "decision"))

    def to_json(
        self, texts: dict[str, DisputeText] | None = None, withholds: Withholds = withholds_nothing
    ) -> ShownDispute:
        """Return the facts, each with its version, time and author, and with its text if `texts` (by command) is given.

        A text that `withholds` keeps from the reader is only marked as withheld.
        """

        def text_of(event: Event[Any]) -> ShownText:
            return {} if texts is None else _text_json(texts.get(event.command), withheld=withholds(event))

        opened, withdrawal, ruling, appeal, decision = map(self.parts.get, PARTS.values())
        if opened is None:
            raise LookupError(f"dispute {self.number} has no opening")
        text = text_of(opened)
        details = {} if texts is None or text["text"] is None else _details_json(texts[opened.command])
        return {
            "dispute": self.number,
            "status": self.status,
            "opened": _opening_json(opened, text, details),
            "withdrawal": None if withdrawal is None else {**_head_json(withdrawal), "seat": withdrawal.data.seat},
            "ruling": None if ruling is None else _ruling_json(ruling, text_of(ruling)),
            "appeal": None if appeal is None else _appeal_json(appeal, text_of(appeal)),
            "decision": None if decision is None else _decision_json(decision, text_of(decision)),
        }


def _head_json(event: Event[Any]) -> FactHead:
    return {"version": event.version, "at": event.at, "by": event.by}


def _opening_json(event: Event[DisputeOpened], text: ShownText, details: ShownDetails) -> DisputeOpening:
    fact = event.data
    return {
        **_head_json(event),
        "seat": fact.seat,
        "hand": fact.hand,
        "at_version": fact.at_version,
        "kind": fact.kind,
        "note": fact.note,
        **text,
        **details,
    }


def _ruling_json(event: Event[RulingGiven], text: ShownText) -> DisputeRuling:
    fact = event.data
    return {
        **_head_json(event),
        "decision": fact.decision,
        "changes": fact.changes,
        "basis": fact.basis,
        "standard": fact.standard,
        "evidence": fact.evidence,
        "note": fact.note,
        "voids": fact.voids,
        "ruled": fact.ruled,
        "appeal_until": fact.appeal_until,
        "drops_call": fact.drops_call,
        **text,
    }


def _appeal_json(event: Event[RulingAppealed], text: ShownText) -> DisputeAppeal:
    return {**_head_json(event), "seat": event.data.seat, **text}


def _decision_json(event: Event[RulingDecided], text: ShownText) -> DisputeDecision:
    return {**_head_json(event), "decision": event.data.decision, "ruled": event.data.ruled, **text}


def _details_json(text: DisputeText) -> ShownDetails:
    return {} if text.details is None else {"details": json.loads(text.details)}


def _text_json(text: DisputeText | None, *, withheld: bool) -> ShownText:
    """Return a text and the salt that proves its note; both are null if there is no text or the text is erased."""
    if text is None or text.text is None:
        return {"text": None, "salt": None, "erased": text is not None, "withheld": False}
    if withheld:
        return {"text": None, "salt": None, "erased": False, "withheld": True}
    return {"text": text.text, "salt": text.salt, "erased": False, "withheld": False}


def dispute_records(events: Iterable[Event[Any]]) -> list[DisputeRecord]:
    """Return the disputes in a game's log, in order."""
    records = list[DisputeRecord]()
    for event in events:
        part = PARTS.get(type(event.data))
        if part == "opened":
            records.append(DisputeRecord(len(records) + 1))
        if part is not None:
            records[event.data.dispute - 1].parts[part] = event
    return records


def check_dispute(shown: Mapping[str, Any], roots: Sequence[str]) -> dict[str, bool]:
    """Return whether the evidence is this log, and whether each text that is shown matches its note.

    `roots` are the roots of the log before each event, in hex.
    """
    checks: dict[str, bool] = {}
    ruling = shown["ruling"]
    if ruling is not None:
        size, root = ruling["evidence"]["size"], ruling["evidence"]["root"]
        checks["evidence is this log"] = size < len(roots) and roots[size] == root
    for part in ("opened", "ruling"):
        part_json = shown[part]
        if part_json is not None and part_json.get("text") is not None:
            details = canonical(part_json["details"]).decode() if "details" in part_json else None
            expected = note_of(part_json["salt"], part_json["text"], details)
            checks[f"text of the {part} part"] = expected == part_json["note"]
    return checks


def records_with_texts(
    texts: DisputeTexts,
    records: Sequence[DisputeRecord],
    withholds: Withholds = withholds_nothing,
    only_answers_of: str | None = None,
) -> list[ShownDispute]:
    """Return the disputes as JSON with their texts and answers, except those texts that `withholds` keeps away.

    `only_answers_of` is the player whose own answers alone are shown at the moment; None shows all.
    """
    if not records:
        return []
    read = texts.read([command for record in records for command in record.commands])
    answers = texts.answers(records[0].parts["opened"].game)
    return [
        {
            **record.to_json(read, withholds),
            "answers": [_answer_json(each, only_answers_of) for each in answers if each.dispute == record.number],
        }
        for record in records
    ]


def _answer_json(answer: DisputeAnswer, only_of: str | None) -> ShownDisputeAnswer:
    withheld = answer.text is not None and only_of not in (None, answer.by)
    return {
        "seat": answer.seat,
        "by": answer.by,
        "at": format_time(answer.written),
        "text": None if withheld else answer.text,
        "erased": answer.text is None,
        "withheld": withheld,
    }


def is_hand_live(state: State) -> bool:
    """Return whether a hand is played, so that what a seat writes could reveal cards to a partner."""
    return state.result is None and state.hand is not None and not state.hand.over


def withholds_until_hand_over(state: State, reader: str) -> Withholds:
    """Withhold what other seats wrote since the live hand's ceremony: it could reveal cards to a partner."""
    if state.hand is None or not is_hand_live(state):
        return withholds_nothing
    opened = state.hand.ceremony_version
    return lambda event: event.version > opened and event.by != reader and hasattr(event.data, "seat")


class AnswerRefused(Exception):
    """The player has no answer to give here: they opened the dispute, or a moderator erased their answer."""


@dataclass(frozen=True)
class DisputeStatement:
    """The statement of a player at a seat."""

    seat: int
    player: str
    text: str = field(repr=False)


def tell_accused(accounts: Accounts, state: State, dispute: Dispute, accused: int) -> None:
    """Note in the inbox of the person at a seat that a dispute accuses them."""
    sitting = state.seats[accused]
    if state.opened is None or sitting.kind != "human" or accused == dispute.seat:
        return
    about: NoteDetails = {"dispute": dispute.number, "step": "accused", "seat": accused}
    with accounts.database.transaction(writes=True) as transaction:
        leave_notes(transaction, [InboxNote(sitting.player, "dispute", state.game, about)])


def answer_dispute(accounts: Accounts, state: State, number: int, statement: DisputeStatement) -> None:
    """Save a player's answer in place of their earlier one. The others get the news of the first.

    Raise NoSuchDispute, AlreadyWithdrawn, AlreadyRuled unless an arbiter still has to decide, or AnswerRefused.
    """
    if not 1 <= number <= len(state.disputes):
        raise NoSuchDispute(f"There's no dispute {number} in this game.")
    dispute = state.disputes[number - 1]
    if dispute.withdrawn:
        raise AlreadyWithdrawn(f"Dispute {number} was withdrawn by the player who opened it.")
    if dispute.decision is not None or (dispute.ruling is not None and dispute.appealed_by is None):
        raise AlreadyRuled("An arbiter has decided. A player who doesn't agree with a ruling can appeal once.")
    if statement.seat == dispute.seat:
        raise AnswerRefused("You opened this dispute, and have said what it's about.")
    with accounts.database.transaction(writes=True) as transaction:
        place = state.game, number, statement.seat
        is_first = not has_answered(transaction, *place)
        if not set_answer(transaction, *place, statement.player, statement.text):
            raise AnswerRefused("A moderator has erased your answer, so there is no other one.")
        if is_first:
            leave_notes(transaction, _notes(state, number, statement.player))


def _notes(state: State, number: int, author: str) -> list[InboxNote]:
    return [
        InboxNote(sitting.player, "dispute", state.game, {"dispute": number, "step": "answered", "seat": seat})
        for seat, sitting in enumerate(state.seats)
        if sitting.kind == "human" and sitting.player != author
    ]
