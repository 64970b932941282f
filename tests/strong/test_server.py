"""Strong bots on the server: they play on a tick, and a choice is the same after a restart and out of the log."""

from typing import Any

from flask import Flask

from api.services.bots.strong_bots import StrongBots
from api.services.container import Services
from domain.decide.randomizer import ceremony_key
from domain.state import current_hand
from projections.bots import WORLDS
from projections.bots.strong import think
from projections.views.seat_memory import remember
from tests.api.conftest import Caller, services_of
from tests.step_limit import steps

TABLE = {"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bot:strong", "bot:simple"]}


class Game:
    """A game of ann, who has seat 0, against a strong bot and a simple one."""

    def __init__(self, app: Flask, **body: object) -> None:
        self.here: Services = services_of(app)
        self.ann = Caller(app.test_client()).join("ann")
        opened = self.ann.post("/games", TABLE | body)
        assert opened.status_code == 201, opened.text
        self.id: str = opened.get_json()["id"]
        self.bots = StrongBots(self.here)

    @property
    def version(self) -> int:
        return self.here.games.state(self.id).version

    def tick(self) -> int:
        self.here.followers.catch_up()
        return self.bots.tick()

    def view(self) -> Any:
        return self.ann.get(f"/games/{self.id}/seats/0").get_json()

    def until_bot(self) -> None:
        """Play until the strong bot is to move."""
        spent = steps(100)
        while self.here.games.state(self.id).turn != (1,):
            next(spent)
            self.plays()

    def plays(self) -> None:
        """Make ann's last legal move, or let the bots play."""
        legal = self.view()["you"]["legal"]
        if legal:
            assert self.ann.post(f"/games/{self.id}/moves", legal[-1]).status_code == 201
        else:
            self.tick()


def test_a_move_is_committed_on_the_tick_after_the_thought(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before = game.version
    game.tick()
    assert game.version == before
    assert game.bots.ready[game.id].version == before
    assert game.tick() == 1
    (entry, *_) = game.here.games.entries(game.id, before)
    assert entry.event.by == "bot:strong:1"
    opening = next(each.event.data for each in game.here.games.entries(game.id))
    assert opening.players[1].bot == f"strong/1:{WORLDS}"


def test_a_choice_is_the_same_after_a_restart_and_from_the_log(app: Flask) -> None:
    game = Game(app)
    game.until_bot()
    before, state = game.version, game.here.games.state(game.id)
    game.tick()
    chosen = game.bots.ready[game.id].move
    killed, game.bots = game.bots, StrongBots(game.here)
    game.tick()
    assert game.bots.ready[game.id].move == chosen
    game.tick()
    after = game.version
    killed.tick()
    assert game.version == after
    events = [entry.event for entry in game.here.games.entries(game.id, upto=before)]
    ceremony = next(each for each in state.ceremonies if each.n == current_hand(state).n)
    assert think(remember(events, 1), ceremony_key(game.id, ceremony), WORLDS).move == chosen
