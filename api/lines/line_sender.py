"""The caller of a command line, and refusals: as a request would be refused, in the same words.

A command calls the functions that routes call, with the rights of its caller. So it can do nothing that its player
couldn't do by a request.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Annotated, Any, Self, TypedDict, TypeVar, Unpack

import msgspec

from api.caller import UNITS_OF_HASH, Caller, admit, guess_limit, take_heavy_budget
from api.conduct.stored.conduct_steps import ForbiddenByStep, require_unrestricted
from api.container import Services
from api.limits import LimitReached
from api.lines.requests import LineLogin
from api.people.stored.tokens import PLAY, TokenInfo, scope_allows
from api.people.stored.users import BadLogin, User
from api.play.services.game_reader import GameAnswer
from api.problem import ProblemBody, ProblemExtras
from api.web.exception_handlers import problem_of
from api.web.problems import ProblemDocument
from domain.json_fields import says
from replay.text.board import legal_text
from replay.text.layout import fold_text


class LineAnswer(TypedDict):
    """The answer to a command line."""

    command: Annotated[str, says("The command as the table of commands names it; empty for a line that isn't one.")]
    ok: Annotated[bool, says("Whether the command was carried out.")]
    text: Annotated[str, says("The answer for people, in lines of at most 78 columns.")]
    board: Annotated[int | None, says("The number of the board.")]
    version: Annotated[int | None, says("The version of the game that the answer shows.")]
    notices: Annotated[list[str], says("The outcome of the caller's queued moves.")]
    data: Annotated[
        Mapping[str, Any] | None,
        says("The answer of the route behind the command, such as a view; null for text alone."),
    ]
    problem: Annotated[
        Mapping[str, Any] | None,
        says("Why the command was refused, as the route behind it says; null if it wasn't."),
    ]


@dataclass(frozen=True)
class CommandAnswer:
    """The answer to a command.

    `data` is what the server's API returned, a view for most commands. `problem` is the refusal of a command that
    wasn't carried out.
    """

    command: str
    text: str
    data: Mapping[str, Any] | None = None
    board: int | None = None
    version: int | None = None
    problem: Mapping[str, Any] | None = None
    notices: tuple[str, ...] = ()

    def to_json(self) -> LineAnswer:
        return {
            "command": self.command,
            "ok": self.problem is None,
            "text": self.to_text(),
            "board": self.board,
            "version": self.version,
            "notices": list(self.notices),
            "data": self.data,
            "problem": self.problem,
        }

    def to_text(self) -> str:
        """Return the answer in lines of at most 78 columns, after what happened to the caller's queued moves."""
        return fold_text("\n".join((*self.notices, self.text)))


def refusal_text(problem: Mapping[str, Any]) -> str:
    lines = [problem_detail(problem)]
    lines += [str(problem["since"])] if "since" in problem else []
    lines += legal_text({"legal": problem.get("legal"), "choose": problem.get("choose")})
    if problem.get("clauses"):
        lines.append(f"By the rules: {', '.join(map(_clause, problem['clauses']))}")
    return "\n".join(lines)


def _clause(clause: Any) -> str:
    return str(clause["clause"]) if isinstance(clause, Mapping) and "clause" in clause else str(clause)


Body = TypeVar("Body", bound=Mapping[str, Any])
"""The type of a JSON object."""
CORRUPT_LOG = "/problems/corrupt-log"
"""The one failure that is about a game and not about the server, so that nothing is gained by another try."""


class LineProblem(Exception):
    """A line isn't carried out, and `problem` says why."""

    def __init__(self, problem: ProblemDocument) -> None:
        super().__init__(problem_detail(problem.body))
        self.problem = problem


class CommandRefusal(LineProblem):
    """The server refuses what the command asks for."""


class ServerFailure(LineProblem):
    """The server can't answer at the moment; the request as a whole gets this problem."""


@contextmanager
def telling() -> Iterator[None]:
    """Raise CommandRefusal for a refusal in this block, and ServerFailure if the server can't answer."""
    try:
        yield
    except LineProblem:
        raise
    except Exception as error:
        found = problem_of(error)
        problem = replace(found, body=json_values(found.body))
        is_failure = problem.status == 429 or (problem.status >= 500 and problem.body["type"] != CORRUPT_LOG)
        raise (ServerFailure if is_failure else CommandRefusal)(problem) from error


def refusal(slug: str, status: int, title: str, detail: str, **extras: Unpack[ProblemExtras]) -> CommandRefusal:
    """Return a refusal by the commands themselves, in the form of the server's problems."""
    body: ProblemBody = {"type": f"/problems/{slug}", "title": title, "status": status, "detail": detail, **extras}
    return CommandRefusal(ProblemDocument(status, body))


def problem_detail(problem: Mapping[str, Any]) -> str:
    """Return the sentences of a problem."""
    return str(problem.get("detail") or problem.get("title") or "")


