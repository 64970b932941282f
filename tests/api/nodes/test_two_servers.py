"""Two servers on one PostgreSQL: one history, one signing key, forged heads, crashes, and cuts."""

import http.client
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner, Result

from api.cli import main as cli
from api.client import Refusal, Server
from tests.api import fairdeal_reference as fair
from tests.api.cut_moves import cut_move, own_cut, send_all_cuts
from tests.api.forgery import forge
from tests.api.live_server import ServedGame, data_of, versions_of
from tests.api.log_reference import canonical, check_export, leaf
from tests.api.remote_server import RemoteServer
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database

PASSWORD = "correct-horse"


BETWEEN_MOVES = ("out-of-turn", "stale-version", "race-lost", "game-over", "wrong-phase")


PATIENCE_S = 200.0


GAMES = 2


@pytest.fixture
def database(fresh_postgres: str, tmp_path: Path) -> Database:
    """One PostgreSQL for both servers."""
    return Database(fresh_postgres, tmp_path)


@contextmanager
def pair(database: Database, *options: str) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Start two processes at the same time on an empty database."""
    with ExitStack() as running, ThreadPoolExecutor(2) as pool:
        opened = [start_server(database, *options, ORIGIN="cards.example", LIMITS="off") for _ in range(2)]
        one, two = pool.map(running.enter_context, opened)
        yield one, two


@pytest.fixture
def servers(database: Database) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two servers with the usual options."""
    with pair(database) as started:
        yield started


@pytest.fixture
def idle(database: Database) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two servers without workers, which read a game only on request."""
    with pair(database, "--no-worker") as started:
        yield started


def fetch(at: ServerProcess, path: str) -> bytes:
    """Return the body that a stranger gets."""
    parts = urlsplit(at.url)
    with closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read()


def keys_of(at: ServerProcess) -> bytes:
    """Return the published keys of a server."""
    return fetch(at, "/.well-known/trickbook/keys")


def play_game(url: str, token: str, game: str, seat: int) -> list[str]:
    """Play first legal moves at one server, with a bid in every hand, to the end of the game; return the receipts."""
    receipts, until = list[str](), time.monotonic() + PATIENCE_S
    with Server(url, token, patience_s=0) as me:
        while time.monotonic() < until:
            view: dict[str, Any] = me.get(f"/games/{game}/seats/{seat}")
            if view["result"] is not None:
                return receipts
            if not view["you"]["legal"]:
                time.sleep(0.02)
                continue
            bids = view["phase"] == "auction" and not view["hand"]["bid"]
            try:
                answer = me.post(f"/games/{game}/moves", view["you"]["legal"][1 if bids else 0])
            except Refusal as refused:
                assert refused.problem["type"].removeprefix("/problems/") in BETWEEN_MOVES, refused
                continue
            receipts += [answer["receipt"]] if answer["receipt"] else []
    raise AssertionError("the game has not ended")


def join_player(at: ServerProcess, name: str) -> str:
    """Register a player, and return a token that is valid on both servers."""
    with Server(at.url, patience_s=0) as player:
        player.register(name, PASSWORD)
        assert player.token is not None
        return player.token


def run(*arguments: str, **environment: str | None) -> Result:
    """Run the program."""
    return CliRunner().invoke(cli.main, arguments, env={"TRICKBOOK_ORIGIN": None} | environment)


def write_file(folder: Path, name: str, text: str | bytes) -> str:
    """Write a file, and return its path."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def test_two_servers_on_one_postgres_have_one_history_and_sign_it_with_one_key(
    servers: tuple[ServerProcess, ServerProcess], database: Database, tmp_path: Path
) -> None:
    one, two = servers
    assert keys_of(one) == keys_of(two)
    tokens = join_player(one, "ann"), join_player(two, "bob")
    with Server(one.url, tokens[0], patience_s=0) as ann:
        options = {"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bob", "bot:random"]}
        games = [ann.post("/games", options)["id"] for _ in range(GAMES)]
    with ThreadPoolExecutor(2 * GAMES) as pool:
        sitting = [
            pool.submit(play_game, at.url, token, game, seat)
            for game in games
            for seat, (at, token) in enumerate(zip(servers, tokens, strict=True))
        ]
        receipts = [each.result() for each in sitting]
    key = write_file(tmp_path, "keys.json", keys_of(one))
    for number, game in enumerate(games):
        logs = [fetch(at, f"/api/v1/games/{game}/export") for at in servers]
        assert logs[0] == logs[1]
        log = write_file(tmp_path, f"{number}.ndjson", logs[0])
        notes = [
            write_file(tmp_path, f"{number}-{seat}-{place}.txt", note)
            for seat in (0, 1)
            for place, note in enumerate(receipts[2 * number + seat])
        ]
        assert notes
        held = run("receipt", "compare", *notes, "--log", log, "--key", key)
        assert (held.exit_code, "PROOF" in held.stdout) == (0, False), held.output
        with_all = [part for note in notes for part in ("--receipt", note)]
        checked = run("game", "verify", log, "--key", key, *with_all)
        assert (checked.exit_code, "all green" in checked.stdout) == (0, True), checked.stdout
    audited = run("game", "audit", "1", "--data", str(tmp_path), TRICKBOOK_DATABASE_URL=database.url)
    assert audited.exit_code == 0, audited.stdout


