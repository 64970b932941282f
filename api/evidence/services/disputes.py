"""The disputes of a game as its log records them: authors, times, commands, and the texts stored beside the log.

The accused hears of a dispute, and answers in words beside the log.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from api.accounts.accounts import Accounts
from api.evidence.stored.dispute_texts import DisputeAnswer, DisputeText, DisputeTexts, has_answered, set_answer
from api.inbox.stored.outbox import InboxNote, leave_notes
from domain.engine.timestamps import format_time
from domain.events import DisputeOpened, Event, RulingAppealed, RulingDecided, RulingGiven
from domain.rejections import AlreadyRuled, NoSuchDispute
from domain.state import State
from domain.state.table import Dispute
from projections.lists.inbox_entries import NoteDetails

Withholds = Callable[[Event[Any]], bool]
"""Returns whether the text of a fact is kept from this reader now."""
PARTS: dict[type[Any], str] = {
    DisputeOpened: "opened",
    RulingGiven: "ruling",
    RulingAppealed: "appeal",
    RulingDecided: "decision",
}
ENVELOPE_FIELDS = ("version", "at", "by")


def withholds_nothing(event: Event[Any]) -> bool:
    """Let the reader read every text."""
    return False


@dataclass
class DisputeRecord:
    """One dispute: its events by part, in log order."""

    number: int
    parts: dict[str, Event[Any]] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """The dispute's status: open, ruled, appealed, upheld or reversed."""
        if (event := self.parts.get("decision")) is not None:
            decision: str = event.data.decision
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
    ) -> dict[str, Any]:
        """Return the facts, each with its version, time and author, and with its text if `texts` (by command) is given.

        A text that `withholds` keeps from the reader is only marked as withheld.
        """
        record: dict[str, Any] = {"dispute": self.number, "status": self.status}
        for part in PARTS.values():
            event = self.parts.get(part)
            record[part] = None if event is None else _part_json(event, texts, withholds)
        return record


def _part_json(event: Event[Any], texts: dict[str, DisputeText] | None, withholds: Withholds) -> dict[str, Any]:
    fact = {name: value for name, value in msgspec.to_builtins(event.data).items() if name != "dispute"}
    envelope = {name: getattr(event, name) for name in ENVELOPE_FIELDS}
    if texts is None:
        return envelope | fact
    text = texts.get(event.command)
    shown = _text_json(text, withheld=text is not None and withholds(event))
    details = _details_json(text) if isinstance(event.data, DisputeOpened) and shown["text"] is not None else None
    return envelope | fact | shown | ({} if details is None else {"details": details})


def _details_json(text: DisputeText | None) -> dict[str, Any] | None:
    return None if text is None or text.details is None else json.loads(text.details)


def _text_json(text: DisputeText | None, *, withheld: bool) -> dict[str, Any]:
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


def records_with_texts(
    texts: DisputeTexts,
    records: Sequence[DisputeRecord],
    withholds: Withholds = withholds_nothing,
    only_answers_of: str | None = None,
) -> list[dict[str, Any]]:
    """Return the disputes as JSON with their texts and answers, except those texts that `withholds` keeps away.

    `only_answers_of` is the player whose own answers alone are shown at the moment; None shows all.
    """
    if not records:
        return []
    read = texts.read([command for record in records for command in record.commands])
    answers = texts.answers(records[0].parts["opened"].game)
    return [
        record.to_json(read, withholds)
        | {"answers": [_answer_json(each, only_answers_of) for each in answers if each.dispute == record.number]}
        for record in records
    ]


def _answer_json(answer: DisputeAnswer, only_of: str | None) -> dict[str, Any]:
    withheld = answer.text is not None and only_of not in (None, answer.by)
    shown = {"text": None if withheld else answer.text, "erased": answer.text is None, "withheld": withheld}
    return {"seat": answer.seat, "by": answer.by, "at": format_time(answer.written), **shown}


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
    """What a player at a seat says."""

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
    """Save a player's answer in place of their earlier one. The others hear of the first.

    Raise NoSuchDispute, AlreadyRuled unless an arbiter still has to decide, or AnswerRefused.
    """
    if not 1 <= number <= len(state.disputes):
        raise NoSuchDispute(f"There's no dispute {number} in this game.")
    dispute = state.disputes[number - 1]
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
