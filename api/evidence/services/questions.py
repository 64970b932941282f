"""Questions about a game, each answered from what the caller may see of it; branches and bots' choices too.

Nothing is stored.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from api.caller import Caller, charge_for_thoughts, require_player
from api.container import Services
from api.evidence.services.histories import requested_version, require_entitled, visible_history
from api.evidence.services.schemas import NEW_BRANCH
from api.people.stored.tokens import READ
from api.play.services.game_reader import NO_HAND, NO_SEAT
from api.play.services.games import require_present_seat, visible_game
from api.play.services.gate import GameAccess
from api.play.services.strong_bots import think_for_person
from api.problem import Problem, RefusedAtTable, clauses_of_variant
from api.schemas import Read
from domain.json_fields import Hash, says
from domain.rules.choices import Undo
from projections.bots import WORLDS
from projections.moves.text_moves import MalformedMove
from replay.history import History, NoSuchHand
from replay.history.findings import Finding
from replay.history.steps import NotShown
from replay.queries import (
    Answer,
    BranchRequest,
    MoveRefused,
    Unbranchable,
    branch,
    choices,
    legal_at,
    list_commits,
)
from replay.queries.answer import QuestionAnswer, findings_json, question_json
from replay.queries.branch import Branch
from replay.queries.choices import ChoiceAnalysis, Mover, StrongChoices, count_choices, options_json
from replay.queries.commands import Commits
from replay.queries.compare import recompute_root
from replay.queries.legal import JudgedMove, JudgedMoves, SeatMoves

Question = TypeVar("Question", bound=QuestionAnswer)
Hand = TypeVar("Hand", int, int | None)


def ask(
    services: Services,
    caller: Caller,
    reference: str,
    hand: Hand,
    question: Callable[[History, Hand], Answer[Question]],
) -> Answer[Question]:
    """Return the answer to a question about a hand, or with None about all. Raise Problem for a hand not shown."""
    try:
        return question(visible_history(services, visible_game(services, caller, reference)), hand)
    except (NoSuchHand, NotShown):
        raise Problem("not-found", NO_HAND.format(hand)) from None


def judge_moves(
    services: Services, caller: Caller, reference: str, args: Mapping[str, Any], parse: Callable[[bytes], Any]
) -> Answer[JudgedMoves]:
    """Return the legal moves of a seat at a version, and the verdict of the rules on a move.

    `parse` reads a move that is a JSON object. Raise Problem for a seat that the caller may not see.
    """
    access = visible_game(services, caller, reference)
    at = requested_version(access, args["at"])
    seat, move = require_entitled(services, access, at, args["seat"]), args["move"]
    if not isinstance(seat, int):
        raise Problem("malformed", "seat must be the number of the seat whose moves you want.")
    tried = parse(move.encode()) if move is not None and move.startswith("{") else move
    try:
        return legal_at(visible_history(services, access), seat, at, tried)
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None


def commits_between(
    services: Services, caller: Caller, reference: str, first: int | None, last: int | None
) -> Answer[Commits]:
    """Return the commits with their commands, from the one with event `first` to the one with event `last`."""
    history = visible_history(services, visible_game(services, caller, reference))
    try:
        return list_commits(history, first, last)
    except NotShown as error:
        raise Problem("malformed", str(error)) from None


class Comparison(QuestionAnswer):
    """Whether the log once had a given root."""

    size: int
    root: Hash
    ours: Hash | None
    became: Literal["same", "two"]


def compare_root(
    services: Services, caller: Caller, reference: str, wanted: int | None, root: str
) -> Answer[Comparison]:
    """Return whether the log had `root` at `wanted` events, by default all; if not, there are two histories."""
    history = visible_history(services, visible_game(services, caller, reference))
    had = len(history.lines)
    size = had if wanted is None else wanted
    ours = recompute_root(history, size) if size <= had else None
    says = f"at {size} events the root is {ours}, not {root}" if size <= had else f"there are {had} events, not {size}"
    found = () if ours == root else (Finding(size, f"this is another history: {says}"),)
    note = f"{root} at {size} events: {'the same history' if ours == root else 'another history'}"
    body: Comparison = {
        **question_json(history, "compare"),
        "size": size,
        "root": root,
        "ours": ours,
        "became": "two" if found else "same",
        **findings_json(found),
    }
    return Answer(history, body, notes=(note,), findings=found)


def play_branch(services: Services, caller: Caller, reference: str, read: Read) -> Branch:
    """Play a revealed hand on with other moves, in a sandbox. Raise Problem, or RefusedAtTable as the game would."""
    services.branches.take(caller.address if caller.id is None else caller.id)
    wanted = BranchRequest(**read(NEW_BRANCH).fields)
    access = visible_game(services, caller, reference)
    state = access.state
    if wanted.at > state.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {state.version}.")
    if wanted.seat is not None and wanted.seat >= len(state.seats):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    try:
        return branch(visible_history(services, access), wanted).to_json()
    except Unbranchable as error:
        raise Problem("conflict", str(error)) from None
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None
    except MoveRefused as error:
        variant = "" if state.opened is None else state.opened.variant
        raise RefusedAtTable(type(error.refused)(str(error)), error.you, variant) from None


def strong_choices(
    services: Services, caller: Caller, reference: str, hand: int, at: int | None, seat: int | None
) -> Answer[StrongChoices]:
    """Return how the strong bots of a hand chose, or only at event `at`; with the caller's `seat`, for their own moves.

    Raise Problem before the hand is revealed, for own moves before the game is over, and for another's seat.
    """
    access = visible_game(services, caller, reference)
    history = visible_history(services, access)
    person = None if seat is None else _own_moves(caller, access, seat)
    charge_for_thoughts(services, caller, count_choices(history, hand, at, person))
    try:
        answer = choices(history, hand, at, person)
    except (NoSuchHand, NotShown):
        raise Problem("not-found", NO_HAND.format(hand)) from None
    if answer.waits:
        raise Problem("not-revealed", f"{answer.waits[0].capitalize()}. Ask again when the hand is over.")
    return answer


def _own_moves(caller: Caller, access: GameAccess, seat: int) -> Mover:
    """Return whose moves are compared. Raise Problem unless it's the caller's seat in a game that is over."""
    if caller.player is None or access.viewer != seat:
        raise Problem("not-found", "Only the player of a seat can compare their moves.")
    if access.state.result is None:
        raise Problem("not-revealed", "Your moves are compared with the strong bot's when the game is over.")
    return Mover(seat, caller.player.id)


class Hint(ChoiceAnalysis):
    """The choice of the strong bot."""

    seat: int
    version: Annotated[int, says("The version of the view that it looked at.")]


def give_hint(services: Services, caller: Caller, reference: str) -> Hint:
    """Return what the strong bot would do in the caller's place. Raise Problem at any table but one of practice."""
    player = require_player(services, caller, READ)
    game, seat = require_present_seat(services, reference, player)
    state = services.games.state(game)
    if state.opened is None or state.opened.undo != Undo.PRACTICE:
        raise Problem("no-hints", "This game isn't played for practice.")
    if state.hand is None or state.hand.over:
        raise Problem("conflict", "No hand is being played. Ask when it's your turn.")
    charge_for_thoughts(services, caller, 1)
    try:
        thought = think_for_person(services, state, seat, WORLDS)
    except LookupError:
        raise Problem("conflict", "You have nothing to choose now. Ask when it's your turn.") from None
    if thought is None:
        raise Problem("conflict", "The game has gone on. Ask again.")
    return {"version": state.version, "seat": seat, **options_json(thought)}


class TriedMove(JudgedMove):
    """The verdict on a move."""

    clauses: list[str]


class LegalMoves(SeatMoves):
    """A seat's legal moves at a moment."""

    tried: TriedMove | None


def with_clauses(answer: Answer[JudgedMoves]) -> Answer[LegalMoves]:
    """Return the answer of the `legal` query with the clauses that a refused move broke."""
    tried = answer.body["tried"]
    if tried is None:
        return Answer(answer.history, {**answer.body, "tried": None}, notes=answer.notes)
    clauses = clauses_of_variant(answer.history.header.variant, tried["code"] or "")
    note = (f"by the rules: {', '.join(clauses)}",) if clauses else ()
    body: LegalMoves = {**answer.body, "tried": {**tried, "clauses": list(clauses)}}
    return Answer(answer.history, body, notes=(*answer.notes, *note))