def test_trust_3_9_two_forged_heads_of_one_size_are_printed_as_proof_of_forgery(
    idle: tuple[ServerProcess, ServerProcess], database: Database, tmp_path: Path
) -> None:
    """The operator rewrites a game that one server has already read, and the other server signs the new history."""
    one, two = idle
    token = join_player(one, "ann")
    with Server(one.url, token, patience_s=0) as ann, Server(two.url, token, patience_s=0) as other:
        game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})["id"]
        first = ann.post(f"/games/{game}/receipts", {})
        forge(database, game, 3)
        with psycopg.connect(database.url or "", autocommit=True) as office:
            office.execute("DELETE FROM office.receipts")
        second = other.post(f"/games/{game}/receipts", {})
        assert (first["size"], first["root"] == second["root"]) == (second["size"], False)
        with pytest.raises(Refusal) as refused:  # it has read the old history, and the stored receipt differs
            ann.get(f"/games/{game}/receipt")
        assert refused.value.problem["type"] == "/problems/corrupt-log"
    notes = [write_file(tmp_path, name, json.dumps(told)) for name, told in (("mine", first), ("theirs", second))]
    key = write_file(tmp_path, "keys.json", keys_of(two))
    held = run("receipt", "compare", *notes, "--key", key)
    assert (held.exit_code, "PROOF OF FORGERY" in held.stdout) == (1, True), held.stdout
    assert first["note"] in held.stdout
    assert second["note"] in held.stdout


WINDOW = 15  # seconds: long enough to cut on a busy machine


def open_sealed_game(server: Any) -> ServedGame:
    """Open a game with sealed cuts."""
    fairness = {"cuts": "sealed", "window_s": WINDOW}
    body = {"variant": "pitch", "seats": ["ann", "bob"], "fairness": fairness, "options": {"win": 21}}
    assert server["bob"]
    made = server["ann"].post("/games", body)
    assert made.status_code == 201, made.text
    return same_game_at(server, made.get_json()["id"])


def same_game_at(server: Any, game: str) -> ServedGame:
    """Return the same game on that server."""
    return ServedGame(server, game, {0: server["ann"], 1: server["bob"]})


def wait_for_deal(game: ServedGame, within: float) -> dict[str, Any]:
    """Return the view after the server has dealt without a request."""
    until = time.monotonic() + within
    while (view := game.public)["phase"] == "waiting":
        assert time.monotonic() < until, view["ceremony"]
        time.sleep(0.1)
    return view


def test_a_withheld_sealed_cut_excludes_the_seat_and_a_crash_changes_no_deal(
    fresh_postgres: str, tmp_path: Path
) -> None:
    """The window closes, one strike counts, and a restart keeps the commitment, on two servers."""
    database = Database(fresh_postgres, tmp_path)
    with start_server(database) as first:
        server = RemoteServer(first.url)
        game = open_sealed_game(server)
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
        server.url = one.url
        game, other = same_game_at(server, game.id), same_game_at(RemoteServer(two.url, server.tokens), game.id)
        view = wait_for_deal(game, WINDOW + 60)
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
