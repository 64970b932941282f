"""GET /metrics: who may read it, and what all processes of a server count together."""

import re

import httpx
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import TestResponse

from api.config import Config
from tests.api.conftest import Caller, MakeApp, check_problem, services_of
from tests.api.remote_server import RemoteServer
from tests.api.server_process import ServerProcess
from tests.conftest import Database

TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


def numbers(text: str) -> dict[tuple[str, ...], float]:
    """Return the value of each sample by its name and the values of its labels, in the order of the labels' names."""
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(each.name, *(value for _, value in sorted(each.labels.items()))): each.value for each in samples}


def scrape(app: Flask, address: str = "127.0.0.1", **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return app.test_client().get("/metrics", headers=named, environ_overrides={"REMOTE_ADDR": address})


def test_without_a_token_only_programs_of_the_machine_read_metrics(app: Flask) -> None:
    for address in ("127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"):
        assert scrape(app, address).status_code == 200, address
    for address in ("192.0.2.7", "10.0.0.1", "::2", "", "unix:"):
        check_problem(scrape(app, address), 403, "forbidden")


def test_a_proxy_on_the_machine_is_not_a_program_that_reads_metrics(app: Flask) -> None:
    forwarded = (f"X_Forwarded_{name}" for name in ("For", "Host", "Proto"))
    for header in ("Forwarded", "Origin", "Via", "X_Real_IP", *forwarded):
        check_problem(scrape(app, **{header: "127.0.0.1"}), 403, "forbidden")


def test_a_trusted_proxy_gets_no_metrics_for_an_address_that_a_client_made_up(
    make_app: MakeApp, database: Database
) -> None:
    app = make_app(Config(data=database.data, hashing="cheapest", trusted_proxies=1))
    check_problem(scrape(app, X_Forwarded_For="127.0.0.1"), 403, "forbidden")
    check_problem(scrape(app, "192.0.2.7", X_Forwarded_For="127.0.0.1"), 403, "forbidden")


def test_with_a_token_everybody_needs_it(make_app: MakeApp, database: Database) -> None:
    app = make_app(Config(data=database.data, hashing="cheapest", metrics_token=TOKEN))
    assert scrape(app, "192.0.2.7", Authorization=f"Bearer {TOKEN}").status_code == 200
    for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": f"Basic {TOKEN}"}, {"Authorization": TOKEN}):
        check_problem(scrape(app, **headers), 401, "unauthorized")


def test_the_stores_are_measured_when_somebody_looks(app: Flask, ann: Caller) -> None:
    assert ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).status_code == 201
    services = services_of(app)
    behind = numbers(scrape(app).text)
    assert behind["trickbook_list_lag_events", "lobby"] > 0
    services.followers.catch_up()
    found = numbers(scrape(app).text)
    assert {name: found["trickbook_list_lag_events", name] for name in services.rows.projections} == dict.fromkeys(
        services.rows.projections, 0
    )
    assert all(found["trickbook_list_up", name] for name in services.rows.projections)
    assert all(found["trickbook_store_up", name] for name in services.checks)
    for name in ("quarantined_games", "autoplay_waiting_games", "overdue_games", "clock_held", "event_streams"):
        assert found[f"trickbook_{name}",] == 0, name


def test_a_store_that_does_not_answer_leaves_the_rest(app: Flask) -> None:
    services_of(app).rows.close()
    found = numbers(scrape(app).text)
    assert (found["trickbook_store_up", "views"], found["trickbook_store_up", "log"]) == (0, 1)
    assert not [name for name in found if name[0] == "trickbook_list_lag_events"]


def test_a_refusal_is_counted_by_its_type(app: Flask, ann: Caller) -> None:
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).get_json()["id"]
    before = numbers(scrape(app).text)
    refused = ann.post(f"/games/{game}/moves", {"text": "AS"}).get_json(force=True)["type"].removeprefix("/problems/")
    after = numbers(scrape(app).text)
    name = ("trickbook_problems_total", refused)
    assert after[name] - before.get(name, 0) == 1


def test_all_processes_of_a_server_count_together(shared_server: ServerProcess) -> None:
    """The request process counts moves, and the heavy one counts audits."""
    ann = RemoteServer(shared_server.url)["metrics-ann"]
    game = ann.post("/games", {"variant": "pitch", "seats": ["metrics-ann", "bot:random"]}).get_json()["id"]
    before = numbers(httpx.get(f"{shared_server.url}/metrics", timeout=60).text)
    for _ in range(2):
        assert ann.get(f"/games/{game}/audit").status_code == 200
    assert ann.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
    again = ann.post(f"/games/{game}/moves", {"type": "resign"})
    assert again.status_code == 409
    answer = httpx.get(f"{shared_server.url}/metrics", timeout=60)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    grown = {name: value - before.get(name, 0) for name, value in numbers(answer.text).items()}
    moves, slug = "/api/v1/games/<game_ref:reference>/moves", again.get_json()["type"].removeprefix("/problems/")
    exact = {
        ("trickbook_requests_total", "GET", "/api/v1/games/<game_ref:reference>/audit", "200"): 2,
        ("trickbook_requests_total", "POST", moves, "201"): 1,
        ("trickbook_requests_total", "POST", moves, "409"): 1,
        ("trickbook_request_seconds_count", moves): 2,
        ("trickbook_moves_total", "resign"): 1,
        ("trickbook_problems_total", slug): 1,
    }
    assert {name: grown[name] for name in exact} == exact
    assert grown["trickbook_commit_seconds_count", "requests"] >= 1
    assert grown["trickbook_events_total", "requests"] >= 1
    assert grown["trickbook_game_lookups_total", "no", "heavy-0"] >= 1


def test_no_label_holds_what_a_client_made_up(shared_server: ServerProcess) -> None:
    for method, path in (("BREW", "/api/v1/variants"), ("GET", "/made-up"), ("GET", "/problems/made-up")):
        httpx.request(method, shared_server.url + path, timeout=60)
    text = httpx.get(f"{shared_server.url}/metrics", timeout=60).text
    assert 'method="other"' in text
    assert not re.search("made-up|BREW", text)
