"""A task that fails is noted, with the reason in words, and nothing stops its loop."""

import logging
import sqlite3

import pytest

from projections.followers.troubles import TroubleLog

LOGGER = logging.getLogger("trickbook.test")


class Closed(Exception):
    """The task can't go on now."""


def fail() -> None:
    raise Closed


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Closed("the store is closed"), "the store is closed"),
        (sqlite3.OperationalError("disk I/O error"), "disk I/O error"),
        (KeyError("seat"), "KeyError"),
    ],
)
def test_an_attempt_notes_why_the_task_failed(error: Exception, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    trouble = TroubleLog(LOGGER, "counting")
    for _ in range(2):
        with trouble.attempt(Closed):
            raise error
    assert trouble.reason == reason
    assert caplog.messages[0] == f"counting failed and will be tried again: {reason}"
    assert [record.exc_info is not None for record in caplog.records].count(True) == isinstance(error, KeyError)


def test_a_task_that_works_again_has_no_trouble(caplog: pytest.LogCaptureFixture) -> None:
    trouble = TroubleLog(LOGGER, "counting")
    with trouble.attempt():
        fail()
    with trouble.attempt():
        pass
    assert (trouble.reason, trouble.pause_s) == (None, 0.0)
    assert caplog.messages[-1] == "counting works again"
