"""A table with a beacon over HTTP (docs/fairness.md, docs/verify-a-hand.md), recomputed here from the export alone."""

import types
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from api.services.worker import Worker
from tests.api.conftest import services_of
from tests.api.cut_moves import cut_move, send_all_cuts
from tests.api.live_server import GameServer, ServedGame, data_of, open_server
from tests.beacons.rounds import SIGNATURES
from tests.docs.markdown import ROOT, blocks
from tests.from_documents.deals import (
    CHAIN,
    FAIRNESS,
    check_dealt,
    cuts_of,
    round_after,
    time_of,
    written,
)  # fmt: skip


@contextmanager
def clock_at(server: GameServer, moment: datetime) -> Iterator[None]:
    """Set the store's clock to a moment during the block."""
    games = services_of(server.app).games
    usual, games._clock = games._clock, lambda: written(moment)
    try:
        yield
    finally:
        games._clock = usual


def beacon_move(n: int, number: int) -> dict[str, object]:
    return {"type": "beacon", "n": n, "source": f"{CHAIN}/{number}", "signature": SIGNATURES[number]}


def end_window(server: GameServer) -> None:
    """Let the worker do what is due today, years after the window."""
    server.follow()
    Worker(services_of(server.app)).tick()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    with open_server(tmp_path_factory.mktemp("beacons")) as found:
        yield found


def second_deal(server: GameServer) -> ServedGame:
    """Return a game whose first deal had round 1000, and whose second waits for cuts and round 1001."""
    with clock_at(server, time_of(1000) - timedelta(seconds=3)):
        game = server.open(["ann", "bob"], fairness=FAIRNESS)
    with clock_at(server, time_of(1000)):
        assert game.move(1, beacon_move(1, 1000)).status_code == 201
        send_all_cuts(game, promise=True)
        game.play_hand()
    return game


@pytest.mark.timeout(600)
def test_grades_decks_and_rounds_of_three_deals_follow_from_the_export(server: GameServer, tmp_path: Path) -> None:
    game = second_deal(server)
    with clock_at(server, time_of(1001)):
        send_all_cuts(game, promise=True)
        assert game.public["phase"] == "waiting", "the deal waits for the round too"
        assert game.move(0, beacon_move(2, 1001)).status_code == 201
        game.play_hand()
        send_all_cuts(game, promise=True)
    end_window(server)
    game.finish()
    facts = game.facts
    assert [each["grade"] for each in data_of(facts, "HandDealt")] == ["F1", "F3", "F2"]
    opened = [each for each in facts if each["fact"] == "CeremonyOpened"]
    named = [f"{CHAIN}/{round_after(datetime.fromisoformat(each['at']))}" for each in opened]
    assert [each["data"]["beacon"] for each in opened] == named == [f"{CHAIN}/{each}" for each in (1000, 1001, 1002)]
    for n in (1, 2, 3):
        check_dealt(facts, n, cuts_of(facts, n))
    assert [source for source, _ in cuts_of(facts, 3)] == ["0", "1"], "the third deal went on without the round"
    for each in facts:
        if each["fact"] == "BeaconRecorded":
            assert datetime.fromisoformat(each["at"]) >= time_of(int(each["data"]["source"].split("/")[-1]))
    program = types.ModuleType("page")
    exec(next(each.text for each in blocks(ROOT / "docs" / "fairness.md", "python")), vars(program))
    lines = game.export().decode().splitlines()
    assert list(program.check(lines)) == [f"deal hand {n}: as promised" for n in (1, 2, 3)]
    (tmp_path / "game.ndjson").write_bytes(game.export())
    done = server.command("game", "verify", str(tmp_path / "game.ndjson"))
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "verdict: all green")


@pytest.mark.timeout(600)
def test_a_seat_that_keeps_its_sealed_cut_back_is_named_and_the_deal_with_the_round_is_F1(server: GameServer) -> None:
    game = second_deal(server)
    with clock_at(server, time_of(1001)):
        assert game.move(0, cut_move(game, 0)).status_code == 201
        assert game.move(0, beacon_move(2, 1001)).status_code == 201
        assert game.public["phase"] == "waiting"
    end_window(server)
    game.finish()
    facts = game.facts
    dealt = data_of(facts, "HandDealt")[-1]
    assert (dealt["grade"], dealt["missing"]) == ("F1", [1])
    assert [source for source, _ in cuts_of(facts, 2)] == ["0", f"{CHAIN}/1001"]
    check_dealt(facts, 2, cuts_of(facts, 2))
