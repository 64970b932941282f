"""Bots of a table with a strong bot: their moves come on time, whatever they hold and however long they think."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from api.container import Services
from api.play.services import strong_bots
from api.play.services.strong_bots import LATE_US, LEAST_US, PACE_US, PlannedMove, StrongBots, think_for_bot
from api.worker import Worker
from domain.commands import PassBid
from domain.engine.cuts import ceremony_key
from domain.engine.legal_moves import legal_moves
from domain.engine.timestamps import format_time, parse_time
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State, current_hand
from projections.bots import WORLDS
from projections.bots.strong import Analysis, think
from tests.api.conftest import Caller, services_of
from tests.api.past_times import time_ago
from tests.step_limit import steps
from tests.strong.conftest import remember
from tests.waiting import wait_for

TABLE = {"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bot:strong", "bot:simple"]}
SOON_US = 10_000
"""How long after a person's move the server looks for bots."""


class StillClock:
    """A clock of the store that only a test moves."""

    def __init__(self) -> None:
        self.us = parse_time(time_ago(days=1))

    def __call__(self) -> str:
        return format_time(self.us)


class Game:
    """A game of ann, who has seat 0, against a strong bot and a simple one, by a clock that stands still."""

    def __init__(self, app: Flask, **body: object) -> None:
        self.here: Services = services_of(app)
        self.clock = self.here.games._clock = StillClock()
        self.ann = Caller(app.test_client()).join("ann")
        opened = self.ann.post("/games", TABLE | body)
        assert opened.status_code == 201, opened.text
        self.id: str = opened.get_json()["id"]
        self.bots = StrongBots(self.here)

    @property
    def version(self) -> int:
        return self.here.games.state(self.id).version

    def think(self) -> None:
        """Let the server see whose turn it is, and think."""
        self.here.followers.catch_up()
        self.clock.us += SOON_US
        self.bots.look()
        while self.bots.think():
            pass

    def pace(self) -> int:
        """Let the bot whose turn it is think, and the time of its move come; return how many moves there were."""
        self.think()
        self.clock.us = max(self.clock.us, *(each.due for each in self.bots.planned.values()), 0)
        return self.bots.play_due()

    def view(self) -> Any:
        return self.ann.get(f"/games/{self.id}/seats/0").get_json()

    def until_bot(self, seat: int = 1) -> None:
        """Play until that bot is to move."""
        spent = steps(100)
        while self.here.games.state(self.id).turn != (seat,):
            next(spent)
            self.plays()

    def plays(self) -> None:
        """Make ann's last legal move, or let a bot play."""
        legal = self.view()["you"]["legal"]
        if legal:
            assert self.ann.post(f"/games/{self.id}/moves", legal[-1]).status_code == 201
        else:
            self.pace()

    def bot_moves(self) -> Iterator[tuple[str, bool, int]]:
        """Yield for each move of a bot its id, whether it was forced, and how long after the fact before it came."""
        state = EMPTY_STATE
        for entry in self.here.games.entries(self.id):
            event = entry.event
            if event.by.startswith("bot:") and event.at != state.at:
                was_forced = len(legal_moves(state, event.data.seat)) == 1
                yield event.by, was_forced, parse_time(event.at) - parse_time(state.at)
            state = evolve(state, event)


