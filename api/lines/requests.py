"""The requests of command lines. Every request is a value; `login` is the name and password in the line, if any."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Which = Literal["all", "active", "inactive", "next"]
WHICH: tuple[Which, ...] = ("all", "active", "inactive", "next")
SETTING_NAMES = ("passwords", "broadcasts", "presence", "mail", "zone", "night", "weekends", "vacation")


@dataclass(frozen=True)
class LineLogin:
    """The name and the password in a line."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class Board:
    """A board by number, and the move number behind # (the version of the game)."""

    number: int
    at: int | None = None


@dataclass(frozen=True, kw_only=True)
class CommandRequest:
    """A command; `variant` is the game that the line begins with."""

    login: LineLogin | None = None
    variant: str | None = None


@dataclass(frozen=True)
class Help(CommandRequest):
    """Explain the commands, one of them, or a game."""

    subjects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Signup(CommandRequest):
    """Register; the name and password are those of `login`."""

    address: str | None = None


@dataclass(frozen=True)
class SetAddress(CommandRequest):
    """Set the e-mail address, or remove it."""

    address: str | None = None


@dataclass(frozen=True)
class ConfirmAddress(CommandRequest):
    """Confirm the e-mail address with the code from the mail."""

    code: str


@dataclass(frozen=True)
class ChangePassword(CommandRequest):
    """Choose another password."""

    current: str = field(repr=False, default="")
    new: str = field(repr=False, default="")


@dataclass(frozen=True)
class Delete(CommandRequest):
    """Delete the account (signoff does the same)."""

    password: str | None = field(repr=False, default=None)


@dataclass(frozen=True)
class ListGames(CommandRequest):
    """List games of these variants, and tables that wait for players."""

    variants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Multiple(CommandRequest):
    """Carry out the lines of the text, one after the other."""


@dataclass(frozen=True)
class Message(CommandRequest):
    """Write to players, or show the caller's messages if there are no names; the text may be below the line."""

    names: tuple[str, ...] = ()
    text: str | None = None


@dataclass(frozen=True)
class Broadcast(CommandRequest):
    """Write to everybody, as a moderator."""

    text: str | None = None


@dataclass(frozen=True)
class ChangeSetting(CommandRequest):
    """Show the settings, or change one."""

    name: str | None = None
    value: str | None = None
    board: Board | None = None


@dataclass(frozen=True)
class Challenge(CommandRequest):
    """Open a table: the body of POST /games."""

    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Join(CommandRequest):
    """Take a seat at a table that forms, or agree to sit where one is asked."""

    board: Board = field(default_factory=lambda: Board(0))


@dataclass(frozen=True)
class Move(CommandRequest):
    """Make a move; with `board.at` only if nothing has happened since."""

    board: Board
    move: str


@dataclass(frozen=True)
class LeaveTable(CommandRequest):
    """Leave a table that forms, or decline to sit there."""

    board: Board


@dataclass(frozen=True)
class CancelTable(CommandRequest):
    """Cancel a table that forms."""

    board: Board


@dataclass(frozen=True)
class Preview(CommandRequest):
    """Show the board as it would be after a move of one's own."""

    board: Board
    move: str


@dataclass(frozen=True)
class Queue(CommandRequest):
    """Keep a move until its turn: one move, or up to four lines `if SUIT led CARD`; none empties the queue."""

    board: Board
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Submit(CommandRequest):
    """Hold a move until it's confirmed."""

    board: Board
    move: str


@dataclass(frozen=True)
class Confirm(CommandRequest):
    """Make the move that was submitted."""

    board: Board


@dataclass(frozen=True)
class ChatLine(CommandRequest):
    """Write to everybody at the table; without text in the line it's the text below the line."""

    board: Board
    text: str | None = None


@dataclass(frozen=True)
class Show(CommandRequest):
    """Show boards, or the boards of users; `own` shows also what only the caller sees."""

    boards: tuple[Board, ...] = ()
    names: tuple[str, ...] = ()
    which: Which = "active"
    own: bool = False


@dataclass(frozen=True)
class ListBoards(CommandRequest):
    """List boards of users, or of everybody."""

    names: tuple[str, ...] = ()
    which: Which = "active"


@dataclass(frozen=True)
class PrintStandings(CommandRequest):
    """Show the standings of a variant, for a period or all time."""

    period: str = "all"


@dataclass(frozen=True)
class PrintRatings(CommandRequest):
    """Show the ratings of a variant, for a kind of table or over all of them; those of a user; whom a ruling moved."""

    kind: str = "all"
    name: str | None = None
    changes: bool = False


@dataclass(frozen=True)
class PrintHistory(CommandRequest):
    """Show a user's finished games; None for the caller's."""

    name: str | None = None


@dataclass(frozen=True)
class ShowHand(CommandRequest):
    """Show the score of a hand; None for all hands."""

    board: Board
    hand: int | None = None


@dataclass(frozen=True)
class PrintTranscript(CommandRequest):
    """Print a hand as text in the style of PBN; None for the last one."""

    board: Board
    hand: int | None = None


@dataclass(frozen=True)
class Audit(CommandRequest):
    """Check a game."""

    board: Board


@dataclass(frozen=True)
class RuleOnDispute(CommandRequest):
    """Rule on a dispute or decide an appeal, as an arbiter. Without text, the lines below have the reasons."""

    board: Board
    dispute: int
    decision: str
    changes: tuple[int, ...] = ()
    basis: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class DisputeHand(CommandRequest):
    """List the disputes of a game, contest a hand, answer or withdraw a dispute, or list rulings like one."""

    board: Board
    hand: int | None = None
    answers: int | None = None
    withdraws: int | None = None
    like: int | None = None
    kind: str | None = None
    text: str | None = None
