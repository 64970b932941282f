"""Command lines in the way of pbmserv, and the lane of each.

This runs before anything has checked the request, so any body gets a lane.
"""

import json
from collections.abc import Sequence

from flask import Request, Response, request
from marshmallow import fields, validate

from api.caller import take_heavy_budget
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, find_command
from api.lines.line_sender import CommandAnswer, LineAnswer, LineSender, ServerFailure
from api.lines.requests import WHICH
from api.lines.run import run_lines
from api.lines.words import MAX_LINE, NotACommand, parse_board
from api.play.services.positions import POSITION
from api.problem import Problem
from api.schemas import StrictSchema
from api.web.context import current_caller, current_services
from api.web.problems import NEGOTIATED, problem_response
from api.web.request_input import body_of, idempotency_key, read_json
from api.web.responses import JSON, TEXT, json_response, negotiate
from api.web.route import LANE_KEY, Lane, TaggedBlueprint, or_text, route
from domain.rules.variants import KNOWN

COMMANDS_ENDPOINT = "commands.run"
HEAVY = frozenset(
    ("all", "audit", "dispute", "games", "hand", "history", "list", "multiple", "ratings", "standings", "transcript")
)
"""Commands that read whole games or long lists, or carry out several lines."""
BOARD_COMMANDS = ("show", "showas")
HASHES = frozenset(("change", "delete", "signoff", "signup"))
"""Commands that hash a password, whatever comes with the line."""
WITHOUT_PASSWORD = frozenset(("help", "show"))
"""Commands that take no password. The others hash one in a line without a token."""
MOST_WORDS = 64
MOST_PARSED = 8 * 1024
"""How long a body may be that is parsed here, in the one loop that receives requests."""


def lane_of_line(body: bytes, *, has_token: bool) -> Lane:
    """Return `heavy` for a line that reads much, `login` for one that hashes a password, and otherwise `light`.

    A line with a long text below it is heavy, too.
    """
    if len(body) > MOST_PARSED:
        return "heavy"
    return lane_of_text(_first_line(body), has_token=has_token)


def lane_of_text(line: str, *, has_token: bool) -> Lane:
    """Return the lane of a line that has been read."""
    words = line.split(maxsplit=MOST_WORDS)
    variant = words[0].lower() in KNOWN if words else False
    rest = words[1:] if variant else words
    if not rest:
        return "light"
    try:
        name = find_command(rest[0], GAME_COMMANDS if variant else SERVER_COMMANDS).name
    except NotACommand:
        return "light"
    if name in HEAVY or (name in BOARD_COMMANDS and _shows_much(rest[1:])):
        return "heavy"
    return "login" if name in HASHES or not (has_token or name in WITHOUT_PASSWORD) else "light"


def _shows_much(words: Sequence[str]) -> bool:
    """Return whether a line shows several boards, or one as it was; `showas` may begin with a name and a password."""
    boards = [board for board in map(parse_board, words) if board is not None]
    return len(boards) != 1 or boards[0].at is not None or any(word.lower() in WHICH for word in words)


def _first_line(body: bytes) -> str:
    """Return the line of a JSON object, or the first line of a text."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return body.partition(b"\n")[0].decode(errors="replace")
    line = found.get("line") if isinstance(found, dict) else None
    return line if isinstance(line, str) else ""


MAX_TEXT_LINES = 100
FAILURES = ("too-many-requests", "internal", "store-down", "busy", "not-ready")
"""The problems that any request can get; others after which a client tries again become `busy`."""

commands = TaggedBlueprint("commands", __name__, "commands")


class CommandLine(StrictSchema):
    """`POST /commands`: a command, and the lines of the text below it."""

    line = fields.String(required=True, validate=validate.Length(1, MAX_LINE))
    text = fields.List(
        fields.String(validate=validate.Length(0, MAX_LINE)),
        load_default=list,
        validate=validate.Length(0, MAX_TEXT_LINES),
    )


COMMAND_LINE = CommandLine()


@commands.post("/commands")
@route(
    "carry out a command line in the way of pbmserv",
    answer=or_text(LineAnswer),
    says="The answer, also to a command that is refused.",
    body=COMMAND_LINE,
    example={"line": "pitch move 123 AD"},
    problems=NEGOTIATED,
    asks=("Idempotency-Key",),
)
def run() -> Response:
    """Return 200 and the answer to a command, also to one that is refused, as JSON or text (docs/commands.md)."""
    kind = negotiate(request, JSON, TEXT)
    line, text = _read(request)
    services, caller = current_services(), current_caller()
    if lane_of_text(line, has_token=True) == "heavy":
        take_heavy_budget(services, caller)
    sender = LineSender(services, caller, may_hash=request.environ.get(LANE_KEY) != "light")
    try:
        answer = run_lines(sender, line, text, idempotency_key(request))
    except ServerFailure as failed:
        return _failure(failed)
    response = _response(answer, kind)
    position = next((each.position for each in reversed(sender.all) if each.position is not None), None)
    if position is not None:
        response.headers[POSITION] = position
    return response


def _read(request: Request) -> tuple[str, Sequence[str]]:
    """Return the command and the lines below it, of a JSON object or of plain text."""
    if request.mimetype != TEXT:
        body = COMMAND_LINE.load(read_json(request))
        return body["line"], body["text"]
    first, *rest = body_of(request).lines() or [""]
    if len(rest) > MAX_TEXT_LINES or len(first) > MAX_LINE or any(len(each) > MAX_LINE for each in rest):
        raise Problem("malformed", f"Send at most {MAX_TEXT_LINES} lines of {MAX_LINE} characters below the command.")
    return first, rest


def _response(answer: CommandAnswer, kind: str) -> Response:
    if kind == JSON:
        return json_response(answer.to_json())
    return Response(answer.to_text() + "\n", content_type=f"{TEXT}; charset=utf-8")


def _failure(failed: ServerFailure) -> Response:
    """Return the problem of a request that the command made, so that the client tries again."""
    problem = failed.problem.body
    slug = problem["type"].rpartition("/")[2]
    response = problem_response(slug if slug in FAILURES else "busy", problem.get("detail", ""))
    if "Retry-After" in failed.problem.headers:
        response.headers["Retry-After"] = failed.problem.headers["Retry-After"]
    return response
