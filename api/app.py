"""The HTTP application: a Flask app that knows HTTP and nothing about cards."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, Request, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from api.conduct.routes.chat import chat
from api.conduct.routes.messages import blocks, messages
from api.conduct.routes.reports import moderation, reports
from api.config import Config
from api.container import open_services
from api.description.document import description
from api.evidence.routes.disputes import disputes
from api.evidence.routes.proofs import proofs, verify_page, well_known
from api.evidence.routes.queries import audits, bot_choices, branches, queries
from api.inbox.routes import inbox, webhooks
from api.lines.routes import commands
from api.mail.routes import mail_links, own_mail
from api.monitoring.routes import health, metrics
from api.pages.about import about
from api.pages.game_pages import game_pages, register_absent_page, root
from api.pages.html import pages
from api.pages.rules import rules
from api.pages.static_files import static_files
from api.people.routes.own_account import hours, leaving, own_account, own_email
from api.people.routes.own_tokens import own_tokens, recovery
from api.people.routes.session import session
from api.people.routes.standings import ratings, standings
from api.people.routes.users import guests, users
from api.play.routes.events import bulk_export, events
from api.play.routes.games import games, hands
from api.tables.routes.forming import forming, invitations, opening, seating
from api.tables.routes.handovers import handovers
from api.tables.routes.lists import lists, variants
from api.tables.routes.rulebooks import rulebooks
from api.web.application import Application, check_sizes, drop_oversized_headers
from api.web.context import (
    READS,
    admit_request,
    attach_services,
    check_same_origin,
    check_url,
    current_application,
    current_request,
    current_services,
    take_passes,
)
from api.web.exception_handlers import register_problem_handlers
from api.web.request_input import CONVERTERS, load_query
from api.web.request_log import RequestNote
from api.web.route import BUDGETED, UNDECLARED, Route, declared_route, require_declarations

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

API = "/api/v1"
ROOT_BLUEPRINTS: tuple[Blueprint, ...] = (
    *(root, health, metrics, well_known, description),
    *(verify_page, pages, game_pages, mail_links, rules, about, static_files, session),
)
API_BLUEPRINTS: tuple[Blueprint, ...] = (
    *(users, variants, games, lists, disputes, commands),
    *(own_account, own_tokens, recovery, guests, own_email, own_mail, leaving, hours, ratings, standings),
    *(blocks, chat, messages, reports, moderation),
    *(inbox, webhooks),
    *(opening, forming, invitations, seating, handovers, rulebooks),
    *(events, bulk_export, hands, audits, proofs, queries, branches, bot_choices),
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Vary": "Authorization, Cookie",
}
FIXED_HEADERS = tuple((name.lower(), (name, value)) for name, value in HEADERS.items())


def create_app(config: Config) -> Flask:
    """Return an application with its own open stores.

    `app.extensions["trickbook"]` holds its `Services`; the caller closes them. Views that an extension or a host adds
    later need to declare nothing.
    """
    app = bare_app(config)
    attach_services(app, open_services(config))
    app.before_request(_check_request)
    app.after_request(_wake_worker)
    register_absent_page(app)
    add_routes(app)
    return app


def add_routes(app: Flask) -> None:
    """Add every route of the server. Raise TypeError for a view that declares none (`api.web.route`)."""
    for blueprint in ROOT_BLUEPRINTS:
        app.register_blueprint(blueprint)
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=API)
    require_declarations(app)


def _check_request() -> None:
    """Answer 401 for an invalid token on every route of the API, including those that need none.

    Answer 403 if the player is banned, or suspended and doesn't only read.
    """
    request = current_request()
    check_same_origin(request)
    if request.path.startswith(API + "/"):
        admit_request()
    if request.endpoint is not None:
        declared = declared_route(current_application(), request.endpoint)
        _check_heavy_budget(request, declared)
        if declared is not UNDECLARED:  # a view of an extension reads its query itself
            load_query(request, declared)


def _wake_worker(response: Response) -> Response:
    """Let the worker look at once at what a request has left to it in the accounts."""
    if current_request().method not in READS:
        current_services().wakeups.ring()
    return response


def _check_heavy_budget(request: Request, declared: Route) -> None:
    """Answer 429 for a request beyond the budget of its address or its player, unless it's light."""
    if declared.is_always_light:
        return
    query, accept = request.query_string.decode("latin-1"), request.environ.get("HTTP_ACCEPT", "")
    if declared.choose_lane(query, accept) in BUDGETED:
        take_passes(declared.passes)


def bare_app(config: Config) -> Flask:
    """Return an app with limits, headers and error handling, but no store and no routes."""
    app = Application(__name__, static_folder=None)
    app.config.update(APPLICATION_ROOT=config.base_path or "/")  # `Front` and `wsgi` take it off each path
    app.config.update(MAX_CONTENT_LENGTH=config.body_limit, MAX_FORM_MEMORY_SIZE=config.body_limit, MAX_FORM_PARTS=1)
    app.url_map.converters.update(CONVERTERS)
    app.url_map.merge_slashes = False  # no redirects: any other spelling of an address is a 404
    app.before_request(_check_form)
    register_problem_handlers(app)
    vars(app)["wsgi_app"] = Entrance(_proxied(app, config.trusted_proxies))  # Flask's way, which mypy rejects
    return app


def _check_form() -> None:
    request = current_request()
    check_sizes(request)
    check_url(request)


def _proxied(app: Flask, trusted: int) -> "WSGIApplication":
    return ProxyFix(app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=0) if trusted else app.wsgi_app


class Entrance:
    """WSGI middleware that bounds and logs each request, and adds the headers of every response but its route's own."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Pass the request on. Its line is logged while Flask still has the request's context."""
        drop_oversized_headers(environ)
        noted = RequestNote(environ)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            noted.answered(int(status[:3]), headers)
            present = {name.lower() for name, _ in headers}
            headers += [pair for name, pair in FIXED_HEADERS if name not in present]
            if status.startswith("204"):  # Flask names HTML, and there is no content
                headers = [pair for pair in headers if pair[0].lower() != "content-type"]
            return start_response(status, headers, *error)

        with noted:
            return self._app(environ, start)


def add_headers(response: Response) -> Response:
    """Add the headers of every response to one that is sent without the application."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
