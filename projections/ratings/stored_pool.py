"""The pool of a variant and a kind of table as it is stored, read as far as games to be rated need it."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from projections.ratings.game_rows import Key, earlier_ends
from projections.ratings.pbmserv import PbmservRating, millionths
from projections.ratings.places import EVERY_KIND, CountedGame
from projections.ratings.rating_pool import PlayerState, RatingPool, RatingStep, week_before
from projections.ratings.skill import Skill
from projections.storage.tables import DerivedTables, Row

FROM = "WHERE pool = ? AND (ended, game) >= (?, ?)"


class StoredPool:
    """A pool as it was before the key `since`. `stale` are the players whose ratings changed from then on.

    `before` has these players as they are stored, with all games.
    """

    def __init__(self, tables: DerivedTables, variant: str, kind: str, since: Key) -> None:
        self.name, self.since = pool_name(variant, kind), since
        self._tables = tables
        self.ratings = RatingPool(variant, kind)
        if kind == EVERY_KIND:
            rows = tables.find("months", "WHERE pool = ?", self.name)
            self.ratings.months = {row["month"]: (row["total"], row["count"]) for row in rows}
        self.stale = {row["player"] for row in tables.find("histories", FROM, self.name, *since)}
        self._known: set[str] = set()
        self._pairs: set[str] = set()
        self._read_players(self.stale)
        self.before = RatingPool(variant, kind, dict(self.ratings.states))
        for player in sorted(self.stale):
            self.ratings.put(player, self._state_before(player))

    def prepare(self, games: Sequence[CountedGame]) -> None:
        """Read the players and meetings of the games to rate next."""
        self._read_players({player for game in games for player, _, _ in game.entries})
        self._read_meetings(games)
        for game in games:
            if game.people not in self.ratings.recent:
                pool = self.ratings
                ends = earlier_ends(self._tables, pool.variant, pool.kind, game, week_before(game.ended))
                self.ratings.recent[game.people] = ends

    def forget_later(self) -> None:
        """Remove the stored rows from `since` on."""
        if self.stale:
            for table in ("histories", "meetings"):
                self._tables.remove(table, FROM, self.name, *self.since)

    def write_steps(self, steps: Iterable[RatingStep]) -> None:
        """Write what games did to the ratings."""
        steps = list(steps)
        self.stale |= {step.player for step in steps}
        self._tables.put("histories", [self._history_row(step) for step in steps])
        met = [(step, f"{self.name} {step.player} {other}") for step in steps for other in step.met]
        rows = [
            {"line": line, "pool": self.name, "ended": step.game.ended, "game": step.game.game} for step, line in met
        ]
        self._tables.put("meetings", rows)

    def write_players(self) -> None:
        """Write the players' ratings after the last game."""
        states = {player: self.ratings.states.get(player) for player in sorted(self.stale)}
        self._tables.put("players", [self._player_row(each, state) for each, state in states.items() if state])
        for player, state in states.items():
            if state is None:
                self._tables.remove("players", "WHERE line = ?", f"{self.name} {player}")
        months = sorted(self.ratings.months.items())
        rows = [{"pool": self.name, "month": month, "total": total, "count": n} for month, (total, n) in months if n]
        if self.ratings.kind == EVERY_KIND and any(n == 0 for _, (_, n) in months):
            self._tables.remove("months", "WHERE pool = ?", self.name)
        self._tables.put("months", rows)

    def _read_players(self, players: Collection[str]) -> None:
        unknown = sorted(set(players) - self._known)
        self._known.update(unknown)
        if unknown:
            for row in self._tables.find_among("players", "line", [f"{self.name} {player}" for player in unknown]):
                self.ratings.states[row["player"]] = self._state(row["state"])

    def _read_meetings(self, games: Sequence[CountedGame]) -> None:
        pairs = {
            f"{self.name} {player} {other}": (player, other)
            for game in games
            for player, side, _ in game.entries
            for other, theirs, _ in game.entries
            if side != theirs
        }
        unknown = sorted(set(pairs) - self._pairs)
        self._pairs.update(unknown)
        if not unknown:
            return
        for row in self._tables.find_among("meetings", "line", unknown):
            if (row["ended"], row["game"]) < self.since:
                self.ratings.met.add(pairs[row["line"]])

    def _state_before(self, player: str) -> PlayerState | None:
        tail = "WHERE player = ? AND pool = ? AND (ended, game) < (?, ?) ORDER BY ended DESC, game DESC LIMIT 1"
        rows = self._tables.find("histories", tail, player, self.name, *self.since)
        return self._state(rows[0]["state"]) if rows else None

    def _state(self, stored: Sequence[Any]) -> PlayerState:
        rating, last, opponents = stored
        read = PbmservRating(*rating) if self.ratings.kind == EVERY_KIND else Skill(*rating)
        return PlayerState(read, last, opponents)

    def _history_row(self, step: RatingStep) -> Row:
        before, after = step.before.rating, step.after.rating
        return {
            "pool": self.name,
            "ended": step.game.ended,
            "game": step.game.game,
            "player": step.player,
            "board": step.game.board,
            "place": 1 + sum(place < step.place for place, _ in step.game.teams),
            "sides": len(step.game.teams),
            "halves": round(2 * step.weight),
            "value": millionths(after.value),
            "spread": _spread(after),
            "value_before": millionths(before.value),
            "spread_before": _spread(before),
            "played": after.played,
            "opponents": step.after.opponents,
            "state": _stored(step.after),
        }

    def _player_row(self, player: str, state: PlayerState) -> Row:
        return {
            "line": f"{self.name} {player}",
            "pool": self.name,
            "player": player,
            "established": int(state.rating.established),
            "value": millionths(state.rating.value),
            "spread": _spread(state.rating),
            "played": state.rating.played,
            "opponents": state.opponents,
            "last": state.last,
            "state": _stored(state),
        }


def pool_name(variant: str, kind: str) -> str:
    """Return the name of a pool in the tables."""
    return f"{variant}/{kind}"


def _stored(state: PlayerState) -> list[Any]:
    return [list(state.rating), state.last, state.opponents]


def _spread(rating: PbmservRating | Skill) -> int | None:
    return None if rating.spread is None else millionths(rating.spread)
