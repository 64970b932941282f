"""Many games at once: whole exports one after another, of the games that are asked for, as they stood at one position.

The order is that in which the games were opened. Games are read one by one, each as of the position at which the export
began: however much is played meanwhile, no game is told twice, none is missed, and each is a whole of that moment.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from api.accounts.accounts import Accounts
from domain.events import Event, GameOpened
from domain.state import State
from domain.store import Games
from domain.store.aggregate import Corrupt, Entry
from projections.views.audience import Viewer, revealed_in, visible
from replay.history import FORMAT, Header, History, Trailer, export, from_entries, write_export

PAGE = 500
NOBODY = ""
NO_TRAILER = Trailer(size=0, root="", receipt=None)


@dataclass(frozen=True)
class Wanted:
    """Which games; None asks for all. `player` is an id, `since` and `until` times: opened at or after, and before."""

    variant: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    status: str | None = None

    def opened(self, event: Event[GameOpened]) -> bool:
        """Whether a game that was opened so may be one."""
        opened = event.data
        return (
            self.variant in (None, opened.variant)
            and (self.player is None or any(self.player == each.player for each in opened.players))
            and (self.since is None or self.since <= event.at)
            and (self.until is None or event.at < self.until)
        )

    def stands(self, state: State) -> bool:
        """Whether a game that stands so is one."""
        return self.status in (None, "active" if state.result is None else "finished")


@dataclass(frozen=True)
class Exported:
    """A game's export, `position` being where it was opened. `broken` is what its log has where it does not hold."""

    position: int
    game: str
    board: int
    text: bytes
    broken: Corrupt | None = None


@dataclass(frozen=True)
class Exporting:
    """What bulk exports are made with: the games, the board of a game, the names of players by id, and receipts."""

    games: Games
    board_of: Callable[[str], int | None]
    names_of: Callable[[Iterable[str]], dict[str, str]]
    sealed: Callable[[History], History]

    def exports(self, wanted: Wanted, upto: int, player: str | None = None) -> Iterator[Exported | int]:
        """Every game that is wanted, as `player` (an id; None: everybody) might see it at position `upto`.

        Between them, how far the search has come: positions. A game whose log does not hold is told by a header
        without a trailer, so that it is neither missed nor taken for whole, and the others follow.
        """
        for at, game in self._openings(upto):
            made = self._export(wanted, at, game, upto, player)
            yield at if made is None else made
        yield upto

    def _openings(self, upto: int) -> Iterator[tuple[int, str]]:
        page = self.games.openings(0, upto, PAGE)
        while page:
            yield from page
            page = self.games.openings(page[-1][0], upto, PAGE)

    def _export(self, wanted: Wanted, at: int, game: str, upto: int, player: str | None) -> Exported | None:
        try:
            if not wanted.opened(_opening(self.games.first(game))):
                return None
            state, entries = self.games.as_of(game, upto)
            if not wanted.stands(state):
                return None
        except Corrupt as error:
            return self._broken(at, error)
        viewer = None if player is None else state.seat_of(player)
        return Exported(at, game, entries[0].event.data.board, self._text(state, entries, viewer))

    def _text(self, state: State, entries: list[Entry], viewer: Viewer) -> bytes:
        names = self.names_of(seat.player for seat in state.seats if seat.kind == "human")
        revealed = revealed_in(state)
        return export(self.sealed(from_entries(entries, names, lambda entry: visible(entry.event, viewer, revealed))))

    def _broken(self, at: int, error: Corrupt) -> Exported:
        """Its header, as far as it is known, and nothing else."""
        board = self.board_of(error.game) or 0
        header = Header(format=FORMAT, game=error.game, board=board, variant="", players={})
        first = next(write_export(header, (), NO_TRAILER))
        return Exported(at, error.game, board, first, error)


def _opening(first: Entry) -> Event[GameOpened]:
    if not isinstance(first.event.data, GameOpened):
        raise Corrupt(first.event.game, 1, "it does not open the game")
    return first.event


def chosen(accounts: Accounts, query: dict[str, Any]) -> Wanted:
    """What a query asks for; `player` is a name, and one that nobody has asks for nothing."""
    named = accounts.users.by_name(query["player"]) if "player" in query else None
    return Wanted(
        variant=query.get("variant"),
        player=(NOBODY if named is None else named.id) if "player" in query else None,
        since=instant(query["since"]) if "since" in query else None,
        until=instant(query["until"]) if "until" in query else None,
        status=query.get("status"),
    )


def instant(time: str) -> str:
    """A time down to a day or finer, as events hold it: UTC, six decimals."""
    written = time.removesuffix("Z")
    return written + "0000-00-00T00:00:00.000000Z"[len(written) :]
