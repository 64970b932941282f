"""The routes of every server, from an app without a store."""

from api.app import add_routes, bare_app
from api.config import Config
from api.web.route import routes_of

ROUTED_APP = bare_app(Config())
add_routes(ROUTED_APP)
ROUTES = routes_of(ROUTED_APP)
"""The declaration of each route, by endpoint."""
