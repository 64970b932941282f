"""A view after an event, byte for byte as the API answered it then."""

import msgspec

from projections.views.audience import Viewer
from projections.views.seat import View
from replay.history import History
from replay.history.steps import view_of

_encoder = msgspec.json.Encoder()


def view_bytes(history: History, viewer: Viewer, at: int | None = None) -> bytes:
    """Return the response body of `GET .../seats/{seat}`, or of the public view, after event `at`.

    `names` come from the history's header, everything else from the log. Raise NotShown as `view_of` does.
    """
    view = view_of(history, viewer, at)
    return _encoder.encode(view | {"names": view_names(history, view)}) + b"\n"


def view_names(history: History, view: View) -> dict[str, str]:
    """Return the `names` of a view: each player's name, or their id if the name is unknown."""
    ids = [each["player"] for each in view["seats"]]
    return {player: history.header.players.get(player, player) for player in ids}
