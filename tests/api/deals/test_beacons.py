"""A table with a beacon over HTTP: what it shows, who brings the round, and how the server fetches it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from flask import Flask

from api.lines.options import parse_challenge
from api.play.services.beacons import FIRST_WAIT_S, MAX_ANSWER, BeaconFetcher, NoSignature, Relay
from domain.events import BeaconRecorded
from domain.protocols.beacon import CHAINS, QUICKNET, cut_of
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.cut_moves import cut_move
from tests.api.live_server import GameServer, ServedGame
from tests.beacons.rounds import SIGNATURES, last_moment_for, published, source_of

FAIRNESS = {"cuts": "sealed", "window_s": 30, "beacon": QUICKNET}
Respond = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def clock_at(app: Flask, moment: str) -> Iterator[None]:
    """Set the store's clock to a moment during the block."""
    games = services_of(app).games
    usual, games._clock = games._clock, lambda: moment
    try:
        yield
    finally:
        games._clock = usual


def open_at_round(app: Flask, number: int) -> ServedGame:
    """Open a table whose first deal names this round."""
    with clock_at(app, last_moment_for(number)):
        return GameServer(app, services_of(app).config).open(["ann", "bob"], fairness=FAIRNESS)


def beacon_move(number: int, **other: object) -> dict[str, object]:
    move = {"type": "beacon", "n": 1, "source": source_of(number), "signature": SIGNATURES[number]}
    return move | other


def cut_all(table: ServedGame) -> None:
    for seat in range(2):
        answer = table.move(seat, cut_move(table, seat, promise=True))
        assert answer.status_code == 201, answer.text


class RelayServer:
    """A relay on the loopback that serves recorded rounds in drand's form, or misbehaves."""

    def __init__(self, respond: Respond | None = None) -> None:
        asked = self.asked = list[str]()
        answer = respond or serve_recorded

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                answer(self)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "RelayServer":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def send_json(handler: BaseHTTPRequestHandler, value: object, status: int = 200) -> None:
    body = json.dumps(value).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def serve_recorded(handler: BaseHTTPRequestHandler) -> None:
    """Answer as drand's HTTP API does."""
    _, chain, public, number = handler.path.split("/")
    if (chain, public) != (CHAINS[QUICKNET].hash, "public") or int(number) not in SIGNATURES:
        return send_json(handler, {"error": "not found"}, 404)
    signature = SIGNATURES[int(number)]
    return send_json(handler, {"round": int(number), "randomness": cut_of(signature), "signature": signature})


def test_the_view_names_the_round_and_its_time(app: Flask) -> None:
    table = open_at_round(app, 1000)
    view = table.view(0)
    assert view["ceremony"]["beacon"] == {
        "source": source_of(1000),
        "published": published(1000),
        "recorded": False,
    }
    assert view["you"]["may"] == ["propose_draw", "resign", "cut", "beacon"]


def test_rounds_that_the_table_cannot_use_are_refused_and_write_nothing(app: Flask) -> None:
    table = open_at_round(app, 1000)
    version = table.view(0)["version"]
    with clock_at(app, last_moment_for(1000)):
        check_problem(table.move(0, beacon_move(1000)), 409, "wrong-beacon")
    with clock_at(app, published(1003)):
        check_problem(table.move(0, beacon_move(1001)), 409, "wrong-beacon")
        check_problem(table.move(0, beacon_move(1000, signature=SIGNATURES[1001])), 409, "wrong-beacon")
        check_problem(table.move(0, beacon_move(1000, n=2)), 409, "wrong-beacon")
        for malformed in ({"signature": "b4"}, {"signature": None}, {"source": 7}, {"source": "x" * 256}, {"n": "1"}):
            check_problem(table.move(0, beacon_move(1000, **malformed)), 400, "malformed")
        stranger = Caller(app.test_client()).join("eve")
        check_problem(stranger.post(f"/games/{table.id}/moves", beacon_move(1000)), 403, "not-seated")
        assert table.view(0)["version"] == version
        assert table.move(0, beacon_move(1000)).status_code == 201
        check_problem(table.move(1, beacon_move(1000)), 409, "no-beacon")


def fetcher(app: Flask, relay: Relay, now: str, **more: Any) -> BeaconFetcher:
    services_of(app).followers.catch_up()
    return BeaconFetcher(services_of(app), relay, now=lambda: now, **more)


