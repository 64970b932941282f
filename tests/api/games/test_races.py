"""Rulings and moves at the same time: one of each is stored."""

from typing import Any

from tests.api.conftest import Caller, services_of
from tests.api.live_server import GameServer, data_of, last_move
from tests.simultaneous import at_once

RULING: dict[str, Any] = {"decision": "none", "basis": None, "standard": "likely", "text": "x"}


def same_player(server: GameServer, caller: Caller) -> Caller:
    """Return a caller for the same player on another machine."""
    return Caller(server.app.test_client(), caller.token)


def post_simultaneously(
    server: GameServer, caller: Caller, path: str, bodies: list[dict[str, Any]], **headers: str
) -> list[int]:
    """Post all bodies at the same time, and return the statuses."""
    asked = [lambda body=body: same_player(server, caller).post(path, body, **headers) for body in bodies]
    answers = at_once(*asked)
    assert all(answer.status_code < 500 or answer.status_code == 503 for answer in answers)
    return sorted(answer.status_code for answer in answers)


def test_of_simultaneous_rulings_one_is_stored(server: GameServer) -> None:
    """Post eight disputes by one seat, then eight rulings, appeals and decisions: one of each is stored."""
    game = server.open(["ann", "bob"], options={"win": 21})
    game.play_hand()
    bodies = [{"hand": 1, "kind": "score", "text": f"{i}"} for i in range(8)]
    statuses = post_simultaneously(server, game.seats[0], f"{game.path}/disputes", bodies)
    assert statuses.count(201) == 1
    rulings = [RULING | {"decision": "adjust", "changes": [i + 1, 0]} for i in range(8)]
    asked = [
        lambda body=body, name=name: same_player(server, server[name]).post(f"{game.path}/disputes/1/ruling", body)
        for body, name in zip(rulings, ["rhea", "sol"] * 4, strict=True)
    ]
    assert sorted(answer.status_code for answer in at_once(*asked)).count(201) == 1
    appeals = post_simultaneously(server, game.seats[1], f"{game.path}/disputes/1/appeal", [{"text": "x"}] * 6)
    assert appeals.count(201) == 1
    decisions = [{"decision": decision, "text": "x"} for decision in ("upheld", "reversed") * 3]
    by = data_of(game.read().events, "RulingGiven")
    assert len(by) == 1
    statuses = [
        status
        for name in ("rhea", "sol")
        for status in post_simultaneously(server, server[name], f"{game.path}/disputes/1/decision", decisions)
    ]
    assert statuses.count(201) == 1
    facts = [e["fact"] for e in game.read().events if "dispute" in e["data"]]
    assert facts == ["DisputeOpened", "RulingGiven", "RulingAppealed", "RulingDecided"]
    texts = services_of(server.app).accounts.database.run("SELECT COUNT(*) FROM texts WHERE game = ?", game.id)
    assert texts == [(4,)], "one of each act"


def test_a_void_and_a_simultaneous_move_leave_one_history(server: GameServer) -> None:
    """The log is valid and the audit finds nothing, whichever comes first."""
    game = server.open(["ann", "bob"], options={"win": 21})
    assert game.seats[0].post(f"{game.path}/disputes", {"hand": 1, "kind": "deal", "text": "x"}).status_code == 201
    seat = game.public["turn"]["seats"][0]
    move = last_move(game.view(seat))
    ruling = RULING | {"decision": "void"}
    answers = at_once(
        lambda: same_player(server, server["rhea"]).post(f"{game.path}/disputes/1/ruling", ruling),
        *[lambda: same_player(server, game.seats[seat]).post(f"{game.path}/moves", move, Idempotency_Key="k")] * 4,
    )
    assert answers[0].status_code == 201
    assert {answer.status_code for answer in answers} <= {201, 409, 503}
    assert game.public["hand"]["redeal"] == 1
    game.finish()
    assert server.command("game", "audit", game.id).exit_code == 0
