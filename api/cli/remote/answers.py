"""A server's answers for commands: each refusal, and each failure to reach it, as a sentence and an exit status."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.server_option import normal_url
from api.cli.remote.tokens import read_token
from api.client import NoAnswer, Refusal, Server, UnexpectedAnswer
from replay.history import NotAnExport
from replay.text.layout import sanitize

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
