"""The part of docs/security.md about what requests cost, from what routes declare.

`tests/api/http/test_costs.py` counts the events that are read, and fails if a route reads more.
"""

from collections.abc import Iterator

from werkzeug.routing import Rule

from api.app import API
from api.caller import MOST_UNITS, UNITS_OF_THOUGHT, units_of
from api.config import Config
from api.web.route import MAX_LIGHT_PAGE
from domain.store.aggregate import CHECKPOINT_ENTRIES
from tests.generators.events_page import wrap
from tests.routes import ROUTED_APP, ROUTES

LONGEST = Config().game_events
TITLE = "What requests cost"
INTRO = f"""\
The events that a request reads are taken from the [budget](http.md#what-applies-to-every-request) of its address and
its player before it runs. A unit is a thousand events read once; these are the units of the longest game, of
{LONGEST:,} events (`game_events`).
"""
OTHERS = f"""\
Every other route about a game is light: it reads at most {MAX_LIGHT_PAGE + CHECKPOINT_ENTRIES} events of a game that
the server has in memory. A choice of a strong bot that is explained, and a hint, cost {UNITS_OF_THOUGHT} units. One
request costs at most {MOST_UNITS}. A command line costs what its requests cost. Log-ins, and lines with a password,
hash it in other processes at a low priority.
"""


def cost_tables() -> Iterator[str]:
    """Yield the part about costs, line by line."""
    yield from (f"## {TITLE}", "", *INTRO.splitlines(), "")
    routes: dict[int, list[str]] = {}
    for units, route in _routes():
        routes.setdefault(units, []).append(route)
    for units in sorted(routes):
        yield from wrap(f"* {units}: {', '.join(routes[units])}")
    yield ""
    yield from (*OTHERS.splitlines(), "")


def _routes() -> Iterator[tuple[int, str]]:
    """Yield the units of each route that reads whole games, and the route; a page of events is light."""
    for rule in sorted(ROUTED_APP.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        declared = ROUTES[rule.endpoint]
        if declared.passes:
            yield 1 + units_of(LONGEST, declared.passes), f"`{_method(rule)} {_path(rule)}`"


def _method(rule: Rule) -> str:
    return min((rule.methods or {"GET"}) - {"HEAD", "OPTIONS"})


def _path(rule: Rule) -> str:
    parts = (each.rpartition(":")[2].rstrip(">") if each.startswith("<") else each for each in rule.rule.split("/"))
    named = {"reference": "{game}", "hand": "{hand}"}
    return "/".join(named.get(part, part) for part in parts).removeprefix(API)
