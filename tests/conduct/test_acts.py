"""What one player can do to another (docs/moderation.md): a block's effect on each act, and what it leaves alone.

The limits on games, proposals and disputes are in tests/api/http/test_player_limits.py, those on streams in
tests/api/server/test_event_streams.py, and those on tables in tests/forming/, which also tests blocks before the deal.
"""

from itertools import count

import pytest
from flask import Flask

from tests.api.conftest import check_problem, services_of
from tests.conduct.conftest import Court, open_court


@pytest.fixture
def blocked(app: Flask) -> Court:
    """A game of ann and bob after ann has blocked bob, and the watcher eve."""
    court = open_court(app)
    for name in ("bob", "eve"):
        assert court["ann"].ask("PUT", f"/me/blocks/{name}").status_code == 204
    return court


def test_chat_neither_reads_the_other(blocked: Court) -> None:
    blocked.wrote("ann", "from ann")
    blocked.wrote("bob", "from bob")
    assert (blocked.texts("ann"), blocked.texts("bob")) == (["from ann"], ["from bob"])


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


def test_seat_ask_a_question_of_a_blocked_player_never_arrives(blocked: Court) -> None:
    body = {"variant": "pitch", "seats": ["bob", "ann"]}
    opened = blocked["bob"].post("/games", body).get_json()
    assert (opened["status"], [seat["state"] for seat in opened["seats"]]) == ("forming", ["claimed", "asked"])
    assert blocked["ann"].get("/me/questions").get_json()["items"] == []
    check_problem(blocked["ann"].get(f"/games/{opened['id']}"), 404, "not-found")
    check_problem(blocked["ann"].get(f"/games/{opened['id']}/chat"), 404, "not-found")


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


@pytest.mark.parametrize("step", ["suspend", "ban"])
def test_a_suspended_or_banned_player_can_do_none_of_it(court: Court, step: str) -> None:
    services_of(court.app).accounts.tokens.timer = count(step=1.0).__next__  # no token is remembered
    court.judge(step)
    slug, status = {"suspend": ("suspended", 403), "ban": ("unauthorized", 401)}[step]
    game = f"/games/{court.game}"
    for path, body in (
        ("/games", {"variant": "pitch", "seats": ["bob", "ann"]}),
        (f"{game}/chat", {"text": "hello"}),
        ("/reports", {"about": "ann", "kind": "abuse", "text": "x"}),
        (f"{game}/moves", {"type": "propose_draw"}),
        (f"{game}/disputes", {"hand": 1, "kind": "conduct", "text": "x"}),
    ):
        check_problem(court["bob"].post(path, body), status, slug)
