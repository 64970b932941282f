"""Two servers on one PostgreSQL: one history, one signing key, forged heads, crashes, and cuts."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from api.config import Config
from api.container import open_services
from api.worker import Worker
from tests import postgres
from tests.api import fairdeal_reference as fair
from tests.api.conftest import Caller, MakeApp, check_problem, config_for, services_of
from tests.api.cut_moves import cut_move, own_cut, send_all_cuts
from tests.api.forgery import forge
from tests.api.live_server import GameServer, ServedGame, data_of, versions_of
from tests.api.log_reference import canonical, check_export, leaf
from tests.api.past_times import clock_one_hour_late
from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server.test_event_streams import check_chain, open_game, version_of
from tests.api.server_process import ServerProcess, start_server
from tests.api.stream_client import open_stream
from tests.commands import run
from tests.conftest import Database
from tests.simultaneous import at_once
from tests.waiting import wait_for, wait_until

BETWEEN_MOVES = ("out-of-turn", "stale-version", "race-lost", "game-over", "wrong-phase")
TABLE = {"variant": "pitch", "seats": ["ann", "bob", "bot:random"], "options": {"win": 7}}


@dataclass(frozen=True)
class TwoServers:
    """Two processes on one PostgreSQL; the second one has no worker."""

    one: ServerProcess
    two: ServerProcess
    database: Database


@pytest.fixture(scope="session")
def two_servers(postgres_server: postgres.Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    """Yield two servers that were started at the same time on an empty database."""
    with postgres_server.fresh() as url, ExitStack() as running, ThreadPoolExecutor(2) as pool:
        database = Database(url, tmp_path_factory.mktemp("two"))
        started = [
            start_server(database, *options, ORIGIN="cards.example", LIMITS="off") for options in ((), ("--no-worker",))
        ]
        one, two = pool.map(running.enter_context, started)
        yield TwoServers(one, two, database)


@pytest.fixture
def players(two_servers: TwoServers) -> list[RemoteCaller]:
    """Return ann at one server, and bob at the other."""
    return [RemoteServer(two_servers.one.url)["ann"], RemoteServer(two_servers.two.url)["bob"]]


def keys_of(at: ServerProcess) -> bytes:
    """Return the published keys of a server."""
    return httpx.get(f"{at.url}/.well-known/trickbook/keys", timeout=60).content


def play_game(me: RemoteCaller, game: str, seat: int) -> list[str]:
    """Play first legal moves, with a bid in every hand, and resign after a hand; return the receipts."""
    receipts = list[str]()
    while True:
        view: dict[str, Any] = wait_for(
            lambda: me.get(f"/games/{game}/seats/{seat}").get_json(), lambda now: now["result"] or now["you"]["legal"]
        )
        if view["result"] is not None:
            return receipts
        bids = view["phase"] == "auction" and not view["hand"]["bid"]
        move = view["you"]["legal"][1 if bids else 0] if view["last_hand"] is None else {"type": "resign"}
        answer = me.post(f"/games/{game}/moves", move)
        told = answer.get_json()
        if answer.status_code == 201:
            receipts += [told["receipt"]] if told["receipt"] else []
        else:
            assert told["type"].removeprefix("/problems/") in BETWEEN_MOVES, told


def write_file(folder: Path, name: str, text: str | bytes) -> str:
    """Write a file, and return its path."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def test_two_servers_on_one_postgres_have_one_history_and_sign_it_with_one_key(
    two_servers: TwoServers, players: list[RemoteCaller], tmp_path: Path
) -> None:
    one, two, database = two_servers.one, two_servers.two, two_servers.database
    assert keys_of(one) == keys_of(two)
    game = players[0].post("/games", TABLE).get_json()["id"]
    played = at_once(*(partial(play_game, player, game, seat) for seat, player in enumerate(players)))
    receipts = [note for notes in played for note in notes]
    key = write_file(tmp_path, "keys.json", keys_of(one))
    logs = [httpx.get(f"{at.url}/api/v1/games/{game}/export", timeout=60).content for at in (one, two)]
    assert logs[0] == logs[1]
    log = write_file(tmp_path, "log.ndjson", logs[0])
    notes = [write_file(tmp_path, f"{number}.txt", note) for number, note in enumerate(receipts)]
    assert notes
    held = run("receipt", "compare", *notes, "--log", log, "--key", key)
    assert (held.exit_code, "PROOF" in held.stdout) == (0, False), held.output
    with_all = [part for note in notes for part in ("--receipt", note)]
    checked = run("game", "verify", log, "--key", key, *with_all)
    assert (checked.exit_code, "all green" in checked.stdout) == (0, True), checked.stdout
    audited = run("game", "audit", game, at=config_for(database))
    assert audited.exit_code == 0, audited.stdout


