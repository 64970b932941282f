"""Streams of server-sent events that go on after a lost connection, and after a restart of the server.

They bring the moments of a game, and the entries of a player's inbox.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from httpx_sse import EventSource, ServerSentEvent

from api.client.connection import AGAIN, ClientError, Connection, NoAnswer, Pauses, Refusal


@dataclass(frozen=True)
class Moment:
    """An event of a game as this player may see it; `event` is None as long as it's hidden from them.

    `leaf` is the event's hash, and `prev` the root over all events before it.
    """

    version: int
    event: Mapping[str, Any] | None
    leaf: str = field(repr=False)
    prev: str = field(repr=False)

    @property
    def fact(self) -> str | None:
        """The fact's name, such as `CardPlayed`; None if the event is hidden."""
        return None if self.event is None else str(self.event["fact"])

    @property
    def data(self) -> Mapping[str, Any]:
        """The fact's fields; empty if the event is hidden."""
        return {} if self.event is None else self.event["data"]


@dataclass(frozen=True)
class InboxEntry:
    """Something that a player may have to act on: `kind` is turn, question, invitation, game-over and so on.

    `game` is the id of its game, if it's about one. `details` holds all fields that the server sends. To go on after
    this entry later, keep its `id`.
    """

    id: str
    kind: str
    game: str | None
    details: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        """Return a field of `details`, such as `entry["awaits"]`; None if this kind has no such field."""
        return self.details.get(name)


EVENT_STREAM = "text/event-stream"
NOTHING_MORE = 204


def follow_frames(connection: Connection, path: str, last_id: str | None) -> Iterator[ServerSentEvent]:
    """Yield each frame once, those after `last_id` first, until the server says that nothing more will come.

    Raise NoAnswer if the server can't be reached for `patience_s`, and Refusal if the right to read is lost.
    """
    reader = FrameReader(connection, path, last_id)
    while not reader.is_over():
        try:
            yield from reader.read()
            lost: ClientError = NoAnswer(f"{connection.url} ended the stream, and doesn't open it again.")
        except NoAnswer as error:
            lost = error
        except Refusal as refusal:
            if refusal.status not in AGAIN:
                raise
            lost = refusal
        if not (reader.is_over() or reader.pause()):
            raise lost


class FrameReader:
    """Reads one stream again and again; `last_id` is the last frame that it has read."""

    def __init__(self, connection: Connection, path: str, last_id: str | None) -> None:
        self.last_id, self._is_over = last_id, False
        self._connection, self._path = connection, path
        self._pauses, self._ask_again_s = Pauses(connection.patience_s), 0.0

    def is_over(self) -> bool:
        """Return whether the server has said that nothing more will come."""
        return self._is_over

    def read(self) -> Iterator[ServerSentEvent]:
        """Open the stream after the last frame, and yield its frames until it breaks off."""
        resume = {} if self.last_id is None else {"Last-Event-ID": self.last_id}
        with self._connection.stream(self._path, {"Accept": EVENT_STREAM} | resume) as response:
            try:
                self._is_over = response.status_code == NOTHING_MORE
                if not self._is_over:
                    yield from self._frames(response)
            finally:
                self._pauses.restart()  # the server has answered: patience begins again

    def _frames(self, response: httpx.Response) -> Iterator[ServerSentEvent]:
        if not response.headers.get("Content-Type", "").startswith(EVENT_STREAM):
            raise self._connection.unexpected("It sends no stream of events.")
        for frame in EventSource(response).iter_sse():
            if frame.retry is not None:
                self._ask_again_s = frame.retry / 1000
            if frame.data:
                self.last_id = frame.id
                yield frame

    def pause(self) -> bool:
        """Sleep as long as the server asked; return whether patience lasts."""
        return self._pauses.take(min(self._ask_again_s, self._connection.patience_s / 2))
