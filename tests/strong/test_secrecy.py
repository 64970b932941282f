"""The choices of the server's bots follow from the seat's view and the ceremony alone, and when from neither.

Each choice of a strong bot is worked out again from the events that the seat saw, with a key by a second
implementation. Worlds that differ only in a bot's hidden cards, so that its move is forced in one of them alone, have
the same times and as many facts.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import Services
from api.play.services import strong_bots
from api.play.services.autoplay import AutoPlayer
from api.play.services.strong_bots import StrongBots, knowledge, think_for_bot
from domain.commands import OpenGame
from domain.engine.cuts import ceremony_key
from domain.engine.legal_moves import legal_moves
from domain.engine.timestamps import parse_time
from domain.events import Event, Player
from domain.state import State, current_hand
from projections.bots import choose
from projections.bots.strong import Analysis, think
from projections.bots.strong.analysis import think_with
from projections.bots.strong.candidates import candidates
from projections.views.audience import visible
from tests.api.conftest import MakeApp, services_of
from tests.api.fairdeal_reference import stream
from tests.api.given_http import store_events
from tests.api.worlds import Events, play_random_game, random_turn_move, state_of, vary_hidden_facts
from tests.given import GAME
from tests.step_limit import steps
from tests.strong.conftest import remember
from tests.strong.test_server import SOON_US, StillClock

VARIANTS = ("pitch", "setback", "blackout", "corellian")
CHOICES = 20
"""How many choices are compared in each variant."""
WORLDS = 4


def positions(services: Services, variant: str) -> Iterator[tuple[State, int]]:
    """Play a game with random moves, and yield each position in which a seat has a choice."""
    chance, people = Random(f"strong {variant}"), tuple(Player(f"p{seat}", "human") for seat in range(4))
    services.games.open(OpenGame(GAME, 1, variant, {}, people), by="p0", command_id="c0")
    for number in steps():
        state = services.games.state(GAME)
        if state.result is not None:
            return
        seat = state.turn[0]
        if len(candidates(state, seat)) > 1:
            yield state, seat
        command = random_turn_move(chance, state, seat)
        services.games.act(GAME, command, by=state.seats[seat].player, command_id=f"c{number + 1}")


def own_events(services: Services, seat: int) -> list[Event[Any] | None]:
    """Return the events of the game with None for each that the seat didn't see at the time."""
    entries = services.games.entries(GAME)
    return [entry.event if visible(entry.event, seat, ()) else None for entry in entries]


def independent(services: Services, state: State, seat: int) -> Analysis:
    """Return the choice from the seat's events, with the key of its draws from the text of fairdeal/1."""
    known = remember(own_events(services, seat), seat)
    ceremony = next(each for each in state.ceremonies if each.n == current_hand(state).n)
    label = think(known, bytes(32), 1).label
    read = stream(ceremony_key(GAME, ceremony), label)
    key = bytes(next(read) for _ in range(32))
    return think_with(known, candidates(known.state, seat), label, key, WORLDS)


@pytest.mark.parametrize(
    "variant", [*VARIANTS[::3], *(pytest.param(each, marks=pytest.mark.slow) for each in VARIANTS[1:3])]
)
def test_the_server_chooses_by_the_seats_view_and_the_ceremony_alone(app: Flask, variant: str) -> None:
    services, compared, labels = services_of(app), 0, set[str]()
    for state, seat in positions(services, variant):
        thought = think_for_bot(services, state, seat, WORLDS)
        assert thought == independent(services, state, seat), (variant, state.version)
        known, own = knowledge(services, state, seat), remember(own_events(services, seat), seat)
        assert known is not None
        assert (known.unseen, known.impossible, known.thrown) == (own.unseen, own.impossible, own.thrown)
        labels.add(thought.label.split()[-1])
        compared += 1
        if compared == CHOICES:
            break
    assert compared == CHOICES
    assert labels >= {"bid", "play"} | ({"name_trump", "discard"} if variant == "corellian" else set())


WATCHER, BOT = 0, 1
"""The seats of a person and of the bot that moves after them."""
STORIES = 2
"""How many pairs of worlds are compared."""


def is_forced(events: Events) -> bool:
    return len(legal_moves(state_of(events), BOT)) == 1


def pairs_of_worlds(strategy: str) -> Iterator[tuple[Events, Events]]:
    """Yield two worlds that the watcher can't tell apart: the bot is to follow, and has a choice in one of them."""
    people = [Player("p0", "human"), *(Player(f"bot:{strategy}:{seat}", "bot", strategy) for seat in (BOT, 2))]
    for seed in steps(4000):
        chance = Random(f"{strategy} {seed}")
        events = play_random_game(chance, people, "pitch", chance.randrange(4, 18))
        state = state_of(events)
        if state.turn != (BOT,) or state.trick is None or not state.trick.plays:
            continue
        varied = vary_hidden_facts(events, WATCHER, chance, alike=False)
        if is_forced(events) is not is_forced(varied):
            yield events, varied


class SlowWorld:
    """A server with one of these worlds, whose bots take the longer to choose the more moves they have."""

    def __init__(self, app: Flask, events: Events) -> None:
        self.here, self.first = services_of(app), len(events)
        self.clock = self.here.games._clock = StillClock()
        self.clock.us = parse_time(events[-1].at)
        store_events(self.here.games, events)

    def think(self, services: Services, state: State, seat: int, worlds: int, is_late: Any) -> Analysis | None:
        self.clock.us += 400_000 * len(legal_moves(state, seat))
        return think_for_bot(services, state, seat, worlds, is_late)

    def choose(self, strategy: str, view: Any, rules: Any, pick: Any) -> Any:
        self.clock.us += 400_000 * len(view["you"]["legal"])
        return choose(strategy, view, rules, pick)

    def play(self, patch: pytest.MonkeyPatch) -> list[tuple[int, str, str]]:
        """Let the bot make its move; return the version, time and fact of each event of that commit."""
        patch.setattr(strong_bots, "think_for_bot", self.think)
        self.here.autoplayer = AutoPlayer(self.here.games, self.here.views, self.choose)
        self.here.autoplayer.play(self.here.games.state(GAME), "c-1", limit=1)
        bots = StrongBots(self.here)
        self.here.followers.catch_up()
        self.clock.us += SOON_US
        bots.look()
        bots.think()
        self.clock.us = max(self.clock.us, *(each.due for each in bots.planned.values()), 0)
        bots.play_due()
        made = self.here.games.entries(GAME, self.first)
        return [(e.event.version, e.event.at, e.event.fact) for e in made if e.event.command == made[0].event.command]


@pytest.mark.parametrize("strategy", ["simple", "strong/1:4"])
def test_worlds_that_differ_in_a_bot_s_hidden_cards_have_the_same_times_and_as_many_facts(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    for number, worlds in zip(range(STORIES), pairs_of_worlds(strategy), strict=False):
        told = []
        for name, events in zip(("one", "two"), worlds, strict=True):
            config = Config(data=tmp_path / f"{number} {name}", hashing="cheapest", limits=NO_LIMITS)
            told.append(SlowWorld(make_app(config), events).play(monkeypatch))
        assert told[0][0] == told[1][0]
        assert len(told[0]) == len(told[1])
        assert {at for _, at, _ in told[0]} == {at for _, at, _ in told[1]}
