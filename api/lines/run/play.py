"""Moves, and what a move would do."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.lines.answer import CommandAnswer
from api.lines.edge import CommandRefusal, Edge, Reply, ServerFailure, ask, part_key, problem_detail, refusal
from api.lines.requests import Board, Move, Preview
from api.lines.run.seeing import VisibleBoard, board_answer, events_since, look, require_dealt, require_seat
from api.lines.text.board import waiting_line
from api.lines.text.moves import move_text
from domain.engine.tricks import taker
from domain.events import Play
from projections.moves.json_moves import MalformedMove, parse_move
from projections.moves.text_moves import parse_text_move
from replay.text.seat_names import say_names


def move(edge: Edge, request: Move, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Make a move; the text below the line is a comment to everybody at the table."""
    return make_move(edge, "move", request.variant, request.board, request.move, headers, text)


def make_move(
    edge: Edge,
    command: str,
    variant: str | None,
    board: Board,
    move: str,
    headers: Mapping[str, str],
    comment: Sequence[str] = (),
) -> CommandAnswer:
    """Make a move at a board. Raise CommandRefusal, for a #moveno with what has happened since."""
    before = look(edge, variant, Board(board.number))
    if before.seat is not None:
        require_dealt(before)
    guard = {} if board.at is None else {"If-Match": f'"{board.at}"'}
    path = f"/games/{before.game}"
    try:
        reply = ask(edge, "POST", f"{path}/moves", {"text": move}, {**headers, **guard})
    except CommandRefusal as refused:
        problem = refused.reply.body | {"detail": say_names(problem_detail(refused.reply.body), before.seat_names)}
        if refused.reply.status == 412 and board.at is not None:
            now = f"The board is no longer at move #{board.at}, so this isn't played."
            problem |= {"detail": now, "since": events_since(edge, before, board.at)}
        raise CommandRefusal(Reply(refused.reply.status, problem)) from None
    unsent = _send_comment(edge, f"{path}/chat", comment, headers)
    result = reply.body
    seen = VisibleBoard(
        before.game, result["view"] | {"names": result["names"]}, result["view"].get("you", {}).get("seat")
    )
    return board_answer(edge, command, seen, unsent)


def _send_comment(edge: Edge, path: str, comment: Sequence[str], headers: Mapping[str, str]) -> str:
    """Write the comment to the table. If that fails, return a line that says so: the move is made already."""
    if not comment:
        return ""
    keys = {name: part_key(key, "comment") for name, key in headers.items()}
    try:
        ask(edge, "POST", path, {"text": " ".join(comment)}, keys)
    except (CommandRefusal, ServerFailure) as failed:
        return f"Your move is made, but your comment wasn't sent: {failed}\n"
    return ""


def preview(edge: Edge, request: Preview, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Show the board as if the caller had made a move. It writes nothing, and knows only the caller's own view."""
    seen = look(edge, request.variant, Board(request.board.number), own=True)
    seat = require_seat(seen)
    require_dealt(seen)
    if request.board.at not in (None, seen.view["version"]):
        raise refusal("stale-version", 412, "Stale version", f"The board is at move #{seen.view['version']}.")
    wanted = _legal_move(edge, seen, seat, request.move)
    view = _played(seen, seat, wanted)
    shown = VisibleBoard(seen.game, view, seat)
    board = board_answer(edge, "preview", shown).text.removeprefix(waiting_line(view, shown.seat_names) + "\n")
    taking = _taker_line(edge, view, seen)
    return CommandAnswer("preview", f"Preview, nothing is played: {move_text(wanted)}\n{taking}{board}", view,
                  view["board"], view["version"])  # fmt: skip


def _legal_move(edge: Edge, seen: VisibleBoard, seat: int, text: str) -> Mapping[str, Any]:
    """Return the move that a text means, if the caller's own view lists it as legal."""
    you = seen.view["you"]
    if seat not in seen.view["turn"]["seats"]:
        raise refusal("out-of-turn", 409, "Out of turn", "It isn't your turn, so there is nothing to preview.")
    try:
        wanted = parse_text_move(text, edge.services.games.state(seen.game).rules)
        parse_move(wanted, seat)
    except MalformedMove as error:
        raise refusal("malformed", 400, "Malformed request", str(error)) from None
    is_pass = wanted == {"type": "bid", "bid": 0} and {"type": "pass"} in you["legal"]
    if wanted not in you["legal"] and not is_pass:
        raise refusal("rejected", 409, "Not legal", "You can't make this move now.", legal=you["legal"],
                      **({"choose": you["choose"]} if you["choose"] else {}))  # fmt: skip
    return {"type": "pass"} if is_pass and wanted not in you["legal"] else wanted


def _played(seen: VisibleBoard, seat: int, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the view with the move in it, without what would follow. Nobody is to move in it."""
    view = dict(seen.view)
    hand, you = dict(view["hand"]), dict(view["you"])
    if wanted["type"] == "play":
        number = (hand["last_trick"] or {"number": 0})["number"] + 1
        trick = hand["trick"] or {"number": number, "leader": seat, "plays": []}
        hand["trick"] = trick | {"plays": [*trick["plays"], {"seat": seat, "card": wanted["card"]}]}
        you["cards"] = [card for card in you["cards"] or [] if card != wanted["card"]]
    elif wanted["type"] == "bid":
        hand["bids"] = [wanted["bid"] if each == seat else bid for each, bid in enumerate(hand["bids"])]
    elif wanted["type"] == "pass":
        hand["passed"] = sorted({*hand["passed"], seat})
    elif wanted["type"] == "name_trump":
        hand["trump"] = wanted["suit"]
    nobody: dict[str, Any] = {"seats": [], "since": None, "deadline": None}
    return view | {"hand": hand, "turn": nobody, "you": you | {"legal": [], "choose": None}}


def _taker_line(edge: Edge, view: Mapping[str, Any], seen: VisibleBoard) -> str:
    """Return who would take the trick, if the move were its last card."""
    trick, state = view["hand"]["trick"], edge.services.games.state(seen.game)
    if not trick or len(trick["plays"]) < len(view["seats"]) or state.hand is None:
        return ""
    plays = [Play(play["seat"], play["card"]) for play in trick["plays"]]
    winner = taker(state.rules, plays, state.hand.trump, state.hand.first_joker)
    return f"{seen.seat_names[winner]} would take the trick.\n"
