"""The strong bot's draws (fairdeal/1): the vectors, a second implementation from the text, and choices as ever."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.protocols.fairdeal import block, numbers
from domain.state import current_hand
from projections.bots.strong import DRAWS, think
from projections.bots.strong.candidates import candidates
from tests.projections.bots.bot_table import bot_table

SPEC = json.loads((Path(__file__).parents[1] / "domain" / "fairdeal-vectors.json").read_text(encoding="utf-8"))
KEYS = {vector["name"]: bytes.fromhex(vector["key"]) for vector in SPEC["vectors"]}


@pytest.mark.parametrize("vector", SPEC["bots"], ids=lambda each: each["label"])
def test_the_bots_key_and_draws_are_those_of_the_vector(vector: dict[str, Any]) -> None:
    key = block(KEYS[vector["vector"]], vector["label"], 0)
    assert key.hex() == vector["key"]
    assert vector["draws"] == DRAWS
    assert block(key, DRAWS, 0).hex() == vector["block0"]
    draws = numbers(key, DRAWS)
    assert [draws(range(m, m - 1, -1))[0] for m in vector["below"]] == vector["numbers"]


GAINS = {
    "pitch": [0.267, -4.267, 0.467, -0.133, -4.2, 0.4, 0.0, 0.733],
    "setback": [1.4, -2.8, -3.0, -2.2, 0.4, -5.2, 6.0, -5.8],
    "blackout": [-3.8, 3.933, 5.6, 2.867, 0.6, -1.933, 8.533, 0.467],
    "corellian": [3.2, -1.6, 8.0, -2.0, -2.4, -11.0, 0.0, 2.6],
}
"""Results of the chosen moves in points. Other numbers are another way to think, which needs a label of its own."""


@pytest.mark.parametrize("variant", GAINS)
def test_the_same_key_and_view_give_the_same_choice_as_ever(variant: str) -> None:
    table, gains = bot_table(5, variant, ("random",) * 4), list[float]()
    while len(gains) < 8:
        table.move()
        table.call()
        state = table.game.state
        if state.turn and len(candidates(state, state.turn[0])) > 1 and current_hand(state).turns % 3 == 0:
            thought = think(table.knowledge(state.turn[0]), bytes(range(32)), 5)
            gains.append(round(max(option.gain for option in thought.options), 3))
    assert gains == GAINS[variant]
