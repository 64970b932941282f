"""Tables of stored games as messages, as a server would send them."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from api.cli.terminal.model import ChatArrival, EventArrival, TerminalModel, ViewArrival
from replay.history import read_export
from replay.history.steps import view_of

STORED = Path(__file__).parents[1] / "stored" / "v1"
NOW = datetime(2026, 11, 21, 0, 3, tzinfo=UTC)


def stored_view(name: str, at: int | None, seat: int | None) -> dict[str, Any]:
    """Return the view of a seat in a stored game, with the names of the players."""
    history = read_export((STORED / f"{name}.ndjson").read_bytes())
    return {**json.loads(json.dumps(view_of(history, seat, at))), "names": dict(history.header.players)}


def stored_lines(name: str, until: int) -> list[Mapping[str, Any]]:
    """Return the lines of a stored game as its stream sends them."""
    rows = (STORED / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()[1:]
    lines = [json.loads(row) for row in rows]
    return [{"version": number, **line} for number, line in enumerate(lines[:until], 1) if "event" in line]


def stored_model(name: str, at: int, seat: int | None) -> TerminalModel:
    """Return a terminal at a moment of a stored game, as if it had followed the game."""
    model = TerminalModel()
    put_table(model, name, at, seat)
    return model


def put_table(model: TerminalModel, name: str, at: int, seat: int | None) -> None:
    """Put a moment of a stored game into a terminal, with all that has happened."""
    model.apply(ViewArrival(stored_view(name, at, seat)))
    for line in stored_lines(name, at):
        model.apply(EventArrival(line))


def chat_message(number: int, by: str, text: str, to: str = "table") -> ChatArrival:
    """Return a message of the chat."""
    item = {"id": f"m_{number}", "at": "2026-11-21T00:00:01.000000Z", "by": by, "to": to, "text": text}
    return ChatArrival([item | {"event": None, "erased": False}], {"p0": "ann", "p1": "bob"})
