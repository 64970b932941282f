"""A small version of `make simulate`, and the bugs that it must find."""

import pytest

from tests.postgres import Server
from tests.simulation.campaign import run_campaign, run_seed, shorten
from tests.simulation.planted import BUGS, Bug
from tests.simulation.world import draw_steps

pytestmark = pytest.mark.timeout(900)  # a world has many starts of servers, which are slow on a busy machine
STEPS = 300
MOST_WORLDS = 60
"""In how many worlds a planted bug must be found: fewer than 1,000 games."""
QUICK = {
    "acknowledge before the commit",
    "show the view of before",
    "believe every clock",
    "store moves of refused requests",
    "tell each player twice",
    "forget that a mail was sent",
}


@pytest.mark.parametrize("seed", ["1001", "1002", "1003", "1004"])
def test_a_world_with_faults_violates_nothing(seed: str) -> None:
    outcome = run_seed(seed, draw_steps(seed, STEPS))
    assert outcome.violation is None, "\n".join(outcome.story[-20:])
    assert (outcome.steps, outcome.games > 1) == (STEPS, True)


def test_a_world_on_postgres_violates_nothing_and_tells_the_same_story_again(postgres_server: Server) -> None:
    steps = draw_steps("3001", 40)
    first, second = (run_seed("3001", steps, postgres_server.fresh) for _ in range(2))
    assert (first.violation, first.steps) == (None, 40), "\n".join(first.story[-20:])
    assert first.story == second.story


@pytest.mark.slow
def test_twenty_worlds_on_postgres_violate_nothing(postgres_server: Server) -> None:
    worlds, games, failure = run_campaign([str(seed) for seed in range(3000, 3020)], new_store=postgres_server.fresh)
    assert failure is None, failure
    assert (worlds, games > 60) == (20, True)


@pytest.mark.slow
def test_a_hundred_worlds_violate_nothing() -> None:
    worlds, games, failure = run_campaign([str(seed) for seed in range(2000, 2100)])
    assert failure is None, failure
    assert (worlds, games > 300) == (100, True)


def test_a_seed_tells_the_same_story_again() -> None:
    first, second = (run_seed("7", draw_steps("7", 150)) for _ in range(2))
    assert first.story == second.story


@pytest.mark.parametrize(
    "bug", [pytest.param(bug, id=bug.name, marks=() if bug.name in QUICK else pytest.mark.slow) for bug in BUGS]
)
def test_a_planted_bug_is_found(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    bug.plant(monkeypatch)
    for seed in map(str, range(1, MOST_WORLDS + 1)):
        if run_seed(seed, draw_steps(seed, 400)).violation is not None:
            return
    pytest.fail(f"{MOST_WORLDS} worlds didn't find it")


def test_the_story_of_a_violation_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    next(bug for bug in BUGS if bug.name == "show the view of before").plant(monkeypatch)
    steps = draw_steps("1", 100)
    whole = run_seed("1", steps)
    assert whole.violation is not None
    left, shortest = shorten("1", steps[: whole.steps], whole.violation.rule)
    assert shortest.violation is not None
    assert shortest.violation.rule == whole.violation.rule
    assert len(left) == len(shortest.story) <= 10


def test_there_are_twenty_three_planted_bugs() -> None:
    assert len({bug.name for bug in BUGS}) == 23
