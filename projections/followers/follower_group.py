"""Followers of projections that fold each page of the log together, in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from time import monotonic

from domain.store import Games
from domain.store.log import Numbers, Positions, numbers_of
from projections.followers.log_pages import LogPages
from projections.followers.projection_follower import ProjectionFollower
from projections.storage.rows import RowStore
from projections.storage.tables import Generation

Leave = Callable[[ProjectionFollower, Exception | None], None]


class FollowerGroup:
    """Members at the same positions read a page once and fold it in one transaction.

    `leave(follower, error)` is called for a member that fails, and with None for one whose rows have to be rebuilt. It
    is a member no more, and the others go on.
    """

    def __init__(self, games: Games, rows: RowStore, pages: LogPages, leave: Leave) -> None:
        self._games, self._rows, self._pages, self._leave = games, rows, pages, leave
        self._members: dict[ProjectionFollower, Generation] = {}

    def join(self, follower: ProjectionFollower, find: Callable[[], Generation | None]) -> None:
        """Take in a follower at the generation that `find` returns. It leaves if that fails or is None."""
        self._members.pop(follower, None)
        try:
            generation = find()
        except Exception as error:  # noqa: BLE001 - `leave` reports it
            self._leave(follower, error)
        else:
            if generation is None:
                self._leave(follower, None)
            else:
                self._members[follower] = generation

    def find_again(self) -> None:
        """Read the members' positions again: another process may have rebuilt the rows, or removed their file."""
        generations, has_positions = cache(self._rows.live_generations), cache(self._games.log.has_positions)
        for each in list(self._members):
            self.join(each, partial(self._find, each, generations, has_positions))

    def _find(
        self,
        each: ProjectionFollower,
        generations: Callable[[], Mapping[str, Generation]],
        has_positions: Callable[[Positions], bool],
    ) -> Generation | None:
        live = generations().get(each.name)
        return each.current_generation() if live is None else each.usable(live, has_positions)

    def fold_page(self, upto: Numbers | None = None) -> bool:
        """Fold the next page and return whether there was one. `upto` is where the log is known to go on to."""
        found = False
        for at in dict.fromkeys(generation.at for generation in self._members.values()):
            together = [each for each, generation in self._members.items() if generation.at == at]
            try:
                found |= self._fold(at, together, upto)
            except Exception:  # noqa: BLE001 - the one whose fault it is meets it again
                found |= self._fold_singly(together, upto)
        return found

    def _fold(self, at: Positions, together: Sequence[ProjectionFollower], upto: Numbers | None) -> bool:
        page = self._pages.read(at, upto)
        if page.rows:
            begun, before = monotonic(), {each.name: self._members[each] for each in together}
            faults = self._rows.fold_together(before, page, self._games.history)
            self._pages.note_time(len(page.rows), monotonic() - begun)
            for each in together:
                self.join(each, partial(each.after_page, before[each.name], page, faults[each.name]))
        return bool(page.rows)

    def _fold_singly(self, together: Sequence[ProjectionFollower], upto: Numbers | None) -> bool:
        found = False
        for each in together:
            generation = self._members[each]
            self.join(each, partial(_next_generation, each, generation, upto))
            found |= self._members.get(each, generation) != generation
        return found

    def reached(self) -> Numbers | None:
        """Return the number in each shard that all members have reached, no numbers before the first event.

        Return None without members.
        """
        if not self._members:
            return None
        numbers = [numbers_of(generation.at) for generation in self._members.values()]
        return tuple(map(min, zip(*numbers, strict=True))) if all(numbers) else ()


def _next_generation(follower: ProjectionFollower, generation: Generation, upto: Numbers | None) -> Generation:
    return follower.fold_page(generation, upto) or generation