def part_key(key: str | None, part: object) -> str | None:
    """Return the Idempotency-Key of one part of a request, which is never too long; None without a key."""
    return None if key is None else hashlib.sha256(f"{key}/{part}".encode()).hexdigest()


def json_values(body: Body) -> Body:
    """Return an answer as those who get it as JSON see it: enums are texts, and facts are objects."""
    values: Body = msgspec.json.decode(msgspec.json.encode(body))
    return values


OTHER_USER = (
    "Your token is that of {token}, and the line is that of {line}. Use one of them; in a terminal, trickbook logout"
    " ends the token."
)
NOT_ALLOWED = (
    "{name} takes no passwords in command lines. Send a token instead, or allow them with a token: set passwords on."
)
NO_SESSION = (
    "The cookie of a session came with this line, but it doesn't count here, and so neither does a password. Log in"
    " again, or send the line without the cookie."
)
PASSWORD_TOKEN = "password"


class LineSender:
    """The caller of a line, who may sign in by name and password in it."""

    def __init__(self, services: Services, caller: Caller, *, may_hash: bool = True) -> None:
        """Without `may_hash`, no password counts: hashing it would delay other requests."""
        self.services, self.caller, self._may_hash = services, caller, may_hash
        self.has_token = caller.token is not None
        """Whether a token came with the line."""
        self.has_hashed = self.has_read_password = False
        """Whether the line has hashed another password already, and whether it holds one that was looked at."""
        self.new_user: str | None = None
        """The name of the user whom the line has registered."""
        self.position: str | None = None
        """The log position of the last write."""
        self.all = [self]
        """The callers of all lines of a request, this one among them."""

    def another(self) -> Self:
        """Return the caller of another line, with what came with the request: a password in one line is for it alone.

        Call this before anybody has signed in.
        """
        made = copy(self)
        self.all.append(made)
        return made

    @property
    def player(self) -> User | None:
        """The player of the token, or of the name and password in the line."""
        return self.caller.player

    def is_proven(self) -> bool:
        """Sign in a writer whom something else than a token or a password proves, and return whether that's so."""
        return False

    @property
    def may_play(self) -> bool:
        """Whether the token or the password allows more than reading."""
        return self.caller.token is not None and self.caller.token.scope == PLAY

    def may_play_in(self, game: str) -> bool:
        """Whether the token or the password allows moves in this game."""
        return self.caller.token is not None and scope_allows(self.caller.token.scope, PLAY, game)

    def reading(self, reference: str | None = None, *, own: bool = False) -> Caller:
        """Return the caller of what only reads, about a game or the player's own account. Raise as `admit` does."""
        admit(self.services, self.caller, reference, reads=True, own=own)
        return self.caller

    def reading_much(self, reference: str, passes: float) -> Caller:
        """Return the caller of what goes through all events of a game `passes` times. Raise LimitReached, too."""
        caller = self.reading(reference)
        take_heavy_budget(self.services, caller)
        return replace(caller, passes=passes)

    def writing(self, reference: str | None = None, *, own: bool = False) -> Caller:
        """Return the caller of what writes, about a game or the player's own account. Raise as `admit` does."""
        admit(self.services, self.caller, reference, reads=False, own=own)
        return self.caller

    def wrote(self, answer: GameAnswer[Body]) -> Body:
        """Remember the position of a write, and return its answer."""
        self.position = answer.position or self.position
        return json_values(answer.body)

    def sign_in(self, login: LineLogin, scope: str = PLAY) -> None:
        """Act as the user with this name and password; with a token the password isn't read. Raise CommandRefusal."""
        if self.has_token:
            if self.player is not None and self.player.name != login.name:
                detail = OTHER_USER.format(token=self.player.name, line=ascii(login.name[:40]))
                raise refusal("forbidden", 403, "Not allowed", detail)
            return
        if not self._may_hash:
            raise refusal("unauthorized", 401, "Token needed", NO_SESSION)
        if self.has_hashed or self.caller.spent[0]:  # a heavy line, such as multiple
            self._pay_for_hash()
        accounts = self.services.accounts
        try:
            with guess_limit(self.services, self.caller.address, login.name, "command-line"):
                player, _ = accounts.users.authenticate(login.name, login.password)
            # after the password: nobody else learns of a step against the user, or what they have set
            require_unrestricted(accounts.steps, player, reads=False, own=False)
        except BadLogin:
            raise BadLogin from None
        except ForbiddenByStep as error:
            raise refusal(error.slug, 403, "Not allowed", str(error)) from None
        if accounts.command_settings.of(player)["passwords"] != "on":
            raise refusal("forbidden", 403, "Not allowed", NOT_ALLOWED.format(name=login.name))
        self.caller = replace(self.caller, token=TokenInfo(User(player, login.name), PASSWORD_TOKEN, scope=scope))

    def _pay_for_hash(self) -> None:
        try:
            take_heavy_budget(self.services, self.caller, UNITS_OF_HASH)
        except LimitReached as error:
            raise refusal("too-many-requests", 429, "Too many requests", str(error)) from None
