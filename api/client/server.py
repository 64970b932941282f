"""A server as a program sees it: accounts, the lobby, and the player's inbox."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlencode

import httpx

from api.client.connection import Connection
from api.client.frames import InboxEntry, follow_frames


class Server(AbstractContextManager["Server"]):
    """One server, and the player whose `token` it is; without a token, a spectator.

        server = Server("https://cards.example.org")
        server.login("ann", "correct-horse")
        for entry in server.inbox():
            ...

    A request that isn't answered is sent again for up to `patience_s` seconds, if it can't take effect twice:
    `math.inf` for a bot that outlives any restart, 0 to fail at once. `position` is the log position after the last
    write.
    """

    def __init__(self, url: str, token: str | None = None, patience_s: float = 30.0) -> None:
        self.connection = Connection(url, token, patience_s)
        self._id: str | None = None

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.connection.close()

    @property
    def url(self) -> str:
        """The server's URL, without a slash at the end."""
        return self.connection.url

    @property
    def token(self) -> str | None:
        """The player's token; set it to act as another player."""
        return self.connection.token

    @token.setter
    def token(self, token: str | None) -> None:
        self.connection.token, self._id = token, None

    @property
    def position(self) -> str | None:
        """The log position after the last write; set it to that of another client to see its writes in lists."""
        return self.connection.position

    @position.setter
    def position(self, position: str | None) -> None:
        self.connection.position = position

    @property
    def player(self) -> str | None:
        """The id of the token's player; None for a spectator."""
        if self._id is None and self.token is not None:
            self._id = self.get("/me")["id"]
        return self._id

    def register(self, name: str, password: str) -> list[str]:
        """Register a user, log in, and return the recovery codes, which aren't shown again."""
        made = self.post("/users", {"name": name, "password": password})
        self.login(name, password)
        codes: list[str] = made["recovery_codes"]
        return codes

    def login(self, name: str, password: str, **fields: Any) -> Mapping[str, Any]:
        """Log in, and return the token with its `label`, `scope` and `days`, which `fields` may name.

        `scope="play:<game>"` is for a program that plays one game.
        """
        answer: Mapping[str, Any] = self.post("/tokens", {"name": name, "password": password} | fields)
        self.token = answer["token"]
        return answer

    def guest(self) -> str:
        """Play without registering; return the name that the server gives you."""
        answer = self.post("/guests", {})
        self.token = answer["token"]
        return str(answer["name"])

    def logout(self) -> None:
        """End the token."""
        self.delete("/tokens/current")
        self.token = None

    def me(self) -> Mapping[str, Any]:
        """Return the account and this token."""
        answer: Mapping[str, Any] = self.get("/me")
        return answer

    def variants(self) -> list[Mapping[str, Any]]:
        """Return the games that the server offers, with their options."""
        items: list[Mapping[str, Any]] = self.get("/variants")["items"]
        return items

    def games(self, **filters: Any) -> Iterator[Mapping[str, Any]]:
        """Yield the games of the lobby, the newest first: `server.games(waiting="ann")`, `games(status="forming")`."""
        query = {name: value for name, value in filters.items() if value is not None}
        while True:
            page = self.get(f"/games?{urlencode(query)}" if query else "/games")
            yield from page["items"]
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def inbox(self, after: str | None = None, until: str | None = None) -> Iterator[InboxEntry]:
        """Yield each entry of the player's inbox, and wait for the next one; entries that the server keeps come first.

        for entry in server.inbox(after=kept):
            if entry.kind == "turn":
                ...

        Goes on after a lost connection and after a restart of the server. `until` ends it with that entry.
        """
        path = "/me/events" if until is None else f"/me/events?{urlencode({'until': until})}"
        for frame in follow_frames(self.connection, path, after):
            item = json.loads(frame.data)
            yield InboxEntry(item["id"], item["kind"], item.get("game"), item)
            if frame.id == until:
                return

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Send any request below /api/v1, for what has no method of its own; `If_Match="..."` is the header If-Match.

        Raise Refusal for a problem.
        """
        return self.connection.ask(method, path, body, headers)

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return self.connection.read_json(self.ask("GET", path))

    def post(self, path: str, body: object, **headers: str) -> Any:
        """Return the JSON response to a POST; with `Idempotency_Key="..."` it's sent again if it isn't answered."""
        return self.connection.read_json(self.ask("POST", path, body, **headers))

    def delete(self, path: str) -> None:
        """Send a DELETE."""
        self.ask("DELETE", path)

    def text(self, path: str) -> str:
        """Return the plain text at a path."""
        return self.ask("GET", path, Accept="text/plain").text

    def after_write(self, path: str) -> str:
        """Return the path of a list with `wait=` and the position of the last write, so that the list includes it."""
        return path if self.position is None else f"{path}{'&' if '?' in path else '?'}wait={self.position}"
