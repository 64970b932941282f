"""Lists built from all games: the lobby and each game's scoreboard. They follow the log with a short delay.

Also the variants of this server as data: all that a client needs for a form that opens a game.

With `wait=<position>`, the Trickbook-Position of a write or of a list, they answer as of that position or later.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from flask import Response, request
from marshmallow import Schema

from api.container import Services
from api.play.services.game_schemas import GAMES_QUERY, WAIT_QUERY
from api.play.services.positions import POSITION, write_position
from api.tables.services.listing import FORMING, Lobby, Scoreboard, TablePage, list_games, list_tables, read_scoreboard
from api.tables.services.open_game import BOT_PREFIX
from api.tables.services.rulebook_document import rules_by_players
from api.web.context import current_caller, current_services
from api.web.problems import GAME, WAIT
from api.web.responses import json_response, public_response
from api.web.route import Route, Shape, TaggedBlueprint, Token, by_wait, query_args, route
from domain.json_fields import one_of, says
from domain.rules.model import Rules
from domain.rules.variants import Option, Variant
from domain.rules.variants.options import OptionField
from domain.store.log import Positions, beginning
from projections.bots import BOTS


def list_route(summary: str, answer: Shape, query: Schema, *problems: str, token: Token = "optional") -> Route:
    """Return the declaration of a list that says which positions it includes, and waits for one if it's asked to."""
    return route(
        summary,
        answer=answer,
        headers=("Trickbook-Position",),
        token=token,
        query=query,
        problems=(*problems, *WAIT),
        lane=by_wait,
    )


def list_response(services: Services, body: Mapping[str, Any], at: Positions) -> Response:
    """Return a list as a JSON response, with the positions that it includes."""
    response = json_response(body)
    response.headers[POSITION] = write_position(services.secret, at or beginning(services.games.log.shards))
    return response


lists = TaggedBlueprint("lists", __name__, "games")


@lists.get("/games")
@list_route("the lobby; with `status=forming` the tables that wait for players", Lobby | TablePage, GAMES_QUERY)
def lobby() -> Response:
    """Return 200 `{"items": [...], "next": cursor or null, "names"}`, newest first.

    With status=forming these are the tables before the deal that the caller may see.
    """
    services, args = current_services(), query_args()
    if args.get("status") == FORMING:
        return json_response(list_tables(services, current_caller(), args))
    return list_response(services, *list_games(services, current_caller(), args))


@lists.get("/games/<game_ref:reference>/scoreboard")
@route(
    "the hands, with a line for each seat",
    answer=Scoreboard,
    headers=("Trickbook-Position",),
    query=WAIT_QUERY,
    problems=(*GAME, *WAIT),
    lane="waiting",
    passes=0.1,
)
def game_scoreboard(reference: str) -> Response:
    """Return 200: the hands in order with a line for each seat as text and as data, and totals (S40, S41)."""
    services = current_services()
    return list_response(services, *read_scoreboard(services, current_caller(), reference, query_args()["wait"]))


variants = TaggedBlueprint("variants", __name__, "games")


class OptionPart(TypedDict):
    """A field of an option that is an object."""

    name: str
    kind: Annotated[str, one_of("odds", "flag", "list")]
    default: Any
    says: str
    of: list[str]
    null: Annotated[bool, says("Whether null is valid, too.")]


class GameOption(TypedDict):
    """An option of a variant."""

    name: str
    values: Annotated[list[Any], says("The values that you can send, unless `takes` says more.", items={})]
    default: Any
    says: str
    ruling: Annotated[str | None, says("The number of the contested ruling that it answers.")]
    takes: Annotated[str | None, says("The values that you can send, if `values` isn't the full list.")]
    parts: list[OptionPart]


class OfferedVariant(TypedDict):
    """A game that the server offers."""

    name: str
    title: str
    says: Annotated[str, says("A description.")]
    seats: Annotated[list[int], says("How many can play.")]
    options: list[GameOption]
    rules: Annotated[Rules, says("With the default of each option.")]
    by_players: Annotated[dict[str, dict[str, Any]], says("Fields of the rules that differ by the number of players.")]


class Variants(TypedDict):
    """The games and bots that the server offers."""

    items: list[OfferedVariant]
    bots: list[str]


@variants.get("/variants")
@route("the games that the server offers", answer=Variants)
def list_variants() -> Response:
    """Return 200 `{"items": [...], "bots": [...]}`: each variant with its options and its default rules.

    Those that most people have played in the last 30 days come first.
    """
    bots = [BOT_PREFIX + bot for bot in BOTS]
    shown: Variants = {"items": [_variant(each) for each in current_services().popular.variants()], "bots": bots}
    return public_response(shown, request)


def _variant(variant: Variant) -> OfferedVariant:
    return {
        "name": variant.name,
        "title": variant.title,
        "says": variant.summary,
        "seats": list(variant.rules.seats),
        "options": [_option(option) for option in variant.options],
        "rules": variant.compose({})[0],
        "by_players": rules_by_players(variant.name, {}),
    }


def _option(option: Option) -> GameOption:
    return {
        "name": option.name,
        "values": list(option.values),
        "default": option.default,
        "says": option.description,
        "ruling": option.ruling,
        "takes": option.value_format,
        "parts": [_part(part) for part in option.fields],
    }


def _part(part: OptionField) -> OptionPart:
    return {
        "name": part.name,
        "kind": part.kind,
        "default": part.default,
        "says": part.description,
        "of": list(part.choices),
        "null": part.nullable,
    }
