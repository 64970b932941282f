"""Questions about a game: how hands were scored, transcripts, audits and disputes."""

from collections.abc import Mapping, Sequence

from api.lines.answer import CommandAnswer
from api.lines.edge import Edge, ask, refusal
from api.lines.requests import Audit, Board, DisputeHand, PrintTranscript, ShowHand
from api.lines.run.seeing import VisibleBoard, board_answer, look, require_dealt, scored_hands

TEXT = {"Accept": "text/plain"}


def hand(edge: Edge, request: ShowHand, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Show the score lines of one hand or of all (S40)."""
    seen = _dealt(edge, request.variant, request.board)
    hands = scored_hands(edge, seen, request.hand)
    lines: list[str] = []
    for each in hands:
        lines += [f"Hand {each['hand']}:", *(f"  {line['text']}" for line in each["lines"])]
    text_of = "\n".join(lines) or "No such hand is scored yet."
    return CommandAnswer("hand", text_of, {"hands": hands}, seen.view["board"], seen.view["version"])


def transcript(edge: Edge, request: PrintTranscript, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Print a hand in the style of PBN."""
    seen = _dealt(edge, request.variant, request.board)
    number = request.hand or (seen.view["hand"] or {"number": 1})["number"]
    reply = ask(edge, "GET", f"/games/{seen.game}/hands/{number}/transcript", None, TEXT)
    return CommandAnswer("transcript", str(reply.body).rstrip("\n"), None, seen.view["board"], seen.view["version"])


def audit(edge: Edge, request: Audit, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Check a game."""
    seen = _dealt(edge, request.variant, request.board)
    reply = ask(edge, "GET", f"/games/{seen.game}/audit", None, TEXT)
    return CommandAnswer("audit", str(reply.body).rstrip("\n"), None, seen.view["board"], seen.view["version"])


def dispute(edge: Edge, request: DisputeHand, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """List the disputes of a game, contest a hand, or answer a dispute."""
    seen = _dealt(edge, request.variant, request.board)
    path = f"/games/{seen.game}/disputes"
    if request.answers is not None:
        said = _require_words(request, text, "Say in a few words what you answer.")
        ask(edge, "PUT", f"{path}/{request.answers}/answer", {"text": said})
        answered = f"Your answer to dispute {request.answers} is saved."
        return CommandAnswer("dispute", answered, None, seen.view["board"], seen.view["version"])
    if request.hand is None:
        items = ask(edge, "GET", path).body["items"]
        lines = [
            f"Dispute {each['dispute']} on hand {each['opened']['hand']} ({each['opened']['kind']}): {each['status']}"
            for each in items
        ]
        return CommandAnswer(
            "dispute", "\n".join(lines) or "There are no disputes.", {"items": items}, seen.view["board"]
        )
    words = _require_words(request, text, "Say in a few words what the dispute is about.")
    body = {"hand": request.hand, "kind": request.kind, "text": words}
    made = ask(edge, "POST", path, body, headers).body
    shown = VisibleBoard(seen.game, made["view"] | {"names": made["names"]}, seen.seat)
    return board_answer(edge, "dispute", shown, f"Dispute {made['dispute']} is open.\n")


def _require_words(request: DisputeHand, text: Sequence[str], how: str) -> str:
    words = request.text or " ".join(text)
    if not words.strip():
        raise refusal("malformed", 400, "Malformed request", how)
    return words


def _dealt(edge: Edge, variant: str | None, board: Board) -> VisibleBoard:
    seen = look(edge, variant, Board(board.number))
    require_dealt(seen)
    return seen
