"""The standings, the ratings and the histories of players, from the lists of the store on this machine."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from api.cli.common.config import exit_on_store_errors
from api.cli.common.store_files import require_games
from api.cli.common.stored_accounts import require_user
from api.config import Config
from api.services.container import Services, open_services
from api.services.people.standing_lines import players_with_lines
from projections.lists.standings_pages import Listed, head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import rating_changes, ratings_page
from projections.storage.rows import RowSnapshot


@contextmanager
def _services(config: Config) -> Iterator[Services]:
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        yield services


def read_standings(config: Config, variant: str, period: str, limit: int) -> Mapping[str, Any]:
    """Return the first lines of the standings, with the names of their players."""
    return _read_page(
        config, "standings", lambda reading, listed: standings_page(reading, variant, period, listed, limit)
    )


def read_ratings(config: Config, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
    """Return the first lines of the ratings, with the names of their players."""
    return _read_page(config, "ratings", lambda reading, listed: ratings_page(reading, variant, kind, listed, limit))


def read_rating_changes(config: Config, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
    """Return the players whom the last rulings moved, with their names."""
    return _read_page(config, "ratings", lambda reading, _: rating_changes(reading, variant, kind, limit))


def _read_page(
    config: Config, projection: str, read: Callable[[RowSnapshot, Listed], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return a page of a list, with the names of its players."""
    with _services(config) as services:
        with services.rows.snapshot(projection) as reading:
            page = read(reading, partial(players_with_lines, services.accounts))
        return {**page, "names": services.accounts.users.names_of(item["player"] for item in page["items"])}


def read_record(config: Config, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
    """Return a player's figures, the games against another one, and the last games, private ones too."""
    with _services(config) as services:
        player = require_user(services.accounts, name)
        other = None if against is None else require_user(services.accounts, against)
        with services.rows.snapshot("standings") as reading:
            page = history_page(reading, player.id, None, limit, is_host=True)
            record = {
                "standings": player_figures(reading, player.id, partial(players_with_lines, services.accounts)),
                "against": None if other is None else head_to_head(reading, player.id, other.id),
            }
        ids = {seat["player"] for item in page["items"] for seat in item["seats"]}
        return record | page | {"names": services.accounts.users.names_of(ids)}
