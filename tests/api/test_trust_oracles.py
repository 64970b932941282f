"""No question tells what must not be known (docs/trust.md): cards that are tried, texts of disputes; and seals."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.api import trust_fairdeal as fair
from tests.api.trust_court import SAID, dispute, items, ok, rule
from tests.api.trust_cuts import SEALED, all_cut, cut, own
from tests.api.trust_tables import PEOPLE, House, named, serving


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server, with an arbiter."""
    with serving(tmp_path_factory.mktemp("oracles")) as found:
        found.role("rhea", "arbiter")
        yield found


@pytest.mark.parametrize("variant", ["pitch", "blackout"])
def test_a_card_not_in_hand_is_answered_alike_wherever_it_lies(house: House, variant: str) -> None:
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


def test_an_arbiter_who_plays_reads_no_more_than_the_other_seats(house: House) -> None:
    """docs/disputes.md: a live hand's texts are for the others when it is over; also where the arbiter has left."""
    game = house.open(["rhea", "ann", "bob"], options={"win": 21})
    ok(dispute(game, 1))
    for _ in range(2):
        (item,) = items(game, house["rhea"])
        assert (item["opened"]["text"], item["opened"]["withheld"]) == (None, True)
        assert rule(game, "rhea", "none").status_code == 403
        game.move(0, {"type": "resign"})
    assert items(game, game.seats[1])[0]["opened"]["text"] == SAID


def test_a_seal_stands_over_where_a_ruling_voids_the_deal_it_was_for(house: House) -> None:
    """docs/fairness.md: a void is not a cut kept back; who had cut has the seal he gave with it."""
    game = house.open(["ann", "bob"], fairness=SEALED, options={"win": 21})
    all_cut(game, promise=True)
    game.play_hand()
    assert game.move(0, cut(game, 0, promise=True)).status_code == 201
    ok(dispute(game, 1, hand=2))
    ok(rule(game, "rhea", "void"))
    waits = game.public["ceremony"]
    assert waits["seals"] == {"0": fair.sealing(game.id, 0, own(0, 3)), "1": fair.sealing(game.id, 1, own(1, 2))}
    assert (waits["waits_for"], waits["cuts"]) == ([0, 1], [])
    assert game.move(1, cut(game, 1, cut=own(1, 2).hex())).status_code == 201
    assert game.move(0, cut(game, 0)).status_code == 201
    game.finish()
    assert [(deal["n"], deal["grade"], deal["missing"]) for deal in named(game.facts, "HandDealt")] == [
        (1, "F1", []),
        (3, "F2", []),
    ]
    assert fair.check_deal(game.facts, 3)["hand"] == 2
    fair.check_commitment(game.facts, 2)
    assert house.command("audit", game.id).exit_code == 0
