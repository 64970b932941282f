"""Writes on which day each token was last used, in batches: a read writes no row itself."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from api.monitoring.log_watch import background
from api.people.stored.tokens import Tokens
from domain.store.sql.database import DATABASE_ERRORS, describe_error

LOG = logging.getLogger("trickbook.people")
PAUSE_S = 60.0
TIMEOUT_S = 5.0


@contextmanager
def token_days(tokens: Tokens) -> Iterator[None]:
    """Write in a thread of its own when tokens were last used; what is left is written at the end."""
    with background(partial(write_token_days, tokens), "token-days", TIMEOUT_S):
        yield


def write_token_days(tokens: Tokens, stop: threading.Event) -> None:
    """Write every minute until `stop`, and once more then. Days that can't be written are lost."""
    while True:
        stopped = stop.wait(PAUSE_S)
        try:
            tokens.write_days()
        except DATABASE_ERRORS as error:
            LOG.warning("the days of tokens weren't written: %s", describe_error(error))
        if stopped:
            return
