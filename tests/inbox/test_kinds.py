"""Every kind of entry as a player gets it over HTTP, and who doesn't get it."""

from typing import Any

import pytest

from tests.api.arbiters import STATEMENT, appeal, created, decide, give_ruling, open_dispute, open_disputed_game
from tests.api.live_server import GameServer, ServedGame, first_move
from tests.conduct.conftest import open_court
from tests.inbox.test_notes import entries_of


def of(game: ServedGame, name: str, *kinds: str) -> list[dict[str, Any]]:
    """Return the entries of these kinds in somebody's inbox."""
    return entries_of(game.server.app, game.server[name], *kinds)


def move(game: ServedGame, name: str, kind: str, **more: Any) -> None:
    created(game.server[name].post(f"{game.path}/moves", {"type": kind, **more}))


def take_a_turn(game: ServedGame) -> int:
    """Make the first legal move for the seat in turn, and return the seat."""
    (seat,) = game.public["turn"]["seats"]
    assert game.move(seat, first_move(game.view(seat))).status_code == 201
    return int(seat)


def test_a_deal_that_waits_for_cuts_is_a_turn_of_everybody_who_cuts(server: GameServer) -> None:
    table = server.open(["ann", "bob"], fairness={"cuts": "open"})
    for caller in table.seats.values():
        (entry,) = entries_of(server.app, caller, "turn")
        assert (entry["game"], entry["awaits"]) == (table.id, "cut")


@pytest.mark.parametrize(("kind", "asks"), [("undo", "undo"), ("propose_draw", "draw")])
def test_the_others_are_asked_for_an_undo_or_a_draw(server: GameServer, kind: str, asks: str) -> None:
    game = server.open(["ann", "bob", "cat"])
    seat = take_a_turn(game)
    asker = game.seats[seat]
    asked = asker.post(f"{game.path}/moves", {"type": kind})
    assert asked.status_code == 201, asked.text
    version = next(line["version"] for line in asked.get_json()["events"] if line["event"]["fact"] in
                   ("UndoAsked", "DrawProposed"))  # fmt: skip
    for name in ("ann", "bob", "cat"):
        found = [(entry["asks"], entry["version"]) for entry in of(game, name, "question")]
        assert found == ([] if server[name] == asker else [(asks, version)])


@pytest.mark.parametrize(("kind", "asks"), [("undo", "undo"), ("propose_draw", "draw")])
def test_the_asker_alone_hears_of_a_refusal(server: GameServer, kind: str, asks: str) -> None:
    game = server.open(["ann", "bob", "cat"])
    seat = take_a_turn(game)
    first, second, asker = game.seats[(seat + 1) % 3], game.seats[(seat + 2) % 3], game.seats[seat]
    for answers in (("reject",), ("accept", "reject")):
        created(asker.post(f"{game.path}/moves", {"type": kind}))
        for caller, answer in zip((first, second), answers, strict=False):
            created(caller.post(f"{game.path}/moves", {"type": answer}))
        (*_, entry) = entries_of(server.app, asker, "refusal")
        assert (entry["asks"], entry["version"], entry["seat"]) == (asks, game.public["version"], seat)
    assert len(entries_of(server.app, asker, "refusal")) == 2
    for caller in (first, second):
        assert entries_of(server.app, caller, "refusal") == []


def test_a_refused_hand_over_and_one_that_is_agreed_reach_the_player_of_the_seat(server: GameServer) -> None:
    game = server.open(["ann", "bob"])
    for accept in (False, True):
        created(server["ann"].post(f"{game.path}/handovers", {"to": "bot:simple"}))
        move(game, "bob", "answer_handover", accept=accept)
    assert [entry["asks"] for entry in of(game, "ann", "refusal")] == ["handover"]
    assert [(entry["now"], entry["seat"]) for entry in of(game, "ann", "seat")] == [("bot", 0)]
    assert of(game, "bob", "seat", "refusal") == []


