"""Receipts and proofs over HTTP (docs/trust.md)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from api.config.limits import Limits, Rate
from api.worker import Worker
from domain.commands import Resign
from domain.protocols.signed_notes import parse_checkpoint, parse_key, parse_note
from replay.audit import GREEN, WRONG, audit
from replay.history import read_export
from replay.history.receipts import CHANGED, GOOD, check_receipts
from replay.history.signatures import signing_keys
from tests.api.conftest import Caller, MakeApp, check_problem, config_for, services_of
from tests.api.forgery import forge, run_accounts_sql, truncate_log
from tests.conftest import Database
from tests.domain.store.storing import Rows

SEATS = ["ann", "bot:simple", "bot:random"]
KEYS = "/.well-known/trickbook/keys"
TEXT = {"Accept": "text/plain"}


def open_game(ann: Caller) -> str:
    """Open a game, and return its ID."""
    game: str = ann.post("/games", {"variant": "pitch", "seats": SEATS}).get_json()["id"]
    return game


def play_hand(ann: Caller, game: str) -> dict[str, Any]:
    """Play the first legal move until a hand is over, and return the last answer."""
    view = ann.get(f"/games/{game}/seats/0").get_json()
    while True:
        answer: dict[str, Any] = ann.post(f"/games/{game}/moves", view["you"]["legal"][0]).get_json()
        if answer["receipt"] is not None:
            return answer
        ended = {item["event"]["fact"] for item in answer["events"] if "event" in item}
        assert not ended & {"HandScored", "HandThrownIn", "GameEnded"}
        view = answer["view"]


def verify_receipt(caller: Caller, note: str, game: str) -> tuple[int, str]:
    """Verify a receipt's signature by the published keys, and return its size and root."""
    published = caller.get(KEYS).get_json()
    read = parse_note(note)
    assert [key.text for key in signing_keys(read, map(parse_key, published["keys"]))] == [published["current"]]
    head = parse_checkpoint(read.body)
    assert head.origin == f"{published['origin']}/game/{game}"
    return head.size, head.root.hex()


def test_a_repeated_request_is_answered_with_the_same_receipt(ann: Caller) -> None:
    game = open_game(ann)
    first = ann.post(f"/games/{game}/moves", {"type": "resign"}, Idempotency_Key="k")
    again = ann.post(f"/games/{game}/moves", {"type": "resign"}, Idempotency_Key="k")
    assert first.get_json()["receipt"]
    assert again.data == first.data


def test_a_receipt_is_always_the_same_for_one_size(caller: Caller, ann: Caller) -> None:
    game = open_game(ann)
    log = ann.get(f"/games/{game}/events").get_json()["items"]
    for size in (None, 1, 4, len(log)):
        query = "" if size is None else f"?size={size}"
        services_of(_app(caller)).receipts.issue(game, size)
        told = caller.get(f"/games/{game}/receipt{query}").get_json()
        assert (told["game"], told["size"]) == (game, size or len(log))
        assert verify_receipt(caller, told["note"], game) == (told["size"], told["root"])
        assert size in (None, len(log)) or told["root"] == log[told["size"]]["prev"]
        assert caller.get(f"/games/{game}/receipt{query}", **TEXT).text == told["note"]
    assert [each.size for each in services_of(_app(caller)).receipts.stored_receipts(game)] == [1, 4, len(log)]


def _app(caller: Caller) -> Flask:
    app = caller.client.application
    assert isinstance(app, Flask)
    return app


def test_a_read_answers_the_newest_receipt_of_at_most_that_size(caller: Caller, ann: Caller) -> None:
    game = open_game(ann)
    for path in ("/receipt", "/receipt?size=4", "/proofs/inclusion?version=1", "/proofs/consistency?first=1"):
        check_problem(caller.get(f"/games/{game}{path}"), 404, "not-found")
    for size in (2, 5):
        services_of(_app(caller)).receipts.issue(game, size)
    for query, found in (("?size=1", None), ("?size=2", 2), ("?size=4", 2), ("?size=5", 5), ("?size=6", 5), ("", 5)):
        answer = caller.get(f"/games/{game}/receipt{query}")
        assert (answer.status_code, answer.get_json(force=True).get("size")) == (200 if found else 404, found)
    check_problem(caller.get(f"/games/{game}/proofs/inclusion?version=3&size=4"), 404, "not-found")
    check_problem(caller.get(f"/games/{game}/proofs/consistency?first=6"), 404, "not-found")
    exported = read_export(caller.get(f"/games/{game}/export").data)
    assert exported.trailer is not None
    assert parse_checkpoint(parse_note(str(exported.trailer.receipt)).body).size == 5
    assert audit(exported).code() != WRONG


