"""Plans the seats of a new table, and reserves its board within the limits on games that a player opens.

Some players are seated at once, others are asked, and some seats are empty. Only the opener's games count: a player
who is named at somebody else's table loses nothing by it.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from api.config.limits import Rate
from api.container import Services
from api.limits import LimitReached, Quota, note_quota
from api.tables.services.open_game import BOT_PREFIX, NO_BOARD, open_game_command, require_users
from api.tables.services.rulebooks import rules_of_table
from api.tables.stored.boards import ANY_NUMBER, OpenedTooOften, OpeningLimits, TooManyUnfinished
from api.tables.stored.seats import ASKED, CLAIMED, EMPTY_SEATS, INVITE, FormingSeat
from domain.commands import OpenGame
from domain.engine.wording import count_of
from domain.events import Player
from domain.rejections import TooMany
from domain.store.log import beginning
from projections.bots import strategy_of
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


PENDING_SEAT_REQUESTS = 5
"""How many tables of one opener may ask the same player who hasn't answered."""


def plan_seats(services: Services, opener: str, names: Sequence[str]) -> tuple[FormingSeat, ...]:
    """Return the seats in order. Raise NoSuchPlayer for an unknown name.

    A block makes a player somebody who doesn't answer, whatever they and the host allow.
    """
    people = [name for name in names if name not in EMPTY_SEATS and not name.startswith(BOT_PREFIX)]
    ids, seats = require_users(services.accounts, people), list[FormingSeat]()
    for number, name in enumerate(names):
        sitting = {opener, *(seat.player for seat in seats if seat.state == CLAIMED)}
        seats.append(_plan_seat(services, opener, name, ids.get(name), number, sitting))
    return tuple(seats)


def _plan_seat(
    services: Services, opener: str, name: str, player: str | None, seat: int, sitting: Set[str | None]
) -> FormingSeat:
    if name in EMPTY_SEATS:
        return FormingSeat(seat, name, None, None, name, name)
    if player is None:
        return FormingSeat(seat, "bot", f"{name}:{seat}", strategy_of(name.removeprefix(BOT_PREFIX)), CLAIMED, INVITE)
    state = CLAIMED if _sits_at_once(services, opener, player, sitting) else ASKED
    return FormingSeat(seat, "human", player, None, state, INVITE)


def _sits_at_once(services: Services, opener: str, player: str, sitting: Set[str | None]) -> bool:
    """Return whether the player needn't be asked; `sitting` are the opener and those who sit there already."""
    if player == opener:
        return True
    if not services.accounts.blocks.hidden_from(player).isdisjoint(sitting):
        return False
    return services.config.seating == "at-once" or services.accounts.seating.of(player).allows(opener)


def is_complete(seats: Sequence[FormingSeat]) -> bool:
    """Return whether every seat has its player, so that the table deals at once."""
    return all(seat.state == CLAIMED for seat in seats)


def players_of(seats: Sequence[FormingSeat]) -> tuple[Player, ...]:
    """Return the players in order; an empty seat counts as one more person, to judge a table before it's full."""
    return tuple(
        Player(seat.player or f"seat:{seat.seat}", "bot" if seat.kind == "bot" else "human", seat.bot) for seat in seats
    )


def opening_command(
    services: Services, fields: Mapping[str, Any], game: str, seats: Sequence[FormingSeat], board: int = NO_BOARD
) -> OpenGame:
    """Return the command that opens the game of these seats. Raise NotOffered for an invalid timing or fairness."""
    players = players_of(seats)
    guests = services.accounts.guests.among(player.player for player in players if player.kind == "human")
    rules = rules_of_table(services, fields, len(players))
    return open_game_command(fields, game, players, services.config, board=board, guests=guests, rules=rules)


def take_seat_requests(services: Services, opener: str, seats: Sequence[FormingSeat]) -> None:
    """Count the players who are asked. Raise LimitReached, or TooMany if one of them hasn't answered many times."""
    asked = [seat.player for seat in seats if seat.state == ASKED and seat.player is not None]
    for player in asked:
        if services.config.is_limited and services.accounts.tables.count_asked(opener, player) >= PENDING_SEAT_REQUESTS:
            raise TooMany(
                f"{PENDING_SEAT_REQUESTS} of your tables ask the same player, who hasn't answered. Wait, or cancel one."
            )
    for _ in asked:
        services.seat_requests.take(opener)
