"""The page for a person whose address leads to nothing. Programs get the problem as JSON."""

from functools import lru_cache
from html import escape

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from api.http.problems import NO_ROUTE, problem_response
from api.http.responses import JSON
from api.routes.pages.html import Page, RenderedPage, render, rendered_response

HTML = "text/html"
ABSENT = Page("Page not found", "pages/rules.js", ("pages/pages.css",))
MAIN = (
    '<section class="state"><h1>Page not found</h1><p>{detail}</p>'
    '<p class="buttons"><a class="button primary" href="/">To the lobby</a></p></section>'
)


def register_absent_page(app: Flask) -> None:
    """Answer 404 where no route is: with a page for a browser, and with a problem for a program."""
    app.register_error_handler(NotFound, lambda _: not_found(NO_ROUTE))


def not_found(detail: str) -> Response:
    """Return 404: a page if a browser asked for an address outside the API, otherwise a problem."""
    is_page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    if not is_page or request.accept_mimetypes.best_match((JSON, HTML), JSON) == JSON:
        return problem_response("not-found", detail)
    page = rendered_response(_rendered(detail, request.root_path))
    page.status_code = 404
    page.headers["Cache-Control"] = "no-store"
    return page


@lru_cache(16)
def _rendered(detail: str, root: str) -> RenderedPage:
    return render("absent", ABSENT, MAIN.format(detail=escape(detail)), root)
