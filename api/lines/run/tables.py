"""Tables: open one, take a seat; and messages: to a table, between players, and broadcasts of moderators."""

from collections.abc import Mapping, Sequence

from api.conduct.services.schemas import ShownPrivateMessage
from api.conduct.services.writing import read_chat, read_messages, write_broadcast, write_chat, write_message
from api.lines.line_sender import CommandAnswer, LineSender, json_values, refusal
from api.lines.requests import Board, Broadcast, CancelTable, Challenge, ChatLine, Join, LeaveTable, Message
from api.lines.run.play import NEEDS_TOKEN, require_caller
from api.lines.run.seeing import VisibleBoard, board_answer, look, seat_of
from api.lines.words import name_of_login
from api.schemas import GivenInput
from api.tables.services.opening import cancel_table, leave_table, open_game, take_seat
from replay.text.layout import in_words, minute_of

MOST_SHOWN = 20
"""How many messages a command shows."""
LOGIN_IN_TEXT = (
    "Everybody would read this: it begins with the name of a user, and a word that may be a password. If it isn't one,"
    " write a comma after the name."
)


def message(sender: LineSender, request: Message, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Write to players, or show the newest messages."""
    require_caller(sender)
    if not request.names:
        body = json_values(read_messages(sender.services, sender.reading(), {"limit": MOST_SHOWN}))
        shown = [_line(each, body["names"]) for each in body["items"]]
        return CommandAnswer("message", "\n".join(shown) or "You have no messages.", body)
    words = _require_text(request.text or " ".join(text), "write it after a colon, or below the line")
    read = GivenInput({"to": list(request.names), "text": words}, key)
    sent = json_values(write_message(sender.services, sender.writing(), read))
    return CommandAnswer("message", f"Sent to {in_words(list(request.names))}.", sent)


def broadcast(sender: LineSender, request: Broadcast, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Write to everybody, as a moderator."""
    require_caller(sender)
    words = _require_text(request.text or " ".join(text), "write it in the line, or below it")
    refuse_login_in(sender, words)
    sent = json_values(write_broadcast(sender.services, sender.writing(), GivenInput({"text": words}, key)))
    return CommandAnswer("broadcast", "Sent to everybody.", sent)


def refuse_login_in(sender: LineSender, text: str) -> None:
    """Refuse a text for everybody that begins like a user's name and password.

    That the name is taken, everybody may know; whether its owner writes such lines, nobody may, so that isn't asked.
    """
    name = name_of_login(text.split())
    if name is not None and sender.services.accounts.users.by_name(name) is not None:
        raise refusal("malformed", 400, "A password in a text", LOGIN_IN_TEXT)


def _require_text(words: str, how: str) -> str:
    if not words.strip():
        raise refusal("malformed", 400, "Malformed request", f"The text is missing: {how}.")
    return words


def _line(item: ShownPrivateMessage, names: Mapping[str, str]) -> str:
    to = "everybody" if item["to"] is None else in_words([names.get(each, each) for each in item["to"]])
    return f"{minute_of(item['at'])} {names.get(item['by'], item['by'])} to {to}: {item['text']}"


AT_ONCE = "The game has started at once, on board {board}.\n"
STARTED = "The game has started, on board {board}.\n"
ASKED = "The table is on board {board}. It starts when {names} {agree}.\n"
WAITS = "The table is on board {board}. It starts when every seat has a player.\n"
ERASED = "(erased)"
NO_CHAT = "Nothing was written at this board. To write, put the text after the board."


def challenge(sender: LineSender, request: Challenge, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Open a table, and say whether the game has started (R-P1) or its players are asked first."""
    if sender.player is None and not sender.is_proven():
        raise refusal("unauthorized", 401, "Token needed", NEEDS_TOKEN)
    made = sender.wrote(open_game(sender.services, sender.writing(), GivenInput(dict(request.body), key)))
    return _opened(sender, "challenge", made, AT_ONCE)


def join(sender: LineSender, request: Join, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Take a seat at a table that forms; it's the one that the caller was asked to, if there is one."""
    require_caller(sender)
    seen = look(sender, request.variant, request.board)
    if not seen.is_forming:
        where = f"Board {seen.view['board']} has started"
        detail = f"{where}: it waits for no players." if seen.seat is None else f"{where}, and you sit there."
        raise refusal("table-closed", 409, "Table closed", detail)
    body = {} if seen.seat is None else {"seat": seen.seat}
    made = sender.wrote(take_seat(sender.services, sender.writing(seen.game), seen.game, GivenInput(body)))
    return _opened(sender, "join", made, STARTED)


def leave(sender: LineSender, request: LeaveTable, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Give back a seat at a table that forms, or decline to sit there."""
    seen = _forming(sender, request.variant, request.board)
    leave_table(sender.services, sender.writing(seen.game), seen.game)
    said = "You have left the table" if seen.is_claimed else "You don't sit down"
    return CommandAnswer("leave", f"{said} on board {seen.view['board']}.", board=seen.view["board"])


def cancel(sender: LineSender, request: CancelTable, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Cancel a table that forms."""
    seen = _forming(sender, request.variant, request.board)
    cancel_table(sender.services, sender.writing(), seen.game)
    return CommandAnswer("cancel", f"The table on board {seen.view['board']} is cancelled.", board=seen.view["board"])


def _forming(sender: LineSender, variant: str | None, board: Board) -> VisibleBoard:
    """Return a table that forms. Raise CommandRefusal for a stranger, and once the game has started."""
    require_caller(sender)
    seen = look(sender, variant, board)
    if not seen.is_forming:
        detail = f"Board {seen.view['board']} has started. To leave a game, write: {seen.view['variant']} resign"
        raise refusal("table-closed", 409, "Table closed", f"{detail} {seen.view['board']}")
    return seen


def _opened(sender: LineSender, command: str, body: Mapping[str, object], started: str) -> CommandAnswer:
    """Return the answer with a game that has started, or with its table."""
    view = body.get("view", body)
    if not isinstance(view, Mapping):
        raise TypeError("the answer has no view")
    shown = {**view, "names": body["names"]}
    seen = VisibleBoard(str(view["id"]), shown, seat_of(sender, shown))
    return board_answer(sender, command, seen, _how_it_starts(seen, started))


def _how_it_starts(seen: VisibleBoard, started: str) -> str:
    board = seen.view["board"]
    if not seen.is_forming:
        return started.format(board=board)
    asked = [seen.seat_names[seat["seat"]] for seat in seen.view["seats"] if seat["state"] == "asked"]
    if not asked:
        return WAITS.format(board=board)
    return ASKED.format(board=board, names=in_words(asked), agree="agrees" if len(asked) == 1 else "agree")


def chat(sender: LineSender, request: ChatLine, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Write to everybody at the table, or without a text show what was written; watchers write to watchers."""
    seen = look(sender, request.variant, request.board)
    words = request.text or " ".join(text)
    if not words.strip():
        return _chat_so_far(sender, seen)
    refuse_login_in(sender, words)
    to = "table" if seen.seat is not None else "watchers"
    read = GivenInput({"text": words, "to": to}, key)
    sent = json_values(write_chat(sender.services, sender.writing(seen.game), seen.game, read))
    return CommandAnswer("chat", "Sent.", sent, seen.view["board"], seen.view["version"])


def _chat_so_far(sender: LineSender, seen: VisibleBoard) -> CommandAnswer:
    """Return the newest messages that the caller may read at a board, oldest first."""
    body = json_values(read_chat(sender.services, sender.reading(seen.game), seen.game, {"limit": MOST_SHOWN}))
    lines = [f"{minute_of(each['at'])} {body['names'].get(each['by'], each['by'])}: {each['text'] or ERASED}"
             for each in body["items"]]  # fmt: skip
    return CommandAnswer("chat", "\n".join(lines) or NO_CHAT, body, seen.view["board"], seen.view["version"])
