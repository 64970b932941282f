"""A player who left a seat gets nothing new of it, and one who came gets what the seat sees (R-P13)."""

import json
from typing import Any

import pytest
from flask import Flask

from api.container import open_games
from domain.commands import AnswerHandover
from domain.events import CardsDealt
from projections.views.audience import FormerHolder, ceremonies_revealed_in, viewer_of, visible
from projections.views.seat import view_at
from tests.api.conftest import Caller, services_of
from tests.games.tables import Table
from tests.games.whole_games import FIRST
from tests.handover.games import BOT, hand_over, take_back
from tests.handover.test_http import agree, game, hand_to_eve, offer, people

__all__ = ["game", "people"]
DISPUTE = {"hand": 1, "kind": "conduct", "text": "seat 1 had a club"}


def seen(table: Table, player: str | None) -> set[int]:
    """Return the versions that a player sees now."""
    viewer, revealed = viewer_of(table.state, player), ceremonies_revealed_in(table.state)
    return {event.version for event in table.events if visible(event, viewer, revealed)}


def own_cards(table: Table, seat: int) -> list[int]:
    """Return the versions at which a seat was dealt cards."""
    return [event.version for event in table.events if isinstance(event.data, CardsDealt) and event.data.seat == seat]


def delayed_game(people: dict[str, Caller]) -> str:
    """Open a game of which spectators see nothing yet."""
    body = {"variant": "pitch", "seats": ["ann", "bob", "dan"], "watch": {"delay": 300}}
    return str(people["ann"].post("/games", body).get_json()["id"])


def lending_table(variant: str = "pitch") -> Table:
    """Return a game of which no seed is public before its end, in which seat 1 goes to p9 after the first hand."""
    table = Table(4, variant=variant, reveal="game").plays_out(hands=1)
    hand_over(table, 1)
    return table.plays_out(hands=2)


@pytest.mark.parametrize("variant", FIRST)
def test_who_left_sees_the_lines_of_their_own_time_and_nothing_new(variant: str) -> None:
    table = lending_table(variant)
    if table.state.result is not None:
        pytest.skip("the game is over, and everything is public")
    (past,) = table.state.seats[1].earlier
    leaver, spectator, holder = seen(table, past.player), seen(table, None), seen(table, "p9")
    assert leaver - spectator
    assert max(leaver - spectator) <= past.to_version
    secret = [event for event in table.events if event.seen_by is not None and 1 in event.seen_by]
    assert leaver == spectator | {event.version for event in secret if event.version <= past.to_version}
    assert holder == spectator | {event.version for event in secret}


def test_a_player_who_was_there_twice_has_two_times() -> None:
    table = lending_table()
    take_back(table, 1, "p1")
    hand_over(table, 1, BOT)
    viewer = viewer_of(table.state, "p1")
    assert isinstance(viewer, FormerHolder)
    first, _, second = table.state.seats[1].earlier
    spans = ((first.from_version, first.to_version), (second.from_version, second.to_version))
    assert (viewer.seat, viewer.spans) == (1, spans)
    assert viewer_of(table.state, "p9") == FormerHolder(1, ((first.to_version + 1, second.from_version - 1),))


def test_the_view_of_a_former_player_is_that_of_a_spectator() -> None:
    table = lending_table()
    entries, last = [entry for commit in table.commits for entry in commit], table.game.version
    viewer = viewer_of(table.state, "p1")
    for version in range(1, last + 1, 7):
        assert view_at(entries, viewer, version) == view_at(entries, None, version)


def lines_of(caller: Caller, path: str) -> dict[int, bool]:
    """Return each version of a list of events, and whether it's shown."""
    return {line["version"]: "event" in line for line in caller.get(path).get_json()["items"]}


def test_every_route_shows_a_former_player_what_a_spectator_sees_and_their_own_lines(
    app: Flask, people: dict[str, Caller], game: str
) -> None:
    dealt = [line for line in people["bob"].get(f"/games/{game}/events").get_json()["items"] if "event" in line]
    own = next(line["version"] for line in dealt if line["event"]["fact"] == "CardsDealt")
    hand_to_eve(people, game)
    spectator, path = Caller(people["ann"].client), f"/games/{game}"
    assert people["bob"].get(path).data == spectator.get(path).data
    for route in ("/replay", "/hands/1/replay"):
        assert people["bob"].get(path + route).data == spectator.get(path + route).data
    for name, sees in (("bob", {own}), ("eve", {own}), ("dan", set())):
        shown = lines_of(people[name], path + "/events")
        withheld = {version for version, is_shown in lines_of(spectator, path + "/events").items() if not is_shown}
        assert {version for version in withheld if shown[version]} & {own} == sees
    assert b"".join(_shown(people["bob"], game)) != b"".join(_shown(spectator, game))
    assert people["bob"].get(path + f"/legal?seat=1&at={own + 5}").status_code == 404
    assert people["bob"].get(path + "/hands/1/replay?seat=1").status_code == 404


