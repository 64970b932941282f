"""A playout moves cards by the rules' own answers: compared with `decide` and `evolve`, card by card."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from domain.cards import Card
from domain.commands import PlayCard
from domain.engine.legal_moves import legal_moves
from domain.rules.choices import Phase
from domain.state import State, current_hand
from projections.bots.strong.playout import CardPlay
from projections.bots.strong.rollout import apply_command
from tests.projections.bots.bot_table import bot_table

TABLES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "pitch": ("pitch", 4, {}),
    "pitch of two, fifth for a bid of five": ("pitch", 2, {"fifth": "bid"}),
    "setback": ("setback", 4, {}),
    "setback in which low isn't carried": ("setback", 3, {"low": 2}),
    "blackout": ("blackout", 4, {}),
    "corellian": ("corellian", 4, {"randomizer": None}),
    "corellian with the randomizer": ("corellian", 4, {}),
    "corellian with a secret call": ("corellian", 4, {"call": "secret"}),
    "corellian by suit": ("corellian", 4, {"follow": "suit_or_trump", "deal": "all"}),
    "corellian by the trick's version": ("corellian", 4, {"worth": "when_taken"}),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_playout_agrees_with_the_rules_at_every_card(name: str) -> None:
    variant, seats, options = TABLES[name]
    compared = 0
    for seed in range(12):
        table = bot_table(seed, variant, ("random",) * seats, **options)
        for _ in range(60):
            state = table.game.state
            if state.result is not None or compared > 300:
                break
            if state.phase is Phase.PLAY and state.turn and table.random.random() < 0.3:
                compared += compare(state, seed)
            table.move()
            table.call()
    assert compared > 30


def compare(state: State, seed: int) -> int:
    """Play the hand to its end both ways, with the same cards; return the number of cards."""
    rng, hand = Random(seed), current_hand(state)
    play, cards = CardPlay(state.rules, hand), 0
    following = play.next_to_play()
    while following is not None:
        seat, legal = following
        assert state.turn == (seat,)
        assert [move.card for move in legal_moves(state, seat) if isinstance(move, PlayCard)] == list(legal)
        card = rng.choice(list(legal))
        state = apply_command(state, PlayCard(seat, card))
        play.play(seat, card)
        cards += 1
        following = play.next_to_play()
    final, scored = play.to_end(never), current_hand(state)
    assert scored.over
    for field in ("taken", "tricks", "trump", "first_joker", "cards"):
        assert getattr(final, field) == getattr(scored, field)
    assert [each.trick.plays for each in final.gathered] == [each.trick.plays for each in scored.gathered]
    if scored.called is not None or scored.sides is not None:
        assert final.sides == scored.sides
    return cards


def never(play: CardPlay, seat: int, legal: Sequence[Card]) -> Card:
    raise AssertionError("no card is left")
