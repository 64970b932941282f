"""What the server's strong bots choose follows from the seat's view and the ceremony alone, in every variant.

Each choice of the server is worked out again from the events that the seat saw, with a key by a second implementation.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask

from api.services.bots.choices import knowledge, think_for_bot
from api.services.container import Services
from domain.commands import OpenGame
from domain.decide.randomizer import ceremony_key
from domain.events import Event, Player
from domain.state import State, current_hand
from projections.bots.strong import Analysis, think
from projections.bots.strong.analysis import think_with
from projections.bots.strong.candidates import candidates
from projections.views.audience import visible
from projections.views.seat_memory import remember
from tests.api.conftest import services_of
from tests.api.fairdeal_reference import stream
from tests.api.worlds import random_turn_move
from tests.given import GAME
from tests.step_limit import steps

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


@pytest.mark.parametrize("variant", VARIANTS)
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
