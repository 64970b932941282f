"""Cuts as docs/fairness.md has them: commitment first, all cuts count, seals bind, grades, voids."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api import fairdeal_reference as fair
from tests.api.conftest import check_problem
from tests.api.cut_moves import OPEN, SEALED, cut_move, own_cut, send_all_cuts
from tests.api.live_server import GameServer, data_of, open_server, versions_of


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("cuts")) as found:
        yield found


def test_the_commitment_comes_before_every_cut_and_the_deal_after_the_last(house: GameServer) -> None:
    game = house.open(["ann", "bob", "bot:simple"], fairness=OPEN)
    view = game.view(0)
    assert (view["phase"], view["turn"]["seats"], "cut" in view["you"]["may"]) == ("waiting", [], True)
    assert (view["ceremony"]["waits_for"], view["ceremony"]["cuts"]) == ([0, 1], [])
    assert game.move(1, cut_move(game, 1)).status_code == 201
    assert game.public["ceremony"]["waits_for"] == [0]
    assert "cut" not in game.view(1)["you"]["may"]
    assert game.move(0, cut_move(game, 0)).status_code == 201
    assert game.public["hand"]["grade"] == "F1"
    game.finish()
    facts = game.facts
    dealt = fair.check_deal(facts, 1)
    assert dealt["cuts"] == [["0", own_cut(0, 1).hex()], ["1", own_cut(1, 1).hex()]], "in seat order, bots do not cut"
    (opened,), (deal,) = versions_of(facts, "CeremonyOpened", 1), versions_of(facts, "HandDealt", 1)
    assert all(opened < each < deal for each in versions_of(facts, "CutOpened", 1))


def test_without_a_cut_of_his_the_deck_would_be_another(house: GameServer) -> None:
    """docs/fairness.md: all accepted cuts count."""
    game = house.open(["ann", "bob"], fairness=OPEN)
    send_all_cuts(game)
    game.finish()
    facts = game.facts
    whole = fair.shuffle(fair.key_of(facts, 1, [("0", own_cut(0, 1)), ("1", own_cut(1, 1))]), "deck", 52)
    canonical = facts[0]["data"]["deck"]
    (first,) = [each["cards"] for each in fair.ceremony_data(facts, 1, "CardsDealt") if each["seat"] == 0]
    assert first[0] in {canonical[whole[0]], canonical[whole[1]]}
    assert fair.shuffle(fair.key_of(facts, 1, [("0", own_cut(0, 1))]), "deck", 52) != whole


@pytest.mark.parametrize(
    ("other", "status"),
    [
        ({"commit": "00" * 32}, 409),
        ({"n": 2}, 409),
        ({"n": 0}, 409),
        ({"n": -1}, (400, 409)),
        ({"n": 2**53}, 400),
        ({"n": "1"}, 400),
        ({"n": True}, 400),
        ({"cut": "ab" * 31}, (400, 409)),
        ({"cut": "ab" * 33}, (400, 409)),
        ({"cut": "AB" * 32}, (400, 409)),
        ({"cut": "\uff10" * 64}, (400, 409)),
        ({"cut": None}, 400),
        ({"cut": 7}, 400),
        ({"cut": []}, 400),
        ({"commit": None}, 400),
        ({"next_seal": "ab"}, (400, 409)),
        ({"next_seal": 5}, 400),
        ({"seat": 1}, 400),
        ({"seed": "00" * 32}, 400),
    ],
)
def test_a_cut_that_is_none_is_refused_and_leaves_no_trace(
    house: GameServer, other: dict[str, Any], status: int | tuple[int, ...]
) -> None:
    """docs/trust.md, dealing; every one of these at one table, which still waits."""
    game = house.open(["ann", "bob"], fairness=OPEN)
    before = game.export()
    answer = game.move(0, cut_move(game, 0, **other))
    assert answer.status_code in (status if isinstance(status, tuple) else (status,)), answer.text
    assert game.export() == before


def test_a_second_cut_one_after_the_deal_and_one_of_a_stranger_are_refused(house: GameServer) -> None:
    game = house.open(["ann", "bob"], fairness=OPEN)
    check_problem(house["cat"].post(f"{game.path}/moves", cut_move(game, 0)), 403, "not-seated")
    body = cut_move(game, 0)
    assert game.move(0, body).status_code == 201
    check_problem(game.move(0, body | {"cut": "cd" * 32}), 409, "already-cut")
    other = cut_move(game, 1)
    assert game.move(1, other).status_code == 201
    check_problem(game.move(1, other), 409, "wrong-phase")
    game.finish()
    assert data_of(game.facts, "HandDealt")[0]["cuts"][0] == ["0", own_cut(0, 1).hex()]


def test_a_table_without_cuts_deals_at_once_and_hears_none(house: GameServer) -> None:
    game = house.open(["ann", "bob"])
    view = game.view(0)
    assert (view["phase"], view["hand"]["grade"], view["ceremony"]) == ("auction", "F0", None)
    body = {"type": "cut", "n": 1, "commit": view["hand"]["commit"], "cut": "ab" * 32, "next_seal": None}
    check_problem(game.move(0, body), 409, "wrong-phase")


def test_sealed_cuts_make_a_deal_F2_from_the_second_on(house: GameServer) -> None:
    """docs/fairness.md, grades: every person's cut sealed before the commitment."""
    game = house.open(["ann", "bob"], fairness=SEALED, options={"win": 21})
    send_all_cuts(game, promise=True)
    game.play_hand()
    waits = game.public["ceremony"]
    assert waits["seals"] == {str(seat): fair.seal(game.id, seat, own_cut(seat, 2)) for seat in (0, 1)}
    before = game.log
    check_problem(game.move(1, cut_move(game, 1, cut="ab" * 32)), 409, "not-as-sealed")
    assert game.log == before
    assert game.move(1, cut_move(game, 1, promise=True)).status_code == 201
    assert game.move(0, cut_move(game, 0)).status_code == 201
    game.play_hand()
    assert game.public["ceremony"]["seals"] == {"1": fair.seal(game.id, 1, own_cut(1, 3))}, "ann made no promise"
    send_all_cuts(game)
    game.finish()
    facts = game.facts
    assert [fair.check_deal(facts, n)["grade"] for n in (1, 2, 3)] == ["F1", "F2", "F1"]
    for n in (1, 2):
        (cutting,) = [v for v in versions_of(facts, "CutOpened", n) if facts[v - 1]["data"]["seat"] == 1]
        assert cutting < versions_of(facts, "CeremonyOpened", n + 1)[0], "every seal before the commitment it is for"
    for seat in (0, 1):
        (given,) = [each["cut"] for each in fair.ceremony_data(facts, 2, "CutOpened") if each["seat"] == seat]
        (opened,) = fair.ceremony_data(facts, 2, "CeremonyOpened")
        assert opened["seals"][str(seat)] == fair.seal(game.id, seat, bytes.fromhex(given))


