"""Questions about a game: how hands were scored, transcripts, audits and disputes."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.evidence.services.dispute_commands import (
    LIST_PASSES,
    decide_appeal,
    give_ruling,
    list_disputes,
    list_like_rulings,
    open_dispute,
    save_answer,
    withdraw_dispute,
)
from api.evidence.services.histories import AUDIT_PASSES, TRANSCRIPT_PASSES, print_game_audit, print_transcript
from api.lines.line_sender import CommandAnswer, LineSender, json_values, refusal
from api.lines.list_texts import dispute_lines, outcome_text, rulings_text
from api.lines.requests import Audit, Board, DisputeHand, PrintTranscript, RuleOnDispute, ShowHand
from api.lines.run.seeing import VisibleBoard, board_answer, look, require_dealt, scored_hands
from api.schemas import GivenInput
from domain.events.disputes import AppealOutcome, StandardOfProof
from projections.lists.scoreboard_pages import ScoredHand
from replay.text.layout import WIDTH


def hand(sender: LineSender, request: ShowHand, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the score lines of one hand or of all (S40)."""
    seen = _dealt(sender, request.variant, request.board)
    hands = scored_hands(sender, seen, request.hand)
    lines: list[str] = []
    for each in hands:
        lines += [hand_heading(each, seen.seat_names), *(f"  {line['text']}" for line in each["lines"])]
    text_of = "\n".join(lines) or "No such hand is scored yet."
    return CommandAnswer("hand", text_of, {"hands": hands}, seen.view["board"], seen.view["version"])


def hand_heading(hand: ScoredHand, who: Mapping[int, str]) -> str:
    """Return a line above the scores of a hand: its winning bid, and whether it was made."""
    if hand["pitcher"] is None or hand["bid"] is None:
        return f"Hand {hand['hand']}:"
    came_out = "" if hand["made"] is None else " and made it" if hand["made"] else " and was set"
    return f"Hand {hand['hand']}: {who[hand['pitcher']]} bid {hand['bid']}{came_out}"


def transcript(sender: LineSender, request: PrintTranscript, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Print a hand in the style of PBN."""
    seen = _dealt(sender, request.variant, request.board)
    number = request.hand or (seen.view["hand"] or {"number": 1})["number"]
    caller = sender.reading_much(seen.game, TRANSCRIPT_PASSES)
    printed = print_transcript(sender.services, caller, seen.game, number)
    return CommandAnswer("transcript", printed.rstrip("\n"), None, seen.view["board"], seen.view["version"])


def audit(sender: LineSender, request: Audit, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Check a game."""
    seen = _dealt(sender, request.variant, request.board)
    caller = sender.reading_much(seen.game, AUDIT_PASSES)
    report = print_game_audit(sender.services, caller, seen.game, width=WIDTH)
    return CommandAnswer("audit", report.decode().rstrip("\n"), None, seen.view["board"], seen.view["version"])


def dispute(sender: LineSender, request: DisputeHand, text: Sequence[str], key: str | None) -> CommandAnswer:
    """List the disputes of a game, contest a hand, answer or withdraw a dispute, or list rulings like one."""
    seen = _dealt(sender, request.variant, request.board)
    services, game = sender.services, seen.game
    if request.answers is not None:
        said = _require_words(request, text, "Say in a few words what you answer.")
        save_answer(services, sender.writing(game), game, request.answers, GivenInput({"text": said}))
        answered = f"Your answer to dispute {request.answers} is saved."
        return CommandAnswer("dispute", answered, None, seen.view["board"], seen.view["version"])
    if request.withdraws is not None:
        sent = GivenInput({}, key)
        taken_back = sender.wrote(withdraw_dispute(services, sender.writing(game), game, request.withdraws, sent))
        shown = VisibleBoard(seen.game, taken_back["view"] | {"names": taken_back["names"]}, seen.seat)
        return board_answer(sender, "dispute", shown, f"Dispute {request.withdraws} is withdrawn.\n")
    if request.hand is None and request.like is None:
        caller = sender.reading_much(game, LIST_PASSES)
        items = json_values(list_disputes(services, caller, game))["items"]
        lines = [line for each in items for line in dispute_lines(each, seen.seat_names)]
        return CommandAnswer(
            "dispute", "\n".join(lines) or "There are no disputes.", {"items": items}, seen.view["board"]
        )
    if request.like is not None:
        return _like(sender, seen, request.like)
    words = _require_words(request, text, "Say in a few words what the dispute is about.")
    body = {"hand": request.hand, "kind": request.kind, "text": words}
    body |= {} if request.board.at is None else {"at_version": request.board.at}
    made = sender.wrote(open_dispute(services, sender.writing(game), game, GivenInput(body, key)))
    shown = VisibleBoard(seen.game, made["view"] | {"names": made["names"]}, seen.seat)
    return board_answer(sender, "dispute", shown, f"Dispute {made['dispute']} is open.\n")


def rule(sender: LineSender, request: RuleOnDispute, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Rule on a dispute, or decide an appeal, and answer with the decision and the scores by it."""
    seen = _dealt(sender, request.variant, request.board)
    is_appeal = request.decision in tuple(AppealOutcome)
    words = request.text or " ".join(text)
    body: dict[str, Any] = {"decision": request.decision} | ({"text": words} if words.strip() else {})
    if not is_appeal:
        body |= {"basis": request.basis, "standard": StandardOfProof.RECORDED.value}
        body |= {"text": _require_words(request, text, "Say in a few words why.")}
        body |= {"changes": list(request.changes)} if request.changes else {}
    act = decide_appeal if is_appeal else give_ruling
    sent = GivenInput(body, key)
    made = sender.wrote(act(sender.services, sender.writing(seen.game), seen.game, request.dispute, sent))
    shown = VisibleBoard(seen.game, made["view"] | {"names": made["names"]}, seen.seat)
    return board_answer(sender, "dispute", shown, f"{outcome_text(made['outcome'], seen.seat_names)}\n")


def _like(sender: LineSender, seen: VisibleBoard, dispute: int) -> CommandAnswer:
    page = list_like_rulings(sender.services, sender.reading_much(seen.game, LIST_PASSES), seen.game, dispute)
    items = json_values(page)["items"]
    return CommandAnswer("dispute", rulings_text(items, page["names"]), {"items": items}, seen.view["board"])


def _require_words(request: DisputeHand | RuleOnDispute, text: Sequence[str], how: str) -> str:
    words = request.text or " ".join(text)
    if not words.strip():
        raise refusal("malformed", 400, "Malformed request", how)
    return words


def _dealt(sender: LineSender, variant: str | None, board: Board) -> VisibleBoard:
    seen = look(sender, variant, Board(board.number))
    require_dealt(seen)
    return seen
