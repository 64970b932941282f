"""The HTTP application: a Flask app that knows HTTP and nothing about cards."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, Request, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from api.config import Config
from api.http.auth import check_url
from api.http.conduct.heavy_budget import take_heavy_budget
from api.http.conduct.standing import check_standing
from api.http.context import attach_services, check_token_game, current_player, current_request, current_services
from api.http.exception_handlers import register_exception_handlers
from api.http.header_limits import HeaderLimits, check_sizes
from api.http.pages.same_origin import check_same_origin
from api.http.problems import register_problem_handlers
from api.http.query_args import check_query
from api.http.request_log import RequestLog
from api.http.strict_json import CONVERTERS
from api.routes.application import Application
from api.routes.audits import audits
from api.routes.bots.choices import bot_choices
from api.routes.branches import branches
from api.routes.bulk_export import bulk_export
from api.routes.commands.lines import commands
from api.routes.conduct.blocks import blocks
from api.routes.conduct.chat import chat
from api.routes.conduct.messages import messages
from api.routes.conduct.moderation import moderation
from api.routes.conduct.reports import reports
from api.routes.description.documents import description
from api.routes.disputes import disputes
from api.routes.events import events
from api.routes.games import games
from api.routes.hands import hands
from api.routes.health import health
from api.routes.inbox.entries import inbox
from api.routes.inbox.webhooks import webhooks
from api.routes.lanes import BUDGETED, is_always_light, lane_of_endpoint, work_of
from api.routes.lists import lists
from api.routes.metrics import metrics
from api.routes.pages.absent import register_absent_page
from api.routes.pages.game_pages import game_pages
from api.routes.pages.html import pages
from api.routes.pages.mail_links import mail_links
from api.routes.pages.rules import rules
from api.routes.pages.session import session
from api.routes.pages.static_files import static_files
from api.routes.people.email import own_email
from api.routes.people.guests import guests
from api.routes.people.hours import hours
from api.routes.people.leaving import leaving
from api.routes.people.mail import own_mail
from api.routes.people.own_account import own_account
from api.routes.people.own_tokens import own_tokens
from api.routes.people.ratings import ratings
from api.routes.people.recovery import recovery
from api.routes.people.standings import standings
from api.routes.proofs import proofs, well_known
from api.routes.queries import queries
from api.routes.root import root
from api.routes.tables.forming import forming
from api.routes.tables.handovers import handovers
from api.routes.tables.invitations import invitations
from api.routes.tables.opening import opening
from api.routes.tables.seating import seating
from api.routes.users import users
from api.routes.variants import variants
from api.routes.verify_page import verify_page
from api.services.container import open_services

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

API = "/api/v1"
READING = ("GET", "HEAD", "OPTIONS")
PAGE_BLUEPRINTS: tuple[Blueprint, ...] = (verify_page, pages, game_pages, mail_links, rules, static_files, session)
ROOT_BLUEPRINTS: tuple[Blueprint, ...] = (root, health, metrics, well_known, description, *PAGE_BLUEPRINTS)
PEOPLE_BLUEPRINTS: tuple[Blueprint, ...] = (
    own_account,
    own_tokens,
    recovery,
    guests,
    own_email,
    own_mail,
    leaving,
    hours,
    ratings,
    standings,
)
PLAY_BLUEPRINTS: tuple[Blueprint, ...] = (users, variants, games, lists, disputes, commands)
TABLE_BLUEPRINTS: tuple[Blueprint, ...] = (opening, forming, invitations, seating, handovers)
CONDUCT_BLUEPRINTS: tuple[Blueprint, ...] = (blocks, chat, messages, reports, moderation)
INBOX_BLUEPRINTS: tuple[Blueprint, ...] = (inbox, webhooks)
READ_BLUEPRINTS: tuple[Blueprint, ...] = (events, bulk_export, hands, audits, proofs, queries, branches, bot_choices)
PERSONAL_BLUEPRINTS = PEOPLE_BLUEPRINTS + CONDUCT_BLUEPRINTS + INBOX_BLUEPRINTS
API_BLUEPRINTS = PLAY_BLUEPRINTS + PERSONAL_BLUEPRINTS + TABLE_BLUEPRINTS + READ_BLUEPRINTS

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

    `app.extensions["trickbook"]` holds its `Services`; the caller closes them.
    """
    app = bare_app(config)
    attach_services(app, open_services(config))
    app.before_request(_check_request)
    app.after_request(_wake_worker)
    register_absent_page(app)
    for blueprint in ROOT_BLUEPRINTS:
        app.register_blueprint(blueprint)
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=API)
    return app


def _check_request() -> None:
    """Answer 401 for an invalid token on every route of the API, including those that need none.

    Answer 403 if the player is banned, or suspended and doesn't only read.
    """
    request = current_request()
    check_same_origin(request)
    if request.path.startswith(API + "/"):
        check_token_game()
        check_standing(request, current_player())
    _check_heavy_budget(request)
    check_query(request)


def _wake_worker(response: Response) -> Response:
    """Let the worker look at once at what a request has left to it in the accounts."""
    if current_request().method not in READING:
        current_services().wakeups.ring()
    return response


def _check_heavy_budget(request: Request) -> None:
    """Answer 429 for a request beyond the budget of its address or its player, unless it's light."""
    if is_always_light(request.endpoint):
        return
    query, accept = request.query_string.decode("latin-1"), request.environ.get("HTTP_ACCEPT", "")
    if lane_of_endpoint(request.endpoint, query, accept) in BUDGETED:
        take_heavy_budget(request, passes=work_of(request.endpoint).passes)


def bare_app(config: Config) -> Flask:
    """Return an app with limits, headers and error handling, but no store and no routes."""
    app = Application(__name__, static_folder=None)
    app.config.update(APPLICATION_ROOT=config.base_path or "/")  # `Front` and `wsgi` take it off each path
    app.config.update(MAX_CONTENT_LENGTH=config.body_limit, MAX_FORM_MEMORY_SIZE=config.body_limit, MAX_FORM_PARTS=1)
    app.url_map.converters.update(CONVERTERS)
    app.url_map.merge_slashes = False  # no redirects: any other spelling of an address is a 404
    app.before_request(_check_form)
    register_problem_handlers(app)
    register_exception_handlers(app)
    logged = FixedHeaders(RequestLog(_proxied(app, config.trusted_proxies)))
    vars(app)["wsgi_app"] = HeaderLimits(logged)  # Flask's way, which mypy rejects
    return app


def _check_form() -> None:
    request = current_request()
    check_sizes(request)
    check_url(request)


def _proxied(app: Flask, trusted: int) -> "WSGIApplication":
    return ProxyFix(app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=0) if trusted else app.wsgi_app


class FixedHeaders:
    """WSGI middleware that adds the headers of every response, except those that its route has set."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Pass the request on and add the headers when the response starts."""

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            present = {name.lower() for name, _ in headers}
            headers += [pair for name, pair in FIXED_HEADERS if name not in present]
            if status.startswith("204"):  # Flask names HTML, and there is no content
                headers = [pair for pair in headers if pair[0].lower() != "content-type"]
            return start_response(status, headers, *error)

        return self._app(environ, start)


def add_headers(response: Response) -> Response:
    """Add the headers of every response to one that is sent without the application."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
