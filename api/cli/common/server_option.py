"""The server that commands read instead of the store on this machine: `trickbook --server URL`, or TRICKBOOK_SERVER."""

from pathlib import Path

import click
from click.core import ParameterSource

SERVER_VARIABLE = "TRICKBOOK_SERVER"
LOCAL_ONLY = "This command works on a server's own files. Run it on the server's machine, without --server."


class NotAServer(click.ClickException):
    """A text isn't the URL of a server; exit code 2."""

    exit_code = 2


server_option = click.option(
    "--server", metavar="URL", envvar=SERVER_VARIABLE, help="Read games from this server instead [TRICKBOOK_SERVER]."
)


def selected_server(data: Path | None) -> str | None:
    """Return the URL of the server to read, in one spelling, or None for the store on this machine.

    The command's own `--data` outweighs TRICKBOOK_SERVER; next to `--server` it's a usage error. Raise NotAServer for a
    text that isn't the URL of one.
    """
    if data is not None:
        if is_server_named():
            raise click.UsageError("Give either --server or --data, but not both.")
        return None
    server: str | None = _root().params.get("server") if _has_context() else None
    return normal_url(server) if server else None


def normal_url(url: str) -> str:
    """Return a server's URL in one spelling: lower case, without the usual port or a slash at the end.

    Raise NotAServer for a text that isn't the URL of a server.
    """
    import httpx  # it takes long to load

    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise NotAServer(f"{url}: This isn't a URL: {error}.") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise NotAServer(f"{url}: A server's URL begins with https:// or http:// and the name of its host.")
    if parsed.query or parsed.fragment:
        raise NotAServer(f"{url}: Leave out what follows ? or #: a server's URL ends before it.")
    return str(parsed).rstrip("/")


def is_server_named() -> bool:
    """Return whether the command line has `--server`; TRICKBOOK_SERVER alone doesn't count."""
    return _has_context() and _root().get_parameter_source("server") is ParameterSource.COMMANDLINE


def _has_context() -> bool:
    return click.get_current_context(silent=True) is not None


def _root() -> click.Context:
    return click.get_current_context().find_root()