def _shown(caller: Caller, game: str) -> list[bytes]:
    return [line for line in caller.get(f"/games/{game}/export").data.split(b"\n") if b'"CardsDealt"' in line]


def hand_to_eve_elsewhere(app: Flask, people: dict[str, Caller], game: str) -> None:
    """Store the last consent to a hand-over as another process does: this one still has the game as it was."""
    made = offer(people, game)
    assert people["eve"].post(f"/games/{game}/handovers/{made['id']}/accept", {}).status_code == 204
    agree(people, game, "ann")
    games = services_of(app).games
    others = open_games(services_of(app).config)
    dan = games.state(game).seats[2].player
    others.act(game, AnswerHandover(2, accept=True), by=dan, command_id="11-22")
    others.close()


def test_a_stale_server_does_not_show_or_move_a_seat_that_changed_hands(
    app: Flask, people: dict[str, Caller], game: str
) -> None:
    hand_to_eve_elsewhere(app, people, game)
    assert people["bob"].get(f"/games/{game}/seats/1").status_code == 404
    refused = people["bob"].post(f"/games/{game}/moves", {"type": "resign"})
    assert (refused.status_code, json.loads(refused.data)["type"]) == (403, "/problems/not-seated")
    assert people["eve"].get(f"/games/{game}/seats/1").status_code == 200
    found: Any = people["eve"].post(f"/games/{game}/moves", {"type": "resign"})
    assert found.status_code == 201


@pytest.mark.parametrize(("route", "body"), [("receipts", {}), ("handovers", {"to": "fay"}), ("disputes", DISPUTE)])
def test_a_stale_server_does_for_a_player_who_left_a_seat_only_what_others_may_do(
    app: Flask, people: dict[str, Caller], game: str, route: str, body: dict[str, object]
) -> None:
    """A receipt would tell how long a delayed game is, and an offer would invite somebody to a private one."""
    Caller(app.test_client()).join("fay")
    hand_to_eve_elsewhere(app, people, game)
    refused = people["bob"].post(f"/games/{game}/{route}", body)
    assert (refused.status_code, json.loads(refused.data)["type"]) == (403, "/problems/not-seated")


@pytest.mark.parametrize(("route", "body"), [("moves", {"type": "resign"}), ("disputes", DISPUTE)])
def test_a_stale_server_tells_a_player_who_left_a_seat_of_a_delayed_game_no_version(
    app: Flask, people: dict[str, Caller], route: str, body: dict[str, object]
) -> None:
    game = delayed_game(people)
    hand_to_eve_elsewhere(app, people, game)
    refused = people["bob"].post(f"/games/{game}/{route}", body, If_Match='"1"').get_json()
    assert (refused["type"], refused["version"]) == ("/problems/stale-version", 0)
    assert str(services_of(app).games.state(game).version) not in refused["detail"]


def test_a_player_who_can_take_back_no_seat_learns_no_version_from_if_match(people: dict[str, Caller]) -> None:
    game = delayed_game(people)
    hand_to_eve(people, game)
    path = f"/games/{game}/handovers/return"
    late = people["bob"].post(path, {}, If_Match='"1"').get_json()
    assert (late["type"], late["version"]) == ("/problems/stale-version", 0)
    version = people["bob"].post(path, {}).get_json()["version"]
    answers = [people["eve"].post(path, {}, If_Match=f'"{n}"').get_json() for n in (1, version, version + 1)]
    assert {answer["type"] for answer in answers} == {"/problems/no-handover"}
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.both_stores
def test_attack_157_a_repeated_request_names_nobody_who_came_later(app: Flask, people: dict[str, Caller]) -> None:
    # given a delayed game that ann opened and bob joined, and whose seats have gone on twice
    people |= {name: Caller(app.test_client()).join(name) for name in ("fay", "gus", "hal")}
    opened = {"variant": "pitch", "seats": ["ann", "open", "dan"], "watch": {"delay": 300}}
    game = people["ann"].post("/games", opened, **{"Idempotency-Key": "open"}).get_json()["id"]
    requests = {
        "ann": lambda: people["ann"].post("/games", opened, **{"Idempotency-Key": "open"}),
        "bob": lambda: people["bob"].post(f"/games/{game}/seats", {}),
    }
    first = {name: requests[name]() for name in ("bob", "ann")}
    for giver, taker, other in (
        ("ann", "eve", "bob"),
        ("bob", "fay", "eve"),
        ("eve", "gus", "fay"),
        ("fay", "hal", "gus"),
    ):
        made = offer(people, game, giver, taker)
        assert people[taker].post(f"/games/{game}/handovers/{made['id']}/accept", {}).status_code == 204
        agree(people, game, "dan", other)
    # when both repeat their requests, they see the players of then
    for name, answer in first.items():
        again = requests[name]()
        assert again.status_code == 201
        assert again.get_json()["names"] == answer.get_json()["names"]
        assert people[name].get(f"/games/{game}").status_code == 404
