"""The games of the store on this machine, as a page of the lobby."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from api.cli.common.config import exit_on_store_errors
from api.cli.common.store_files import require_games
from api.cli.common.stored_accounts import require_user
from api.config import Config
from api.services.container import open_services
from projections.lists.lobby_pages import HOST, LobbyFilter, lobby_page


def read_page(config: Config, query: Mapping[str, Any], limit: int) -> Mapping[str, Any]:
    """Return the newest games that the query selects, private ones too, with the names of their players."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        people = tuple(require_user(services.accounts, name).id for name in query.get("player", ()))
        services.followers.catch_up()
        criteria = LobbyFilter(query.get("variant"), people, query.get("status"))
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, criteria, limit, reader=HOST)
        ids = {seat["player"] for item in page["items"] for seat in item["seats"]}
        return page | {"names": services.accounts.users.names_of(ids)}
