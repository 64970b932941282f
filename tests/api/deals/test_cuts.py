"""Cuts: what the table shows while it waits, when it deals, and what the cuts make of the deck (docs/fairness.md)."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from api.worker import Worker
from tests.api import fairdeal_reference as fair
from tests.api.arbiters import created, give_ruling, open_dispute
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.cut_moves import OPEN, SEALED, cut_move, own_cut, send_all_cuts
from tests.api.live_server import GameServer, ServedGame, data_of, open_server, versions_of
from tests.api.past_times import clock_one_hour_late


def test_a_host_who_waits_for_cuts_may_change_rules_and_cut_in_this_order(app: Flask) -> None:
    ann = Caller(app.test_client()).join("ann")
    table = {"variant": "corellian", "seats": ["ann", *["bot:random"] * 3], "options": {"host_changes": True}}
    made = ann.post("/games", table | {"fairness": OPEN})
    view = ann.get(f"/games/{made.get_json()['id']}/seats/0").get_json()
    assert view["you"]["may"] == ["resign", "change_rules", "cut"]


def test_the_clock_deals_after_the_window_closes(app: Flask) -> None:
    here = services_of(app)
    worker = Worker(here)
    with clock_one_hour_late(app):
        table = GameServer(app, here.config).open(["ann", "bob"], fairness=OPEN)
        deadline = table.view(0)["ceremony"]["deadline"]
        assert table.move(0, cut_move(table, 0)).status_code == 201
        here.followers.catch_up()
        worker.tick()
        assert table.view(0)["phase"] == "waiting"
    worker.tick()
    assert table.view(0)["phase"] == "auction"
    dealt = next(entry.event for entry in here.games.entries(table.id) if entry.event.fact == "HandDealt")
    assert dealt.at >= deadline
    assert [source for source, _ in dealt.data.cuts] == ["0"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games, with an arbiter."""
    with open_server(tmp_path_factory.mktemp("cuts")) as opened:
        opened.role("rhea", "arbiter")
        yield opened


def test_the_commitment_comes_before_every_cut_and_the_deal_after_the_last(server: GameServer) -> None:
    game = server.open(["ann", "bob", "bot:simple"], fairness=OPEN)
    view = game.view(0)
    assert (view["phase"], view["turn"]["seats"], view["hand"]) == ("waiting", [], None)
    assert view["you"]["may"] == ["resign", "cut"]
    ceremony = view["ceremony"]
    assert (ceremony["n"], ceremony["subject"], ceremony["seals"]) == (1, "deal hand 1", {})
    assert (ceremony["waits_for"], ceremony["cuts"]) == ([0, 1], [])
    assert game.move(1, cut_move(game, 1)).status_code == 201
    waits = game.public["ceremony"]
    assert (waits["waits_for"], waits["cuts"]) == ([0], [1])
    assert "cut" not in game.view(1)["you"]["may"]
    assert game.move(0, cut_move(game, 0)).status_code == 201
    view = game.public
    assert (view["phase"], view["ceremony"], view["hand"]["grade"]) == ("auction", None, "F1")
    game.finish()
    facts = game.facts
    dealt = fair.check_deal(facts, 1)
    assert dealt["cuts"] == [["0", own_cut(0, 1).hex()], ["1", own_cut(1, 1).hex()]], "in seat order, bots do not cut"
    (opened,), (deal,) = versions_of(facts, "CeremonyOpened", 1), versions_of(facts, "HandDealt", 1)
    assert all(opened < each < deal for each in versions_of(facts, "CutOpened", 1))


def test_a_seal_stays_valid_if_a_ruling_voids_its_deal(server: GameServer) -> None:
    game = server.open(["ann", "bob"], fairness=SEALED, options={"win": 21})
    send_all_cuts(game, promise=True)
    game.play_hand()
    assert game.move(0, cut_move(game, 0, promise=True)).status_code == 201
    created(open_dispute(game, 1, hand=2))
    created(give_ruling(game, "rhea", "void"))
    waits = game.public["ceremony"]
    assert waits["seals"] == {"0": fair.seal(game.id, 0, own_cut(0, 3)), "1": fair.seal(game.id, 1, own_cut(1, 2))}
    assert (waits["waits_for"], waits["cuts"]) == ([0, 1], [])
    assert game.move(1, cut_move(game, 1, cut=own_cut(1, 2).hex())).status_code == 201
    assert game.move(0, cut_move(game, 0)).status_code == 201
    game.finish()
    assert [(deal["n"], deal["grade"], deal["missing"]) for deal in data_of(game.facts, "HandDealt")] == [
        (1, "F1", []),
        (3, "F2", []),
    ]
    assert fair.check_deal(game.facts, 3)["hand"] == 2
    fair.check_commitment(game.facts, 2)
    assert server.command("game", "audit", game.id).exit_code == 0


@pytest.fixture(scope="module")
def waiting(server: GameServer) -> ServedGame:
    """A game that waits for the cuts of its first deal."""
    return server.open(["ann", "bob"], fairness=OPEN)


NO_CUTS: list[object] = [
    "", "5a" * 31, "5a" * 33, "5A" * 32, "zz" * 32, " " + "5a" * 32, "0x" + "5a" * 31, "\u0663" * 64, "\uff10" * 64,
    None, 7, [],
]  # fmt: skip
REFUSED: dict[tuple[int, str], list[dict[str, Any]]] = {
    (409, "wrong-commitment"): [{"commit": "00" * 32}, *({"n": n} for n in (2, 0, -1))],
    (409, "not-a-cut"): [{"next_seal": "00" * 32}],
    (400, "malformed"): [
        {"commit": None},
        *({"n": n} for n in ("1", True, 2**53, 2**63)),
        *({"next_seal": seal} for seal in ("ab", 5)),
        *({"cut": cut} for cut in NO_CUTS),
        *({"seat": 1}, {"seed": "5a" * 32}),
    ],
}


@pytest.mark.parametrize("refusal", REFUSED, ids=str)
def test_an_invalid_cut_is_refused_and_stores_nothing(waiting: ServedGame, refusal: tuple[int, str]) -> None:
    before = waiting.export()
    for changes in REFUSED[refusal]:
        check_problem(waiting.move(0, cut_move(waiting, 0, **changes)), *refusal)
    assert waiting.export() == before


INVALID: list[object] = [
    *({"cuts": "secret"}, {"cuts": None}, {"cuts": "none", "window_s": 5}, {"cut": "open"}, []),
    *({"cuts": "open", "window_s": window} for window in (0, -1, 604801, 10**9, 2.5, "2", True)),
    {"cuts": "open", "seed": "00"},
]


def test_an_invalid_fairness_opens_no_game(server: GameServer) -> None:
    games = services_of(server.app).games
    before = games.log.last_numbers()
    for fairness in INVALID:
        body = {"variant": "pitch", "seats": ["ann", "bot:random"], "fairness": fairness}
        assert server["ann"].post("/games", body).status_code in {400, 409}, fairness
    assert games.log.last_numbers() == before
