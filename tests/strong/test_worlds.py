"""The worlds that the strong bot draws: all that its seat could still believe, and nothing of what it can't see."""

from random import Random
from typing import Any

import pytest

from domain.cards import DECK_54
from domain.decide.randomizer import ceremony_key
from domain.engine.legal_moves import legal_moves
from domain.events import Event
from domain.protocols.fairdeal import block, numbers
from domain.rules.choices import Phase
from domain.state import current_hand
from domain.struct import replace
from projections.bots.strong import think
from projections.bots.strong.worlds import draw_world
from projections.views.audience import visible
from projections.views.seat_memory import remember
from tests.projections.bots.bot_table import BotTable, bot_table

VARIANTS = {"pitch": 4, "setback": 4, "blackout": 4, "corellian": 4}
KEY = bytes(32)


def positions(variant: str, seed: int, moves: int) -> BotTable:
    """Return a table of random bots after this many moves."""
    table = bot_table(seed, variant, ("random",) * VARIANTS[variant])
    for _ in range(moves):
        if table.game.state.result is None:
            table.move()
            table.call()
    return table


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_world_has_the_right_numbers_of_cards_and_every_card_once(variant: str) -> None:
    for seed in range(25):
        table = positions(variant, seed, 3 + 4 * seed)
        if table.game.state.result is not None or not table.game.state.turn:
            continue
        seat = table.game.state.turn[0]
        known = table.knowledge(seat)
        draws, real = numbers(KEY, f"test {seed}"), current_hand(table.game.state)
        for _ in range(3):
            hand = current_hand(draw_world(known, draws))
            assert tuple(len(held or ()) for held in hand.cards) == real.counts
            assert len(hand.stock or ()) == real.stock_left
            cards = [card for held in (*hand.cards, hand.stock or ()) for card in held or ()]
            assert len(set(cards)) == len(cards)
            assert not {play.card for play in known.plays} & set(cards)
            assert hand.cards[seat] == real.cards[seat] or known.hand.cards[seat] is None
            for each, held in enumerate(hand.cards):
                assert known.impossible[each].isdisjoint(held or ())


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_real_deal_is_never_ruled_out(variant: str) -> None:
    for seed in range(40):
        table = positions(variant, seed, 5 + 3 * seed)
        state = table.game.state
        if state.result is not None or not state.turn:
            continue
        known = table.knowledge(state.turn[0])
        for held, impossible in zip(current_hand(state).cards, known.impossible, strict=True):
            assert impossible.isdisjoint(held or ())


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_seat_cannot_see_changes_nothing(variant: str) -> None:
    """Change every card in the facts that the seat didn't see: it knows and chooses the same."""
    compared = 0
    for seed in range(6):
        table = positions(variant, seed, 4 + 7 * seed)
        state = table.game.state
        if state.result is not None or not state.turn:
            continue
        seat, events = state.turn[0], [entry.event for entry in table.entries]
        choice = think(remember(events, seat), KEY, 4)
        for other in range(2):
            changed = [permuted(event, seat, Random(other)) for event in events]
            assert think(remember(changed, seat), KEY, 4) == choice
            compared += changed != events
    assert compared


def permuted(event: Event[Any], seat: int, rng: Random) -> Event[Any]:
    """Return the event with other cards if the seat didn't see it."""
    cards = getattr(event.data, "cards", None)
    if cards is None or visible(event, seat, ()):
        return event
    return replace(event, data=replace(event.data, cards=tuple(rng.sample(DECK_54, len(cards)))))


def test_the_key_of_a_choice_comes_from_the_ceremony_by_its_label() -> None:
    table = positions("pitch", 1, 5)
    state = table.game.state
    seat, hand = state.turn[0], current_hand(state)
    ceremony = next(each for each in state.ceremonies if each.n == hand.n)
    key = ceremony_key(table.game.id, ceremony)
    thought = think(table.knowledge(seat), key, 5)
    kind = "bid" if state.phase is Phase.AUCTION else "play"
    assert thought.label == f"bot {seat} {hand.turns} {kind}"
    assert thought.move in legal_moves(state, seat)
    assert block(key, thought.label, 0) != key
