"""The tables of docs/security.md about what requests cost, from what routes and command lines declare.

`tests/api/http/test_costs.py` counts the events that are read, and fails if a route or a line reads more.
"""

from collections.abc import Iterator

from werkzeug.routing import Rule

from api.app import API
from api.budgets import MOST_UNITS, UNITS_OF_THOUGHT, units_of
from api.config import Config
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, Command
from api.lines.routes import lane_of_text
from api.web.costs import MAX_LIGHT_PAGE
from domain.store.aggregate import CHECKPOINT_ENTRIES
from tests.generators.events_page import table
from tests.routes import ROUTED_APP, ROUTES

LONGEST = Config().game_events
TITLE = "What requests cost"
INTRO = f"""\
A request's reads are known before it runs, and taken from the [budget](http.md#what-applies-to-every-request) of
its address and its player. A unit is a thousand events that are read once. The events are those of the longest game
there can be, with {LONGEST:,} events (`game_events`). A test of a long game counts what each route and line
reads.
"""
OTHERS = f"""\
Every other route about a game is `light` and reads at most {MAX_LIGHT_PAGE + CHECKPOINT_ENTRIES} events of a game that
the server has in memory. The first to ask for a game reads it whole, in turns with all others. A choice of a strong bot
that is explained, and a hint, cost {UNITS_OF_THOUGHT} units. Log-ins hash one password, in other processes.
"""
LINES = f"""\
A command line costs what its requests cost. One request, such as `multiple`, costs at most {MOST_UNITS} units. `login`
hashes a password at a low priority; `light` lines read as little as light routes.
"""


def cost_tables() -> Iterator[str]:
    """Yield the part about costs, line by line."""
    yield from (f"## {TITLE}", "", *INTRO.splitlines(), "")
    yield from table(("route", "lane", "events read", "units"), _routes())
    yield from (*OTHERS.splitlines(), "", *LINES.splitlines(), "")
    yield from table(("line", "lane with a token", "lane without"), _lines())


def _routes() -> Iterator[tuple[object, ...]]:
    for rule in sorted(ROUTED_APP.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        declared = ROUTES[rule.endpoint]
        if declared.passes:
            lane = declared.lane if isinstance(declared.lane, str) else "heavy, or light for a page"
            units = 1 + units_of(LONGEST, declared.passes)
            yield f"`{_method(rule)} {_path(rule)}`", lane, declared.reads * LONGEST, units


def _method(rule: Rule) -> str:
    return min((rule.methods or {"GET"}) - {"HEAD", "OPTIONS"})


def _path(rule: Rule) -> str:
    parts = (each.rpartition(":")[2].rstrip(">") if each.startswith("<") else each for each in rule.rule.split("/"))
    named = {"reference": "{game}", "hand": "{hand}"}
    return "/".join(named.get(part, part) for part in parts).removeprefix(API)


def _lines() -> Iterator[tuple[object, ...]]:
    for command in SERVER_COMMANDS.values():
        yield f"`{command.name}`", *_lanes(command, "")
    for command in GAME_COMMANDS.values():
        yield f"`pitch {command.name}`", *_lanes(command, "pitch ")
    yield (
        "`pitch show 1#7`, `pitch show 1 2`",
        *(lane_of_text("pitch show 1#7", has_token=has) for has in (True, False)),
    )


def _lanes(command: Command, before: str) -> tuple[str, str]:
    line = f"{before}{command.name} 1"
    return lane_of_text(line, has_token=True), lane_of_text(line, has_token=False)