def test_the_server_fetches_the_round_and_deals(app: Flask) -> None:
    table = open_at_round(app, 1000)
    with RelayServer() as relay, clock_at(app, published(1000)):
        cut_all(table)
        assert fetcher(app, Relay(relay.url), last_moment_for(1000)).run_once() == 0
        assert relay.asked == [], "a round is asked for once it's published"
        assert fetcher(app, Relay(relay.url), published(1000)).run_once() == 1
        assert relay.asked == [f"/{CHAINS[QUICKNET].hash}/public/1000"]
        assert table.view(0)["phase"] == "auction"
        assert fetcher(app, Relay(relay.url), published(1000)).run_once() == 0
    entries = services_of(app).games.entries(table.id)
    (recorded,) = (entry.event for entry in entries if isinstance(entry.event.data, BeaconRecorded))
    assert (recorded.by, recorded.data.signature) == ("server", SIGNATURES[1000])


def test_games_that_wait_for_one_round_share_one_question(app: Flask) -> None:
    tables = [open_at_round(app, 1000)]
    with clock_at(app, last_moment_for(1000)):
        body = {"variant": "pitch", "seats": ["ann", "bot:random"], "fairness": FAIRNESS}
        made = tables[0].server["ann"].post("/games", body)
    with RelayServer() as relay, clock_at(app, published(1000)):
        assert fetcher(app, Relay(relay.url), published(1000)).run_once() == 2
        assert len(relay.asked) == 1
    view = tables[0].server["ann"].get(f"/games/{made.get_json()['id']}/seats/0").get_json()
    assert view["ceremony"]["beacon"]["recorded"]


def answer_with(value: object, status: int = 200) -> Respond:
    return lambda handler: send_json(handler, value, status)


def redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(302)
    handler.send_header("Location", handler.path + "0")
    handler.end_headers()


BAD_RELAYS: dict[str, Respond] = {
    "the signature of another round": answer_with({"round": 1000, "signature": SIGNATURES[1001]}),
    "no signature at all": answer_with({"round": 1000}),
    "a signature of another type": answer_with({"round": 1000, "signature": 7}),
    "an answer too long": answer_with({"signature": SIGNATURES[1000], "more": "x" * MAX_ANSWER}),
    "an answer that isn't an object": answer_with(["signature"]),
    "an error": answer_with({"error": "busy"}, 503),
    "a redirect": redirect,
    "a closed connection": lambda handler: handler.connection.close(),
}


@pytest.mark.parametrize("name", BAD_RELAYS)
def test_a_bad_relay_changes_nothing_and_the_players_can_still_bring_the_round(app: Flask, name: str) -> None:
    table = open_at_round(app, 1000)
    version = table.view(0)["version"]
    with RelayServer(BAD_RELAYS[name]) as relay, clock_at(app, published(1000)):
        assert fetcher(app, Relay(relay.url), published(1000)).run_once() == 0
        assert table.view(0)["version"] == version
        assert table.move(0, beacon_move(1000)).status_code == 201
    assert len(relay.asked) == 1


def test_a_relay_that_fails_is_asked_again_later(app: Flask) -> None:
    open_at_round(app, 1000)
    steady = [100.0]
    with RelayServer(answer_with({}, 500)) as relay, clock_at(app, published(1000)):
        fetching = fetcher(app, Relay(relay.url), published(1000), steady=lambda: steady[0])
        asked = []
        for wait in (0.0, FIRST_WAIT_S - 0.01, 0.01, 2 * FIRST_WAIT_S - 0.01, 0.01):
            steady[0] += wait
            fetching.run_once()
            asked.append(len(relay.asked))
    assert asked == [1, 1, 2, 2, 3]


def test_a_relay_that_drips_bytes_is_left_after_the_time_limit() -> None:
    done = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while not done.wait(0.02):
                handler.wfile.write(b" ")
        except OSError:
            done.set()

    with RelayServer(drip) as server:
        with pytest.raises(NoSignature, match=r"took too long|no answer came \(ReadTimeout\)"):  # it'd last for minutes
            Relay(server.url, timeout_s=1.0).signature_of(source_of(1000))
        done.set()


@pytest.mark.parametrize(
    ("words", "fairness"),
    [
        (["--beacon"], {"cuts": "sealed", "beacon": QUICKNET}),
        (["--beacon=drand/quicknet"], {"cuts": "sealed", "beacon": QUICKNET}),
        (["--cuts=open", "--beacon"], {"cuts": "open", "beacon": QUICKNET}),
        (["--beacon", "--cuts=open"], {"cuts": "open", "beacon": QUICKNET}),
    ],
)
def test_a_command_line_asks_for_a_beacon(words: list[str], fairness: dict[str, str]) -> None:
    assert parse_challenge("pitch", [*words, "ann", "bob"])["fairness"] == fairness
