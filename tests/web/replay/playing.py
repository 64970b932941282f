"""Playing a game on a server, over one connection."""

from collections.abc import Callable
from typing import Any

import httpx

from tests.api.live_server import last_move
from tests.step_limit import steps
from tests.web.table.room import Room, seat_to_move

View = dict[str, Any]
MOST_MOVES = 120


def play(room: Room, is_enough: Callable[[View], bool]) -> View:
    """Make moves of whichever seat is to move until a view is enough, and return that view."""
    spent, game = steps(MOST_MOVES), f"/games/{room.game}"
    with httpx.Client(base_url=f"{room.people[0].url}/api/v1", timeout=60) as client:
        view: View = client.get(game, headers=room.people[0].headers).json()
        while not is_enough(view) and view["status"] == "active":
            next(spent)
            seat = seat_to_move(view)
            headers = room.by_seat(seat).headers
            own = client.get(f"{game}/seats/{seat}", headers=headers).json()
            answer = client.post(f"{game}/moves", json=last_move(own), headers=headers)
            assert answer.is_success, answer.text
            view = answer.json()["view"]
    return view
