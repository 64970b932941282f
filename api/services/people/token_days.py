"""Writes on which day each token was last used, in batches: a read writes no row itself."""

import logging
import threading

from api.accounts.tokens import Tokens
from projections.storage.database import DATABASE_ERRORS, describe_error

LOG = logging.getLogger("trickbook.people")
PAUSE_S = 60.0


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
