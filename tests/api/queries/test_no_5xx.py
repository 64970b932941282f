"""No question about a game gives a 5xx, and no question changes its log."""

from typing import Any
from urllib.parse import urlencode

from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Caller, services_of
from tests.api.http.test_no_5xx import ask, moves, texts, values
from tests.api.queries.test_bytes import Live

PATHS = [
    "replay", "legal", "revokes", "draws", "score", "clock", "sight", "commits", "compare", "hands/1/deal",
    "hands/2/deal", "branches", "hands/1/choices", "hint",
]  # fmt: skip
KEYS = st.sampled_from(["at", "seat", "hand", "move", "from", "to", "size", "root"])
numbers = st.integers(-2, 80).map(str)
likely = st.sampled_from(["{", '{"type":"pass"}', "ad", "ab" * 32])
queries = st.dictionaries(KEYS, numbers | texts | likely, max_size=3)
bodies = st.fixed_dictionaries(
    {},
    optional={
        "at": st.integers(-1, 80) | values,
        "moves": st.lists(moves | texts | st.sampled_from(["pass", "2", "0:ad", "undo"]), max_size=4) | values,
        "bots": st.sampled_from(["simple", "random", None]) | values,
        "hands": st.integers(0, 4) | values,
        "seat": st.integers(-1, 5) | values,
    },
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(PATHS), query=queries, body=bodies | values, branches=st.booleans())
def test_no_question_is_a_5xx(app: Flask, path: str, query: dict[str, str], body: Any, branches: bool) -> None:
    live = played(app)
    who = live.people[max(live.people)]
    before = log(app, live)
    if branches:
        ask(who, "POST", f"{live.path}/branches", json=body)
    else:
        ask(who, "GET", f"{live.path}/{path}", query_string=urlencode(query, errors="surrogatepass"))
    assert log(app, live) == before


def played(app: Flask) -> Live:
    """A game with a scored hand and one in play, which stays the same for the life of the server."""
    if "live" not in app.extensions:
        app.extensions["live"] = Live(Caller(app.test_client()), "setback")
        app.extensions["live"].plays(14)
    found: Live = app.extensions["live"]
    return found


def log(app: Flask, live: Live) -> list[bytes]:
    """Return the events as stored."""
    return [entry.stored for entry in services_of(app).games.entries(live.path.removeprefix("/games/"))]
