"""The source that a command reads: a server (`--server`, TRICKBOOK_SERVER), or the store on this machine."""

from pathlib import Path

from api.cli.common.config import load_config
from api.cli.common.server_option import selected_server
from api.cli.sources.interface import GameSource


def open_source(data: Path | None) -> GameSource:
    """Return the server that `--server` or TRICKBOOK_SERVER names, otherwise the store in `data` or TRICKBOOK_DATA."""
    server = selected_server(data)
    if server is None:
        from api.cli.sources.store_source import StoredSource  # late: a remote player needs no database's driver

        return StoredSource(load_config(data))
    from api.cli.remote.source import RemoteSource  # late: a file or a store needs no client

    return RemoteSource(server)
