"""A board as the caller of a command sees it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from api.evidence.services.histories import REPLAY_PASSES, view_at
from api.lines.line_sender import CommandAnswer, LineSender, json_values, refusal
from api.lines.list_texts import table_text
from api.lines.requests import Board
from api.play.services.games import view_game, view_seat
from domain.rules.variants import KNOWN
from projections.lists.scoreboard_pages import ScoredHand, scoreboard
from projections.views.audience import ceremonies_revealed_in, visible
from replay.text.board import board_text, seat_names
from replay.text.narrate import narrate

STILL_FORMING = "Nothing is dealt yet: the game starts when every seat has a player."
MOST_SINCE = 12
"""The most facts that a refused #moveno lists."""
MOST_READ = 100
"""The most events that are read for them."""


@dataclass(frozen=True)
class VisibleBoard:
    """A board as the caller sees it: a view or a table that forms, and the caller's seat."""

    game: str
    view: Mapping[str, Any]
    seat: int | None

    @property
    def is_forming(self) -> bool:
        """Whether nothing is dealt yet."""
        return bool(self.view["version"] == 0)

    @property
    def is_claimed(self) -> bool:
        """Whether the caller has agreed to sit at a table that forms."""
        return self._own_state == "claimed"

    @property
    def is_asked(self) -> bool:
        """Whether a table that forms asks the caller to sit there."""
        return self._own_state == "asked"

    @property
    def _own_state(self) -> str | None:
        return next((each["state"] for each in self.view["seats"] if each["seat"] == self.seat), None)

    @property
    def names(self) -> Mapping[str, str]:
        """The name of each player id."""
        names: Mapping[str, str] = self.view["names"]
        return names

    @property
    def seat_names(self) -> dict[int, str]:
        return seat_names(self.view, self.names)


def look(sender: LineSender, variant: str | None, board: Board, *, own: bool = False) -> VisibleBoard:
    """Return a board as everybody sees it, or with `own` as the caller's seat does. Raise CommandRefusal."""
    number = str(board.number)
    view = json_values(view_game(sender.services, sender.reading(number), number).body)
    if variant is not None and view["variant"] != variant:
        title = KNOWN[view["variant"]].title
        raise refusal("conflict", 409, "Another game", f"Board {board.number} is {title}: write {view['variant']}.")
    seat = seat_of(sender, view)
    if view["version"] == 0:
        return VisibleBoard(view["id"], view, seat)
    if board.at is not None:
        require_move_number(view, board.at)
        names, game = view["names"], view["id"]
        caller = sender.reading_much(game, REPLAY_PASSES)
        past: Mapping[str, Any] = json_values(view_at(sender.services, caller, game, board.at, seat if own else None))
        past = past if own or "you" not in past else {name: each for name, each in past.items() if name != "you"}
        return VisibleBoard(view["id"], {"names": names, **past}, seat)
    if own and seat is not None:
        seen = view_seat(sender.services, sender.reading(view["id"]), view["id"], seat)
        return VisibleBoard(view["id"], json_values(seen.body), seat)
    return VisibleBoard(view["id"], view, seat)


def require_move_number(view: Mapping[str, Any], at: int) -> None:
    """Raise CommandRefusal for a move number that a board hasn't had."""
    if not 1 <= at <= view["version"]:
        detail = f"Board {view['board']} has the moves #1 to #{view['version']}, and no #{at}."
        raise refusal("malformed", 400, "Malformed request", detail)


def require_newest(seen: VisibleBoard, at: int | None) -> None:
    """Raise CommandRefusal for a move number behind which something has happened at the board."""
    if at not in (None, seen.view["version"]):
        raise refusal("stale-version", 412, "Stale version", f"The board is at move #{seen.view['version']}.")


def require_seat(seen: VisibleBoard) -> int:
    """Return the caller's seat. Raise CommandRefusal without one."""
    if seen.seat is None:
        raise refusal("not-seated", 403, "Not seated", "You have no seat in this game.")
    return seen.seat


def require_dealt(seen: VisibleBoard) -> None:
    """Raise CommandRefusal at a table that still forms: for a player who is asked, with how to agree."""
    if not seen.is_forming:
        return
    detail = f"Nothing is dealt yet. {how_to_sit(seen)}" if seen.is_asked else STILL_FORMING
    raise refusal("forming", 409, "Table still forming", detail)


def seat_of(sender: LineSender, view: Mapping[str, Any]) -> int | None:
    """Return the caller's seat at a board."""
    player = sender.player
    if player is None:
        return None
    return next((each["seat"] for each in view["seats"] if each["player"] == player.id), None)


def board_answer(sender: LineSender, command: str, seen: VisibleBoard, before: str = "") -> CommandAnswer:
    """Return the answer with a board, after the line `before`."""
    view = seen.view
    forming = seen.is_forming
    if forming:
        how = "" if seen.is_claimed else how_to_sit(seen)
        text = table_text(view, seen.names) + (f"\n\n{how}" if how else "")
    else:
        text = board_text(view, seen.names, score_lines(sender, seen))
    return CommandAnswer(command, before + text, view, view["board"], view["version"])


def how_to_sit(seen: VisibleBoard) -> str:
    """Return what a viewer writes to take a seat at a table that forms; nothing if no seat is for them."""
    view = seen.view
    line = f"{view['variant']} join {view['board']}"
    if seen.is_asked:
        return f"To agree to sit here, write: {line}\nTo decline, write: {view['variant']} leave {view['board']}"
    return f"To take a seat, write: {line}" if any(each["state"] == "open" for each in view["seats"]) else ""


def score_lines(sender: LineSender, seen: VisibleBoard) -> list[str]:
    """Return a line for each seat of the last hand scored (S40)."""
    last = seen.view["last_hand"]
    if last is None:
        return []
    hands = scored_hands(sender, seen, last["hand"])
    return [line["text"] for line in hands[-1]["lines"]] if hands else []


def scored_hands(sender: LineSender, seen: VisibleBoard, hand: int | None = None) -> list[ScoredHand]:
    """Return the hands scored by the version that the caller looks at, or hand `hand` alone."""
    last = seen.view["last_hand"]
    if last is None:
        return []
    with sender.services.rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, seen.game, seen.names, hand)
    kept = [] if board is None else board["hands"]
    if not any(each["hand"] == (hand or last["hand"]) for each in kept):  # the list is behind
        access = sender.services.gate.access(seen.game, None if sender.player is None else sender.player.id)
        board = sender.services.late_boards.board(access, seen.names, hand)
        kept = [] if board is None else board["hands"]
    return [each for each in kept if each["hand"] <= last["hand"]]


def events_since(sender: LineSender, seen: VisibleBoard, after: int) -> str:
    """Return what has happened at a board after a version, for the refusal of a #moveno."""
    access = sender.services.gate.access(seen.game, None if sender.player is None else sender.player.id)
    revealed, since = ceremonies_revealed_in(access.state), max(after, access.version - MOST_READ)
    facts = [
        entry.event.data
        for entry in sender.services.gate.entries(access, since)
        if visible(entry.event, access.viewer, revealed)
    ]
    lines = [narrate(fact, seen.seat_names, access.state.rules) for fact in facts]
    left_out = [] if since == after and len(lines) <= MOST_SINCE else ["..."]
    return "\n".join([f"Since move #{after}:", *_indented([*left_out, *lines[-MOST_SINCE:]])])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
