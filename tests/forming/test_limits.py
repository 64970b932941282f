"""Limits on what one player can do to others before a deal."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import Limits, Rate
from api.limits import LimitStorage
from domain.store.sql.breaker import Timeouts
from tests.api.conftest import Caller, MakeApp, check_problem, services_of
from tests.conftest import Database
from tests.forming.tables import People

WIDE = Limits(claims=Rate(3, 600))
MIDWAY = 1_795_588_500.0
"""Seconds since 1970, in the middle of an hour and of ten minutes: windows begin on the hour."""


@pytest.fixture
def limited(database: Database, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> People:
    """A server with low limits, for which time stands still."""

    def stopped(data: Path, url: str | None, _clock: Callable[[], float], _timeouts: Timeouts) -> LimitStorage:
        return LimitStorage(data, url, lambda: MIDWAY)

    monkeypatch.setattr("api.container.LimitStorage", stopped)
    config = Config(
        data=database.data, database_url=database.url, hashing="cheapest", limits=WIDE, forming_tables=3,
        hourly_questions=4, table_invitations=2,
    )  # fmt: skip
    return People(make_app(config))


def test_a_player_has_a_limited_number_of_forming_tables(limited: People) -> None:
    tables = [limited.form("ann", "open") for _ in range(3)]
    refused = check_problem(limited.open("ann", "open"), 409, "too-many")
    assert "3 forming tables" in str(refused["detail"])
    limited["ann"].delete(f"/games/{tables[0]['id']}")
    assert limited.form("ann", "open")["board"] == 4


def test_a_player_asks_a_limited_number_of_others_in_an_hour(limited: People) -> None:
    limited.form("ann", "bob", "cat")
    limited.form("ann", "bob", "cat")
    refused = limited.open("ann", "dan")
    check_problem(refused, 429, "too-many-requests")
    assert int(refused.headers["Retry-After"]) > 60


def test_what_a_player_does_to_others_is_limited_across_servers(
    limited: People, database: Database, make_app: MakeApp
) -> None:
    config = services_of(limited.app).config
    other = People(make_app(config), limited.callers)
    limited.form("ann", "bob", "cat")
    there = Caller(other.app.test_client(), limited["ann"].token)
    seats = {"variant": "pitch", "seats": ["ann", "bob", "cat"]}
    assert there.post("/games", seats).status_code == 201
    check_problem(there.post("/games", seats), 429, "too-many-requests")
    check_problem(limited.open("ann", "dan"), 429, "too-many-requests")


def test_a_player_asks_somebody_who_does_not_answer_only_five_times(database: Database, make_app: MakeApp) -> None:
    config = Config(data=database.data, database_url=database.url, hashing="cheapest")
    people = People(make_app(config))
    tables = [people.form("ann", "bob") for _ in range(5)]
    check_problem(people.open("ann", "bob"), 409, "too-many")
    people["bob"].delete(f"/games/{tables[0]['id']}/seats/current")
    assert people.form("ann", "bob")


def test_a_table_has_a_limited_number_of_invitations(limited: People) -> None:
    table = limited.form("ann", "invite")
    made = [limited.invitation("ann", table) for _ in range(2)]
    check_problem(limited["ann"].post(f"/games/{table['id']}/invitations", {}), 409, "too-many")
    limited["ann"].delete(f"/games/{table['id']}/invitations/{made[0]['id']}")
    assert limited.invitation("ann", table)


def test_a_player_claims_a_limited_number_of_seats(limited: People) -> None:
    table = limited.form("ann", "open", "open")
    for _ in range(3):
        assert limited.claim("bob", table).status_code == 201
    check_problem(limited.claim("bob", table), 429, "too-many-requests")


def test_a_forming_table_counts_as_an_unfinished_game_until_it_ends(database: Database, make_app: MakeApp) -> None:
    config = Config(data=database.data, database_url=database.url, hashing="cheapest")
    people = People(make_app(replace(config, unfinished_games=1)))
    services = services_of(people.app)
    table = people.form("ann", "open")
    services.accounts.database.run("UPDATE openings SET opened = 1")  # long ago: without a table it would be abandoned
    check_problem(people.open("ann", "bot:simple"), 409, "too-many")
    people["ann"].delete(f"/games/{table['id']}")
    assert people.open("ann", "bot:simple").status_code == 201
