"""Disputes over HTTP: opened, ruled, appealed and decided, and by whom (docs/disputes.md)."""

import pytest
from flask import Flask

from api.people.stored import roles
from tests.api.arbiters import (
    STATEMENT,
    appeal,
    created,
    decide,
    give_ruling,
    open_dispute,
    open_disputed_game,
)
from tests.api.conftest import Caller, check_problem
from tests.api.disputed_table import GROUNDS, TEXT, DisputedTable, give_role
from tests.api.live_server import GameServer


def test_the_answer_to_a_dispute_is_like_that_to_a_move(here: DisputedTable) -> None:
    answer = here.contest()
    body = answer.get_json()
    assert answer.headers["ETag"] == f'"{body["version"]}"'
    assert answer.headers["Trickbook-Position"]
    (line,) = body["events"]
    assert line["event"]["fact"] == "DisputeOpened"
    assert body["root"] == here.table.games.snapshot(here.table.game)[1]


def test_the_scoreboard_and_the_lobby_show_the_score_as_played_and_as_ruled(here: DisputedTable) -> None:
    here.contest()
    here.rule()
    here.follow()
    board = here.nobody.get(f"/games/{here.table.game}/scoreboard").get_json()
    assert board["totals"] == list(here.state.scores)
    assert board["ruled"]["scores"] == [old + new for old, new in zip(board["totals"], [-1, 2, -1], strict=True)]
    assert board["disputes"][0]["status"] == "ruled"
    for seat in (0, 1):
        here.table.by(seat).post(f"/games/{here.table.game}/moves", {"type": "resign"})
    here.follow()
    game = here.nobody.get("/games").get_json()["items"][0]
    view = here.nobody.get(f"/games/{here.table.game}").get_json()
    assert game["result"] == view["result"]
    assert game["result"]["ruled"] == {"scores": board["ruled"]["scores"], "winners": [2]}
    assert game["result"]["scores"] == board["totals"]


@pytest.mark.both_stores
def test_the_queue_for_arbiters_lists_the_longest_waiting_first(here: DisputedTable) -> None:
    for seat, hand in ((1, 1), (2, 1), (0, 2)):
        here.contest(seat, hand)
    here.follow()
    page = here.ann.get("/disputes?limit=2").get_json()
    assert [(item["dispute"], item["status"], item["board"]) for item in page["items"]] == [
        (1, "open", 1),
        (2, "open", 1),
    ]
    rest = here.ann.get(f"/disputes?limit=2&cursor={page['next']}").get_json()
    assert ([item["dispute"] for item in rest["items"]], rest["next"]) == ([3], None)
    assert TEXT.encode() not in here.ann.get("/disputes").data
    here.rule()
    here.appeal()
    here.follow()
    assert [item["dispute"] for item in here.ann.get("/disputes").get_json()["items"]] == [2, 3], "another arbiter's"
    assert here.ben.get("/disputes").get_json()["items"][-1]["status"] == "appealed"
    here.decide("upheld", by=here.ben)
    here.follow()
    left = here.ann.get("/disputes").get_json()["items"]
    assert [item["dispute"] for item in left] == [2, 3]