def test_a_player_makes_a_receipt_of_the_whole_log(caller: Caller, ann: Caller) -> None:
    game = open_game(ann)
    made = ann.post(f"/games/{game}/receipts", {})
    view = ann.get(f"/games/{game}").get_json()
    assert (made.status_code, made.get_json()["size"], made.get_json()["root"]) == (201, view["version"], view["root"])
    assert verify_receipt(caller, made.get_json()["note"], game) == (view["version"], view["root"])
    assert ann.post(f"/games/{game}/receipts", {}).data == made.data
    assert caller.get(f"/games/{game}/receipt").get_json() == made.get_json()
    assert ann.post(f"/games/{game}/receipts", {}, **TEXT).text == made.get_json()["note"]


def test_only_a_player_of_the_game_makes_a_receipt(caller: Caller, ann: Caller) -> None:
    game = open_game(ann)
    path = f"/games/{game}/receipts"
    check_problem(caller.post(path, {}), 401, "unauthorized")
    check_problem(caller.join("eve").post(path, {}), 403, "not-seated")
    check_problem(ann.post(path, {"size": 3}), 400, "malformed")
    check_problem(ann.post("/games/99/receipts", {}), 404, "not-found")
    check_problem(ann.get(path), 405, "method-not-allowed")
    assert services_of(_app(caller)).receipts.stored_receipts(game) == []


def test_a_player_has_a_budget_of_receipts(make_app: MakeApp, database: Database) -> None:
    limits = Limits(receipt_requests=Rate(count=2, window_s=3600))
    ann = Caller(make_app(replace(config_for(database), limits=limits)).test_client()).join("ann")
    game = open_game(ann)
    assert [ann.post(f"/games/{game}/receipts", {}).status_code for _ in range(3)] == [201, 201, 429]
    assert ann.post(f"/games/{game}/moves", {"type": "resign"}).get_json()["receipt"], "the server's own aren't counted"


