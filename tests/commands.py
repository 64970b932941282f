"""The program's commands, run in this process."""

from click.testing import CliRunner, Result

from api.cli.main import main
from api.config import Config

BARE: dict[str, str | None] = {"TRICKBOOK_DATA": None, "TRICKBOOK_DATABASE_URL": None, "TRICKBOOK_CIPHER_KEY": None}


def run(*arguments: str, at: Config | None = None, given: bytes | None = None) -> Result:
    """Run a command with the server's folders in the environment and `given` as standard input."""
    environ = dict(BARE)
    if at is not None:
        environ |= {"TRICKBOOK_DATA": str(at.data), "TRICKBOOK_DATABASE_URL": at.database_url}
        environ["TRICKBOOK_CIPHER_KEY"] = at.cipher_key
    return CliRunner().invoke(main, arguments, input=given, env=environ, catch_exceptions=False)
