"""`trickbook --server URL login` and `logout`: the token of a remote player."""

import socket
import sys
from urllib.parse import urlsplit

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.server_option import SERVER_VARIABLE, selected_server
from api.cli.remote.answers import exit_on_refusals, keep_token, open_server, read_token, tokens_file
from api.client import ClientError, Refusal, Server

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