def test_a_server_without_a_worker_shows_commits_of_another_server_and_of_its_worker(
    two_servers: TwoServers, players: list[RemoteCaller]
) -> None:
    ann, bob = players
    served = RemoteServer(two_servers.one.url, {"ann": str(ann.token), "bob": str(bob.token)})
    game, waiting = (open_game(served, **more) for more in ({}, {"fairness": {"cuts": "open", "window_s": 1}}))
    nobody = RemoteServer(two_servers.two.url).nobody
    with open_stream(bob, game.id) as reader, open_stream(nobody, waiting.id) as dealt:
        game.play_hand()
        reader.read(version_of(game))
        check_chain(reader.lines)
        while not any(b'"fact":"HandDealt"' in line for line in dealt.lines):  # by the worker: nobody cuts
            dealt.read(dealt.version + 1)
    wrote = bob.post("/games", TABLE).headers["Trickbook-Position"]
    wait_until(lambda: nobody.get(f"/games?wait={wrote}").status_code == 200, "the other's worker updates the lists")
    with closing(open_services(Config(database_url=two_servers.database.url))) as services:
        count = "SELECT COUNT(*) FROM nodes"
        wait_until(lambda: services.accounts.database.run(count) == [(3,)], "two processes of requests and a worker")


def test_trust_3_9_two_forged_heads_of_one_size_are_printed_as_proof_of_forgery(
    fresh_postgres: str, make_app: MakeApp, tmp_path: Path
) -> None:
    """The operator rewrites a game that one server has already read, and the other server signs the new history."""
    database = Database(fresh_postgres, tmp_path)
    config = replace(config_for(database), origin="cards.example")
    one, two = (make_app(config) for _ in range(2))
    ann = Caller(one.test_client()).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    first = ann.post(f"/games/{game}/receipts", {}).get_json()
    forge(database, game, 3)
    with psycopg.connect(fresh_postgres, autocommit=True) as office:
        office.execute("DELETE FROM office.receipts")
    second = Caller(two.test_client(), ann.token).post(f"/games/{game}/receipts", {}).get_json()
    assert (first["size"], first["root"] == second["root"]) == (second["size"], False)
    # it has read the old history, and the stored receipt differs
    check_problem(ann.get(f"/games/{game}/receipt"), 500, "corrupt-log")
    notes = [write_file(tmp_path, name, json.dumps(told)) for name, told in (("mine", first), ("theirs", second))]
    key = write_file(tmp_path, "keys.json", two.test_client().get("/.well-known/trickbook/keys").data)
    held = run("receipt", "compare", *notes, "--key", key)
    assert (held.exit_code, "PROOF OF FORGERY" in held.stdout) == (1, True), held.stdout
    assert first["note"] in held.stdout
    assert second["note"] in held.stdout
    (told,) = json.loads(run("receipt", "compare", *notes, "--key", key, "--json").stdout)
    assert told["notes"] == [first["note"], second["note"]]
    assert run("receipt", "compare", *notes).exit_code == 2


def game_at(server: GameServer, game: ServedGame) -> ServedGame:
    """Return the same game on that server."""
    seats = {seat: replace(caller, client=server.app.test_client()) for seat, caller in game.seats.items()}
    return ServedGame(server, game.id, seats)


def test_a_withheld_sealed_cut_excludes_the_seat_and_a_crash_changes_no_deal(
    fresh_postgres: str, make_app: MakeApp, tmp_path: Path
) -> None:
    """The window closes, one strike counts, and two other servers keep the commitment of one that is gone."""
    config = config_for(Database(fresh_postgres, tmp_path))
    first, one, two = (GameServer(make_app(config), config) for _ in range(3))
    with clock_one_hour_late(first.app):
        game = first.open(["ann", "bob"], fairness={"cuts": "sealed", "window_s": 600}, options={"win": 21})
        send_all_cuts(game, promise=True)
        game.play_hand()
        promised = game.public["ceremony"]
        assert game.move(0, cut_move(game, 0, promise=True)).status_code == 201, "bob keeps a sealed cut back"
        before = check_export(game.export())
    game, other = game_at(one, game), game_at(two, game)
    one.follow()
    assert Worker(services_of(one.app)).tick() == 1
    view = game.public
    assert (view["hand"]["commit"], view["hand"]["grade"]) == (promised["commit"], "F1")
    game.play_hand()
    waits = other.public["ceremony"]
    assert (waits["n"], waits["waits_for"], set(waits["seals"])) == (3, [0], {"0"})
    assert game.move(1, cut_move(game, 1)).status_code == 409
    body = cut_move(game, 0)
    answers = at_once(*(partial(each.move, 0, body, Idempotency_Key="once") for each in (game, other)))
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].get_json()["events"] == answers[1].get_json()["events"]
    assert game.export() == other.export()
    assert game.move(1, {"type": "resign"}).status_code == 201
    facts = check_export(other.export()).events
    told = [fair.check_deal(facts, n) for n in (1, 2, 3)]
    assert [(deal["missing"], deal["grade"]) for deal in told] == [([], "F1"), ([1], "F1"), ([], "F1")]
    assert told[1]["cuts"] == [["0", own_cut(0, 2).hex()]]
    assert len(versions_of(facts, "CutOpened", 3)) == 1
    assert [each["n"] for each in data_of(facts, "CeremonyOpened")] == [1, 2, 3], "a crash is no reason to deal again"
    assert [event["version"] for event in facts] == list(range(1, len(facts) + 1))
    leaves = [leaf(canonical(event)) for event in facts]
    assert before.leaves == leaves[: len(before.leaves)], "what the server that is gone had told"
