"""Cuts over HTTP: what the table shows while it waits, what it takes, and when it deals (fairdeal/1)."""

import json

from flask import Flask

from api.services.worker import Worker
from domain.events import CardsDealt, CeremonyOpened, SeedKept
from domain.protocols import fairdeal
from tests.api.conftest import Caller, MakeApp, check_problem, services_of
from tests.api.cutting_table import SEALED, WINDOW, CuttingTable, open_cutting_table, own_cut
from tests.api.past_times import clock_one_hour_late
from tests.hands import those


def test_the_view_says_what_the_table_waits_for(app: Flask) -> None:
    table = open_cutting_table(app, WINDOW)
    view = table.view(1)
    told = next(those(CeremonyOpened, table.facts))
    assert (view["phase"], view["turn"]["seats"], view["hand"]) == ("waiting", [], None)
    assert view["you"]["may"] == ["propose_draw", "resign", "cut"]
    waits = view["ceremony"]
    assert (waits["n"], waits["subject"], waits["commit"]) == (1, "deal hand 1", told.commit)
    assert (waits["cuts"], waits["waits_for"], waits["seals"]) == ([], [0, 1], {})
    assert waits["deadline"] > view["turn"]["since"] if view["turn"]["since"] else waits["deadline"]


def test_the_last_cut_deals_and_the_deck_is_that_of_the_cuts(app: Flask) -> None:
    table = open_cutting_table(app, WINDOW)
    first = table.post(1, table.cut(1))
    assert (first.status_code, first.get_json()["view"]["ceremony"]["cuts"]) == (201, [1])
    assert table.view(1)["you"]["may"] == ["propose_draw", "resign"]
    view = table.post(0, table.cut(0)).get_json()["view"]
    assert (view["phase"], view["ceremony"], view["hand"]["grade"]) == ("auction", None, "F1")
    opening, seed = next(those(CeremonyOpened, table.facts)), next(those(SeedKept, table.facts)).seed
    cuts = [(str(seat), own_cut(seat, 1)) for seat in range(2)]
    key = fairdeal.key(table.game, 1, opening.subject, bytes.fromhex(seed), cuts)
    order = fairdeal.shuffle(key, "deck", 52)
    deck = table.facts[0].deck
    one, other = (fact.cards for fact in those(CardsDealt, table.facts))
    assert [card for pair in zip(one, other, strict=True) for card in pair] == [deck[place] for place in order[:12]]


def test_a_cut_counts_once_and_never_after_the_deal(app: Flask) -> None:
    table = open_cutting_table(app, WINDOW)
    mine, other = table.cut(0), table.cut(1)
    assert table.post(0, mine).status_code == 201
    check_problem(table.post(0, mine), 409, "already-cut")
    stranger = Caller(app.test_client()).join("eve")
    check_problem(stranger.post(f"/games/{table.game}/moves", other), 403, "not-seated")
    assert table.post(1, other).status_code == 201
    for seat, late in enumerate((mine, other)):
        check_problem(table.post(seat, late), 409, "wrong-phase")


def test_a_sealed_cut_is_held_to_its_seal(app: Flask) -> None:
    table = open_cutting_table(app, SEALED)
    for seat in range(2):
        assert table.post(seat, table.cut(seat, next_seal=table.seal(seat, 2))).status_code == 201
    while (view := table.view(0))["phase"] != "waiting":
        (seat,) = view["turn"]["seats"]
        assert table.post(seat, table.view(seat)["you"]["legal"][0]).status_code == 201
    assert view["ceremony"]["seals"] == {str(seat): table.seal(seat, 2) for seat in range(2)}
    check_problem(table.post(0, table.cut(0, cut="5a" * 32)), 409, "not-as-sealed")
    for seat in range(2):
        view = table.post(seat, table.cut(seat)).get_json()["view"]
    assert view["hand"]["grade"] == "F2"


def test_after_a_restart_between_commitment_and_deal_the_same_commitment_deals(app: Flask, make_app: MakeApp) -> None:
    table = open_cutting_table(app, WINDOW)
    commit = table.view(0)["ceremony"]["commit"]
    table.post(0, table.cut(0))
    again = make_app(services_of(app).config)
    people = tuple(Caller(again.test_client(), caller.token) for caller in table.people)
    other = CuttingTable(again, (people[0], people[1]), table.game)
    view = other.post(1, other.cut(1)).get_json()["view"]
    assert view["hand"]["commit"] == commit
    assert len(list(those(SeedKept, other.facts))) == 1


def test_the_clock_deals_when_the_window_has_closed(app: Flask) -> None:
    here = services_of(app)
    worker = Worker(here)
    with clock_one_hour_late(app):
        table = open_cutting_table(app, WINDOW)
        deadline = table.view(0)["ceremony"]["deadline"]
        assert table.post(0, table.cut(0)).status_code == 201
        here.followers.catch_up()
        worker.tick()
        assert table.view(0)["phase"] == "waiting"
    worker.tick()
    assert table.view(0)["phase"] == "auction"
    dealt = next(entry.event for entry in here.games.entries(table.game) if entry.event.fact == "HandDealt")
    assert dealt.at >= deadline
    assert [source for source, _ in dealt.data.cuts] == ["0"]


def test_no_answer_holds_the_seed_before_the_reveal(app: Flask) -> None:
    table = open_cutting_table(app, WINDOW)
    said = [table.post(0, table.cut(0)).text, json.dumps(table.view(1)), table.post(1, table.cut(1)).text]
    said += [table.people[0].get(f"/games/{table.game}/{each}").text for each in ("events", "export", "audit")]
    seed = next(those(SeedKept, table.facts)).seed
    assert not any(seed in each for each in said)
