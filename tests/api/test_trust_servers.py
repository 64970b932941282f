"""Cuts and logs across processes, on PostgreSQL: a window that closes, a cut kept back, kill -9, two servers."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.api import fairdeal_reference as fair
from tests.api.cut_moves import cut_move, own_cut, send_all_cuts
from tests.api.live_server import ServedGame, data_of, versions_of
from tests.api.log_reference import canonical, check_export, leaf
from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database

WINDOW = 15  # seconds: long enough for whoever cuts, however busy the machine is


def opened(house: Any) -> ServedGame:
    """A table of sealed cuts."""
    fairness = {"cuts": "sealed", "window_s": WINDOW}
    body = {"variant": "pitch", "seats": ["ann", "bob"], "fairness": fairness, "options": {"win": 21}}
    assert house["bob"]
    made = house["ann"].post("/games", body)
    assert made.status_code == 201, made.text
    return at(house, made.get_json()["id"])


def at(house: Any, game: str) -> ServedGame:
    """The same table, asked of that server."""
    return ServedGame(house, game, {0: house["ann"], 1: house["bob"]})


def dealt(game: ServedGame, within: float) -> dict[str, Any]:
    """The view once the table has dealt without being asked."""
    until = time.monotonic() + within
    while (view := game.public)["phase"] == "waiting":
        assert time.monotonic() < until, view["ceremony"]
        time.sleep(0.1)
    return view


def test_who_keeps_a_sealed_cut_back_is_named_and_cuts_no_more_and_a_crash_changes_no_deal(
    fresh_postgres: str, tmp_path: Path
) -> None:
    """docs/fairness.md: window, one strike, the same commitment after a restart; on two servers."""
    database = Database(fresh_postgres, tmp_path)
    with start_server(database) as first:
        house = RemoteServer(first.url)
        game = opened(house)
        send_all_cuts(game, promise=True)
        game.play_hand()
        promised = game.public["ceremony"]
        assert game.move(0, cut_move(game, 0, promise=True)).status_code == 201, (
            "bob sealed a cut too, and keeps it back"
        )
        before = check_export(game.export())
        first.kill()
    with ExitStack() as both, ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: both.enter_context(start_server(database)), range(2))
        house.url = one.url
        game, other = at(house, game.id), at(RemoteServer(two.url, house.tokens), game.id)
        view = dealt(game, WINDOW + 60)
        assert (view["hand"]["commit"], view["hand"]["grade"]) == (promised["commit"], "F1")
        game.play_hand()
        waits = other.public["ceremony"]
        assert (waits["n"], waits["waits_for"], set(waits["seals"])) == (3, [0], {"0"})
        assert game.move(1, cut_move(game, 1)).status_code == 409
        body = cut_move(game, 0)
        asked = [pool.submit(each.move, 0, body, Idempotency_Key="once") for each in (game, other)]
        assert [each.result().status_code for each in asked] == [201, 201]
        assert asked[0].result().get_json()["events"] == asked[1].result().get_json()["events"]
        assert game.export() == other.export()
        assert game.move(1, {"type": "resign"}).status_code == 201
        facts = check_export(other.export()).events
    told = [fair.check_deal(facts, n) for n in (1, 2, 3)]
    assert [(deal["missing"], deal["grade"]) for deal in told] == [([], "F1"), ([1], "F1"), ([], "F1")]
    assert told[1]["cuts"] == [["0", own_cut(0, 2).hex()]]
    assert len(versions_of(facts, "CutOpened", 3)) == 1
    assert [each["n"] for each in data_of(facts, "CeremonyOpened")] == [1, 2, 3], "a crash is no reason to deal again"
    after = [event["version"] for event in facts]
    assert after == list(range(1, len(facts) + 1))
    leaves = [leaf(canonical(event)) for event in facts]
    assert before.leaves == leaves[: len(before.leaves)], "what the server that was killed had told"
