"""A small version of `make simulate`, and the bugs that it must find."""

import pytest

from tests.campaigns.simulation.campaign import hunt, run_campaign, run_seed, shorten
from tests.campaigns.simulation.planted import BUGS, show_the_view_of_before
from tests.campaigns.simulation.seam import ACCOUNT_FAULTS, LIST_FAULTS, LOG_FAULTS, MAIL_FAULTS
from tests.campaigns.simulation.world import draw_steps
from tests.postgres import Server

pytestmark = pytest.mark.timeout(900)  # a world has many starts of servers, which are slow on a busy machine
STEPS = 300
VARIANTS = {"pitch", "setback", "corellian", "blackout"}


def test_canary_a_view_of_before_is_found_and_its_story_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    show_the_view_of_before(monkeypatch)
    steps = draw_steps("1", 100)
    whole = run_seed("1", steps)
    assert whole.violation is not None
    left, shortest = shorten("1", steps[: whole.steps], whole.violation.rule)
    assert shortest.violation is not None
    assert shortest.violation.rule == whole.violation.rule
    assert len(left) == len(shortest.story) <= 10


@pytest.mark.slow
@pytest.mark.planted
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found(bug: str) -> None:
    games, violation = hunt(bug)
    assert violation is not None, f"not in {games} games"


@pytest.mark.parametrize("seed", ["1001", *(pytest.param(f"100{n}", marks=pytest.mark.slow) for n in (2, 3, 4))])
def test_a_world_with_faults_violates_nothing(seed: str) -> None:
    outcome = run_seed(seed, draw_steps(seed, STEPS))
    assert outcome.violation is None, "\n".join(outcome.story[-20:])
    assert (outcome.steps, outcome.games > 1) == (STEPS, True)
    assert outcome.faults.total() > 1


@pytest.mark.slow
def test_a_world_on_postgres_violates_nothing_and_tells_the_same_story_again(postgres_server: Server) -> None:
    steps = draw_steps("3001", 40)
    first, second = (run_seed("3001", steps, postgres_server.fresh) for _ in range(2))
    assert (first.violation, first.steps) == (None, 40), "\n".join(first.story[-20:])
    assert first.story == second.story


@pytest.mark.slow
def test_twenty_worlds_on_postgres_violate_nothing(postgres_server: Server) -> None:
    tally, failure = run_campaign([str(seed) for seed in range(3000, 3020)], new_store=postgres_server.fresh)
    assert failure is None, failure
    assert (tally.worlds, tally.games > 60) == (20, True)


@pytest.mark.slow
def test_a_hundred_worlds_violate_nothing() -> None:
    tally, failure = run_campaign([str(seed) for seed in range(2000, 2100)])
    assert failure is None, failure
    assert (tally.worlds, tally.games > 300, set(tally.variants)) == (100, True, VARIANTS)
    assert {"server: killed", "server: down", "clock: jumps", "clock: no heartbeat"} < set(tally.faults)
    places = {"log": LOG_FAULTS, "lists": LIST_FAULTS, "accounts": ACCOUNT_FAULTS, "mail": MAIL_FAULTS}
    assert {f"{place}: {fault}" for place, faults in places.items() for fault in faults} <= set(tally.faults)
