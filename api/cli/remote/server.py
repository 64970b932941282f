"""The servers that a player has logged in to: log in and out, their tokens, and their answers for commands.

Each refusal, and each failure to reach a server, is a sentence and an exit status. Tokens are in a file that only the
player can read: `~/.config/trickbook/tokens.json`.
"""

import json
import os
import socket
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.server_option import SERVER_VARIABLE, normal_url, selected_server
from api.client import ClientError, NoAnswer, Refusal, Server, UnexpectedAnswer
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


NO_SERVER = f"Name the server: `trickbook --server URL {{}}`, or set {SERVER_VARIABLE}."
WRONG_LOGIN = "The name or the password is wrong."
WRONG_TOKEN = "{url} doesn't accept this token. Copy it whole, or log in with your name."
LOOPBACK = ("127.0.0.1", "::1", "localhost")
PLAIN_TEXT = "note: {url} has no https, so everybody on the way can read your password and your token."
STILL_VALID = "note: {url} doesn't answer, so the token stays valid there until it expires."


@click.command()
@click.argument("name", required=False)
@click.option("--token", "by_token", is_flag=True, help="Keep a token that you have, instead of a new one.")
@click.option("--scope", help="The scope of the token: play, play:GAME, read or moderate.  [default: play]")
@click.option("--days", type=click.IntRange(1, 366), help="For how many days it's valid.  [default: 90]")
def login(name: str | None, by_token: bool, scope: str | None, days: int | None) -> None:
    """Log in as NAME on the server of --server, for the commands after it.

    The command asks for the password, or reads a line of standard input, and keeps the token that it gets in
    ~/.config/trickbook, which nobody else can read. With --token it asks for a token instead.
    """
    url = _require_server("login")
    if by_token == (name is not None):
        raise click.UsageError("Give either a NAME, or --token.")
    with open_server(url, "login") as server:
        before, server.token = server.token, None
        _warn_of_plain_text(server.url)
        if name is None:
            who = _check_token(server, _ask("Token"))
        else:
            given = {"scope": scope, "days": days, "label": f"trickbook on {socket.gethostname()}"[:64]}
            _login(server, name, _ask("Password"), {key: each for key, each in given.items() if each is not None})
            who = name
        keep_token(url, server.token)
        _end_token(server, before)
    click.echo(f"logged in to {server.url} as {who}; the token is in {tokens_file()}", err=True)


def _warn_of_plain_text(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        click.echo(PLAIN_TEXT.format(url=url), err=True)


def _login(server: Server, name: str, password: str, fields: dict[str, object]) -> None:
    try:
        server.login(name, password, **fields)
    except Refusal as refusal:
        if refusal.type != "bad-login":
            raise
        raise CannotAnswer(WRONG_LOGIN) from None


def _check_token(server: Server, token: str) -> str:
    """Use a token, and return the name of its player."""
    server.token = token
    try:
        return str(server.me()["name"])
    except Refusal as refusal:
        if refusal.status != 401:
            raise
        raise CannotAnswer(WRONG_TOKEN.format(url=server.url)) from None


def _end_token(server: Server, token: str | None) -> None:
    """End the token that was kept before, which nothing uses any more."""
    if token is None or token == server.token:
        return
    kept, server.token = server.token, token
    try:
        server.delete("/tokens/current")
    except ClientError:
        return  # it's no longer valid, or ends when it expires
    finally:
        server.token = kept


@click.command()
def logout() -> None:
    """Log out of the server of --server: end the token there, and remove it here."""
    url = _require_server("logout")
    token = read_token(url)
    if token is None:
        raise CannotAnswer(f"You aren't logged in to {url}.")
    keep_token(url, None)
    with Server(url, token, patience_s=0) as server, exit_on_refusals(server, "logout"):
        try:
            server.logout()
        except Refusal as refusal:
            if refusal.status != 401:
                raise
        except ClientError:
            click.echo(STILL_VALID.format(url=url), err=True)
    click.echo(f"logged out of {url}", err=True)


def _require_server(command: str) -> str:
    url = selected_server(None)
    if url is None:
        raise click.UsageError(NO_SERVER.format(command))
    return url


def _ask(what: str) -> str:
    """Return a secret: typed at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt(what, hide_input=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


commands: list[click.Command] = [login, logout]
