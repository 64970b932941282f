"""A small fuzzing campaign on each store; `make fuzz` runs a long one."""

from pathlib import Path

import pytest

from tests.campaigns.fuzz.campaign import (
    SEED,
    Target,
    fuzz_target,
    harm_done,
    log_faults,
    send_raw_cases,
    send_requests,
)
from tests.campaigns.fuzz.raw import raw_case
from tests.campaigns.fuzz.requests import BODIES, RequestMaker, routed_app
from tests.campaigns.fuzz.sending import fault_of
from tests.conftest import Database

REQUESTS, RAW = 1_500, 120


def ignore() -> None:
    """Show no progress."""


@pytest.mark.slow
def test_fuzzed_requests_and_bytes_are_answered_and_harm_nothing(database: Database) -> None:
    with fuzz_target(database, database.data / "server.log") as target:
        check(target)


def check(target: Target) -> None:
    before = target.unharmed_log()
    requests = send_requests(target, REQUESTS, SEED, ignore)
    raw = send_raw_cases(target, RAW, SEED, ignore)
    assert [*requests.faults, *raw.faults, *harm_done(target, before)] == []
    assert (requests.statuses.total(), raw.statuses.total()) == (REQUESTS, RAW)
    assert {200, 201, 400, 401, 404, 409} <= set(requests.statuses), "the requests reach too little of the server"


def test_the_requests_of_a_seed_are_the_same_in_every_run_and_reach_every_route() -> None:
    one, two = RequestMaker(1), RequestMaker(1)
    made = [one.make(number) for number in range(200)]
    assert made == [two.make(number) for number in range(200)]
    assert {request.endpoint for request in made} == {rule.endpoint for rule in routed_app().url_map.iter_rules()}
    assert [raw_case(1, number) for number in range(50)] == [raw_case(1, number) for number in range(50)]


def test_every_body_to_start_from_is_for_a_route() -> None:
    assert BODIES.keys() <= {rule.endpoint for rule in routed_app().url_map.iter_rules()}


@pytest.mark.parametrize(
    ("status", "has_retry_after", "wrong"),
    [(200, False, False), (503, True, False), (503, False, True), (500, True, True)],
)
def test_an_answer_that_is_a_fault(status: int, has_retry_after: bool, wrong: bool) -> None:
    assert bool(fault_of(status, has_retry_after, b"")) is wrong


def test_a_trace_in_the_log_is_a_fault(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text('{"level": "info", "message": "request"}\n{"level": "info", "trace": "x"}\nTraceback\n')
    assert len(log_faults(log)) == 2
