"""The audit finds discards of point cards that could be kept, and of cards that aren't held (R-C3, R-C48)."""

import pytest

from domain.engine import discards
from replay.audit import audit
from replay.audit.play import exchange, turns
from tests.replay.finding import before, says
from tests.replay.playing import table as opened_table
from tests.values import replace

WILD = "Corellian that changes all the time"


@pytest.mark.parametrize("number", range(3))
def test_RC3_RC48_a_server_that_lets_seats_discard_point_cards_is_found(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server takes no card for a point card when a seat discards, so seats throw away any cards they like."""
    monkeypatch.setattr(discards, "point_cards", lambda *_: frozenset())
    history = opened_table(number, variant="corellian", randomizer=None).hands(1).history
    monkeypatch.undo()
    (deal,) = (each for each in audit(history).deals if each.scored is not None)
    assert any("which scores and could be kept" in str(each) for each in deal.findings)


def test_a_card_that_is_not_held_is_found_in_the_discard_itself() -> None:
    position, fact = before(WILD, "CardsBuried")
    hand = position.live
    foreign = next(card for card in position.opening.deck if card not in hand.cards[fact.seat])
    forged_fact = replace(fact, cards=(foreign, *fact.cards[1:]))
    says(exchange.check_cards_buried(position, forged_fact), "buries a card that it does not hold")
    position, fact = before(WILD, "CardsDiscarded", lambda data: bool(data["shown"]))
    foreign = next(card for card in position.opening.deck if card not in position.live.cards[fact.seat])
    says(
        exchange.check_cards_discarded(position, replace(fact, shown=(foreign, *fact.shown[1:]))),
        "discards a card that it does not hold",
    )


def test_whether_the_winner_of_the_auction_can_play_is_open_until_their_new_cards_are_named() -> None:
    position, _ = before("Corellian Pitch", "CardsTaken")
    hand = position.hand
    assert hand is not None
    assert hand.won is not None
    can = [turns.can_play(position, hand, seat) for seat in range(position.seats)]
    assert can == [None if seat == hand.won.seat else True for seat in range(position.seats)]
