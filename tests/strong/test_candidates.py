"""Which moves the strong bot thinks about."""

from domain.engine.tricks import trumps
from domain.events import Play, TrickTaken
from domain.state import GatheredTrick, current_hand
from projections.bots.strong.candidates import calls
from tests.projections.bots.bot_table import bot_table
from tests.values import replace


def test_a_partner_is_called_by_another_card_if_all_trumps_have_been_played() -> None:
    """The rules of a hand may ask for a call as late as its last tricks (R-C31)."""
    table = bot_table(1, "corellian", ("simple",) * 4)
    while (hand := table.game.state.hand) is None or not hand.trump:
        table.move()
    rules, hand = table.game.state.rules, current_hand(table.game.state)
    assert hand.trump
    gone = trumps(rules, hand.trump, hand.first_joker)
    trick = TrickTaken(hand=1, trick=1, seat=0, plays=tuple(Play(0, card) for card in gone), kept=(), next=(1,))
    late = replace(hand, gathered=(GatheredTrick(trick, clean=True, version="10"),))
    found = calls(rules, late, 1)
    assert found
    assert not {*found} & {*gone, *(hand.cards[1] or ())}
    assert {*calls(rules, hand, 1)} <= {*gone}
