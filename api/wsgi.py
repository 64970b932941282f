"""The API for any WSGI server (PEP 3333): `flask --app api.wsgi run`, `gunicorn api.wsgi:app`.

The settings are those of the environment (docs/operations.md), so that games are in SQLite in `data` by default.
`trickbook serve` does more, and is faster: it streams events, keeps dear requests from delaying moves, and runs the
worker. Without it, run `trickbook work` beside the WSGI server.
"""

import atexit
import logging
import os
from collections.abc import Iterable
from contextlib import ExitStack, closing
from functools import cache
from typing import TYPE_CHECKING, Any

from flask import Flask

from api.accounts.server_nodes import node_heartbeat
from api.app import create_app as create_app_for
from api.config import Config, ConfigError
from api.container import Services
from api.monitoring.log_watch import watched_log
from api.monitoring.logs import setup_logging
from api.people.services.own_tokens import token_days
from api.play.services.presence import BEAT_S
from api.web.application import path_below
from projections.followers.troubles import background

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger("trickbook.wsgi")
LIMITS = (
    "this WSGI server sends no event streams, and a dear request delays others: `trickbook serve` does that. Lists,"
    " clocks, bots and mail need `trickbook work` beside it."
)


def create_app() -> Flask:
    """Return a new application with open stores, which are closed as the process ends.

    Raise ConfigError for an invalid setting, or StoreUnavailable.
    """
    config = Config.from_environment(os.environ)
    if config.local_only is not None and config.url is None:  # the WSGI server may listen on any address
        raise ConfigError(config.local_only)
    setup_logging(config, alone=False)
    app = create_app_for(config)
    services: Services = app.extensions["trickbook"]
    with ExitStack() as stack:
        stack.enter_context(closing(services))
        services.join_others()
        stack.enter_context(token_days(services.accounts.tokens))
        stack.enter_context(node_heartbeat(services.node))
        stack.enter_context(watched_log(services.log_watch))
        services.presence.sends_none()
        stack.enter_context(background(services.presence.run, "presence", BEAT_S))
        atexit.register(stack.pop_all().close)
    if config.base_path:
        app.wsgi_app = _below(config.base_path, app.wsgi_app)  # type: ignore[assignment]
    LOG.warning(LIMITS)
    return app


def _below(root: str, app: "WSGIApplication") -> "WSGIApplication":
    """Return an application below the path `root`, whether or not a proxy has taken that off."""

    def call(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = path_below(root, environ.get("PATH_INFO", "") or "/", "/")
        return app({**environ, "SCRIPT_NAME": root, "PATH_INFO": path}, start_response)

    return call


_app = cache(create_app)


def __getattr__(name: str) -> Any:
    """Return `app`, the application of this process, made when a server asks for it: importing opens no store."""
    if name == "app":
        return _app()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
