"""Command lines in the way of pbmserv."""

from collections.abc import Sequence

from flask import Blueprint, Request, Response, request
from marshmallow import fields, validate

from api.commands.answer import CommandAnswer
from api.commands.edge import ServerFailure
from api.commands.own_requests import OwnRequests
from api.commands.service import run_lines
from api.commands.words import MAX_LINE
from api.http.conduct.heavy_budget import take_heavy_budget
from api.http.positions import POSITION
from api.http.preconditions import idempotency_key
from api.http.problems import Problem, problem_response
from api.http.responses import JSON, TEXT, json_response, negotiate
from api.http.schemas import StrictSchema
from api.http.strict_json import parse_text, read_json
from api.routes.commands.line_lanes import lane_of_text

MAX_TEXT_LINES = 100
FAILURES = ("too-many-requests", "internal", "store-down", "busy", "not-ready")
"""The problems that any request can get; others after which a client tries again become `busy`."""

commands = Blueprint("commands", __name__)


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
def run() -> Response:
    """Return 200 and the answer to a command, also to one that is refused, as JSON or text (docs/commands.md)."""
    kind = negotiate(request, JSON, TEXT)
    line, text = _read(request)
    if lane_of_text(line, has_token=True) == "heavy":
        take_heavy_budget(request)
    callers: list[OwnRequests] = []

    def make_caller() -> OwnRequests:
        callers.append(OwnRequests())
        return callers[-1]

    try:
        answer = run_lines(make_caller, line, text, idempotency_key(request))
    except ServerFailure as failed:
        return _failure(failed)
    response = _response(answer, kind)
    position = next((each.position for each in reversed(callers) if each.position is not None), None)
    if position is not None:
        response.headers[POSITION] = position
    return response


def _read(request: Request) -> tuple[str, Sequence[str]]:
    """Return the command and the lines below it, of a JSON object or of plain text."""
    if request.mimetype != TEXT:
        body = COMMAND_LINE.load(read_json(request))
        return body["line"], body["text"]
    first, *rest = parse_text(request) or [""]
    if len(rest) > MAX_TEXT_LINES or len(first) > MAX_LINE or any(len(each) > MAX_LINE for each in rest):
        raise Problem("malformed", f"Send at most {MAX_TEXT_LINES} lines of {MAX_LINE} characters below the command.")
    return first, rest


def _response(answer: CommandAnswer, kind: str) -> Response:
    if kind == JSON:
        return json_response(answer.to_json())
    return Response(answer.to_text() + "\n", content_type=f"{TEXT}; charset=utf-8")


def _failure(failed: ServerFailure) -> Response:
    """Return the problem of a request that the command made, so that the client tries again."""
    problem = failed.reply.body
    slug = problem["type"].rpartition("/")[2]
    response = problem_response(slug if slug in FAILURES else "busy", problem.get("detail", ""))
    if "Retry-After" in failed.reply.headers:
        response.headers["Retry-After"] = failed.reply.headers["Retry-After"]
    return response
