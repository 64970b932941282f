"""How commands reach the server: as requests to its own HTTP API, with the rights of the caller.

So a command can do nothing that its player couldn't do by a request, and is limited and refused in the same way.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from api.accounts.people.scopes import PLAY
from api.accounts.users import User
from api.commands.requests import LineLogin
from api.services.container import Services

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
