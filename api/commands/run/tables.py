"""Tables: open one, take a seat, and write to the others."""

from collections.abc import Mapping, Sequence

from api.commands.answer import CommandAnswer
from api.commands.edge import Edge, ask, refusal
from api.commands.requests import Challenge, ChatLine, Join
from api.commands.run.messages import MOST_SHOWN, refuse_login_in
from api.commands.run.moves_for_later import NEEDS_TOKEN, require_caller
from api.commands.run.seeing import VisibleBoard, board_answer, look, seat_of
from api.commands.text.layout import in_words, minute_of

AT_ONCE = "The game has started at once, on board {board}.\n"
STARTED = "The game has started, on board {board}.\n"
ASKED = "The table is on board {board}. It starts when {names} {agree}.\n"
WAITS = "The table is on board {board}. It starts when every seat has a player.\n"
ERASED = "(erased)"
NO_CHAT = "Nothing was written at this board. To write, put the text after the board."


def challenge(edge: Edge, request: Challenge, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Open a table, and say whether the game has started (R-P1) or its players are asked first."""
    if edge.player is None:
        raise refusal("unauthorized", 401, "Token needed", NEEDS_TOKEN)
    reply = ask(edge, "POST", "/games", dict(request.body), headers)
    return _opened(edge, "challenge", reply.body, AT_ONCE)


def join(edge: Edge, request: Join, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Take a seat at a table that forms; it's the one that the caller was asked to, if there is one."""
    require_caller(edge)
    seen = look(edge, request.variant, request.board)
    if not seen.is_forming:
        where = f"Board {seen.view['board']} has started"
        detail = f"{where}: it waits for no players." if seen.seat is None else f"{where}, and you sit there."
        raise refusal("table-closed", 409, "Table closed", detail)
    body = {} if seen.seat is None else {"seat": seen.seat}
    reply = ask(edge, "POST", f"/games/{seen.game}/seats", body)
    return _opened(edge, "join", reply.body, STARTED)


def _opened(edge: Edge, command: str, body: Mapping[str, object], started: str) -> CommandAnswer:
    """Return the answer with a game that has started, or with its table."""
    view = body.get("view", body)
    if not isinstance(view, Mapping):
        raise TypeError("the answer has no view")
    shown = {**view, "names": body["names"]}
    seen = VisibleBoard(str(view["id"]), shown, seat_of(edge, shown))
    return board_answer(edge, command, seen, _how_it_starts(seen, started))


def _how_it_starts(seen: VisibleBoard, started: str) -> str:
    board = seen.view["board"]
    if not seen.is_forming:
        return started.format(board=board)
    asked = [seen.seat_names[seat["seat"]] for seat in seen.view["seats"] if seat["state"] == "asked"]
    if not asked:
        return WAITS.format(board=board)
    return ASKED.format(board=board, names=in_words(asked), agree="agrees" if len(asked) == 1 else "agree")


def chat(edge: Edge, request: ChatLine, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Write to everybody at the table, or without a text show what was written; watchers write to watchers."""
    seen = look(edge, request.variant, request.board)
    words = request.text or " ".join(text)
    if not words.strip():
        return _chat_so_far(edge, seen)
    refuse_login_in(edge, words)
    to = "table" if seen.seat is not None else "watchers"
    reply = ask(edge, "POST", f"/games/{seen.game}/chat", {"text": words, "to": to}, headers)
    return CommandAnswer("chat", "Sent.", reply.body, seen.view["board"], seen.view["version"])


def _chat_so_far(edge: Edge, seen: VisibleBoard) -> CommandAnswer:
    """Return the newest messages that the caller may read at a board, oldest first."""
    body = ask(edge, "GET", f"/games/{seen.game}/chat?limit={MOST_SHOWN}").body
    lines = [f"{minute_of(each['at'])} {body['names'].get(each['by'], each['by'])}: {each['text'] or ERASED}"
             for each in body["items"]]  # fmt: skip
    return CommandAnswer("chat", "\n".join(lines) or NO_CHAT, body, seen.view["board"], seen.view["version"])
