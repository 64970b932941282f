"""The budget of requests that read whole games or long lists, in units of about a hundredth of a second each.

A unit is a thousand events that are read once. What a request will cost is known before it begins: from the work that
its route declares (`api.routes.lanes`), the length of the game as the caller may see it, and the choices of strong bots
to work out again.
"""

from typing import Any, cast

from flask import Request, g

from api.http.auth import client_address
from api.http.context import current_player, current_request, current_services
from api.services.rate_limit import LimitReached

EVENTS_IN_UNIT = 1000
UNITS_OF_THOUGHT, UNITS_OF_HASH = 5, 2
"""What one choice of a strong bot costs, and one password in a line of `multiple`. Both are estimates."""
MOST_UNITS = 600
"""What one request may cost: `multiple` with ten lines, too. It's as much as a player's budget for a minute."""
SPENT_KEY = "trickbook.spent"
"""The key of the units that a request has cost so far, in a list, in its environ; a command's own requests share it."""
WINDOW_S = 60
TOO_MUCH = "This reads more of long games than one request may. Ask for fewer boards, lines or choices at a time"


def take_heavy_budget(request: Request, units: int = 1, passes: float = 0) -> None:
    """Count a heavy request. Raise LimitReached beyond the budget of its address or its player.

    If the request names a game, `charge_for_game` counts its events, `passes` times, once the caller may see them.
    """
    cast("Any", g).passes = passes
    spent: list[int] = request.environ.setdefault(SPENT_KEY, [0])
    if spent[0] + units > MOST_UNITS:
        raise LimitReached(WINDOW_S, TOO_MUCH)
    services, player = current_services(), current_player()
    services.heavy_by_address.take(client_address(request), units)
    if player is not None:
        services.heavy_by_player.take(player.id, units)
    spent[0] += units


def units_of(events: int, passes: float) -> int:
    """Return what going through that many events so often costs, beyond the first unit of a request."""
    return int(events * passes / EVENTS_IN_UNIT)


def charge_for_game(events: int) -> None:
    """Count the events of a game that a heavy request goes through; nothing if it's a light one."""
    known: Any = g
    passes, known.passes = known.get("passes", 0), 0
    if units := units_of(events, passes):
        take_heavy_budget(current_request(), units)


def charge_for_thoughts(choices: int) -> None:
    """Count choices of strong bots that are worked out again."""
    if choices:
        take_heavy_budget(current_request(), choices * UNITS_OF_THOUGHT)
