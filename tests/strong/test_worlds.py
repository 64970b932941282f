"""The worlds that the strong bot draws: all that its seat could still believe, and nothing of what it can't see."""

import pytest

from domain.protocols.fairdeal import numbers
from domain.state import current_hand
from projections.bots.strong.worlds import draw_world
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
