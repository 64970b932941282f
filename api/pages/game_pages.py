"""The lobby at the root address, the pages about a game beside its table, and the page for an unknown address."""

from functools import lru_cache
from typing import Annotated, TypedDict

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from api.evidence.services.schemas import MOMENT_ADDRESS
from api.pages.html import Page, RenderedPage, embedded_response, page_response, render, rendered_response
from api.pages.languages import language_of, translate
from api.problem import Problem
from api.web.problems import NO_ROUTE, problem_response
from api.web.responses import JSON, json_response, own_address
from api.web.route import UNCHANGED, Content, TaggedBlueprint, page_route, route
from domain.json_fields import says

HTML = "text/html"
ABSENT = Page("Page not found", "pages/rules.js", ("pages/pages.css",))
MAIN = (
    '<section class="state"><h1>{{page.absent|Page not found}}</h1>'
    "<p>{{page.absent.says|There is nothing at this address, or nothing that you may see.}}</p>"
    '<p class="buttons"><a class="button primary" href="/">{{page.lobby|To the lobby}}</a></p></section>'
)


def register_absent_page(app: Flask) -> None:
    """Answer 404 where no route is: with a page for a browser, and with a problem for a program."""
    app.register_error_handler(NotFound, lambda _: not_found(NO_ROUTE))


def not_found(detail: str) -> Response:
    """Return 404: a page if a browser asked for an address outside the API, otherwise a problem."""
    is_page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    if not is_page or request.accept_mimetypes.best_match((JSON, HTML), JSON) == JSON:
        return problem_response("not-found", detail)
    page = rendered_response(_rendered(request.root_path, language_of(request)))
    page.status_code = 404
    page.headers["Cache-Control"] = "no-store"
    return page


@lru_cache(16)
def _rendered(root: str, language: str) -> RenderedPage:
    return render("absent", ABSENT, translate(MAIN, language), root, language)


root = TaggedBlueprint("root", __name__, "server")


class Links(TypedDict):
    """Addresses to start from."""

    name: str
    variants: str
    games: str
    ready: str
    verify: str
    description: Annotated[str, says("The address of this description.")]
    docs: Annotated[str, says("The address of a page that shows it.")]
    documentation: list[str]


@root.get("/")
@route(
    "the lobby for a browser, links to start from for a program",
    answer=(Content(JSON, Links), Content(HTML, str)),
    says="Links, or the page.",
    also=(UNCHANGED,),
    token="none",
    asks=("If-None-Match",),
)
def links() -> Response:
    """Return 200: the lobby for a browser; for a program addresses to start from, and the pages about them."""
    if request.accept_mimetypes.best_match((JSON, HTML), JSON) == HTML:
        return page_response("lobby")
    body: Links = {
        "name": "trickbook",
        "variants": own_address("/api/v1/variants"),
        "games": own_address("/api/v1/games"),
        "ready": own_address("/health/ready"),
        "verify": own_address("/verify"),
        "description": own_address("/openapi.json"),
        "docs": own_address("/docs"),
        "documentation": ["README.md", "docs/tutorial.md", "docs/http.md"],
    }
    return json_response(body)


GAME = "/games/<game_ref:reference>"

game_pages = TaggedBlueprint("game_pages", __name__, "pages")


@game_pages.get(f"{GAME}/replay")
@page_route("the page that shows any moment of a game", query=MOMENT_ADDRESS)
def replay(reference: str) -> Response:
    """Return 200: the page that shows any moment of a game."""
    return page_response("replay")


@game_pages.get(f"{GAME}/score")
@page_route("the page with the scores of a game")
def score(reference: str) -> Response:
    """Return 200: the page with the scores of a game."""
    return page_response("score")


@game_pages.get(f"{GAME}/audit")
@page_route("the page that checks a game")
def audit(reference: str) -> Response:
    """Return 200: the page that checks a game."""
    return page_response("audit")


@game_pages.get(f"{GAME}/disputes")
@page_route("the page with the disputes of a game", query=MOMENT_ADDRESS)
def game_disputes(reference: str) -> Response:
    """Return 200: the page with the disputes of a game."""
    return page_response("game-disputes")


@game_pages.get(f"{GAME}/text")
@page_route("the page of a table as text")
def text(reference: str) -> Response:
    """Return 200: the page that shows a table as text, with a line for commands."""
    return page_response("text")


@game_pages.get("/disputes")
@page_route("the page with the disputes that wait for an arbiter")
def disputes() -> Response:
    """Return 200: the page with the disputes that wait for an arbiter."""
    return page_response("disputes")


@game_pages.get("/standings")
@page_route("the page with the standings")
def standings() -> Response:
    """Return 200: the page with the standings of each variant."""
    return page_response("standings")


@game_pages.get("/embed/games/<game_ref:reference>/hands/<strictint:hand>")
@page_route("the page of a finished hand, which other sites may show in a frame", "not-found")
def embed(reference: str, hand: int) -> Response:
    """Return 200: the page of a finished hand, which pages of other servers may show in a frame."""
    if hand < 1:
        raise Problem("not-found", "There is no such hand. The first hand has the number 1.")
    return embedded_response("embed")