def test_a_seat_that_changes_hands_asks_the_others_and_continues_with_its_new_player(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat"])
    eve = server["eve"]
    offer = created(server["bob"].post(f"{game.path}/handovers", {"to": "eve"}))
    (invitation,) = of(game, "eve", "invitation")
    assert (invitation["offer"], invitation["seat"], invitation["game"]) == (offer["id"], 1, game.id)
    assert eve.post(f"{game.path}/handovers/{offer['id']}/accept", {}).status_code == 204
    for name in ("ann", "cat"):
        (question,) = of(game, name, "question")
        assert (question["asks"], question["game"]) == ("handover", game.id)
        move(game, name, "answer_handover", accept=True)
    assert of(game, "bob", "question") == []
    before = of(game, "bob", "turn", "hand-over")
    game.seats[1] = eve
    game.play_hand()
    game.play_hand()
    assert of(game, "bob", "turn", "hand-over") == before
    seats = {entry["seat"] for entry in of(game, "eve", "turn", "hand-over")}
    assert seats == {1}


def test_each_step_of_a_dispute_reaches_everybody_but_its_author(server: GameServer) -> None:
    game = open_disputed_game(server)
    names = {
        seat: next(name for name, caller in server.people.items() if caller == game.seats[seat]) for seat in range(3)
    }
    for arbiter in ("ada", "ben"):
        server.role(arbiter, "arbiter")
    created(open_dispute(game, 1))
    created(give_ruling(game, "ada", "none"))
    created(appeal(game, 1))
    created(decide(game, "ben", "upheld"))
    for seat, name in names.items():
        steps = [entry["step"] for entry in of(game, name, "dispute")]
        assert steps == (["ruled", "decided"] if seat == 1 else ["opened", "ruled", "appealed", "decided"])
        assert STATEMENT[:20] not in str(of(game, name, "dispute"))
    assert entries_of(server.app, server["ada"], "dispute") == []


def test_the_accused_hears_that_a_dispute_names_them_and_the_others_of_their_answer(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat"])
    accused = {"details": {"accused": {"seat": 1, "trick": 1}}, "text": "bob cheats", "hand": 1, "kind": "conduct"}
    for _ in range(2):
        created(server["ann"].post(f"{game.path}/disputes", accused, Idempotency_Key="once"))
    assert [entry["step"] for entry in of(game, "cat", "dispute")] == ["opened"]
    told = [entry for entry in of(game, "bob", "dispute") if entry["step"] == "accused"]
    assert [(entry["dispute"], entry["seat"], entry["game"]) for entry in told] == [(1, 1, game.id)]
    for text in ("no", "I didn't"):
        assert server["bob"].ask("PUT", f"{game.path}/disputes/1/answer", {"text": text}).status_code == 204
    for name, seat in (("ann", 0), ("cat", 2)):
        found = [
            (entry["dispute"], entry["seat"]) for entry in of(game, name, "dispute") if entry["step"] == "answered"
        ]
        assert found == [(1, seat)]
    assert "cheats" not in str(of(game, "bob", "dispute"))


def test_moderation_reaches_the_reporter_and_the_player_through_appeal_and_decision(server: GameServer) -> None:
    court = open_court(server.app)
    step = court.judge("mute")
    (told,) = entries_of(server.app, court["ann"], "moderation")
    assert (told["act"], told["game"]) == ("answered", None)
    assert court["bob"].post("/me/appeals", {"step": step, "text": "no"}).status_code == 201
    body = {"decision": "reversed", "reason": "It was a joke."}
    assert court["mateo"].post(f"/moderation/appeals/{step}/decision", body).status_code == 201
    ruled, decided = entries_of(server.app, court["bob"], "moderation")
    assert (ruled["act"], ruled["step"], ruled["ruling"]) == ("ruled", step, "mute")
    assert (decided["act"], decided["decision"]) == ("decided", "reversed")
    for word in ("joke", "welcome"):
        assert word not in court["bob"].get("/me/events").text


def test_a_private_game_is_known_to_its_players_inboxes_alone(server: GameServer) -> None:
    court = open_court(server.app, watch={"public": False, "delay": 0})
    (seat,) = court["ann"].get(f"/games/{court.game}").get_json()["turn"]["seats"]
    court.wrote("ann" if seat else "bob")
    found = entries_of(server.app, court["bob" if seat else "ann"], "turn", "chat")
    assert {(entry["kind"], entry["game"]) for entry in found} == {("turn", court.game), ("chat", court.game)}
    for name in ("eve", "moira"):
        assert court.game not in court[name].get("/me/events").text


def test_a_player_who_resigned_hears_only_of_the_end(server: GameServer) -> None:
    game = server.open(["ann", "bob", "cat"])
    move(game, "bob", "resign")
    before = of(game, "bob", "turn", "hand-over", "chat")
    del game.seats[1]
    game.play_hand()
    assert of(game, "bob", "turn", "hand-over", "chat") == before
    move(game, "ann", "resign")
    assert [entry["kind"] for entry in of(game, "bob", "game-over")] == ["game-over"]
