"""Each golden hand of Corellian Pitch contains the situation that its title names."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidScaled,
    DelayCalled,
    DelayJudged,
    HandScored,
    PartnerCalled,
    PartnerRevealed,
    RulesChanged,
    RulesChangeDeferred,
    TrickTaken,
)
from domain.events.play import Play
from domain.state import current_hand
from tests.games.corellian_draws import check_draws
from tests.games.corellian_sessions import Session
from tests.games.hands import fact_names, facts_of_kind, only_fact
from tests.golden import corellian, known


def facts_of(table: Callable[[], Session]) -> list[Any]:
    return [event.data for event in table().events]


def test_C9_R_C19_two_changes_fall_in_one_trick() -> None:
    facts = facts_of(corellian.two_changes)
    kinds = fact_names(facts)
    end = kinds.index("TrickTaken")
    trick = kinds[kinds.index("CardPlayed") : end]
    assert trick == [
        *("CardPlayed", "CardPlayed", "RulesChanged", "BidScaled", "CardPlayed", "RulesChanged", "CardPlayed")
    ]
    taken = facts[end]
    assert [play.card for play in taken.plays] == ["JC", "2C", "4C", "9C"]
    assert (taken.seat, taken.kept) == (3, ())


def test_C30_R_C64_a_change_waits_behind_a_delay_call() -> None:
    facts = facts_of(corellian.deferred)
    kinds = fact_names(facts)
    assert only_fact(DelayCalled, facts).accused == only_fact(DelayJudged, facts).accused == 2
    assert only_fact(DelayJudged, facts).scores == (0, 0, -10, 0)
    assert kinds.index("DelayJudged") < kinds.index("RulesChangeDeferred") < kinds.index("HandScored")
    after = kinds.index("HandScored")
    assert kinds[after : after + 4] == ["HandScored", "CeremonyRevealed", "RulesChanged", "CeremonyOpened"]
    waited, came = only_fact(RulesChangeDeferred, facts), only_fact(RulesChanged, facts)
    assert (came.cause, came.label, came.rules) == ("deferred", waited.label, waited.rules)


@pytest.mark.parametrize(
    ("table", "holders"),
    [
        pytest.param(corellian.called_nobody, [], id="C14 nobody"),
        pytest.param(corellian.called_himself, [1], id="C14 the bidder holds it"),
    ],
)
def test_the_called_card_makes_no_partner(table: Callable[[], Session], holders: list[int]) -> None:
    events = table().events
    facts = [event.data for event in events]
    told = only_fact(PartnerRevealed, facts)
    assert (told.bidder, told.seat, told.sides) == (1, None, ((1,), (0, 2, 3)))
    called = next(event for event in events if isinstance(event.data, PartnerCalled))
    revealed = {event.data.n for event in events if event.fact == "CeremonyRevealed"}
    everything = [event for event in events[: called.version] if event.seen_by is None or event.data.n in revealed]
    hand = known([*everything, *(event for event in events if event.fact == "CeremonyRevealed")], None).hand
    assert hand is not None
    assert [seat for seat, cards in enumerate(hand.cards) if told.card in (cards or ())] == holders
    assert only_fact(HandScored, facts).changes[1] < 0


def test_C25_C27_C35_reversed_with_off_cards_and_both_jokers() -> None:
    facts = facts_of(corellian.reverse)
    first, second, *_ = facts_of_kind(TrickTaken, facts)
    assert first.plays == tuple(Play(seat, Card(card)) for seat, card in enumerate(["X2", "JS", "X1", "2S"]))
    assert (first.seat, second.kept) == (3, (Play(1, Card("AC")),))
    assert {peg.point for peg in only_fact(HandScored, facts).pegs} >= {"off_jack", "joker", "off_two", "off_three"}


def test_C17_R_C23_bids_are_scaled_in_the_auction_and_again_in_the_play() -> None:
    facts = facts_of(corellian.scaled)
    assert list(facts_of_kind(BidScaled, facts)) == [BidScaled(0, 7, 5), BidScaled(1, 10, 7), BidScaled(1, 7, 4)]
    assert (only_fact(AuctionWon, facts).bid, only_fact(AuctionWon, facts).max) == (7, True)
    assert only_fact(HandScored, facts).changes == (1, -8, 1, -8)


def test_R_C44_no_seat_sees_anothers_cards_before_the_reveal_and_draws_follow_from_the_seeds() -> None:
    for golden in corellian.HANDS:
        events = golden.table().events
        assert len(check_draws(events)) <= 6
        for event, after in pairwise(events):
            if event.command != after.command and event.data is not None:
                for viewer in (0, 1, 2, 3, None):
                    hand = current_hand(known(events[: event.version], viewer))
                    seen = [seat for seat, cards in enumerate(hand.cards) if cards]
                    assert seen in ([], [viewer]), (golden.name, event.version, viewer)
