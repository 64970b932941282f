"""Reserve a board for a new game, within the limits on games that a player opens.

Only the opener's games count: a player who is named at somebody else's table loses nothing by it.
"""

from api.config import Rate
from api.container import Services
from api.limits import LimitReached, Quota, note_quota
from api.tables.stored.boards import ANY_NUMBER, OpenedTooOften, OpeningLimits, TooManyUnfinished
from domain.engine.wording import count_of
from domain.rejections import TooMany
from domain.store.positions import beginning
from projections.storage.rows import RowSnapshot

GAMES_AT_ONCE = 500
"""The most games in one query."""


class TooManyGames(LimitReached):
    """The player has opened too many games in the last hour."""

    def __init__(self, error: OpenedTooOften) -> None:
        super().__init__(error.wait_s, f"You opened {count_of(error.count, 'game')} in the last hour")


def reserve_board(services: Services, game: str, opener: str) -> int:
    """Return the board number of a new game of `opener`.

    Raise TooMany if too many of their games aren't over, TooManyGames if they opened too many in the last hour. The
    table of openings learns that games are over only when a player reaches the limit: then the lobby is asked. If it's
    behind, the player is refused a little longer, never let past the limit.
    """
    boards, config = services.accounts.boards, services.config
    limits = OpeningLimits(config.unfinished_games, config.hourly_games) if config.is_limited else ANY_NUMBER
    try:
        try:
            return boards.reserve(game, opener, limits)
        except TooManyUnfinished:
            _record_finished(services, opener)
            return boards.reserve(game, opener, limits)
    except TooManyUnfinished as error:
        raise TooMany(
            f"You have opened {count_of(error.count, 'unfinished game')}, the most that this server allows. Finish one,"
            " or resign from it, and try again."
        ) from None
    except OpenedTooOften as error:
        raise TooManyGames(error) from None
    finally:
        if limits.per_hour is not None:
            opened, wait_s = boards.opened_in_last_hour(opener)
            note_quota(Quota("games", Rate(limits.per_hour, 3600), max(0, limits.per_hour - opened), wait_s))


def _record_finished(services: Services, opener: str) -> None:
    """Record which of the player's games are over, and which were never opened because a server stopped."""
    boards = services.accounts.boards
    forming = services.accounts.forming.in_progress(opener)
    unfinished = [game for game in boards.unfinished(opener) if game not in forming]
    with services.rows.snapshot("lobby") as reading:
        found = _statuses(reading, unfinished)
        is_current = (reading.at or beginning(services.games.log.shards)) == services.games.log.heads()
    missing = boards.abandoned(each for each in unfinished if each not in found) if is_current else []
    boards.finish([*(each for each, status in found.items() if status == "finished"), *missing])


def _statuses(reading: RowSnapshot, games: list[str]) -> dict[str, str]:
    """Return the status of each of `games` that the lobby has."""
    found: dict[str, str] = {}
    for first in range(0, len(games), GAMES_AT_ONCE):
        some = games[first : first + GAMES_AT_ONCE]
        marks = ", ".join("?" * len(some))
        found |= {row["id"]: row["status"] for row in reading.find("games", f"WHERE id IN ({marks})", *some)}
    return found
