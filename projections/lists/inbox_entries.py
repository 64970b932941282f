"""The entries of an inbox by kind. They name things by id, and never hold a card, a name or a text.

The list makes entries from facts (`EventDetails`), and the accounts leave notes for it (`NoteDetails`).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict, get_args, get_type_hints

from msgspec import Meta

from domain.json_fields import Time, Uuid, refers_to, says

EntryKind = Literal[
    "turn", "deadline", "queue", "seat", "hand-over", "game-over", "invitation", "question", "refusal", "chat",
    "message", "dispute", "moderation",
]  # fmt: skip
KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
DisputeStep = Literal["opened", "withdrawn", "ruled", "appealed", "decided", "delay-called", "delay-judged"]
Question = Literal["handover", "undo", "draw"]
ModeratorAct = Literal["answered", "ruled", "decided"]
Sender = Annotated[str, says("A player's id.")]
_Sender = TypedDict("_Sender", {"from": Sender})
_SenderIfAny = TypedDict("_SenderIfAny", {"from": NotRequired[Sender]})
"""A class can't name the field."""
Cause = Annotated[int, says("The version of the event that is the cause.")]
ENTRY_ID = r"^(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})$"
EntryId = Annotated[str, Meta(pattern=ENTRY_ID)]


class EventDetails(TypedDict, total=False):
    """The fields of an entry about an event beside its version and seat."""

    awaits: Literal["move", "cut"]
    asks: Question
    now: Literal["bot", "person", "table"]
    hand: int
    reason: str
    step: DisputeStep
    dispute: int
    accused: int


class NoteDetails(_SenderIfAny, total=False):
    """The fields of a note beside its kind, its time and the game or table that it's about."""

    act: ModeratorAct
    asks: Literal["sit"]
    decision: str
    dispute: int
    dropped: str
    message: str
    offer: str
    report: str
    ruling: str
    seat: int
    step: str
    to: str
    version: int


class EntryHead(TypedDict):
    """The fields that all entries have."""

    id: Annotated[EntryId, says("A generation and a number.")]
    at: Time
    game: Annotated[Uuid | None, says("The id of the game or table.")]
    board: Annotated[int | None, says("Its board number.")]
    variant: str | None


class InboxTurn(EntryHead):
    """The caller's turn begins, or the deal waits for their cut."""

    kind: Literal["turn"]
    version: Cause
    seat: int
    awaits: Literal["move", "cut"]


class InboxDeadline(EntryHead):
    """The caller's turn ends soon, or has been waiting for long."""

    kind: Literal["deadline"]
    version: Annotated[int, says("The version of the game, or of the reminder.")]
    seat: int


class InboxQueue(EntryHead):
    """The caller's queued move isn't played."""

    kind: Literal["queue"]
    dropped: Annotated[str, says("Why: a code of the queue, or the code of a refusal.")]


class InboxSeat(EntryHead):
    """Somebody else has the caller's seat from now on, or the table plays it."""

    kind: Literal["seat"]
    version: Cause
    seat: int
    now: Literal["bot", "person", "table"]


class InboxRefusal(EntryHead):
    """Somebody has refused what the caller asked the table."""

    kind: Literal["refusal"]
    version: Cause
    seat: int
    asks: Question


class InboxMessage(EntryHead, _Sender):
    """Somebody has written a message to the caller, or a moderator to everybody."""

    kind: Literal["message"]
    message: Annotated[str, says("The id of the message.")]


class InboxHandOver(EntryHead):
    """A hand is over."""

    kind: Literal["hand-over"]
    version: Cause
    seat: int
    hand: int


class InboxGameOver(EntryHead):
    """A game is over."""

    kind: Literal["game-over"]
    version: Cause
    seat: int
    reason: str


class InboxQuestion(EntryHead, _SenderIfAny):
    """Somebody asks the caller to sit down, or the table asks about a hand-over, an undo or a draw."""

    kind: Literal["question"]
    asks: Literal["sit", "handover", "undo", "draw"]
    version: NotRequired[Cause]
    seat: int


class InboxInvitation(EntryHead, _Sender):
    """Somebody offers the caller their seat."""

    kind: Literal["invitation"]
    offer: Annotated[str, says("The id of the offer.")]
    seat: int


class InboxChat(EntryHead, _Sender):
    """Somebody has written to the caller's table, or to the caller."""

    kind: Literal["chat"]
    message: Annotated[str, says("The id of the message.")]
    to: str


class InboxDispute(EntryHead):
    """Somebody else did something in a dispute or a delay call."""

    kind: Literal["dispute"]
    version: NotRequired[Cause]
    seat: int
    step: Literal[DisputeStep, "accused", "answered"]
    dispute: NotRequired[int]
    accused: NotRequired[Annotated[int, says("The seat that was called slow.")]]


class InboxModeration(EntryHead):
    """A moderator has ruled on the caller's report, ruled against them, or decided their appeal."""

    kind: Literal["moderation"]
    act: ModeratorAct
    report: NotRequired[Annotated[str, says("The id of the report.")]]
    step: NotRequired[Annotated[str, says("The id of the step.")]]
    ruling: NotRequired[Annotated[str, says("The kind of the step.")]]
    decision: NotRequired[str]


_Entry = (
    InboxTurn | InboxDeadline | InboxQueue | InboxSeat | InboxHandOver | InboxGameOver | InboxQuestion
    | InboxInvitation | InboxRefusal | InboxChat | InboxMessage | InboxDispute | InboxModeration
)  # fmt: skip
ENTRY_TYPES: Mapping[str, type[Any]] = {get_args(get_type_hints(each)["kind"])[0]: each for each in get_args(_Entry)}
if TYPE_CHECKING:
    InboxEntry = _Entry
else:  # msgspec takes no union of objects
    InboxEntry = Annotated[Any, refers_to("InboxEntry")]
