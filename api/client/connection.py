"""Requests to one server: with its token, sent again until they are answered, and refusals as exceptions."""

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx


class ClientError(Exception):
    """Any error of the client; str(error) is a sentence."""


class NoAnswer(ClientError):
    """The server can't be reached, or gave no answer in time."""


class UnexpectedAnswer(ClientError):
    """The answer isn't one of trickbook's: the URL is wrong, or a proxy answered."""


class Refusal(ClientError):
    """The server refused a request.

        try:
            table.play("AD")
        except Refusal as refusal:
            if refusal.type == "must-follow":
                table.move(refusal.legal[0])

    `type` is a problem's type such as `must-follow`, `clause` the rule that a move broke, such as `S34`, and `legal`
    the moves that are legal instead. `problem` is the whole answer, `status` its HTTP status.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status, self.problem = status, problem
        super().__init__(f"{status} {self.type}: {self.detail}")

    @property
    def type(self) -> str:
        """The type of problem, as in the server's /problems/{type}."""
        return str(self.problem.get("type", "")).removeprefix("/problems/")

    @property
    def detail(self) -> str:
        """Sentences for people."""
        return str(self.problem.get("detail", ""))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the rules that a refused move broke; empty if the server names none."""
        return tuple(self.problem.get("clauses", ()))

    @property
    def clause(self) -> str:
        """The clauses as one text, such as `S34, S35`."""
        return ", ".join(self.clauses)

    @property
    def legal(self) -> list[dict[str, Any]]:
        """The moves that the seat can make; empty if it can't move, or has a choice that can't be listed."""
        return list(self.problem.get("legal") or ())

    @property
    def choose(self) -> Mapping[str, Any] | None:
        """The seat's choice that can't be listed, as in a view, or None."""
        return self.problem.get("choose")


API = "/api/v1"
TIMEOUT = httpx.Timeout(40.0, connect=10.0)
"""Longer than the 25 seconds that a request may wait for events, and than the 15 between comments of a stream."""
PROBLEM = "application/problem+json"
AGAIN = frozenset((429, 502, 503, 504))
"""Statuses after which the same request may succeed a little later."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 5.0
KEY = "Idempotency-Key"
POSITION = "Trickbook-Position"


@dataclass
class Pauses:
    """The pauses between attempts, each twice as long as the one before, until `patience_s` have passed."""

    patience_s: float
    _next_s: float = FIRST_PAUSE_S
    _begun: float = field(default_factory=time.monotonic)

    def take(self, at_least_s: float = 0.0) -> bool:
        """Sleep, and return True; return False at once if the patience would be over by then."""
        pause = max(at_least_s, self._next_s)
        if time.monotonic() - self._begun + pause > self.patience_s:
            return False
        time.sleep(pause)
        self._next_s = min(2 * self._next_s, LONGEST_PAUSE_S)
        return True

    def restart(self) -> None:
        """Begin again, as the server has answered."""
        self._next_s, self._begun = FIRST_PAUSE_S, time.monotonic()


class Connection:
    """One server and at most one player. `position` is the log position after the last write."""

    def __init__(self, url: str, token: str | None, patience_s: float) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url}: A server's URL begins with https:// or http://.")
        self.url, self.token, self.patience_s = url.rstrip("/"), token, patience_s
        self.position: str | None = None
        try:
            self._http = httpx.Client(timeout=TIMEOUT)
            httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise ValueError(f"{url}: This isn't a URL: {error}.") from None

    def use(self, http: httpx.Client) -> None:
        """Send requests through another httpx client, for example with a proxy or certificates of your own."""
        self._http.close()
        self._http = http

    def close(self) -> None:
        """Close all connections to the server."""
        self._http.close()

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Return the response to a request below /api/v1; raise Refusal for a problem.

        A POST without an `Idempotency-Key` is sent again only if it can't have reached the server.
        """
        sent = self._headers(headers)
        repeatable = method != "POST" or KEY in sent
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            sent["Content-Type"] = "application/json"
        pauses = Pauses(self.patience_s)
        while True:
            try:
                response = self._http.request(method, self._address(path), content=content, headers=sent)
            except httpx.TransportError as error:
                unsent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
                if not ((unsent or repeatable) and pauses.take()):
                    raise self._no_answer(error) from None
                continue
            if repeatable and response.status_code in AGAIN and pauses.take(retry_after(response)):
                continue
            return self._checked(method, response)

    def post_once(self, path: str, body: object, key: str | None = None, **headers: str) -> Any:
        """Return the JSON response to a POST that takes effect once, however often it has to be sent."""
        return self.read_json(self.ask("POST", path, body, headers | {KEY: key or secrets.token_hex(16)}))

    @contextmanager
    def stream(self, path: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Open a response that is read while it arrives; raise Refusal for a problem, NoAnswer if it breaks off."""
        try:
            with self._http.stream("GET", self._address(path), headers=self._headers(headers)) as response:
                if response.status_code >= 300:
                    response.read()
                yield self._checked("GET", response)
        except httpx.TransportError as error:
            raise self._no_answer(error) from None

    def read_json(self, response: httpx.Response) -> Any:
        """Return the JSON of a response."""
        try:
            return response.json()
        except ValueError:
            raise self.unexpected("It answers with something else than JSON.") from None

    def _no_answer(self, error: httpx.TransportError) -> NoAnswer:
        """Return the error for a request that got no answer."""
        if isinstance(error, httpx.TimeoutException):
            return NoAnswer(f"{self.url} doesn't answer in time.")
        return NoAnswer(f"{self.url} can't be reached: {str(error) or type(error).__name__}.")

    def _address(self, path: str) -> str:
        return self.url + (path if path.startswith("/.well-known/") else API + path)

    def _headers(self, headers: Mapping[str, str] | None) -> dict[str, str]:
        """Return headers with the token; `If_Match` stands for If-Match."""
        named = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        return named if self.token is None else {"Authorization": f"Bearer {self.token}"} | named

    def _checked(self, method: str, response: httpx.Response) -> httpx.Response:
        if response.status_code >= 400:
            if not response.headers.get("Content-Type", "").startswith(PROBLEM):
                if response.status_code in AGAIN:
                    raise NoAnswer(f"{self.url} gets no answer from its server at the moment ({response.status_code}).")
                raise self.unexpected(f"It answers {response.status_code} without saying why.")
            raise Refusal(response.status_code, self.read_json(response))
        if response.is_redirect:
            raise self.unexpected(f"It redirects to {response.headers.get('Location')}; use that server's URL.")
        if method != "GET":
            self.position = response.headers.get(POSITION, self.position)
        return response

    def unexpected(self, why: str) -> UnexpectedAnswer:
        """Return the error for an answer that trickbook doesn't give."""
        return UnexpectedAnswer(f"{self.url} doesn't answer as a trickbook server does. {why}")


def retry_after(response: httpx.Response) -> float:
    """Return the seconds that a response asks to wait, 0 if it doesn't say."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0
