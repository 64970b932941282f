"""No question tells what must not be known (docs/trust.md): cards that are tried, texts of disputes; and seals."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.api import fairdeal_reference as fair
from tests.api.arbiters import STATEMENT, created, get_disputes, give_ruling, open_dispute
from tests.api.cut_moves import SEALED, cut_move, own_cut, send_all_cuts
from tests.api.live_server import PEOPLE, GameServer, data_of, open_server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server, with an arbiter."""
    with open_server(tmp_path_factory.mktemp("oracles")) as found:
        found.role("rhea", "arbiter")
        yield found


@pytest.mark.parametrize("variant", ["pitch", "blackout"])
def test_a_card_not_in_hand_is_answered_alike_wherever_it_lies(house: GameServer, variant: str) -> None:
    """In turn and out of it: nothing of the others' cards, nor in hand 1 of Blackout of one's own."""
    game = house.open(PEOPLE, variant)
    deck = game.read().events[0]["data"]["deck"]
    if variant == "pitch":
        game.play(lambda view: view["phase"] == "play")
    at = game.public["version"]
    for seat in (game.public["turn"]["seats"][0], (game.public["turn"]["seats"][0] + 1) % 4):
        own_cards = game.view(seat)["you"]["cards"] or []
        told = set()
        for card in set(deck) - set(own_cards):
            move = quote(json.dumps({"type": "play", "card": card}))
            answer = game.seats[seat].get(f"{game.path}/legal?at={at}&move={move}")
            assert answer.status_code == 200
            posted = game.move(seat, {"type": "play", "card": card})
            assert posted.status_code == 409
            told.add((answer.text.replace(card, "?"), posted.text.replace(card, "?")))
        assert len(told) == 1
    assert game.public["version"] == at


def test_an_arbiter_who_plays_reads_no_more_than_the_other_seats(house: GameServer) -> None:
    """docs/disputes.md: a live hand's texts are for the others when it is over; also where the arbiter has left."""
    game = house.open(["rhea", "ann", "bob"], options={"win": 21})
    created(open_dispute(game, 1))
    for _ in range(2):
        (item,) = get_disputes(game, house["rhea"])
        assert (item["opened"]["text"], item["opened"]["withheld"]) == (None, True)
        assert give_ruling(game, "rhea", "none").status_code == 403
        game.move(0, {"type": "resign"})
    assert get_disputes(game, game.seats[1])[0]["opened"]["text"] == STATEMENT


def test_a_seal_stands_over_where_a_ruling_voids_the_deal_it_was_for(house: GameServer) -> None:
    """docs/fairness.md: a void is not a cut kept back; who had cut has the seal he gave with it."""
    game = house.open(["ann", "bob"], fairness=SEALED, options={"win": 21})
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
    assert house.command("audit", game.id).exit_code == 0
