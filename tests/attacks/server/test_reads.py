"""Attacks by reading: other sites, caches and crawlers send GET, and nothing changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from api.app import API
from api.pages import html
from api.tables.stored.rulebooks import RulebookStatus
from replay.history import export_bytes
from tests.api.conftest import Caller, services_of
from tests.api.live_server import GameServer, open_server
from tests.attacks.running import Target, readable, routes
from tests.conduct.conftest import moderator
from tests.conftest import Database
from tests.replay.playing import long

FOREIGN = {"Origin": "https://evil.example", "Referer": "https://evil.example/", "Sec-Fetch-Site": "cross-site"}
REFUSED, RULES = "0" * 64, '{"rules": {}, "by_players": {}}'
SELECT_TABLES = """SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"""


@pytest.fixture
def served(database: Database) -> Iterator[GameServer]:
    """A server on each store in turn, with a game that has a scored hand, a dispute, and an arbiter."""
    with open_server(database.data, database.url) as server:
        game = server.open(["ann", "bob", "bot:simple"], options={"win": 21})
        game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
        dispute = {"hand": 1, "kind": "score", "text": "not so"}
        assert game.seats[0].post(f"{game.path}/disputes", dispute).status_code == 201
        server.role("rhea", "arbiter")
        books = services_of(server.app).accounts.rulebooks
        books.add(REFUSED, RULES, "Ours", "", "p_0")
        books.finish(REFUSED, RulebookStatus.REFUSED, 1, "It went wrong.", export_bytes(long(1)).decode())
        server.follow()
        yield server


def rows_of(database: Database) -> dict[str, list[str]]:
    """Return the rows of every table in every store."""
    if database.url is None:
        return {f"{path.name}.{name}": rows for path in sorted(database.data.glob("*.db"))
                for name, rows in _sqlite_rows(str(path))}  # fmt: skip
    with psycopg.connect(database.url) as connection:
        tables = connection.execute(SELECT_TABLES).fetchall()
        return {f"{schema}.{name}": sorted(map(repr, connection.execute(f'TABLE "{schema}"."{name}"').fetchall()))
                for schema, name in tables}  # fmt: skip


def _sqlite_rows(path: str) -> list[tuple[str, list[str]]]:
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [(name, sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))) for name in names]


def test_attack_98_no_get_of_any_route_writes_a_row(served: GameServer, database: Database) -> None:
    callers: list[Caller] = [served.nobody, served["ann"], served["bob"], served["rhea"]]
    assert served["mod"].token
    callers.append(moderator(served.app, "mod"))
    own = waiting_table(served["ann"])
    before = rows_of(database)
    assert sum(map(len, before.values())) > 50
    answered = set()
    for path in routes("GET"):
        for caller in callers:
            address = readable(own.get(path, path))
            answer = caller.client.get(address, headers=authorization(caller) | FOREIGN)
            assert answer.status_code < 500, (path, answer.text)
            head = caller.client.head(address, headers=authorization(caller))
            head.close()
            if 200 in (answer.status_code, head.status_code):  # metrics aren't for pages of other sites
                answered.add(path)
    assert set(routes("GET")) - answered == set()
    assert rows_of(database) == before


def waiting_table(opener: Caller) -> dict[str, str]:
    """Form a table with an invitation, and return addresses of it and of players, by those of `routes`."""
    table = opener.post("/games", {"variant": "pitch", "seats": ["ann", "invite"]}).get_json()
    seats = {"variant": "pitch", "seats": ["ann", "bot:simple"]}
    practice = opener.post("/games", seats | {"undo": "practice"}).get_json()
    made = opener.post(f"/games/{table['id']}/invitations", {}).get_json()
    rulebook = f"{API}/rulebooks/{REFUSED}"
    return {
        f"{API}/games/1/invitations": f"{API}/games/{table['id']}/invitations",
        f"{API}/invitations/1": made["path"],
        f"{API}/rulebooks/1": rulebook,
        f"{API}/rulebooks/1/game": f"{rulebook}/game",
        f"{API}/games/1/hint": f"{API}/games/{practice['id']}/hint",
        f"{API}/standings": f"{API}/standings?variant=pitch",
        f"{API}/ratings": f"{API}/ratings?variant=pitch",
        f"{API}/ratings/changes": f"{API}/ratings/changes?variant=pitch",
        f"{API}/players/1/ratings": f"{API}/players/ann/ratings",
        f"{API}/players/1/history": f"{API}/players/ann/history",
        f"{API}/players/1/standings": f"{API}/players/ann/standings",
        f"{API}/players/1/against/1": f"{API}/players/ann/against/bob",
    }


def authorization(caller: Caller) -> dict[str, str]:
    return {} if caller.token is None else {"Authorization": f"Bearer {caller.token}"}


def test_attack_75_no_answer_may_be_stored_by_a_cache(target: Target) -> None:
    token = {"Authorization": f"Bearer {target.server['ann'].token}"}
    for path in routes("GET"):
        for sent in (token, {}, {"Accept": "image/png"}):
            headers = target.send("GET", readable(path), sent).headers
            stored = "no-store" if path.startswith(API) else "no-cache"  # pages, which are the same for everybody
            assert headers["Cache-Control"] in {stored, "no-store"}, path
            assert path.startswith("/static/") or "Authorization" in headers["Vary"], path
            assert "Last-Modified" not in headers, path
            assert "Set-Cookie" not in headers, path


def test_attack_184_pages_of_tables_that_nobody_knows_are_made_from_one(
    served: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To put a page together takes many times as long as to answer with it."""
    made = list[str]()

    def scripts_of(module: str) -> list[str]:
        made.append(module)
        return []

    monkeypatch.setattr(html, "scripts_of", scripts_of)
    html._loading.cache_clear()
    for board in range(1001, 1101):
        page = served.nobody.client.get(f"/games/{board}", headers={"Accept": "text/html"})
        assert f'href="/api/v1/games/{board}"' in page.text
    assert len(made) == 1
    html._loading.cache_clear()
