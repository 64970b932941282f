"""The acts of one player on another (docs/moderation.md): a block's effect on each act, and what it leaves alone.

The limits on games, proposals and disputes are in tests/api/http/test_player_limits.py, those on streams in
tests/api/server/test_event_streams.py, and those on tables in tests/forming/, which also tests blocks before the deal.
"""

import pytest
from flask import Flask

from tests.api.conftest import check_problem
from tests.conduct.conftest import Court, open_court


@pytest.fixture
def blocked(app: Flask) -> Court:
    """A game of ann and bob after ann has blocked bob, and the watcher eve."""
    court = open_court(app)
    for name in ("bob", "eve"):
        assert court["ann"].ask("PUT", f"/me/blocks/{name}").status_code == 204
    return court


def test_watch_a_blocked_watcher_sees_the_public_game_but_no_message(blocked: Court) -> None:
    blocked.wrote("ann", "from ann")
    blocked.wrote("bob", "from bob")
    assert blocked.texts("eve") == ["from bob"]
    assert blocked.texts("cat") == ["from ann", "from bob"]
    for path in ("", "/events", "/scoreboard"):
        shown = [blocked[name].get(f"/games/{blocked.game}{path}") for name in ("eve", "nobody")]
        assert shown[0].data == shown[1].data


def test_propose_players_at_one_table_play_on(blocked: Court) -> None:
    moves = f"/games/{blocked.game}/moves"
    assert blocked["bob"].post(moves, {"type": "propose_draw"}).status_code == 201
    assert blocked["ann"].post(moves, {"type": "reject"}).status_code == 201


def test_dispute_a_block_keeps_nobody_from_disputing(blocked: Court) -> None:
    body = {"hand": 1, "kind": "conduct", "text": "insults"}
    assert blocked["bob"].post(f"/games/{blocked.game}/disputes", body).status_code == 201


def test_hand_over_an_offer_to_somebody_who_blocks_looks_unanswered(blocked: Court) -> None:
    assert blocked["cat"].ask("PUT", "/me/blocks/bob").status_code == 204
    offers = f"/games/{blocked.game}/handovers"
    made = blocked["bob"].post(offers, {"to": "cat"})
    assert made.status_code == 201
    offer = made.get_json()["id"]
    assert blocked["cat"].get("/me/handovers").get_json()["items"] == []
    check_problem(blocked["cat"].post(f"{offers}/{offer}/accept", {}), 404, "not-found")
    assert len(blocked["bob"].get("/me/handovers").get_json()["items"]) == 1


def test_report_a_block_keeps_nobody_from_reporting(court: Court) -> None:
    message = court.wrote("bob", "you fool")
    for name, other in (("ann", "bob"), ("bob", "ann")):
        assert court[name].ask("PUT", f"/me/blocks/{other}").status_code == 204
    assert court.report(game=court.game, message=message).status_code == 201
    assert court.report("bob", "ann").status_code == 201
