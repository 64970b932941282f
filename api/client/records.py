"""What the streams of a server bring: the moments of a game, and the entries of a player's inbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
