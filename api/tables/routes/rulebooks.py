"""Rulebooks: house rules that players write down, which the server checks by playing, and tables play by."""

from flask import Response, request

from api.play.routes.events import EXPORT
from api.tables.services import rulebooks as rulebook_services
from api.tables.services.rulebook_document import RULEBOOK_SCHEMA, RulebookChoices, rulebook_choices
from api.tables.services.rulebooks import RulebookList, RulebookStream, ShownRulebook
from api.web.context import current_caller, current_player, current_services
from api.web.problems import NEGOTIATED
from api.web.request_input import sent_body
from api.web.responses import EVENT_STREAM, JSON, NDJSON, json_response, negotiate
from api.web.route import Content, JsonSchema, TaggedBlueprint, component, route
from api.web.streams import can_stream, sent_token_sha256, stream_response, take_slot

FRAME: JsonSchema = {
    "type": "object",
    "description": "The rulebook as it is now.",
    "properties": {
        "id": {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
        "data": {"type": "string", "contentMediaType": JSON, "contentSchema": component("ShownRulebook")},
        "retry": {"type": "integer", "description": "Milliseconds to wait before you connect again."},
    },
}
EXAMPLE = {"name": "Ours", "from": "setback", "rules": {"goal": 21}}

rulebooks = TaggedBlueprint("rulebooks", __name__, "games")


@rulebooks.post("/rulebooks")
@route(
    "write down house rules; the server checks them by playing",
    answer=ShownRulebook,
    status=202,
    token="needed",
    body=RULEBOOK_SCHEMA,
    example=EXAMPLE,
)
def post() -> Response:
    """Return 202: the rulebook, with its address. It waits for its check, unless there is one with equal rules.

    `errors` of a 400 names each field that is wrong, or says in a sentence why no table could play. 429 after five
    checks in an hour.
    """
    return json_response(rulebook_services.post_rulebook(current_services(), current_caller(), sent_body()), 202)


@rulebooks.get("/rulebooks")
@route("rulebooks that tables can play by", answer=RulebookList)
def list_green() -> Response:
    """Return 200 `{"items", "names"}`: those whose check is green, at most a hundred, the newest first."""
    return json_response(rulebook_services.list_rulebooks(current_services(), current_caller()))


@rulebooks.get("/rulebooks/choices")
@route("what a rulebook can choose", answer=RulebookChoices)
def list_choices() -> Response:
    """Return 200 `{"items", ...}`: each field of the rules with its values, and the limits of a rulebook."""
    return json_response(rulebook_choices())


@rulebooks.get("/me/rulebooks")
@route("the rulebooks that you have posted", answer=RulebookList, token="needed")
def list_own() -> Response:
    """Return 200 `{"items", "names"}`: the caller's own, whatever their check says, the newest first."""
    return json_response(rulebook_services.list_own(current_services(), current_caller()))


@rulebooks.get("/rulebooks/<address>")
@route(
    "a rulebook, and how far its check is; live with `Accept: text/event-stream`",
    answer=(Content(JSON, ShownRulebook), Content(EVENT_STREAM, str, FRAME)),
    says="The rulebook, or a stream of it.",
    problems=("not-found", *NEGOTIATED),
)
def show(address: str) -> Response:
    """Return 200: its rules, and its status: waiting, green or refused. `games` of `of` games were played.

    With `Accept: text/event-stream`, it's sent again whenever its check has gone on, up to the end of that.
    """
    kind = negotiate(request, JSON, *([EVENT_STREAM] if can_stream() else []))
    book = rulebook_services.find_rulebook(current_services(), current_caller(), address)
    if kind == EVENT_STREAM:
        player = current_player()
        token, holder = sent_token_sha256(), None if player is None else player.id
        return stream_response(lambda: RulebookStream(address, token, take_slot(holder)))
    return json_response(book)


@rulebooks.delete("/rulebooks/<address>")
@route(
    "erase a rulebook's name and text, as its author or a moderator",
    says="Name, text and author are erased. The rules stay.",
    token="needed",
    problems=("not-found", "forbidden"),
)
def erase(address: str) -> tuple[str, int]:
    """Return 204: the rulebook has no name, text and author any more. Its rules stay, because games play by them."""
    rulebook_services.erase_words(current_services(), current_caller(), address)
    return "", 204


@rulebooks.get("/rulebooks/<address>/game")
@route(
    "the game that went wrong, as an export",
    answer=EXPORT,
    problems=("not-found", *NEGOTIATED),
    lane="heavy",
)
def game_of_fault(address: str) -> Response:
    """Return 200, the export of the first game of the check that went wrong."""
    negotiate(request, NDJSON, JSON)  # each line is JSON: the answer is NDJSON either way
    export = rulebook_services.export_of_fault(current_services(), current_caller(), address)
    return Response(export, content_type=NDJSON)
