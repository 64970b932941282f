"""The server that commands read instead of the store on this machine: `trickbook --server URL`, or TRICKBOOK_SERVER."""

from pathlib import Path

import click
from click.core import ParameterSource

SERVER_VARIABLE = "TRICKBOOK_SERVER"
LOCAL_ONLY = "This command works on a server's own files. Run it on the server's machine, without --server."

server_option = click.option(
    "--server", metavar="URL", envvar=SERVER_VARIABLE, help="Read games from this server instead [TRICKBOOK_SERVER]."
)


def selected_server(data: Path | None) -> str | None:
    """Return the URL of the server to read, in one spelling, or None for the store on this machine.

    The command's own `--data` outweighs TRICKBOOK_SERVER; next to `--server` it's a usage error. Raise CannotAnswer for
    a text that isn't the URL of a server.
    """
    if data is not None:
        if is_server_named():
            raise click.UsageError("Give either --server or --data, but not both.")
        return None
    server: str | None = _root().params.get("server") if _has_context() else None
    if not server:
        return None
    from api.cli.remote.tokens import normal_url

    return normal_url(server)


def is_server_named() -> bool:
    """Return whether the command line has `--server`; TRICKBOOK_SERVER alone doesn't count."""
    return _has_context() and _root().get_parameter_source("server") is ParameterSource.COMMANDLINE


def _has_context() -> bool:
    return click.get_current_context(silent=True) is not None


def _root() -> click.Context:
    return click.get_current_context().find_root()
