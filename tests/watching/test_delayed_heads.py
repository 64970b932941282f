"""Where a delayed game ends for spectators: with the last commit that is old enough."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from api.play.services.gate import WINDOW, delayed_head
from domain.commands import OpenGame
from domain.decide.opening import open_game
from domain.events import Event, GameOpened, Player, Watch
from domain.rejections import NotOffered
from domain.state import EMPTY_STATE
from domain.store.aggregate import Entry
from replay.audit.play.openings import check_game_opened
from replay.fold import Position
from tests.given import events, game_opened
from tests.values import replace

PEOPLE = (Player("p0", "human"), Player("p1", "human"))


def entries_of(commits: list[tuple[str, str]]) -> list[Entry]:
    first: Event[Any] = events([game_opened(2)])[0]
    made = (replace(first, version=number, at=at, command=command) for number, (at, command) in enumerate(commits, 1))
    return [Entry(event, b"", b"", b"") for event in made]


def slow_head(entries: list[Entry], delay: int) -> int:
    ends = [
        entry.event.version
        for entry, after in pairwise(entries)
        if (entry.event.at, entry.event.command) != (after.event.at, after.event.command)
    ]
    return max((end for end in ends if end <= len(entries) - delay), default=0)


@pytest.mark.parametrize("seed", range(6))
def test_the_head_is_the_last_end_of_a_commit_that_is_old_enough(seed: int) -> None:
    chance = Random(seed)
    commits: list[tuple[str, str]] = []
    for number in range(chance.randint(1, 40)):
        commit = (str(number // 2), f"c{number}")  # sometimes only the command changes
        commits += [commit] * chance.choice([1, 2, 3, 9, 3 * WINDOW])
    entries = entries_of(commits)
    for delay in {1, 2, 3, 10, WINDOW, len(entries) // 2 + 1, len(entries), 1000}:
        found = delayed_head(lambda after, upto: entries[after:upto], len(entries), delay)
        assert found == slow_head(entries, delay), delay


def test_commands_of_one_moment_are_commits_of_their_own_and_so_are_moments_of_one_command() -> None:
    entries = entries_of([("1", "a"), ("1", "b"), ("2", "b"), ("2", "b")])
    assert [slow_head(entries, delay) for delay in (1, 2, 3, 4)] == [2, 2, 1, 0]
    for delay in (1, 2, 3, 4):
        assert delayed_head(lambda after, upto: entries[after:upto], 4, delay) == slow_head(entries, delay)


def opening(delay: int) -> GameOpened:
    command = OpenGame("g", 1, "pitch", {}, PEOPLE, watch=Watch(delay=delay))
    [fact] = open_game(EMPTY_STATE, command)
    assert isinstance(fact, GameOpened)
    return fact


@pytest.mark.parametrize("delay", [-1, 1001])
def test_a_delay_out_of_range_is_refused_and_the_audit_finds_a_recorded_one(delay: int) -> None:
    with pytest.raises(NotOffered, match="0 to 1000 facts"):
        opening(delay)
    recorded = replace(opening(0), watch=Watch(delay=delay))
    said = list(check_game_opened(Position(), recorded))
    assert said == [f"spectators see the game {delay} facts late, but a delay may be 0 to 1000 facts"]