def test_simultaneous_requests_get_the_same_receipt(app: Flask, ann: Caller) -> None:
    game, here = open_game(ann), services_of(app)
    sizes = [size for size in range(1, here.games.state(game).version + 1) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        given = set(pool.map(lambda size: here.receipts.issue(game, size), sizes))
    assert sorted(given, key=lambda each: each.size) == here.receipts.stored_receipts(game)
    assert len(given) == len(set(sizes))


def test_an_export_has_keys_and_a_valid_receipt(ann: Caller) -> None:
    game = open_game(ann)
    play_hand(ann, game)
    exported = ann.get(f"/games/{game}/export")
    history = read_export(exported.data)
    assert list(history.header.keys) == ann.get(KEYS).get_json()["keys"]
    receipts = check_receipts(history, keys=[parse_key(key) for key in history.header.keys])
    assert [(each.source, each.state) for each in receipts.checked] == [("trailer", GOOD)]
    assert audit(history).code(live_is_fine=True) == GREEN
    assert ann.get(f"/games/{game}/export").data == exported.data
    assert exported.data in ann.get("/exports/games").data


def test_the_worker_issues_receipts_that_no_request_asked_for(app: Flask, ann: Caller) -> None:
    here = services_of(app)
    game, left, answered = open_game(ann), open_game(ann), open_game(ann)
    play_hand(ann, answered)
    here.games.act(game, Resign(0), by=here.games.state(game).seats[0].player, command_id="1-1")
    worker = Worker(here)
    assert [worker.issue_receipts() for _ in range(4)] == [0, 0, 1, 0]
    (given,) = here.receipts.stored_receipts(game)
    assert (given.size, given.root) == (here.games.state(game).version, here.games.snapshot(game)[1])
    assert here.receipts.stored_receipts(left) == []
    assert [Worker(here).issue_receipts() for _ in range(4)] == [0, 0, 0, 0]


def test_an_unreadable_event_does_not_block_receipts_of_other_games(
    app: Flask, ann: Caller, database: Database
) -> None:
    here = services_of(app)
    broken, game = open_game(ann), open_game(ann)
    _, topic, _ = Rows(database).of(broken)[3]
    Rows(database).put(broken, 4, topic, b"x" * 64)
    here.games.act(game, Resign(0), by=here.games.state(game).seats[0].player, command_id="1-1")
    worker = Worker(here)
    for _ in range(4):
        worker.issue_receipts()
    assert [each.size for each in here.receipts.stored_receipts(game)] == [here.games.state(game).version]


@pytest.fixture
def before(make_app: MakeApp, database: Database) -> tuple[Caller, str, dict[str, Any]]:
    """A game with a receipt, and a server that has closed it."""
    ann = Caller(make_app(config_for(database)).test_client()).join("ann")
    game = open_game(ann)
    return ann, game, play_hand(ann, game)


def test_trust_3_8_stored_receipts_reveal_a_rewritten_history(
    before: tuple[Caller, str, dict[str, Any]], make_app: MakeApp, database: Database
) -> None:
    ann, game, answer = before
    forge(database, game, 3)
    again = Caller(make_app(config_for(database)).test_client(), ann.token)
    assert again.get(f"/games/{game}").status_code == 200  # its links are consistent
    report = again.get(f"/games/{game}/audit").get_json()
    assert report["verdict"]["code"] == WRONG
    (told,) = report["log"]["receipts"]
    assert (told["source"], told["state"], told["size"]) == ("kept", CHANGED, answer["version"])
    assert report["log"]["findings"][0]["version"] == 1
    refused = check_problem(again.get(f"/games/{game}/receipt"), 500, "corrupt-log")
    assert (refused["game"], refused["version"]) == (game, answer["version"])
    for path in ("proofs/inclusion?version=1", "proofs/consistency?first=1", "receipt?size=2"):
        check_problem(again.get(f"/games/{game}/{path}"), 500, "corrupt-log")
    exported = read_export(again.get(f"/games/{game}/export").data)
    assert exported.trailer is not None
    assert exported.trailer.receipt == answer["receipt"]
    assert audit(exported).code(live_is_fine=True) == WRONG
    assert len(services_of(_app(again)).receipts.stored_receipts(game)) == 1


def test_a_move_in_a_rewritten_history_is_stored_but_not_signed(
    before: tuple[Caller, str, dict[str, Any]], make_app: MakeApp, database: Database
) -> None:
    ann, game, _ = before
    forge(database, game, 3)
    again = Caller(make_app(config_for(database)).test_client(), ann.token)
    answer = again.post(f"/games/{game}/moves", {"type": "resign"})
    assert (answer.status_code, answer.get_json()["receipt"]) == (201, None)
    worker = Worker(services_of(_app(again)))
    assert sum(worker.issue_receipts() for _ in range(4)) == 0


def test_a_missing_tail_is_found_and_its_first_event_is_named(
    before: tuple[Caller, str, dict[str, Any]], make_app: MakeApp, database: Database
) -> None:
    ann, game, answer = before
    truncate_log(database, game, answer["version"] - 3)
    again = Caller(make_app(config_for(database)).test_client(), ann.token)
    report = again.get(f"/games/{game}/audit").get_json()
    gone = answer["version"] - 2
    assert (report["verdict"]["code"], gone in [each["version"] for each in report["log"]["findings"]]) == (WRONG, True)
    refused = check_problem(again.get(f"/games/{game}/receipt"), 500, "corrupt-log")
    assert refused["version"] == gone


def test_a_receipt_changed_in_the_database_is_found(before: tuple[Caller, str, dict[str, Any]]) -> None:
    ann, game, answer = before
    here, note = services_of(_app(ann)), str(answer["receipt"])
    changed = note[:-20] + ("B" if note[-20] == "A" else "A") + note[-19:]  # a character of its signature
    run_accounts_sql(here, "UPDATE receipts SET note = ? WHERE game = ?", changed, game)
    report = ann.get(f"/games/{game}/audit").get_json()
    assert report["verdict"]["code"] == WRONG
    run_accounts_sql(here, "UPDATE receipts SET note = ?, root = ? WHERE game = ?", answer["receipt"], "00" * 32, game)
    check_problem(ann.get(f"/games/{game}/receipt"), 500, "corrupt-log")


def test_a_missing_key_does_not_block_moves(app: Flask, ann: Caller) -> None:
    game, here = open_game(ann), services_of(app)
    run_accounts_sql(here, "DELETE FROM signing_keys")
    answer = ann.post(f"/games/{game}/moves", {"type": "resign"})
    assert (answer.status_code, answer.get_json()["receipt"]) == (201, None)
    for refused in (ann.post(f"/games/{game}/receipts", {}), ann.get(KEYS)):
        check_problem(refused, 503, "not-ready")
    exported = read_export(ann.get(f"/games/{game}/export").data)
    assert exported.trailer is not None
    assert (exported.trailer.receipt, audit(exported).code()) == (None, GREEN)