def test_the_seal_of_the_command_is_the_seal_of_the_text(house: GameServer) -> None:
    made = house.command("seal", "0f8fad5b-d9cb-469f-a165-70867728950e", "3", "--cut", "ab" * 32, "--json")
    assert made.exit_code == 0, made.output
    assert fair.seal("0f8fad5b-d9cb-469f-a165-70867728950e", 3, bytes.fromhex("ab" * 32)) in made.output


def test_a_game_that_ends_while_it_waits_voids_the_commitment_and_shows_its_seed(house: GameServer) -> None:
    """docs/fairness.md: a dead ceremony, only where no deal followed."""
    game = house.open(["ann", "bob"], fairness=OPEN)
    assert game.move(0, cut_move(game, 0)).status_code == 201
    game.finish()
    facts = game.facts
    (void,) = data_of(facts, "CeremonyVoided")
    assert (void["n"], void["reason"]) == (1, "ended")
    fair.check_commitment(facts, 1)
    assert not data_of(facts, "HandDealt")
    assert facts[-1]["fact"] == "GameEnded"


def test_a_table_that_reveals_at_the_end_shows_no_seed_before_it(house: GameServer) -> None:
    """docs/events.md: reveal "game"; every commitment then comes before GameEnded."""
    game = house.open(["ann", "bob"], fairness=OPEN, reveal="game", options={"win": 21})
    for _ in range(2):
        send_all_cuts(game)
        game.play_hand()
    live = game.read()
    assert not data_of(live.events, "SeedKept")
    assert not data_of(live.events, "CardsDealt")
    assert not data_of(live.events, "CeremonyRevealed")
    send_all_cuts(game)
    game.finish()
    facts = game.facts
    for n in (1, 2, 3):
        assert fair.check_deal(facts, n)["grade"] == "F1"
        assert versions_of(facts, "CeremonyRevealed", n)[0] > len(live.lines)
    assert facts[-1]["fact"] == "GameEnded"


def test_a_host_who_asks_for_what_there_is_not_gets_no_table(house: GameServer) -> None:
    board = house.open(["ann", "bob"]).public["board"]
    for fairness, status in (
        ({"cuts": "loud"}, (400, 409)),
        ({"cuts": "open", "window_s": 0}, (400, 409)),
        ({"cuts": "open", "window_s": 604801}, (400, 409)),
        ({"cuts": "open", "window_s": -1}, (400, 409)),
        ({"cuts": "open", "window_s": "2"}, (400, 409)),
        ({"cuts": "open", "window_s": 2.5}, (400, 409)),
        ({"cuts": "open", "window_s": True}, (400, 409)),
        ({"cuts": "open", "seed": "00"}, (400, 409)),
        ({"cuts": None}, (400, 409)),
        ([], (400, 409)),
    ):
        body = {"variant": "pitch", "seats": ["ann", "bob"], "fairness": fairness}
        answer = house["ann"].post("/games", body)
        assert answer.status_code in status, (fairness, answer.text)
    assert house.open(["ann", "bob"]).public["board"] == board + 1
