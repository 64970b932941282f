"""Bulk exports: complete exports of the selected games, one after another, as of one position in each shard.

The games follow in the order in which they were opened: those of a shard in its order, and the shards merged by time
and id. Each is read as of the positions at which the export began, so moves made meanwhile neither repeat nor hide a
game nor split it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from heapq import merge
from typing import Any

from api.accounts.accounts import Accounts
from api.play.services.gate import GameGate, delayed_head
from domain.events import Event, GameOpened
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt, Entry
from domain.store.log import Numbers
from projections.views.audience import Viewer, ceremonies_revealed_in, viewer_of, visible
from replay.history import FORMAT, Header, History, Trailer, export_bytes, from_entries, players_in, write_export

PAGE = 500
NO_PLAYER_ID = ""
NO_TRAILER = Trailer(size=0, root="", receipt=None)


@dataclass(frozen=True)
class ExportFilter:
    """Which games to export; None doesn't filter. Games opened from `since` to before `until`.

    Each of `players`, by id, must have a seat.
    """

    variant: str | None = None
    players: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    status: str | None = None

    def matches_opening(self, event: Event[GameOpened]) -> bool:
        """Return whether the game's opening passes the filter."""
        opened = event.data
        return (
            self.variant in (None, opened.variant)
            and {each.player for each in opened.players}.issuperset(self.players)
            and (self.since is None or self.since <= event.at)
            and (self.until is None or event.at < self.until)
        )

    def matches_status(self, state: State) -> bool:
        """Return whether the game's status passes the filter."""
        return self.status in (None, "active" if state.result is None else "finished")


@dataclass(frozen=True)
class GameExport:
    """A game's export. `passed` counts the positions before it; `broken` is the error of a log that can't be read."""

    passed: int
    game: str
    board: int
    text: bytes
    broken: Corrupt | None = None


@dataclass(frozen=True)
class BulkExporter:
    """Makes bulk exports. `names_of` maps player ids to names; `with_receipt` attaches keys and a receipt.

    `gate` judges what the player may see; without it, nothing is private or delayed, as for the operator.
    """

    games: Games
    board_of: Callable[[str], int | None]
    names_of: Callable[[Iterable[str]], dict[str, str]]
    with_receipt: Callable[[History], History]
    gate: GameGate | None = None

    def exports(self, wanted: ExportFilter, upto: Numbers, player: str | None = None) -> Iterator[GameExport | int]:
        """Yield the export of every matching game as `player` (an id; None: a spectator) could see it at `upto`.

        Between exports, yield how many positions of all shards the search has passed. A game whose log can't be read
        yields a header without a trailer, so that it's neither missing nor taken for complete.
        """
        passed = [0] * len(upto)
        for found in merge(*(self._openings(shard, last) for shard, last in enumerate(upto)), key=_by_time):
            passed[found.shard] = found.position
            result = self._export(wanted, found, upto, player, sum(passed))
            yield sum(passed) if result is None else result
        yield sum(upto)

    def _openings(self, shard: int, upto: int) -> Iterator["_Opening"]:
        page = self.games.log.openings(shard, 0, upto, PAGE)
        while page:
            for at, game in page:
                yield self._opening(shard, at, game)
            page = self.games.log.openings(shard, page[-1][0], upto, PAGE)

    def _opening(self, shard: int, position: int, game: str) -> "_Opening":
        try:
            event = self.games.first_entry(game).event
        except Corrupt as error:
            return _Opening(shard, position, game, error)
        opens = isinstance(event.data, GameOpened)
        return _Opening(shard, position, game, event if opens else Corrupt(game, 1, "it does not open the game"))

    def _export(
        self, wanted: ExportFilter, found: "_Opening", upto: Numbers, player: str | None, passed: int
    ) -> GameExport | None:
        try:
            if isinstance(found.event, Corrupt):
                raise found.event
            if not wanted.matches_opening(found.event):
                return None
            state, entries = self.games.read_at_position(found.game, upto)
            if not wanted.matches_status(state):
                return None
            seen = self._visible_part(state, entries, player)
        except NoSuchGame:
            return None
        except Corrupt as error:
            return None if _is_hidden(found.event, player, self.gate) else self._header_alone(passed, error)
        return GameExport(passed, found.game, entries[0].event.data.board, self._text(*seen))

    def _visible_part(
        self, state: State, entries: list[Entry], player: str | None
    ) -> tuple[State, list[Entry], Viewer]:
        """Return the game as far as the player may see it, and how. Raise NoSuchGame if that is nothing."""
        if self.gate is None:
            return state, entries, viewer_of(state, player)
        viewer, delayed = self.gate.judge(state, player)
        if not delayed or state.opened is None:
            return state, entries, viewer
        delay = state.opened.watch.delay
        entries = entries[: delayed_head(lambda after, upto: entries[after:upto], len(entries), delay)]
        if not entries:
            raise NoSuchGame("nothing of the game can be seen yet")
        return reduce(evolve, (entry.event for entry in entries), EMPTY_STATE), entries, viewer

    def _text(self, state: State, entries: list[Entry], viewer: Viewer) -> bytes:
        names = self.names_of(players_in(entry.event for entry in entries))
        revealed = ceremonies_revealed_in(state)
        history = from_entries(entries, names, [visible(entry.event, viewer, revealed) for entry in entries])
        return export_bytes(self.with_receipt(history))

    def _header_alone(self, passed: int, error: Corrupt) -> GameExport:
        """Return a broken game's header with the fields that are known, and no events."""
        board = self.board_of(error.game) or 0
        header = Header(format=FORMAT, game=error.game, board=board, variant="", players={})
        first = next(write_export(header, (), NO_TRAILER))
        return GameExport(passed, error.game, board, first, error)


@dataclass(frozen=True)
class _Opening:
    """The first event of a game at its place in a shard, or the error of one that can't be read."""

    shard: int
    position: int
    game: str
    event: Event[GameOpened] | Corrupt


def _is_hidden(opened: Event[GameOpened] | Corrupt, player: str | None, gate: GameGate | None) -> bool:
    """Return whether a game whose log can't be read is private, and not the player's."""
    if gate is None or isinstance(opened, Corrupt) or opened.data.watch.public:
        return False
    return all(each.player != player for each in opened.data.players)


def _by_time(found: _Opening) -> tuple[str, str]:
    return "" if isinstance(found.event, Corrupt) else found.event.at, found.game


def export_filter(accounts: Accounts, query: dict[str, Any]) -> ExportFilter:
    """Return the filter of a loaded query. An unknown name in `player` matches no game."""
    return ExportFilter(
        variant=query.get("variant"),
        players=player_ids(accounts, query),
        since=pad_time(query["since"]) if "since" in query else None,
        until=pad_time(query["until"]) if "until" in query else None,
        status=query.get("status"),
    )


def player_ids(accounts: Accounts, query: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the players whose names a query has, each once; for an unknown name one that nobody has."""
    names = dict.fromkeys(query.get("player", ()))
    users = accounts.users.by_names(names) if names else {}
    return tuple(users[name].id if name in users else NO_PLAYER_ID for name in names)


def pad_time(time: str) -> str:
    """Pad a time given to a day or finer to the format of events: UTC, six decimals."""
    digits = time.removesuffix("Z")
    return digits + "0000-00-00T00:00:00.000000Z"[len(digits) :]
