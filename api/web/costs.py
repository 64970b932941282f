"""The cost that a request may have, and so which part of the server runs it: dear requests never delay cheap ones.

`light` runs in one thread of the request process (`api.server.batch_lane`). All others run in other processes, at
a lower priority: `login` hashes passwords, `waiting` has lists that wait until they include a position or that are
long, `heavy` reads whole games or long lists, and `export` has downloads without an end in sight. Every route
declares its lane, by name or by one of these functions, and how much it reads of a game (`api.web.route`);
`api.lines.routes` does that for command lines.
"""

import re
from collections.abc import Callable
from typing import Literal
from urllib.parse import unquote_plus

Lane = Literal["light", "login", "waiting", "heavy", "export"]
LANE_KEY = "trickbook.lane"
"""The key in the environ of the lane that a request runs in; missing where a server has no lanes."""
ChooseLane = Callable[[str, str], Lane]
"""Takes the query string and the Accept header as sent."""

MAX_LIGHT_PAGE = 100
MAX_LIGHT_QUERY = 4096
"""A longer query, which no client needs, is heavy: decoding it takes time in the one event loop."""
EVENT_STREAM = "text/event-stream"
WAIT = re.compile("(?:^|&)wait=")
LIMIT = re.compile(r"(?:^|&)limit=([0-9]{1,9})(?=&|$)")


def by_page_size(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a page of over `MAX_LIGHT_PAGE` items, however the query is percent-encoded."""
    limits = LIMIT.findall(unquote_plus(query_string))
    return "heavy" if any(int(limit) > MAX_LIGHT_PAGE for limit in limits) else "light"


def by_events(query_string: str, accept: str) -> Lane:
    """Return `light` for an event stream, a small page or a wait, `heavy` for the rest of a log, which may be long.

    A stream is what a client gets that accepts nothing else. A request that waits holds no thread meanwhile.
    """
    if accept.strip().lower() == EVENT_STREAM or WAIT.search(unquote_plus(query_string)):
        return "light"
    return by_page_size(query_string) if LIMIT.search(unquote_plus(query_string)) else "heavy"


def by_wait(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a large page, otherwise `waiting` for a list that waits for a position."""
    lane = by_page_size(query_string)
    return "waiting" if lane == "light" and WAIT.search(unquote_plus(query_string)) else lane


BUDGETED = frozenset[Lane](("waiting", "heavy", "export"))
"""The lanes whose requests count against a budget of their address and their player."""
