"""What the routes work with: opened once by `create_app`, found by every route through `services()`."""

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app, g

from api.config import Config
from api.office import Office, Player, open_office
from api.problems import Problem
from api.security import RateLimiter, bearer_token


@dataclass
class Services:
    """The running parts. `checks` are asked by /health/ready; each raises when its part does not answer."""

    config: Config
    office: Office
    guesses: RateLimiter
    registrations: RateLimiter
    checks: dict[str, Callable[[], None]] = field(default_factory=dict)

    def close(self) -> None:
        """Let go of every store; the app answers nothing afterwards."""
        self.office.close()


def open_services(config: Config) -> Services:
    """Open what the configuration names, tables in place."""
    office = open_office(config)
    return Services(
        config=config,
        office=office,
        guesses=RateLimiter(config.limits.guesses),
        registrations=RateLimiter(config.limits.registrations),
        checks={"office": office.ping},
    )


def services() -> Services:
    """Those of the app that answers the present request."""
    found: Services = current_app.extensions["trickbook"]
    return found


def current_player() -> Player | None:
    """Who asks; None without a token. A token that is not (or no longer) good is 401, also where none is needed."""
    if "player" not in g:
        g.player = _asking()
    player: Player | None = g.player
    return player


def require_player() -> Player:
    """Who asks; 401 without a token."""
    player = current_player()
    if player is None:
        raise Problem("unauthorized", "this needs a token")
    return player


def _asking() -> Player | None:
    token = bearer_token()
    if token is None:
        return None
    player = services().office.player_of_token(token)
    if player is None:
        raise Problem("unauthorized", "the token is unknown or was revoked")
    return player
