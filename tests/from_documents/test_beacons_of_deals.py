"""A table with a beacon over HTTP (docs/fairness.md, docs/verify-a-hand.md), recomputed from the export alone."""

import types
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from api.worker import Worker
from tests.api import fairdeal_reference as fair
from tests.api.conftest import services_of
from tests.api.cut_moves import cut_move, send_all_cuts
from tests.api.live_server import GameServer, ServedGame, data_of, open_server
from tests.beacons.rounds import SIGNATURES, last_moment_for, published, source_of
from tests.docs.markdown import ROOT

FAIRNESS = {"cuts": "sealed", "window_s": 30, "beacon": "drand/quicknet"}


@contextmanager
def clock_at(server: GameServer, moment: str) -> Iterator[None]:
    """Set the store's clock to a moment during the block."""
    games = services_of(server.app).games
    usual, games._clock = games._clock, lambda: moment
    try:
        yield
    finally:
        games._clock = usual


def beacon_move(n: int, number: int) -> dict[str, object]:
    return {"type": "beacon", "n": n, "source": source_of(number), "signature": SIGNATURES[number]}


def end_window(server: GameServer) -> None:
    """Let the worker do what is due today, years after the window."""
    server.follow()
    Worker(services_of(server.app)).tick()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    with open_server(tmp_path_factory.mktemp("beacons")) as found:
        yield found


def check_deal(facts: fair.Facts, n: int) -> fair.Cuts:
    """Check that the deck follows from the cuts of the seats and of the beacon, its hashed signature; return them."""
    made = [(str(each["seat"]), each["cut"]) for each in fair.ceremony_data(facts, n, "CutOpened")]
    rounds = fair.ceremony_data(facts, n, "BeaconRecorded")
    drawn = [(each["source"], sha256(bytes.fromhex(each["signature"])).hexdigest()) for each in rounds]
    assert [tuple(cut) for cut in fair.check_deal(facts, n)["cuts"]] == sorted(made) + drawn
    return fair.cuts_of(fair.ceremony_data(facts, n, "HandDealt")[0])


def second_deal(server: GameServer) -> ServedGame:
    """Return a game whose first deal had round 1000, and whose second waits for cuts and round 1001."""
    with clock_at(server, last_moment_for(1000)):
        game = server.open(["ann", "bob"], fairness=FAIRNESS)
    with clock_at(server, published(1000)):
        assert game.move(1, beacon_move(1, 1000)).status_code == 201
        send_all_cuts(game, promise=True)
        game.play_hand()
    return game


@pytest.mark.timeout(600)
def test_grades_decks_and_rounds_of_three_deals_follow_from_the_export(server: GameServer, tmp_path: Path) -> None:
    game = second_deal(server)
    with clock_at(server, published(1001)):
        send_all_cuts(game, promise=True)
        assert game.public["phase"] == "waiting", "the deal waits for the round too"
        assert game.move(0, beacon_move(2, 1001)).status_code == 201
        game.play_hand()
        send_all_cuts(game, promise=True)
    end_window(server)
    game.finish()
    facts = game.facts
    assert [each["grade"] for each in data_of(facts, "HandDealt")] == ["F1", "F3", "F2"]
    named = [each["beacon"] for each in data_of(facts, "CeremonyOpened")]
    assert named == [source_of(number) for number in (1000, 1001, 1002)]
    sources = [[source for source, _ in check_deal(facts, n)] for n in (1, 2, 3)]
    assert sources == [["0", "1", source_of(1000)], ["0", "1", source_of(1001)], ["0", "1"]]
    program = types.ModuleType("page")
    exec((ROOT / "docs" / "examples" / "fairdeal.py").read_text(encoding="utf-8"), vars(program))
    lines = game.export().decode().splitlines()
    assert list(program.check(lines)) == [f"deal hand {n}: as promised" for n in (1, 2, 3)]
    (tmp_path / "game.ndjson").write_bytes(game.export())
    done = server.command("game", "verify", str(tmp_path / "game.ndjson"))
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "verdict: all green")


@pytest.mark.timeout(600)
def test_a_seat_that_keeps_its_sealed_cut_back_is_named_and_the_deal_with_the_round_is_F1(server: GameServer) -> None:
    game = second_deal(server)
    with clock_at(server, published(1001)):
        assert game.move(0, cut_move(game, 0)).status_code == 201
        assert game.move(0, beacon_move(2, 1001)).status_code == 201
        assert game.public["phase"] == "waiting"
    end_window(server)
    game.finish()
    facts = game.facts
    dealt = data_of(facts, "HandDealt")[-1]
    assert (dealt["grade"], dealt["missing"]) == ("F1", [1])
    assert [source for source, _ in check_deal(facts, 2)] == ["0", source_of(1001)]
