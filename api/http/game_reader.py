"""What a viewer is shown of a game over HTTP: the lines, the view, and the names beside it."""

from collections.abc import Sequence
from typing import Any

from api.accounts.accounts import Accounts
from api.accounts.users import User
from api.http.problems import Problem
from api.http.responses import raw_json
from domain.state import State
from domain.store import Games
from domain.store.aggregate import Entry
from projections.views.audience import Viewer, event_lines, revealed_by, revealed_in
from projections.views.cache import ViewCache
from projections.views.seat import View

MAX_CACHED_NAMES = 10_000
NO_GAME = "there is no such game, or nothing of it that you may see"
NO_HAND = "there is no hand {}, or nothing of it that you may see"
NO_SEAT = "there is no such seat (this game has 0 to {}), or what it saw of this hand is not yours to see"
"""The same for a seat that is another's as for one that is not there (docs/views.md)."""


class GameReader:
    """Reads of games for viewers: a seat, or None for a spectator."""

    def __init__(self, games: Games, views: ViewCache, accounts: Accounts) -> None:
        self._games, self._views, self._accounts = games, views, accounts
        self._named: dict[str, str] = {}  # nobody changes his name

    def resolve(self, reference: str) -> str:
        """The id of the game that an id or a board number names; 404 for a number that names none."""
        if len(reference) == 36:
            return reference
        game = self._accounts.boards.game_of(int(reference))
        if game is None:
            raise Problem("not-found", NO_GAME)
        return game

    def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The view as the game stands now, or as it was shown at version `at`."""
        return self._views.view(game, viewer, at)

    def user_names(self, state: State) -> dict[str, str]:
        """The names of the players that are users, by player id."""
        user_names = [seat.player for seat in state.seats if seat.kind == "human"]
        if unknown := [player for player in user_names if player not in self._named]:
            if len(self._named) > MAX_CACHED_NAMES:
                self._named.clear()
            self._named.update(self._accounts.users.names_of(unknown))
        return {player: self._named[player] for player in user_names if player in self._named}

    def names(self, state: State) -> dict[str, str]:
        """What to show for each player id; a bot, and who is no user any more, is shown by the id."""
        return {seat.player: seat.player for seat in state.seats} | self.user_names(state)

    def answer(self, state: State, viewer: Viewer, entries: Sequence[Entry]) -> dict[str, Any]:
        """What came of a command, as its asker may see it: the same now and at every repeat.

        `state` is the game at the last of `entries`, or later.
        """
        last = entries[-1].event.version
        self._views.feed(state.game, entries)
        view = self.view(state.game, viewer, last)
        lines = event_lines(entries, viewer, self._revealed_at(state, last))
        names = self.names(state)
        return {"version": last, "root": view["root"], "events": raw_json(lines), "view": view, "names": names}

    def _revealed_at(self, state: State, version: int) -> frozenset[int]:
        if version == state.version:
            return revealed_in(state)
        return revealed_by(entry.event for entry in self._games.entries(state.game, upto=version))


def seat_of(state: State, player: User | None) -> Viewer:
    """Where who asks sits; None for everybody else."""
    return None if player is None else state.seat_of(player.id)
