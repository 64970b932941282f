"""If a table of commands lacks a command, its import fails with a message that names the command and the table."""

import re
from importlib import import_module, reload

import pytest

import domain.commands
from domain.commands import MakeBid, PassBid, require_every_command

MADE_UP = type("RaiseStakes", (), {})


def test_a_missing_command_is_named_with_its_table() -> None:
    with pytest.raises(TypeError, match=r"domain\.decide has no entry for PassBid"):
        require_every_command([MakeBid, PassBid], {MakeBid: ""}, "domain.decide")


@pytest.mark.parametrize(
    ("union", "place"), [("Command", "domain.decide"), ("SeatCommand", "projections.moves.json_moves")]
)
def test_a_new_command_fails_the_import_of_each_table_that_lacks_it(
    union: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(place)
    monkeypatch.setattr(domain.commands, union, getattr(domain.commands, union) | MADE_UP)
    with pytest.raises(TypeError, match=rf"{re.escape(place)} has no entry for RaiseStakes"):
        reload(module)
    monkeypatch.undo()
    reload(module)
