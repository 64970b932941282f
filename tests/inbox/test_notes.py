"""Entries from the accounts: questions, invitations, messages and moderation, each once and in order."""

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import Services
from api.inbox.services.outbox_follower import OutboxFollower
from api.inbox.stored.outbox import InboxNote, leave_notes
from projections.lists.inbox_pages import inbox_page
from tests.api.conftest import Caller, services_of
from tests.api.live_server import GameServer
from tests.conduct.conftest import open_court
from tests.conftest import Database
from tests.forming.tables import People

FOREVER = 10**6


@pytest.fixture
def asking(database: Database) -> Iterator[Flask]:
    """An app that asks players before they are seated."""
    config = Config(data=database.data, database_url=database.url, hashing="cheapest", limits=NO_LIMITS)
    app = create_app(config)
    with closing(services_of(app)):
        yield app


def take_notes(services: Services) -> int:
    return OutboxFollower(services.accounts.outbox, services.rows).run_once()


def entries_of(app: Flask, caller: Caller, *kinds: str) -> list[dict[str, Any]]:
    """Return the entries of these kinds in an inbox that is up to date."""
    services_of(app).followers.catch_up()
    take_notes(services_of(app))
    items: list[dict[str, Any]] = caller.get("/me/events").get_json()["items"]
    return [item for item in items if item["kind"] in kinds]


def test_players_who_are_asked_to_sit_hear_of_it(asking: Flask) -> None:
    people = People(asking)
    table = people.form("ann", "bob", "open")
    (entry,) = entries_of(asking, people["bob"], "question")
    assert (entry["game"], entry["asks"], entry["seat"]) == (table["id"], "sit", 1)
    assert (entry["board"], entry["variant"]) == (table["board"], "pitch"), "it has no game before the deal"
    assert entries_of(asking, people["ann"], "question") == []
    assert people["bob"].ask("PUT", "/me/blocks/ann", {}).status_code == 204
    people.form("ann", "bob", "open")
    assert entries_of(asking, people["bob"], "question") == [entry], "bob has blocked ann"


def test_a_player_who_is_offered_a_seat_hears_of_it(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    cat = server["cat"]
    for _ in range(2):
        offered = server["ann"].post(f"{game.path}/handovers", {"to": "cat"})
        assert offered.status_code in (200, 201), offered.text
    (entry,) = entries_of(server.app, cat, "invitation")
    assert (entry["game"], entry["seat"]) == (game.id, 0)
    assert entry["offer"] in cat.get("/me/handovers").text
    assert server["eve"].ask("PUT", "/me/blocks/bob", {}).status_code == 204
    server["bob"].post(f"{game.path}/handovers", {"to": "eve"})
    assert entries_of(server.app, server["eve"], "invitation") == [], "eve has blocked bob"


def test_the_table_hears_of_a_message_but_not_its_text(server: GameServer) -> None:
    court = open_court(server.app)
    message = court.wrote("ann", "a secret of mine")
    (entry,) = entries_of(server.app, court["bob"], "chat")
    assert (entry["game"], entry["message"], entry["to"]) == (court.game, message, "table")
    assert entry["from"] == court.id_of("ann")
    court.wrote("eve", to="watchers")
    for name in ("ann", "eve", "cat"):
        assert entries_of(server.app, court[name], "chat") == []
    assert court["bob"].ask("PUT", "/me/blocks/ann", {}).status_code in (200, 201, 204)
    court.write("ann", "are you there?")
    assert entries_of(server.app, court["bob"], "chat") == [entry]
    assert "secret" not in court["bob"].get("/me/events").text


def leave(services: Services, *players: str, count: int = 1) -> None:
    with services.accounts.database.transaction(writes=True) as transaction:
        leave_notes(
            transaction, [InboxNote(player, "chat", None, {"version": at}) for at in range(count) for player in players]
        )


def read(services: Services, player: str) -> list[tuple[int, int]]:
    """Return the numbers of a player's entries, and what the notes say."""
    with services.rows.snapshot("inbox") as reading:
        return [(row["n"], row["data"]["version"]) for row in inbox_page(reading, player, 0, FOREVER).entries]


def test_followers_that_race_take_each_note_once(server: GameServer) -> None:
    services = services_of(server.app)
    leave(services, "p_1", "p_2", count=1200)
    followers = [OutboxFollower(services.accounts.outbox, services.rows) for _ in range(3)]
    threads = [threading.Thread(target=each.run_once) for each in followers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    take_notes(services)
    for player in ("p_1", "p_2"):
        assert read(services, player)[-1000:] == [(at + 1, at) for at in range(200, 1200)]


def test_notes_are_in_inboxes_that_are_rebuilt(server: GameServer) -> None:
    services = services_of(server.app)
    leave(services, "p_1", count=7)
    assert take_notes(services) == 7
    services.followers.rebuild("inbox")
    assert read(services, "p_1") == []
    assert take_notes(services) == 7
    assert read(services, "p_1") == [(at + 1, at) for at in range(7)]


def test_an_erased_player_leaves_no_notes(server: GameServer) -> None:
    services = services_of(server.app)
    leave(services, "p_1", "p_2")
    services.accounts.erasures.erase("p_1")
    assert [each.note.player for each in services.accounts.outbox.after(0, 10)] == ["p_2"]