def test_a_move_is_made_at_the_time_that_was_fixed_before_the_thought(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before, since = game.version, parse_time(game.here.games.state(game.id).at)
    game.think()
    planned = game.bots.planned[game.id]
    assert (planned.seat, planned.due, planned.worlds) == (1, since + PACE_US, None)
    game.clock.us = since + PACE_US - 1
    assert game.bots.play_due() == 0
    game.clock.us += 1 + LATE_US // 2
    assert game.bots.play_due() == 1
    (entry, *_) = game.here.games.entries(game.id, before)
    assert (entry.event.by, parse_time(entry.event.at)) == ("bot:strong:1", since + PACE_US)
    opening = next(each.event.data for each in game.here.games.entries(game.id))
    assert opening.players[1].bot == f"strong/1:{WORLDS}"


def test_people_take_turns_in_what_their_bots_think_about(app: Flask) -> None:
    game = Game(app)
    bob, state, move = game.ann.join("bob"), game.here.games.state, PassBid(1)
    of_ann = [game.id, *(game.ann.post("/games", TABLE).get_json()["id"] for _ in range(2))]
    of_bob = bob.post("/games", TABLE | {"seats": ["bob", "bot:strong", "bot:simple"]}).get_json()["id"]
    waiting = [PlannedMove(state(each), 1, due, move, 1) for due, each in enumerate([*of_ann, of_bob])]
    thought = list[str]()
    while waiting:
        chosen = game.bots.next_thought(waiting)
        thought.append(chosen.state.game)
        waiting.remove(chosen)
    assert thought == [of_ann[0], of_bob, *of_ann[1:]]


def test_no_time_depends_on_cards_or_on_thoughts(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thought takes longer the more moves there are, and the longest ones are too long."""

    def slowly(services: Services, state: State, seat: int, worlds: int, is_late: Any) -> Analysis | None:
        game.clock.us += 150_000 * len(legal_moves(state, seat))
        return think_for_bot(services, state, seat, 2, is_late)

    game = Game(app, options={"win": 21})
    monkeypatch.setattr(strong_bots, "think_for_bot", slowly)
    spent = steps(400)
    while current_hand(game.here.games.state(game.id)).number < 3:
        next(spent)
        game.plays()
    took = defaultdict[tuple[str, bool], set[int]](set)
    for by, was_forced, after in game.bot_moves():
        took[by, was_forced].add(after)
    assert dict(took) == {
        (by, was_forced): {PACE_US} for by in ("bot:strong:1", "bot:simple:2") for was_forced in (True, False)
    }


def test_a_bot_without_time_makes_the_simple_bot_s_move_on_time(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(services: Services, state: State, seat: int, worlds: int, is_late: Any) -> Analysis | None:
        game.clock.us += PACE_US
        return think_for_bot(services, state, seat, worlds, is_late)

    game, spent = Game(app), steps(400)
    monkeypatch.setattr(strong_bots, "think_for_bot", too_long)
    while game.view()["hand"]["number"] == 1:
        next(spent)
        game.plays()
    found = game.ann.get(f"/games/{game.id}/hands/1/choices").get_json()
    assert found["code"] == 0
    assert any(each["hurried"] for each in found["choices"])
    assert all(each["right"] or each["hurried"] for each in found["choices"])
    assert {after for _, _, after in game.bot_moves()} == {PACE_US}


def test_a_bot_that_fails_makes_the_simple_bot_s_move(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app)
    game.until_bot()
    monkeypatch.setattr(strong_bots, "think_for_bot", lambda *_: 1 // 0)
    before = game.version
    assert game.pace() == 1
    assert game.version > before


def test_a_turn_that_is_seen_late_leaves_time_to_think_and_a_move_after_a_stop_has_its_own_time(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before = game.version
    game.clock.us += 60_000_000
    game.think()
    due = game.bots.planned[game.id].due
    assert due == game.clock.us + LEAST_US
    game.clock.us = due + LATE_US
    assert game.bots.play_due() == 1
    assert parse_time(game.here.games.entries(game.id, before)[0].event.at) == due + LATE_US


def test_a_choice_is_the_same_after_a_restart_and_from_the_log(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before, state = game.version, game.here.games.state(game.id)
    game.think()
    chosen = game.bots.planned[game.id].move
    killed, game.bots = game.bots, StrongBots(game.here)
    game.think()
    assert game.bots.planned[game.id].move == chosen
    assert game.pace() == 1
    after = game.version
    killed.play_due()
    assert game.version == after
    events = [entry.event for entry in game.here.games.entries(game.id, upto=before)]
    ceremony = next(each for each in state.ceremonies if each.n == current_hand(state).n)
    assert think(remember(events, 1), ceremony_key(game.id, ceremony), WORLDS).move == chosen


def test_neither_a_request_nor_the_worker_plays_for_the_other_bots_of_the_table(app: Flask) -> None:
    game = Game(app)
    game.until_bot(2)
    before = game.version
    game.clock.us += 60_000_000
    game.here.followers.catch_up()
    Worker(game.here).play_waiting_games()
    assert game.version == before
    assert game.pace() == 1


def test_the_threads_play_a_move_and_end(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before = game.version
    game.think()
    game.clock.us += PACE_US
    with game.bots.running():
        assert wait_for(lambda: game.version, lambda version: version > before, "the bot doesn't play") > before
