"""Command lines that write tables of their own, on each store."""

import pytest
from flask import Flask

from tests.api.conftest import services_of
from tests.command_lines.players import challenge, mover, people, play_queued


@pytest.mark.both_stores
def test_lines_keep_moves_settings_and_messages_on_each_store(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    first = mover([ann, bob], board)
    second = bob if first is ann else ann
    second.done(f"pitch queue {board} 3")
    assert "empty" in second.done(f"pitch queue {board} off")["text"]
    assert "Nothing is queued" in second.done(f"pitch queue {board} off")["text"]
    second.done(f"pitch queue {board} 3")
    first.done(f"pitch submit {board} 2")
    first.done(f"pitch confirm {board}")
    assert play_queued(services_of(app)) == 1
    assert "passwords on" in ann.done("set passwords on")["text"]
    ann.done("message bob: good luck")
    assert "good luck" in bob.done("message")["text"]
