"""The pages about a game beside its table, and the page of a hand that other sites may show."""

from flask import Blueprint, Response

from api.http.problems import Problem
from api.http.query_args import query
from api.http.schemas_queries import MOMENT_ADDRESS
from api.routes.pages.html import embedded_response, page_response

GAME = "/games/<game_ref:reference>"

game_pages = Blueprint("game_pages", __name__)


@game_pages.get(f"{GAME}/replay")
@query(MOMENT_ADDRESS)
def replay(reference: str) -> Response:
    """Return 200: the page that shows any moment of a game."""
    return page_response("replay")


@game_pages.get(f"{GAME}/score")
def score(reference: str) -> Response:
    """Return 200: the page with the scores of a game."""
    return page_response("score")


@game_pages.get(f"{GAME}/audit")
def audit(reference: str) -> Response:
    """Return 200: the page that checks a game."""
    return page_response("audit")


@game_pages.get(f"{GAME}/disputes")
@query(MOMENT_ADDRESS)
def game_disputes(reference: str) -> Response:
    """Return 200: the page with the disputes of a game."""
    return page_response("game-disputes")


@game_pages.get(f"{GAME}/text")
def text(reference: str) -> Response:
    """Return 200: the page that shows a table as text, with a line for commands."""
    return page_response("text")


@game_pages.get("/disputes")
def disputes() -> Response:
    """Return 200: the page with the disputes that wait for an arbiter."""
    return page_response("disputes")


@game_pages.get("/standings")
def standings() -> Response:
    """Return 200: the page with the standings of each variant."""
    return page_response("standings")


@game_pages.get("/embed/games/<game_ref:reference>/hands/<strictint:hand>")
def embed(reference: str, hand: int) -> Response:
    """Return 200: the page of a finished hand, which pages of other servers may show in a frame."""
    if hand < 1:
        raise Problem("not-found", "There is no such hand. The first hand has the number 1.")
    return embedded_response("embed")
