"""The HTTP application: a Flask app that knows HTTP and nothing about cards."""

import logging

from flask import Blueprint, Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from api.config import Config
from api.http.auth import check_url
from api.http.context import attach_services, current_player
from api.http.exception_handlers import register_exception_handlers
from api.http.problems import register_problem_handlers
from api.http.query_args import check_query
from api.http.strict_json import CONVERTERS
from api.routes.audits import audits
from api.routes.branches import branches
from api.routes.bulk_export import bulk_export
from api.routes.disputes import disputes
from api.routes.events import events
from api.routes.games import games
from api.routes.hands import hands
from api.routes.health import health
from api.routes.lists import lists
from api.routes.proofs import proofs, well_known
from api.routes.queries import queries
from api.routes.root import root
from api.routes.users import users
from api.routes.variants import variants
from api.routes.verify_page import verify_page
from api.services.container import open_services

API = "/api/v1"
ROOT_BLUEPRINTS: tuple[Blueprint, ...] = (root, health, well_known, verify_page)
PLAY_BLUEPRINTS: tuple[Blueprint, ...] = (users, variants, games, lists, disputes)
READ_BLUEPRINTS: tuple[Blueprint, ...] = (events, bulk_export, hands, audits, proofs, queries, branches)
API_BLUEPRINTS = PLAY_BLUEPRINTS + READ_BLUEPRINTS

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Vary": "Authorization",
}


def create_app(config: Config) -> Flask:
    """Return an application with its own open stores.

    `app.extensions["trickbook"]` holds its `Services`; the caller closes them.
    """
    logging.getLogger("trickbook").setLevel(config.log.upper())
    app = bare_app(config)
    attach_services(app, open_services(config))
    app.before_request(_check_token)
    app.before_request(check_query)
    for blueprint in ROOT_BLUEPRINTS:
        app.register_blueprint(blueprint)
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=API)
    return app


def _check_token() -> None:
    """Answer 401 for an invalid token on every route of the API, including those that need none."""
    if request.path.startswith(API + "/"):
        current_player()


def bare_app(config: Config) -> Flask:
    """Return an app with limits, headers and error handling, but no store and no routes."""
    app = Flask(__name__, static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=config.body_limit, MAX_FORM_MEMORY_SIZE=config.body_limit, MAX_FORM_PARTS=1)
    app.url_map.converters.update(CONVERTERS)
    app.url_map.merge_slashes = False  # no redirects: any other spelling of an address is a 404
    app.before_request(check_url)
    app.after_request(add_headers)
    register_problem_handlers(app)
    register_exception_handlers(app)
    if config.trusted_proxies:
        trusted = config.trusted_proxies
        proxied = ProxyFix(app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=0)
        vars(app)["wsgi_app"] = proxied  # Flask's documented way, which mypy rejects
    return app


def add_headers(response: Response) -> Response:
    """Add the headers of every response, except those that its route has set."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
