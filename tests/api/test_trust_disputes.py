"""Disputes of docs/disputes.md: appeals, who may say what, who reads what was said, and its end."""

from collections.abc import Iterator
from hashlib import sha256

import pytest

from tests.api.arbiters import (
    GROUNDS,
    STATEMENT,
    appeal,
    created,
    decide,
    get_disputes,
    give_ruling,
    open_dispute,
    open_disputed_game,
)
from tests.api.conftest import check_problem
from tests.api.live_server import GameServer, open_server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server, two arbiters, a moderator, and somebody."""
    with open_server(tmp_path_factory.mktemp("disputes")) as found:
        for name, role in (("rhea", "arbiter"), ("sol", "arbiter"), ("mod", "moderator"), ("eve", "")):
            found.people[name] = found.role(name, role) if role else found[name]
        yield found


@pytest.mark.parametrize(("decision", "counts"), [("upheld", True), ("reversed", False)])
def test_an_appeal_is_decided_by_another_arbiter(house: GameServer, decision: str, *, counts: bool) -> None:
    game = open_disputed_game(house)
    created(open_dispute(game, 0))
    check_problem(appeal(game, 1), 409, "not-ruled")
    created(give_ruling(game, "rhea", "adjust", changes=[0, 5, 0]))
    check_problem(decide(game, "sol", decision), 409, "no-appeal")
    check_problem(give_ruling(game, "sol", "none"), 409, "already-ruled")
    created(appeal(game, 1))
    check_problem(appeal(game, 2), 409, "already-appealed")
    assert game.public["ruled"] is not None, "in force until it is reversed"
    check_problem(decide(game, "rhea", decision), 409, "same-arbiter")
    created(decide(game, "sol", decision))
    assert (game.public["ruled"] is not None) is counts
    assert game.public["disputes"][0]["status"] == decision
    check_problem(appeal(game, 2), 409, "already-appealed")
    again = decide(game, "sol", decision)
    assert again.status_code == 409, again.text
    facts = [(e["fact"], e["by"]) for e in game.read().events if "dispute" in e["data"]]
    assert [fact for fact, _ in facts] == ["DisputeOpened", "RulingGiven", "RulingAppealed", "RulingDecided"]
    assert len({by for _, by in facts}) == 4, "each by who acted"
    assert house.command("audit", game.id).exit_code == 2, "a hand is live; nothing is wrong"
    game.finish()
    found = house.command("audit", game.id)
    assert found.exit_code == 0, found.output


def test_who_may_open_rule_and_decide(house: GameServer) -> None:
    """docs/trust.md: the role, and nobody who sits there; 401 before all."""
    game = open_disputed_game(house)
    before = game.export()
    body = {"hand": 1, "kind": "deal", "text": STATEMENT}
    assert house.nobody.post(f"{game.path}/disputes", body).status_code == 401
    for name in ("eve", "rhea", "mod"):
        check_problem(house[name].post(f"{game.path}/disputes", body), 403, "not-seated")
    assert game.export() == before
    created(open_dispute(game, 0))
    before = game.export()
    for caller in (house["eve"], house["mod"], *game.seats.values()):
        ruling = {"decision": "none", "standard": "likely", "text": "x", "basis": None}
        check_problem(caller.post(f"{game.path}/disputes/1/ruling", ruling), 403, "forbidden")
    assert house.nobody.post(f"{game.path}/disputes/1/ruling", {"decision": "none"}).status_code == 401
    for name in ("eve", "rhea", "mod"):
        assert house[name].post(f"{game.path}/disputes/1/appeal", {}).status_code == 403
    assert game.export() == before


def test_a_playing_account_never_acts_as_arbiter_in_its_own_game(house: GameServer) -> None:
    game = house.open(["rhea", "ann", "bob"], options={"win": 21})
    game.play_hand()
    created(open_dispute(game, 1))
    before = game.export()
    check_problem(give_ruling(game, "rhea", "none"), 403, "arbiter-seated")
    assert house.command("rule", game.id, "1", "none", "--by", "rhea", "--text", "x").exit_code != 0
    assert game.export() == before
    house.follow()
    assert game.id not in house["rhea"].get("/disputes?limit=500").text
    assert game.id in house["sol"].get("/disputes?limit=500").text


def test_a_role_taken_away_rules_no_more(house: GameServer) -> None:
    game = open_disputed_game(house)
    created(open_dispute(game, 0))
    house.role("una", "arbiter")
    house.role("una", "arbiter", "--remove")
    check_problem(give_ruling(game, "una", "none"), 403, "forbidden")
    assert house["una"].get("/disputes").status_code == 403


def test_parties_and_arbiters_read_what_was_said_and_nobody_else(house: GameServer) -> None:
    """docs/disputes.md: the other seats when the hand is over; the note is the hash of salt and text."""
    game = open_disputed_game(house)
    created(open_dispute(game, 0))
    created(give_ruling(game, "rhea", "none"))
    for caller in (game.seats[0], house["rhea"], house["sol"]):
        (item,) = get_disputes(game, caller)
        assert (item["opened"]["text"], item["ruling"]["text"], item["status"]) == (STATEMENT, GROUNDS, "ruled")
        for told in (item["opened"], item["ruling"]):
            assert sha256(bytes.fromhex(told["salt"]) + told["text"].encode()).hexdigest() == told["note"]
            event = next(each for each in game.read().events if each["version"] == told["version"])
            assert event["data"]["note"] == told["note"]
    for seat in (1, 2):
        opened = get_disputes(game, game.seats[seat])[0]["opened"]
        assert (opened["text"], opened["salt"], opened["withheld"]) == (None, None, True)
    game.play_hand()
    for seat in (1, 2):
        (item,) = get_disputes(game, game.seats[seat])
        assert (item["opened"]["text"], item["opened"]["withheld"], item["ruling"]["text"]) == (
            STATEMENT,
            False,
            GROUNDS,
        )
    for caller in (house.nobody, house["eve"], house["mod"]):
        answer = caller.get(f"{game.path}/disputes")
        assert (answer.status_code, "looked into" in answer.text, GROUNDS in answer.text) == (200, False, False)
        (item,) = answer.get_json()["items"]
        assert (item["status"], item["opened"].get("text")) == ("ruled", None)
    for path in ("/export", "/events", "/audit", "", "/commits", "/hands/1/transcript", "/scoreboard"):
        assert "looked into" not in game.seats[0].get(game.path + path).text, "no free text is a fact"


def test_texts_are_erased_and_the_facts_stay(house: GameServer) -> None:
    game = open_disputed_game(house)
    created(open_dispute(game, 0))
    created(give_ruling(game, "rhea", "none"))
    before = game.export()
    for caller in (house["rhea"], house["eve"], *game.seats.values()):
        assert caller.delete(f"{game.path}/disputes/1/texts").status_code == 403
    assert house.nobody.delete(f"{game.path}/disputes/1/texts").status_code == 401
    assert get_disputes(game, game.seats[0])[0]["opened"]["text"] == STATEMENT
    assert house["mod"].delete(f"{game.path}/disputes/1/texts").status_code in (200, 204)
    assert game.export() == before
    game.play_hand()
    for caller in (*game.seats.values(), house["rhea"]):
        (item,) = get_disputes(game, caller)
        for part in ("opened", "ruling"):
            assert (item[part]["text"], item[part]["salt"], item[part]["erased"]) == (None, None, True)
    assert STATEMENT not in house.command("dispute", game.id, "1").output
    assert b"looked into" not in b"".join(each.read_bytes() for each in house.config.data.glob("*.db"))
