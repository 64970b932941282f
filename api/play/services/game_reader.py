"""A game as a viewer gets to see it: events, views and names of players."""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypedDict, TypeVar

import msgspec

from api.accounts.accounts import Accounts
from domain.json_fields import Hash, Names, Uuid, refers_to, says
from domain.state import State
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Entry
from projections.views.audience import Viewer, ceremonies_revealed_in, event_lines, revealed_ceremonies
from projections.views.cache import ViewCache
from projections.views.own_seat import OwnSeat
from projections.views.seat import View, ViewParts

MAX_CACHED_NAMES = 10_000
NAMES_MAX_AGE_S = 0.5
"""How long names are taken as they were, if another process changes one."""
NO_GAME = "There is no such game, or you may not see it."
NO_HAND = "There is no hand {}, or you may not see it yet."
NO_SEAT = "There is no such seat (this game has 0 to {}), or you may not see its view."
"""The same text for another player's seat as for a seat that doesn't exist (docs/http.md)."""


class NamedView(View):
    """A view with the names of the players."""

    names: Names


class SeatView(ViewParts):
    """The view of the caller's own seat."""

    root: Annotated[Hash, says("The root of the log at that version.")]
    you: OwnSeat
    names: Names


class CommandEvents(TypedDict):
    """The events that follow from a command, and the view after them."""

    version: Annotated[int, says("The version after the command.")]
    root: Hash
    events: Annotated[list[Annotated[msgspec.Raw, refers_to("EventItem")]], says("As the caller may see them.")]
    view: View
    names: Names


class CommandResult(CommandEvents):
    """The response to a command: the events that follow from it, and the view after them."""

    receipt: Annotated[str | None, says("A signed note of the log if a hand or the game ended.")]


class OpenedGame(CommandResult):
    """The response to the opening of a game."""

    id: Uuid
    board: Annotated[int, says("The game's public number.")]


Body_co = TypeVar("Body_co", covariant=True, bound=Mapping[str, Any])


@dataclass(frozen=True)
class GameAnswer(Generic[Body_co]):
    """An answer about a game or a table: the JSON object, its ETag, and after a command the position in the log.

    `opened` is the id of a game or table that the command has opened.
    """

    body: Body_co
    etag: str
    position: str | None = None
    opened: str | None = None


class GameReader:
    """A reader of games for viewers: a seat, a former holder of one, or None for a spectator."""

    def __init__(self, games: Games, views: ViewCache, accounts: Accounts) -> None:
        self._games, self._views, self._accounts = games, views, accounts
        self._cached_names: dict[str, str] = {}
        self._names_checked, self._name_changes = -math.inf, 0

    def resolve(self, reference: str) -> str:
        """Return the id of the game with this id or board number. Raise NoSuchGame for an unknown number."""
        if len(reference) == 36:
            return reference
        game = self._accounts.boards.game_of(int(reference))
        if game is None:
            raise NoSuchGame(NO_GAME)
        return game

    def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """Return the viewer's view of the game now, or at version `at`."""
        return self._views.view(game, viewer, at)

    def user_names(self, state: State) -> dict[str, str]:
        """Return the names of the players who are users, also of earlier ones, by player id."""
        return self._names_of(people_in(state))

    def _names_of(self, ids: Iterable[str]) -> dict[str, str]:
        users = list(ids)
        cached = self._fresh_names()
        if unknown := [player for player in users if player not in cached]:
            cached.update(self._accounts.users.names_of(unknown))
        return {player: cached[player] for player in users if player in cached}

    def _fresh_names(self) -> dict[str, str]:
        """Return the cached names. A name changes if a guest takes one, or if its user is deleted."""
        at = time.monotonic()
        if at - self._names_checked >= NAMES_MAX_AGE_S:
            changes, self._names_checked = self._accounts.users.name_changes(), at
            if changes != self._name_changes or len(self._cached_names) > MAX_CACHED_NAMES:
                self._cached_names, self._name_changes = {}, changes
        return self._cached_names

    def forget_names(self) -> None:
        """Read names from the database next time."""
        self._cached_names, self._names_checked = {}, -math.inf

    def names(self, state: State) -> dict[str, str]:
        """Return the name to display for each player id; bots get their id, deleted users `deleted`."""
        earlier = {past.player: past.player for seat in state.seats for past in seat.earlier}
        return earlier | {seat.player: seat.player for seat in state.seats} | self.user_names(state)

    def names_in(self, view: View) -> dict[str, str]:
        """Return the name to display for each player id in a view, as `names` does for a state."""
        players = [each for seat in view["seats"] for each in (*seat["earlier"], seat)]
        users = self._names_of(each["player"] for each in players if each["kind"] == "human")
        asked = view["handover"]
        comer = self._names_of([asked["to"]]) if asked and asked["kind"] == "human" else {}
        return {each["player"]: each["player"] for each in players} | users | comer

    def command_result(
        self, state: State, viewer: Viewer, entries: Sequence[Entry], root: str | None = None
    ) -> CommandEvents:
        """Return the result of a command as the viewer may see it: the same now and at every repeat.

        `state` is the game at the last of `entries`, or later; `root` is the log's root after them, if it's known.
        """
        last = entries[-1].event.version
        self._views.feed(state.game, entries)
        view = self._views.view(state.game, viewer, last, root)
        lines = event_lines(entries, viewer, self._revealed_at(state, last))
        return {
            "version": last,
            "root": view["root"],
            "events": [msgspec.Raw(line) for line in lines],
            "view": view,
            "names": self.names_in(view),
        }

    def _revealed_at(self, state: State, version: int) -> frozenset[int]:
        if version == state.version:
            return ceremonies_revealed_in(state)
        return revealed_ceremonies(entry.event for entry in self._games.entries(state.game, upto=version))


def people_in(state: State) -> list[str]:
    """Return the ids of the people who hold or held a seat, or would get one by the open question."""
    held = [past.player for seat in state.seats for past in seat.earlier if past.kind == "human"]
    asked = [state.handover.to] if state.handover is not None and state.handover.kind == "human" else []
    return list(dict.fromkeys([*held, *(seat.player for seat in state.seats if seat.kind == "human"), *asked]))
