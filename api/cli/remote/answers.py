"""The servers that a player has logged in to: their tokens, and their answers for commands.

Each refusal, and each failure to reach a server, is a sentence and an exit status. Tokens are in a file that only the
player can read: `~/.config/trickbook/tokens.json`.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.server_option import normal_url
from api.client import NoAnswer, Refusal, Server, UnexpectedAnswer
from replay.history import NotAnExport
from replay.text.layout import sanitize

FOLDER_VARIABLE = "XDG_CONFIG_HOME"
OPEN_TO_OTHERS = "{path}: Other users can read your tokens in this file. Run `chmod 600 {path}`."


def tokens_file() -> Path:
    """Return the path of the file; XDG_CONFIG_HOME counts if it's an absolute path."""
    named = Path(os.environ.get(FOLDER_VARIABLE, ""))
    folder = named if named.is_absolute() else Path.home() / ".config"
    return folder / "trickbook" / "tokens.json"


def read_token(url: str) -> str | None:
    """Return the token for a server, or None."""
    return _read().get(normal_url(url))


def keep_token(url: str, token: str | None) -> None:
    """Keep the token for a server, or forget it."""
    kept = {name: each for name, each in _read().items() if name != normal_url(url)}
    _write(kept if token is None else kept | {normal_url(url): token})


def _read() -> dict[str, str]:
    path = tokens_file()
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise CannotAnswer(OPEN_TO_OTHERS.format(path=path))
            kept = json.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CannotAnswer(f"{path}: {error.strerror}.") from None
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or not all(isinstance(each, str) for each in kept.values()):
        raise CannotAnswer(f"{path}: This isn't a file of tokens. Remove it, and log in again.")
    return kept


def _write(tokens: Mapping[str, str]) -> None:
    path = tokens_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(dict(tokens), file, indent=1)
        draft.replace(path)
    except OSError as error:
        raise CannotAnswer(f"{error.filename or path}: {error.strerror}.") from None


PATIENCE_S = 3.0
"""How long commands ask again; a person waits for them."""
LOG_IN = "Log in with `trickbook --server {url} login NAME`."
CHECK_URL = "Check the URL, and that the server runs."
MISSING_PART = "a part of its answer is missing. It may be of another version."
NEEDS_LOGIN = "{url} answers this only to players. "
TOKEN_ENDED = "Your token for {url} isn't valid: it has expired, or it was ended. "


class CorruptOnServer(click.ClickException):
    """The log of a game on the server isn't the one that was written; exit code 1."""

    exit_code = 1


@contextmanager
def open_server(url: str, what: str) -> Iterator[Server]:
    """Yield the server with the player's token; end the command with a sentence if it refuses or doesn't answer.

    `what` is what the command is about, such as a game.
    """
    try:
        server = Server(normal_url(url), read_token(url), patience_s=PATIENCE_S)
    except ValueError as error:
        raise CannotAnswer(str(error)) from None
    with server, exit_on_refusals(server, what):
        yield server


@contextmanager
def exit_on_refusals(server: Server, what: str) -> Iterator[None]:
    """Raise CannotAnswer with a sentence for each exception of the client."""
    try:
        yield
    except NoAnswer as error:
        raise CannotAnswer(f"{error} {CHECK_URL}") from None
    except UnexpectedAnswer as error:
        raise CannotAnswer(sanitize(str(error))) from None
    except NotAnExport as error:
        raise CannotAnswer(f"{server.url} doesn't answer as a trickbook server does: {error}.") from None
    except (KeyError, IndexError, TypeError) as error:
        raise CannotAnswer(f"{server.url} doesn't answer as a trickbook server does: {MISSING_PART}") from error
    except Refusal as refusal:
        raise _error_of(refusal, server, what) from None


def _error_of(refusal: Refusal, server: Server, what: str) -> click.ClickException:
    if refusal.type == "unauthorized":
        reason = NEEDS_LOGIN if server.token is None else TOKEN_ENDED
        return CannotAnswer((reason + LOG_IN).format(url=server.url))
    sentence = sanitize(f"{what}: {refusal.detail}")  # a server may send anything
    return CorruptOnServer(sentence) if refusal.type == "corrupt-log" else CannotAnswer(sentence)
