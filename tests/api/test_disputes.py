"""Disputes over HTTP, on each store: opened, ruled, appealed, decided; who reads and erases what (docs/disputes.md)."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from api.accounts import roles
from api.app import create_app
from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, MakeApp, check_problem, config_for, services_of
from tests.api.disputed_table import GROUNDS, HASH, TEXT, DisputedTable, give_role, open_disputed_table
from tests.conftest import Database


@pytest.fixture
def here(app: Flask) -> DisputedTable:
    """A court on each store in turn."""
    return open_disputed_table(app)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DisputedTable]:
    """A court on SQLite, with a dispute open, for all that writes nothing."""
    app = create_app(Config(data=tmp_path_factory.mktemp("court"), hashing="cheapest", limits=NO_LIMITS))
    made = open_disputed_table(app)
    made.contest()
    yield made
    services_of(app).close()


def test_a_dispute_is_opened_ruled_appealed_and_reversed(here: DisputedTable) -> None:
    scores = list(here.state.scores)
    opened = here.contest()
    assert opened.status_code == 201
    assert (opened.get_json()["dispute"], opened.get_json()["view"]["you"]["seat"]) == (1, 1)
    ruled = here.rule().get_json()
    assert "you" not in ruled["view"]
    adjusted = [old + new for old, new in zip(scores, [-1, 2, -1], strict=True)]
    assert ruled["view"]["ruled"] == {"scores": adjusted, "winners": []}
    assert [seat["score"] for seat in ruled["view"]["seats"]] == scores
    assert here.appeal(0, text="it was my last card").status_code == 201
    assert here.items()[0]["status"] == "appealed"
    decided = here.decide().get_json()
    assert decided["view"]["ruled"] is None
    (shown,) = decided["view"]["disputes"]
    assert (shown["status"], shown["decision"], shown["changes"]) == ("reversed", "adjust", [-1, 2, -1])


def test_the_answer_to_a_dispute_is_like_that_to_a_move(here: DisputedTable) -> None:
    answer = here.contest()
    body = answer.get_json()
    assert answer.headers["ETag"] == f'"{body["version"]}"'
    assert int(answer.headers["Trickbook-Position"]) > 0
    (line,) = body["events"]
    assert line["event"]["fact"] == "DisputeOpened"
    assert body["root"] == here.table.games.snapshot(here.table.game)[1]


def test_the_facts_are_for_everybody_and_carry_no_text(here: DisputedTable) -> None:
    here.contest()
    here.rule()
    for caller in (here.nobody, here.mod):
        (item,) = here.items(caller)
        assert (item["opened"]["kind"], item["ruling"]["evidence"]["size"]) == ("revoke", len(here.log) - 1)
        assert "text" not in item["opened"]
    everything = b"".join(here.log) + here.nobody.get(here.path).data
    assert TEXT.encode() not in everything
    assert GROUNDS.encode() not in everything


def test_what_is_said_is_for_the_seats_and_for_arbiters_and_opens_its_note(here: DisputedTable) -> None:
    here.contest()
    here.rule()
    for caller in (here.table.by(1), here.ann, here.ben):
        (item,) = here.items(caller)
        for part, text in (("opened", TEXT), ("ruling", GROUNDS)):
            told = item[part]
            assert (told["text"], told["erased"]) == (text, False)
            assert hashlib.sha256(bytes.fromhex(told["salt"]) + text.encode()).hexdigest() == told["note"]


def test_trust_2_what_a_seat_says_in_a_hand_is_for_the_other_seats_when_it_is_over(here: DisputedTable) -> None:
    here.contest(hand=2)
    here.rule("none")
    (item,) = here.items(here.table.by(2))
    hidden = {"text": None, "salt": None, "erased": False, "withheld": True}
    assert {name: item["opened"][name] for name in hidden} == hidden
    assert (item["ruling"]["text"], item["ruling"]["withheld"]) == (GROUNDS, False)
    assert TEXT.encode() not in here.table.by(2).get(here.path).data
    for seat in (0, 2):
        here.table.when(seat, {"type": "resign"}).happens()
    (item,) = here.items(here.table.by(2))
    assert (item["opened"]["text"], item["opened"]["withheld"]) == (TEXT, False)


def test_an_appeal_need_say_nothing(here: DisputedTable) -> None:
    here.contest()
    here.rule("none")
    here.appeal(2)
    (item,) = here.items(here.ann)
    assert (item["appeal"]["seat"], item["appeal"]["text"], item["appeal"]["erased"]) == (2, None, False)


def test_a_hand_in_play_is_voided_and_dealt_again(here: DisputedTable) -> None:
    assert here.contest(hand=2).status_code == 201
    answer = here.rule("void").get_json()
    facts = [line.get("event", {}).get("fact") for line in answer["events"]]
    assert facts[:3] == ["RulingGiven", "CeremonyRevealed", "CeremonyOpened"]
    assert (answer["view"]["hand"]["number"], answer["view"]["hand"]["redeal"]) == (2, 1)


def test_a_void_of_a_scored_hand_takes_it_back(here: DisputedTable) -> None:
    changes = here.state.past_deals[0].changes
    here.contest()
    answer = here.rule("void").get_json()
    assert changes is not None
    assert answer["view"]["disputes"][0]["changes"] == [-change for change in changes]
    assert answer["view"]["ruled"]["scores"] == [0, 0, 0]


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


def test_the_queue_is_for_arbiters_the_longest_waiting_first(here: DisputedTable) -> None:
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
    here.decide("upheld", by=here.ben)
    here.follow()
    left = here.ann.get("/disputes").get_json()["items"]
    assert [item["dispute"] for item in left] == [2, 3]


def test_an_appeal_waits_for_another_arbiter(here: DisputedTable) -> None:
    here.contest()
    here.rule()
    here.appeal()
    here.follow()
    assert here.ann.get("/disputes").get_json()["items"] == []
    (item,) = here.ben.get("/disputes").get_json()["items"]
    assert item["status"] == "appealed"
    check_problem(here.decide(by=here.ann), 409, "same-arbiter")


def test_an_arbiter_who_plays_is_no_arbiter_here(here: DisputedTable, app: Flask) -> None:
    give_role(app, "p0", roles.ARBITER)
    here.contest()
    own = here.table.by(0)
    check_problem(here.rule(by=own), 403, "arbiter-seated")
    assert own.get("/disputes").get_json()["items"] == []
    here.rule()
    here.appeal(1)
    check_problem(here.decide(by=own), 403, "arbiter-seated")


def test_texts_are_erased_by_moderators_and_the_facts_stay(here: DisputedTable) -> None:
    here.contest()
    here.rule()
    log = here.log
    for caller in (here.table.by(1), here.ann):
        check_problem(caller.delete(here.path + "/1/texts"), 403, "forbidden")
    check_problem(here.nobody.delete(here.path + "/1/texts"), 401, "unauthorized")
    assert here.mod.delete(here.path + "/1/texts").status_code == 204
    assert here.mod.delete(here.path + "/1/texts").status_code == 204
    (item,) = here.items(here.ann)
    for part in ("opened", "ruling"):
        assert (item[part]["text"], item[part]["salt"], item[part]["erased"]) == (None, None, True)
        assert len(item[part]["note"]) == 64
    assert here.log == log
    check_problem(here.mod.delete(here.path + "/2/texts"), 404, "not-found")


def test_the_same_key_does_the_same_once(here: DisputedTable) -> None:
    body = {"hand": 1, "kind": "score", "text": TEXT}
    first, again = (here.table.by(0).post(here.path, body, Idempotency_Key="d1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert len(here.items()) == 1
    other = here.table.by(0).post(here.path, body | {"kind": "deal"}, Idempotency_Key="d1")
    check_problem(other, 422, "key-reused")
    assert here.items(here.ann)[0]["opened"]["text"] == TEXT


def test_if_match_is_honoured_and_a_dispute_moves_nothing(here: DisputedTable) -> None:
    version = here.state.version
    body = {"hand": 1, "kind": "score", "text": TEXT}
    check_problem(here.table.by(0).post(here.path, body, If_Match='"3"'), 412, "stale-version")
    assert here.table.by(0).post(here.path, body, If_Match=f'"{version}"').status_code == 201
    assert here.table.by(1).post(here.path, body, If_Match=f'"{version}"').status_code == 201
    (seat,) = here.state.turn
    move = {"type": "pass"}
    assert here.table.by(seat).post(f"/games/{here.table.game}/moves", move, If_Match=f'"{version}"').status_code == 201


def test_a_refused_dispute_leaves_no_text(here: DisputedTable, app: Flask) -> None:
    here.contest()
    check_problem(here.contest(), 409, "already-disputed")
    check_problem(here.contest(hand=9), 409, "not-a-dispute")
    assert services_of(app).accounts.database.run("SELECT COUNT(*) FROM texts") == [(1,)]


REFUSED: list[Any] = [
    pytest.param({"kind": "cheating"}, 400, id="a kind that is none"),
    pytest.param({"kind": ["deal"]}, 400, id="a list of kinds"),
    pytest.param({"text": ""}, 400, id="nothing said"),
    pytest.param({"text": "   "}, 400, id="blanks said"),
    pytest.param({"text": "x" * 2001}, 400, id="too much said"),
    pytest.param({"text": "line\nbreak"}, 400, id="a control character"),
    pytest.param({"text": None}, 400, id="null said"),
    pytest.param({"text": {"a": 1}}, 400, id="an object said"),
    pytest.param({"hand": "1"}, 400, id="a hand in a string"),
    pytest.param({"hand": 0}, 400, id="hand 0"),
    pytest.param({"hand": -1}, 400, id="a negative hand"),
    pytest.param({"hand": 1.0}, 400, id="a hand with a point"),
    pytest.param({"hand": True}, 400, id="a hand that is true"),
    pytest.param({"hand": 2**53}, 400, id="a hand beyond all numbers"),
    pytest.param({"hand": 2**53 - 1}, 409, id="a hand far away"),
    pytest.param({"at_version": 2**63}, 400, id="a version beyond all numbers"),
    pytest.param({"at_version": 10**9}, 409, id="a version to come"),
    pytest.param({"at_version": 1}, 409, id="a version before the hand"),
    pytest.param({"at_version": None}, 400, id="no version"),
    pytest.param({"by": 0, "seats": [0]}, 400, id="mass assignment of a seat"),
    pytest.param({"note": HASH}, 400, id="mass assignment of a note"),
    pytest.param({"dispute": 7}, 400, id="mass assignment of a number"),
    pytest.param({"role": "arbiter"}, 400, id="mass assignment of a role"),
]


@pytest.mark.parametrize(("more", "status"), REFUSED)
def test_what_is_no_dispute_is_refused_and_nothing_is_written(
    one: DisputedTable, more: dict[str, Any], status: int
) -> None:
    log = one.log
    check_problem(one.contest(2, **more), status, "malformed" if status == 400 else "not-a-dispute")
    assert one.log == log


NO_RULING: list[Any] = [
    pytest.param({"decision": "guilty"}, 400, "malformed", id="another decision"),
    pytest.param({"standard": "sure"}, 400, "malformed", id="another standard"),
    pytest.param({"changes": [1, 2]}, 409, "not-a-ruling", id="changes of two seats"),
    pytest.param({"changes": [0, 0, 0]}, 409, "not-a-ruling", id="no change"),
    pytest.param({"changes": [10**6, 0, 0]}, 409, "not-a-ruling", id="a million points"),
    pytest.param({"changes": [2**60, 0, 0]}, 400, "malformed", id="a number beyond all numbers"),
    pytest.param({"changes": [1.5, 0, 0]}, 400, "malformed", id="half a point"),
    pytest.param({"changes": [True, 0, 0]}, 400, "malformed", id="true points"),
    pytest.param({"changes": ["1", 0, 0]}, 400, "malformed", id="points in a string"),
    pytest.param({"changes": [1] * 17}, 400, "malformed", id="changes of seventeen"),
    pytest.param({"changes": {"0": 1}}, 400, "malformed", id="changes by name"),
    pytest.param({"decision": "none", "changes": [1, 0, 0]}, 409, "not-a-ruling", id="changes without adjusting"),
    pytest.param({"decision": "void", "changes": [1, 0, 0]}, 409, "not-a-ruling", id="changes of a void"),
    pytest.param({"basis": "because"}, 409, "not-a-ruling", id="no clause"),
    pytest.param({"basis": "x" * 99}, 400, "malformed", id="a long clause"),
    pytest.param({"basis": 34}, 400, "malformed", id="a clause that is a number"),
    pytest.param({"evidence": {"size": 10**6, "root": HASH}}, 409, "not-a-ruling", id="evidence to come"),
    pytest.param({"evidence": {"size": 1, "root": HASH}}, 409, "not-a-ruling", id="evidence from before"),
    pytest.param({"evidence": {"size": 1}}, 400, "malformed", id="half the evidence"),
    pytest.param({"evidence": {"size": 1, "root": "x"}}, 400, "malformed", id="a root that is none"),
    pytest.param({"evidence": HASH}, 400, "malformed", id="evidence that is a string"),
    pytest.param({"evidence": {"size": 1, "root": HASH, "more": 1}}, 400, "malformed", id="evidence and more"),
    pytest.param({"voids": 1}, 400, "malformed", id="mass assignment of a ceremony"),
    pytest.param({"ruled": {"scores": [9, 9, 9], "winners": [0]}}, 400, "malformed", id="mass assignment of scores"),
    pytest.param({"arbiter": "ben"}, 400, "malformed", id="mass assignment of an arbiter"),
]


@pytest.mark.parametrize(("more", "status", "slug"), NO_RULING)
def test_what_is_no_ruling_is_refused_and_nothing_is_written(
    one: DisputedTable, more: dict[str, Any], status: int, slug: str
) -> None:
    log = one.log
    check_problem(one.rule(**{"decision": "adjust"} | more), status, slug)
    assert one.log == log


def test_a_ruling_on_another_log_is_refused(here: DisputedTable) -> None:
    here.contest()
    size, log = here.state.version, here.log
    check_problem(here.rule(evidence={"size": size, "root": HASH}), 409, "wrong-evidence")
    assert here.log == log
    root = here.table.games.entries(here.table.game, size - 1)[0].prev.hex()
    check_problem(here.rule(evidence={"size": size, "root": root}), 409, "wrong-evidence")
    assert here.rule(evidence={"size": size - 1, "root": root}).status_code == 201


@pytest.mark.parametrize("path", ["/1/ruling", "/1/decision"])
def test_ruling_and_deciding_are_for_arbiters(here: DisputedTable, path: str) -> None:
    here.contest()
    for caller in (here.table.by(0), here.mod):
        check_problem(caller.post(here.path + path, {"decision": "none"}), 403, "forbidden")
    check_problem(here.nobody.post(here.path + path, {"decision": "none"}), 401, "unauthorized")


def test_contesting_and_appealing_are_for_the_seats(here: DisputedTable) -> None:
    for caller in (here.ann, here.mod):
        check_problem(caller.post(here.path, {"hand": 1, "kind": "deal", "text": TEXT}), 403, "not-seated")
        check_problem(caller.post(here.path + "/1/appeal", {}), 403, "not-seated")
    check_problem(here.nobody.post(here.path, {"hand": 1, "kind": "deal", "text": TEXT}), 401, "unauthorized")
    check_problem(here.mod.get("/disputes"), 403, "forbidden")
    check_problem(here.nobody.get("/disputes"), 401, "unauthorized")


@pytest.mark.parametrize("number", ["0", "2", "9" * 15, "9" * 40])
def test_a_dispute_that_is_not_there(here: DisputedTable, number: str) -> None:
    here.contest()
    slugs = ("no-such-dispute", "not-found")
    for answer in (
        here.ann.post(f"{here.path}/{number}/ruling", {"decision": "none", "standard": "likely", "text": "x"}),
        here.table.by(0).post(f"{here.path}/{number}/appeal", {}),
        here.ben.post(f"{here.path}/{number}/decision", {"decision": "upheld"}),
        here.mod.delete(f"{here.path}/{number}/texts"),
    ):
        assert answer.status_code == 404
        assert answer.get_json(force=True)["type"].removeprefix("/problems/") in slugs


def test_disputes_of_a_game_that_is_not_there(here: DisputedTable) -> None:
    missing = "/games/00000000-0000-4000-8000-000000000000/disputes"
    ruling = {"decision": "none", "standard": "likely", "text": "x"}
    for answer in (
        here.nobody.get(missing),
        here.table.by(0).post(missing, {"hand": 1, "kind": "deal", "text": TEXT}),
        here.ann.post(missing + "/1/ruling", ruling),
        here.table.by(0).post(missing + "/1/appeal", {}),
        here.ben.post(missing + "/1/decision", {"decision": "upheld"}),
        here.mod.delete(missing + "/1/texts"),
    ):
        check_problem(answer, 404, "not-found")


def test_a_role_that_is_withdrawn_is_gone_at_once(here: DisputedTable, app: Flask) -> None:
    here.contest()
    accounts = services_of(app).accounts
    player = accounts.users.by_name("ann")
    assert player is not None
    accounts.roles.withdraw(player.id, roles.ARBITER)
    check_problem(here.rule(), 403, "forbidden")


def test_two_arbiters_at_once_give_one_ruling(database: Database, make_app: MakeApp) -> None:
    """On two servers of one store."""
    first = make_app(config_for(database))
    here, second = open_disputed_table(first), make_app(config_for(database))
    here.contest()
    ben = Caller(second.test_client(), here.ben.token)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda by: here.rule(by=by), (here.ann, ben)))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    check_problem(refused, 409, "already-ruled")
    facts = [entry.event.fact for entry in here.table.games.entries(here.table.game)]
    assert facts.count("RulingGiven") == 1
    assert services_of(first).accounts.database.run("SELECT COUNT(*) FROM texts") == [(2,)]


def test_bad_cursors_and_limits_of_the_queue(here: DisputedTable) -> None:
    for query in ("cursor=x", "cursor=%00", "limit=0", "limit=501", "cursor=YSBiIGM=", "cursor=YSBiIDA=", "wait=99999"):
        check_problem(here.ann.get(f"/disputes?{query}"), 400, "malformed")


def test_what_is_said_stands_as_text(here: DisputedTable) -> None:
    said = "<script>alert(1)</script> =cmd|' /C calc'!A0 '; DROP TABLE texts; -- \u202e"
    here.contest(text=said)
    assert here.items(here.ann)[0]["opened"]["text"] == said


def test_bots_play_on_in_a_hand_that_is_dealt_again(app: Flask, caller: Caller) -> None:
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
