"""How commands reach the server: as requests to its own HTTP API, with the rights of the caller.

So a command can do nothing that its player couldn't do by a request, and is limited and refused in the same way.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from flask import Response, g
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from api.conduct.services.standing import NotInGoodStanding, require_standing
from api.container import Services
from api.limits import LimitReached
from api.lines.requests import LineLogin
from api.people.stored.grants import PLAY, scope_allows
from api.people.stored.tokens import TokenInfo
from api.people.stored.users import BadLogin, User, UserDisabled, UserLeaving
from api.web.budgets import SPENT_KEY, UNITS_OF_HASH, guess_limit, take_heavy_budget
from api.web.context import current_application, current_request, current_services, current_token
from api.web.query_args import POSITION

CORRUPT_LOG = "/problems/corrupt-log"
"""The one failure that is about a game and not about the server, so that nothing is gained by another try."""


@dataclass(frozen=True)
class Reply:
    """The response to a request of a command: its status, its body as JSON or text, and its headers."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


class CommandRefusal(Exception):
    """The server refuses what the command asks for; `reply` holds the problem."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(problem_detail(reply.body))
        self.reply = reply


class ServerFailure(Exception):
    """The server can't answer at the moment; the request as a whole gets `reply`."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(problem_detail(reply.body))
        self.reply = reply


class Edge(Protocol):
    """The caller of a command."""

    services: Services

    @property
    def player(self) -> User | None:
        """The player whose token or password came with the line, or None."""

    @property
    def has_token(self) -> bool:
        """Whether the request carries a token."""

    @property
    def may_play(self) -> bool:
        """Whether the caller may do more than read."""

    def may_play_in(self, game: str) -> bool:
        """Whether the caller may make moves in this game."""

    def sign_in(self, login: LineLogin, scope: str = PLAY) -> None:
        """Act within a scope as the user whose name and password stand in the line. Raise CommandRefusal."""

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Return the reply to a request below /api/v1."""


def ask(
    edge: Edge, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Reply:
    """Return the reply to a request. Raise CommandRefusal for a refusal, ServerFailure if the server can't answer."""
    reply = edge.send(method, path, body, headers)
    if reply.status == 429 or (reply.status >= 500 and reply.body["type"] != CORRUPT_LOG):
        raise ServerFailure(reply)
    if reply.status >= 400:
        raise CommandRefusal(reply)
    return reply


def part_key(key: str, part: object) -> str:
    """Return the Idempotency-Key of one part of a request, which is never too long."""
    return hashlib.sha256(f"{key}/{part}".encode()).hexdigest()


def refusal(slug: str, status: int, title: str, detail: str, **extras: object) -> CommandRefusal:
    """Return a refusal by the commands themselves, in the form of the server's problems."""
    problem = {"type": f"/problems/{slug}", "title": title, "status": status, "detail": detail}
    return CommandRefusal(Reply(status, problem | extras))


def problem_detail(problem: Any) -> str:
    """Return the sentences of a problem."""
    return str(problem.get("detail") or problem.get("title") or "") if isinstance(problem, Mapping) else str(problem)


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
