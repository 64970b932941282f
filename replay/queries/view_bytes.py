"""What a seat, or everybody, was shown at a step, byte for byte as the API answered it at that moment."""

import msgspec

from projections.views.audience import Viewer
from projections.views.seat import View
from replay.history import History
from replay.history.steps import view_of

_encoder = msgspec.json.Encoder()


def view_bytes(history: History, viewer: Viewer, at: int | None = None) -> bytes:
    """The body of the answer to `GET .../seats/{seat}`, or of the public view, when the game stood at event `at`.

    All but `names` is told by the log; names are those of the history. Refuses as `view_of` does.
    """
    view = view_of(history, viewer, at)
    return _encoder.encode(view | {"names": view_names(history, view)}) + b"\n"


def view_names(history: History, view: View) -> dict[str, str]:
    """What stands as `names` beside a view: a name, or the id where there is none, for each player by seat."""
    ids = [each["player"] for each in view["seats"]]
    return {player: history.header.players.get(player, player) for player in ids}