@pytest.mark.both_stores
def test_an_arbiter_finds_rulings_of_a_kind_or_by_a_clause_the_newest_first(here: DisputedTable) -> None:
    assert here.ann.get("/disputes?kind=revoke").get_json()["items"] == []
    for seat, kind, clause in ((1, "revoke", "S34"), (2, "score", "S30"), (0, "revoke", "S35")):
        here.contest(seat, 1, kind=kind)
        here.rule("none", len(here.items()), basis=clause)
    here.appeal(0, 3)
    here.follow()

    def like(query: str, **more: str) -> list[tuple[int, str | None]]:
        page = here.ann.get(f"/disputes?{query}", **more).get_json()
        return [(item["dispute"], item["basis"]) for item in page["items"]]

    assert like("kind=revoke") == [(3, "S35"), (1, "S34")]
    assert like("clause=S30") == [(2, "S30")]
    assert like("kind=revoke&clause=S30") == [(3, "S35"), (2, "S30"), (1, "S34")]
    first = here.ann.get("/disputes?kind=revoke&limit=1").get_json()
    assert (first["items"][0]["status"], first["items"][0]["text"]) == ("appealed", GROUNDS)
    assert like(f"kind=revoke&cursor={first['next']}") == [(1, "S34")]
    check_problem(here.ann.get("/disputes?kind=cheating"), 400, "malformed")
    line = here.ann.post("/commands", {"line": "pitch dispute 1 like 1"}).get_json()
    assert [item["dispute"] for item in line["data"]["items"]] == [3, 1]
    assert " ".join(line["text"].split()).startswith(f"{first['items'][0]['ruled'][:16].replace('T', ' ')} board 1,")
    assert "dispute 3 on hand 1 (revoke): it stands as played by S35, appealed, by ann" in " ".join(
        line["text"].split()
    )
    refused = here.table.by(0).post("/commands", {"line": "pitch dispute 1 like 1"})
    assert refused.get_json()["problem"]["type"].endswith("forbidden")


def test_a_case_is_printed_with_what_the_log_shows_and_its_hashes(here: DisputedTable) -> None:
    here.contest(kind="score")
    here.rule()
    here.appeal(text="It was the jack.")
    for reader, says in (
        (here.table.by(1), f"  text: {TEXT}"),
        (here.nobody, "  text: only for the players of this game"),
    ):
        shown = reader.get(f"{here.path}/1", Accept="text/plain")
        case = shown.text.split("\n")
        assert case[0] == "dispute 1 on hand 1, score: appealed"
        assert case[1] == f"board 1 · pitch, game {here.table.game}"
        assert says in shown.text
        assert "  event 17, trick 1: p0 AH, p1 3H, p2 5H, to p0" in case
        assert "  p0 takes AH 3H 5H 9S 10S 3S AC 5C 7C KC 2D 2S: high, game; 21 for game (+2)" in case
        assert (
            "  an arbiter rules on dispute 1, S34, by the log: p0 -1, p1 +2, p2 -1; as ruled p0 1, p1 3, p2 0" in case
        )
        assert [line for line in case if line.startswith(("as played", "as ruled"))] == [
            "as played: p0 2, p1 1, p2 1",
            "as ruled: p0 1, p1 3, p2 0",
        ]
        root = here.table.games.snapshot(here.table.game)[1]
        assert f"log: {here.state.version} events, root {root}" in case
        assert "evidence is this log: ok" in case
    assert here.nobody.get(f"{here.path}/1").get_json()["dispute"] == 1
    check_problem(here.nobody.get(f"{here.path}/2"), 404, "not-found")


@pytest.mark.both_stores
def test_a_dispute_of_the_wrong_kind_is_withdrawn_and_opened_again(here: DisputedTable) -> None:
    here.contest(kind="revoke")
    seat, path = here.table.by(1), f"{here.path}/1/withdrawal"
    check_problem(here.table.by(0).post(path, {}), 403, "not-seated")
    check_problem(here.ann.post(path, {}), 403, "not-seated")
    check_problem(seat.post(path, {"text": "no"}), 400, "malformed")
    withdrawn = seat.post(path, {}, Idempotency_Key="back")
    assert withdrawn.status_code == 201
    assert [line["event"]["fact"] for line in withdrawn.get_json()["events"]] == ["DisputeWithdrawn"]
    assert withdrawn.get_json()["outcome"]["status"] == "withdrawn"
    assert seat.post(path, {}, Idempotency_Key="back").get_json()["events"] == withdrawn.get_json()["events"]
    check_problem(seat.post(path, {}), 409, "already-withdrawn")
    check_problem(here.rule(), 409, "already-withdrawn")
    check_problem(here.table.by(0).ask("PUT", f"{here.path}/1/answer", {"text": "no"}), 409, "already-withdrawn")
    here.follow()
    assert here.ann.get("/disputes").get_json()["items"] == []
    (item,) = here.items()
    assert (item["status"], item["withdrawal"]["seat"], item["ruling"]) == ("withdrawn", 1, None)
    assert here.contest(kind="score").status_code == 201
    line = seat.post("/commands", {"line": "pitch dispute 1 withdraw 2"}).get_json()
    assert line["text"].startswith("Dispute 2 is withdrawn.")
    assert "Dispute 2 on hand 1 (score): withdrawn" in line["text"]
    listed = seat.post("/commands", {"line": "pitch dispute 1"}).get_json()["text"]
    assert "Dispute 2 on hand 1 (score), withdrawn" in listed
    assert "p1 withdraws the dispute" in listed
    assert "withdrawal: event 48" in here.nobody.get(f"{here.path}/1", Accept="text/plain").text
    here.follow()
    inbox = here.table.by(0).get("/me/events").get_json()["items"]
    steps = [each["step"] for each in inbox if each["kind"] == "dispute"]
    assert sorted(steps) == ["opened", "opened", "withdrawn", "withdrawn"]


