"""A small fuzzing campaign on each store; `make fuzz` runs a long one."""

from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from werkzeug.serving import make_server

from api.app import create_app
from tests.api.conftest import config_for, services_of
from tests.api.remote_server import RemoteServer
from tests.campaigns.fuzz.campaign import (
    SEED,
    Report,
    Target,
    fuzz_target,
    harm_done,
    log_faults,
    send_raw_cases,
    send_requests,
)
from tests.campaigns.fuzz.sending import fault_of
from tests.conftest import Database

REQUESTS, RAW = 1_500, 120


def test_canary_a_route_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("planted")

    app, log = create_app(config_for(Database(None, tmp_path))), tmp_path / "log"
    with closing(services_of(app)), make_server("127.0.0.1", 0, app, threaded=True) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        target = Target(RemoteServer(f"http://127.0.0.1:{server.port}"), log)
        reports = list[Report]()
        for _ in range(2):
            reports.append(send_requests(target, 40, SEED))
            monkeypatch.setitem(app.view_functions, "lists.lobby", fail)
        server.shutdown()
    assert reports[0].faults == []
    assert all("500" in fault for fault in reports[1].faults)
    assert reports[1].faults
    assert [fault_of(503, has_retry_after, b"") == "" for has_retry_after in (True, False)] == [True, False]
    log.write_text('{"level": "info", "message": "request"}\n{"level": "info", "trace": "x"}\nTraceback\n')
    assert len(log_faults(log)) == 2


@pytest.mark.slow
def test_fuzzed_requests_and_bytes_are_answered_and_harm_nothing(database: Database) -> None:
    with fuzz_target(database, database.data / "server.log") as target:
        before = target.unharmed_log()
        requests = send_requests(target, REQUESTS, SEED)
        raw = send_raw_cases(target, RAW, SEED)
        assert [*requests.faults, *raw.faults, *harm_done(target, before)] == []
    assert (requests.statuses.total(), raw.statuses.total()) == (REQUESTS, RAW)
    assert {200, 201, 400, 401, 404, 409} <= set(requests.statuses), "the requests reach too little of the server"
