"""Ctrl-C at a terminal without a full screen."""

import signal
from collections.abc import Iterator

import pytest

from api.cli.terminal.command import LineReader


@pytest.fixture
def reader() -> Iterator[LineReader]:
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield LineReader()
    finally:
        signal.signal(signal.SIGINT, handler)


def test_an_interrupt_while_a_command_runs_counts_at_the_next_line(reader: LineReader) -> None:
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        reader.read()


def test_a_second_interrupt_ends_a_command_that_does_not_end(reader: LineReader) -> None:
    del reader  # the fixture has changed what Ctrl-C does
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_counts_once(reader: LineReader) -> None:
    for _ in range(2):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            reader.read()