def test_an_arbiter_rules_by_a_line_and_another_decides(here: DisputedTable) -> None:
    here.contest()

    def line(caller: Caller, *words: str) -> str:
        answer = caller.post("/commands", {"line": f"pitch dispute 1 {words[0]}", "text": list(words[1:])}).get_json()
        return " ".join(answer["text"].split())

    for refused, says in (
        ("rule 1 guilty", "The decision is one of none, adjust, void, upheld, reversed."),
        ("rule 1 adjust so", "one number for each seat"),
        ("rule 1 none S34", "Say in a few words why."),
        ("rule 1 none s99 so", "The rules of this game have no clause S99."),
    ):
        assert says in line(here.ann, refused)
    assert "needs the role arbiter" in line(here.table.by(0), "rule 1 none so it was")
    said = line(here.ann, "rule 1 adjust points=-1,+2,-1 s34 there was a club")
    assert said.startswith(
        "Dispute 1 on hand 1 (revoke) is ruled by S34, p0 -1, p1 +2, p2 -1: there was a club Waiting for"
    )
    assert here.state.ruled is not None
    here.appeal()
    assert line(here.ben, "rule 1 upheld").startswith(
        "Dispute 1 on hand 1 (revoke) is upheld by S34, p0 -1, p1 +2, p2 -1"
    )


