"""Random transactions of many commands against a model: each command has the outcome that it would have alone.

In each, some commands conflict with another process, some are refused or repeated, and now and then the store or the
process fails before or after the commit. A command that got no answer is sent again, as a client does.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent

from domain.commands import PassBid, SeatCommand
from domain.decide import decide
from domain.rejections import Rejected
from domain.state import State
from domain.store import Commit, Games, StaleVersion, StoreUnavailable
from tests.api.server.test_batch_lane import run_together
from tests.conftest import Database
from tests.domain.store.storing import any_move, at, command_id, open_game

TABLES = 10
FAILURES = [*[None] * 12, "reply lost", "reply lost", "down", "down after the commit"]
Batches = Sequence[Sequence[StoredEvent]]
Outcome = type[Exception] | None
"""The error that a command must raise, or None if it must be stored."""


@dataclass(frozen=True)
class Asked:
    """A command as a client sends it."""

    game: str
    command: SeatCommand
    command_id: str
    if_match: int | None

    def of(self, games: Games) -> Commit:
        by = f"p{self.command.seat}"
        return games.act(self.game, self.command, by=by, command_id=self.command_id, if_match=self.if_match)


class FailingLog:
    """The seam to the store: the next transaction fails before or after its commit, and so do attempts that follow."""

    def __init__(self, games: Games, monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> None:
        self._insert, self.sizes = games.log.insert_batches, sizes
        self.before, self.after, self.lasts = False, False, False
        monkeypatch.setattr(games.log, "insert_batches", self.insert_batches)

    def insert_batches(self, batches: Batches) -> list[list[int] | None]:
        self.sizes.append(len(batches))
        before, after = self.before, self.after
        self.before, self.after = (before or after) and self.lasts, False
        stored = [] if before else self._insert(batches)
        if before or after:
            raise OperationalError("the connection is lost")
        return stored

    def recover(self) -> None:
        self.before = self.after = self.lasts = False


class Model:
    """The games as they must be: the newest state of each, and the commands that are stored, in order."""

    def __init__(self, rival: Games, chance: Random) -> None:
        self.rival, self.chance, self.asked_before = rival, chance, list[Asked]()
        self.states: dict[str, State] = {}
        self.stored: dict[str, list[str]] = {}
        self._ids = iter(range(1, 1 << 30))
        for _ in range(TABLES):
            self.open()

    def open(self) -> None:
        game = open_game(self.rival)
        self.states[game], self.stored[game] = self.rival.state(game), [command_id(0)]

    def draw(self) -> list[tuple[Asked, Outcome]]:
        """Return commands of several games, and how each must end."""
        for game in [game for game, state in self.states.items() if state.result is not None]:
            del self.states[game]
            self.open()
        games = self.chance.sample(list(self.states), self.chance.randint(2, 8))
        return [self._asked(game) for game in games]

    def _asked(self, game: str) -> tuple[Asked, Outcome]:
        known = self.states[game]
        kind = self.chance.choice(["move", "move", "move", "overtaken", "late", "refused", "repeated"])
        move = self._move(game)
        if kind in ("overtaken", "late"):
            self.accept(Asked(game, move, self._id(), None).of(self.rival))
            move = move if kind == "overtaken" or self.states[game].result is not None else self._move(game)
        elif kind == "refused":
            move = PassBid(next(seat for seat in range(4) if seat not in known.turn))
        elif kind == "repeated" and (before := [each for each in self.asked_before if each.game == game]):
            return self.chance.choice(before), None
        if_match = self.chance.choice([None, known.version])
        return Asked(game, move, self._id(), if_match), self._outcome(game, move, if_match)

    def _move(self, game: str) -> SeatCommand:
        return any_move(self.states[game], self.chance)

    def _id(self) -> str:
        return command_id(next(self._ids))

    def _outcome(self, game: str, move: SeatCommand, if_match: int | None) -> Outcome:
        state = self.states[game]
        if if_match is not None and if_match < state.moved:
            return StaleVersion
        try:
            decide(state, move)
        except Rejected as refusal:
            return type(refusal)
        return None

    def accept(self, commit: Commit) -> None:
        """Take a commit that was acknowledged into the model."""
        (stored,) = {entry.event.command for entry in commit.entries}
        assert commit.repeated is (stored in self.stored[commit.game])
        if not commit.repeated:
            self.stored[commit.game].append(stored)
            self.states[commit.game] = commit.state


def check_outcome(model: Model, asked: Asked, expected: Outcome, got: Any) -> None:
    """Check that a command ended as the model says."""
    if expected is None:
        assert isinstance(got, Commit), (asked, got)
        model.accept(got)
        model.asked_before.append(asked)
    else:
        assert type(got) is expected, (asked, got)


def check_stored(model: Model, games: Games) -> None:
    """Check that the store holds exactly the model's commands, in order. Reading checks each link."""
    for game, expected in model.stored.items():
        commands = [entry.event.command for entry in games.entries(game)]
        assert list(dict.fromkeys(commands)) == expected
        assert sorted(commands, key=expected.index) == commands


@pytest.mark.parametrize("batches", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_command_of_a_random_batch_ends_as_it_would_alone(
    database: Database, batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, sizes = Random(50), list[int]()
    with ExitStack() as restarts, at(database) as rival:
        games = restarts.enter_context(at(database))
        model, log = Model(rival, chance), FailingLog(games, monkeypatch, sizes)
        for _ in range(batches):
            drawn = model.draw()
            failure = chance.choice(FAILURES)
            log.before, log.after = failure == "down", failure in ("reply lost", "down after the commit")
            log.lasts = failure != "reply lost"
            results = run_together([partial(asked.of, games) for asked, _ in drawn])
            log.recover()
            if failure in ("down", "down after the commit"):
                restarts.close()
                games = restarts.enter_context(at(database))
                log = FailingLog(games, monkeypatch, sizes)
            for (asked, expected), got in zip(drawn, results, strict=True):
                if isinstance(got, StoreUnavailable):
                    assert failure in ("down", "down after the commit") or (failure and log.sizes[-1] == 1)
                    check_sent_again(model, asked, expected, games)
                else:
                    check_outcome(model, asked, expected, got)
        assert max(sizes) >= 5
        check_stored(model, rival)


def check_sent_again(model: Model, asked: Asked, expected: Outcome, games: Games) -> None:
    """Send a command again whose outcome is unknown: it may have been stored the first time, but only once."""
    if expected is not None:
        with pytest.raises(expected):
            asked.of(games)
        return
    again = asked.of(games)
    assert {entry.event.command for entry in again.entries} == {asked.command_id}
    if asked.command_id not in model.stored[asked.game]:
        model.stored[asked.game].append(asked.command_id)
        model.states[asked.game] = again.state
        model.asked_before.append(asked)
