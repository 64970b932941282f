"""Requests of a command to this same server, through its routes but without the network."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Response, g
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from api.accounts.people.scopes import PLAY, scope_allows
from api.accounts.tokens import TokenInfo
from api.accounts.users import BadLogin, User, UserDisabled, UserLeaving
from api.commands.edge import Edge, Reply, refusal
from api.commands.requests import LineLogin
from api.http.conduct.heavy_budget import SPENT_KEY, UNITS_OF_HASH, take_heavy_budget
from api.http.context import current_application, current_request, current_services, current_token
from api.http.people.guesses import guess_limit
from api.http.positions import POSITION
from api.services.conduct.standing import NotInGoodStanding, require_standing
from api.services.rate_limit import LimitReached

API = "/api/v1"
OTHER_USER = (
    "Your token is that of {token}, and the line is that of {line}. Use one of them; in a terminal, trickbook logout"
    " ends the token."
)
NOT_ALLOWED = (
    "{name} takes no passwords in command lines. Send a token instead, or allow them with a token: set passwords on."
)
PASSWORD_TOKEN = "password"


class OwnRequests(Edge):
    """The caller of the current request, who may sign in by name and password in the line."""

    def __init__(self) -> None:
        self.services = current_services()
        self._outer, self._token = current_request(), current_token()
        self._signed_in: TokenInfo | None = None
        self.position: str | None = None
        """The log position of the last write."""

    @property
    def player(self) -> User | None:
        """The player of the token, or of the name and password in the line."""
        found = self._token or self._signed_in
        return None if found is None else found.player

    @property
    def has_token(self) -> bool:
        """Whether the request carries a token."""
        return self._token is not None

    @property
    def may_play(self) -> bool:
        """Whether the token or the password allows more than reading."""
        found = self._token or self._signed_in
        return found is not None and found.scope == PLAY

    def may_play_in(self, game: str) -> bool:
        """Whether the token or the password allows moves in this game."""
        found = self._token or self._signed_in
        return found is not None and scope_allows(found.scope, PLAY, game)

    def sign_in(self, login: LineLogin, scope: str = PLAY) -> None:
        """Act as the user with this name and password; with a token the password isn't read. Raise CommandRefusal."""
        if self._token is not None:
            if self._token.player.name != login.name:
                detail = OTHER_USER.format(token=self._token.player.name, line=ascii(login.name[:40]))
                raise refusal("forbidden", 403, "Not allowed", detail)
            return
        accounts = self.services.accounts
        if SPENT_KEY in self._outer.environ:  # a heavy line, such as multiple
            self._pay_for_hash()
        try:
            with guess_limit(login.name, "command-line"):
                player, _ = accounts.users.authenticate(login.name, login.password)
            require_standing(accounts.steps, player, reads=False, own=False)
        except BadLogin:
            raise refusal("bad-login", 401, "Wrong name or password", str(BadLogin())) from None
        except UserDisabled as error:
            raise refusal("user-disabled", 403, "User disabled", str(error)) from None
        except UserLeaving as error:
            raise refusal("user-leaving", 403, "Account being deleted", str(error)) from None
        except NotInGoodStanding as error:
            raise refusal(error.slug, 403, "Not allowed", str(error)) from None
        if accounts.command_settings.of(player)["passwords"] != "on":
            raise refusal("forbidden", 403, "Not allowed", NOT_ALLOWED.format(name=login.name))
        self._signed_in = TokenInfo(User(player, login.name), PASSWORD_TOKEN, scope=scope)

    def _pay_for_hash(self) -> None:
        try:
            take_heavy_budget(self._outer, UNITS_OF_HASH)
        except LimitReached as error:
            raise refusal("too-many-requests", 429, "Too many requests", str(error)) from None

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Return the reply of a route below /api/v1 to a request with the rights of the caller."""
        app = current_application()
        environ = self._environ(method, path, body, headers or {})
        with app.app_context(), app.request_context(environ):
            g.token = self._token or self._signed_in
            response = app.full_dispatch_request()
            if method != "GET" and response.status_code < 400:
                self.position = response.headers.get(POSITION, self.position)
            return _reply(response)

    def _environ(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> dict[str, object]:
        sent = Headers(list(headers.items()))
        base = self._outer.root_url
        builder = EnvironBuilder(API + path, base, method=method, headers=sent, json=body)
        environ: dict[str, object] = builder.get_environ()
        builder.close()
        spent = self._outer.environ.setdefault(SPENT_KEY, [0])
        return environ | {"REMOTE_ADDR": self._outer.remote_addr or "", SPENT_KEY: spent}


def _reply(response: Response) -> Reply:
    data = response.get_data()
    is_json = (response.mimetype or "").endswith("json")
    return Reply(response.status_code, json.loads(data) if is_json else data.decode(), dict(response.headers))