def test_a_dispute_or_ruling_sent_again_with_its_key_is_stored_once(here: DisputedTable) -> None:
    """docs/http.md: the same key and body get the first answer again; another body is 422."""
    body = {"hand": 1, "kind": "score", "text": TEXT}
    first, again = (here.table.by(0).post(here.path, body, Idempotency_Key="d1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert len(here.items()) == 1
    for change in ({"kind": "deal"}, {"text": "y"}):
        other = here.table.by(0).post(here.path, body | change, Idempotency_Key="d1")
        check_problem(other, 422, "key-reused")
    ruling = {"decision": "none", "basis": None, "standard": "likely", "text": GROUNDS}
    rulings = [here.ann.post(f"{here.path}/1/ruling", ruling, Idempotency_Key="d1") for _ in range(2)]
    assert [answer.status_code for answer in rulings] == [201, 201]
    facts = [entry.event.fact for entry in here.table.games.entries(here.table.game)]
    assert facts.count("RulingGiven") == 1
    assert here.items(here.ann)[0]["opened"]["text"] == TEXT


def test_if_match_is_checked_and_another_dispute_does_not_break_it(here: DisputedTable) -> None:
    version = here.state.version
    body = {"hand": 1, "kind": "score", "text": TEXT}
    check_problem(here.table.by(0).post(here.path, body, If_Match='"3"'), 412, "stale-version")
    for tag in ('"-1"', '"9223372036854775808"', '"x"', "1", '"01"'):
        assert here.table.by(0).post(here.path, body, If_Match=tag).status_code in {400, 412}, tag
    assert here.table.by(0).post(here.path, body, If_Match=f'"{version}"').status_code == 201
    assert here.table.by(1).post(here.path, body, If_Match=f'"{version}"').status_code == 201


def test_bots_play_on_after_a_void_deals_the_hand_again(app: Flask, caller: Caller) -> None:
    player, arbiter = caller.join("ann"), caller.join("cat")
    give_role(app, "cat", roles.ARBITER)
    seats = ["bot:simple", "ann", "bot:random"]
    game = player.post("/games", {"variant": "pitch", "seats": seats}).get_json()["id"]
    said = player.post(f"/games/{game}/disputes", {"hand": 1, "kind": "deal", "text": TEXT})
    assert said.status_code == 201
    ruling = {"decision": "void", "standard": "likely", "text": GROUNDS}
    answer = arbiter.post(f"/games/{game}/disputes/1/ruling", ruling, Idempotency_Key="void")
    view = answer.get_json()["view"]
    assert (view["hand"]["redeal"], view["turn"]["seats"]) == (1, [1])
    again = arbiter.post(f"/games/{game}/disputes/1/ruling", ruling, Idempotency_Key="void")
    assert again.data == answer.data


@pytest.mark.parametrize(("decision", "counts"), [("upheld", True), ("reversed", False)])
def test_an_appeal_is_decided_by_another_arbiter(server: GameServer, decision: str, *, counts: bool) -> None:
    game = open_disputed_game(server)
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
    assert server.command("game", "audit", game.id).exit_code == 2, "a hand is live; nothing is wrong"
    game.finish()
    found = server.command("game", "audit", game.id)
    assert found.exit_code == 0, found.output


def test_disputes_need_a_seat_and_rulings_need_the_role(server: GameServer) -> None:
    game = open_disputed_game(server)
    before = game.export()
    body = {"hand": 1, "kind": "deal", "text": STATEMENT}
    assert server.nobody.post(f"{game.path}/disputes", body).status_code == 401
    for name in ("eve", "rhea", "mod"):
        check_problem(server[name].post(f"{game.path}/disputes", body), 403, "not-seated")
    assert game.export() == before
    created(open_dispute(game, 0))
    before = game.export()
    for caller in (server["eve"], server["mod"], *game.seats.values()):
        ruling = {"decision": "none", "standard": "likely", "text": "x", "basis": None}
        for path in ("ruling", "decision"):
            check_problem(caller.post(f"{game.path}/disputes/1/{path}", ruling), 403, "forbidden")
        check_problem(caller.get("/disputes"), 403, "forbidden")
    for path in ("ruling", "appeal", "decision"):
        answer = server.nobody.post(f"{game.path}/disputes/1/{path}", {"decision": "none"})
        check_problem(answer, 401, "unauthorized")
    check_problem(server.nobody.get("/disputes"), 401, "unauthorized")
    for name in ("eve", "rhea", "mod"):
        check_problem(server[name].post(f"{game.path}/disputes/1/appeal", {}), 403, "not-seated")
    assert game.export() == before


def test_an_arbiter_who_plays_cannot_rule_on_their_own_game(server: GameServer) -> None:
    game = server.open(["rhea", "ann", "bob"], options={"win": 21})
    game.play_hand()
    created(open_dispute(game, 1))
    before = game.export()
    check_problem(give_ruling(game, "rhea", "none"), 403, "arbiter-seated")
    assert server.command("dispute", "rule", game.id, "1", "none", "--by", "rhea", "--text", "x").exit_code != 0
    assert game.export() == before
    server.follow()
    assert game.id not in server["rhea"].get("/disputes?limit=500").text
    assert game.id in server["sol"].get("/disputes?limit=500").text
    created(give_ruling(game, "sol", "none"))
    created(appeal(game, 1))
    check_problem(decide(game, "rhea", "upheld"), 403, "arbiter-seated")


def test_a_withdrawn_role_ends_at_once(server: GameServer) -> None:
    game = open_disputed_game(server)
    created(open_dispute(game, 0))
    server.role("una", "arbiter")
    server.role("una", "arbiter", "--remove")
    check_problem(give_ruling(game, "una", "none"), 403, "forbidden")
    assert server["una"].get("/disputes").status_code == 403
