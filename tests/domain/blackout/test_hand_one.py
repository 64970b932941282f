"""Blackout, hand 1: each seat sees all cards except its own, and the table plays them (B18, B19, R-B8 to R-B10)."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.commands import AskUndo, MakeBid, PlayCard, Resign
from domain.events import CardPlayed, CardsDealt, Event, HandScored, Play, TrickTaken
from domain.rejections import NothingToUndo, WrongPhase
from projections.views.seat import ViewFold, view_json
from tests.games.blackout_hands import bidding, commit
from tests.games.hands import fact_names, only_fact
from tests.games.tables import Table
from tests.given import cards, events

# Spades are trump; seat 1 alone has one.
ONE = ("AH", "2S", "KH", "3D")


def hand_one(seed: int = 0, **options: Any) -> Table:
    return Table(variant="blackout", seed=seed, **options)


def bid_out(table: Table) -> Table:
    while not table.hands_scored:
        table.moves(0)
    return table


def shown(log: list[Event[Any]], viewer: int | None) -> Mapping[str, Any]:
    seen = ViewFold(viewer)
    for event in log:
        seen.add(event)
    return view_json(seen, "")


def test_B18_R_B8_each_card_is_shown_to_the_other_three_seats() -> None:
    dealt = [event for event in hand_one().events if isinstance(event.data, CardsDealt)]
    assert [event.seen_by for event in dealt] == [(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)]


def test_R_B8_an_observer_sees_no_hand_until_it_is_over() -> None:
    table = shown(events(bidding(1, ONE, 0, 0).facts), None)
    assert [card for card in ONE if card in str(table)] == []
    log = bid_out(hand_one()).events
    played = [event.data.card for event in log if isinstance(event.data, CardPlayed)]
    taken = next(event.version for event in log if isinstance(event.data, TrickTaken))
    assert [play["card"] for play in shown(log[:taken], None)["hand"]["last_trick"]["plays"]] == played


@pytest.mark.parametrize("bids", [pytest.param((0,) * asked, id=f"R-B8 after {asked} bids") for asked in range(4)])
def test_a_refusal_does_not_reveal_a_seats_own_card(bids: tuple[int, ...]) -> None:
    """A seat's own card, another seat's and one in the stock are refused with the same message."""
    table = bidding(1, ONE, *bids)
    for seat in range(4):
        said = {str(table.when(PlayCard(seat, *cards(card))).rejected(WrongPhase)) for card in (*ONE, "3S", "9C", "AD")}
        assert len(said) == 1


@pytest.mark.parametrize(
    ("bids", "last", "changes"),
    [
        pytest.param((0, 1, 0), 1, (10, 11, 10, 0), id="B19 R-B9 B12 three are exact"),
        pytest.param((1, 0, 1), 1, (0, 0, 0, 0), id="B19 R-B9 B13 none is exact"),
    ],
)
def test_the_last_bid_plays_and_scores_the_four_cards(
    bids: tuple[int, ...], last: int, changes: tuple[int, ...]
) -> None:
    facts = commit(bidding(1, ONE, *bids), MakeBid(3, last))
    assert " ".join(fact_names(facts)) == (
        "BidMade CardPlayed CardPlayed CardPlayed CardPlayed TrickTaken HandScored CeremonyRevealed CeremonyOpened "
        "SeedKept HandDealt CardsDealt CardsDealt CardsDealt CardsDealt StockLaid TrumpTurnedUp"
    )
    plays = tuple(Play(seat, *cards(card)) for seat, card in enumerate(ONE))
    assert facts[1:5] == tuple(CardPlayed(play.seat, play.card, ()) for play in plays)
    assert facts[5] == TrickTaken(1, 1, 1, plays, (), ())
    assert only_fact(HandScored, facts).changes == changes


@pytest.mark.parametrize(
    ("bots", "left"),
    [
        pytest.param((), (), id="B19 R-B9 four people"),
        pytest.param((1, 2), (), id="B19 R-B9 with bots"),
        pytest.param((), (2,), id="B19 R-B9 with a seat that left"),
    ],
)
def test_the_table_plays_the_cards_in_the_commit_of_the_last_bid(bots: tuple[int, ...], left: tuple[int, ...]) -> None:
    table = hand_one(bots=bots, inorder=True)
    for seat in left:
        table.says(Resign(seat))
    bid_out(table)
    plays = [event for event in table.events if isinstance(event.data, CardPlayed)]
    last = table.events[plays[0].version - 2]
    assert last.fact == "BidMade"
    assert [(event.by, event.data.seat, event.seen_by) for event in plays] == [
        ("server", seat, None) for seat in (0, 1, 2, 3)
    ]
    assert {event.command for event in plays} == {last.command}
    assert [event.version for event in plays] == list(range(last.version + 1, last.version + 5))
    assert last.by == table.state.seats[3].player


@pytest.mark.parametrize(
    ("hand", "taker"),
    [
        pytest.param(("2H", "3D", "KC", "AC"), 0, id="R-B10 no seat follows suit and no seat has to"),
        pytest.param(("2H", "3D", "9H", "AC"), 2, id="R-B10 B22 the highest of the suit led"),
        pytest.param(("AH", "4S", "KH", "5S"), 3, id="R-B10 B22 the higher trump"),
    ],
)
def test_who_takes_the_trick(hand: tuple[str, ...], taker: int) -> None:
    taken = only_fact(TrickTaken, commit(bidding(1, hand, 0, 0, 0), MakeBid(3, 0)))
    assert (taken.seat, [play.card for play in taken.plays]) == (taker, list(hand))


def test_R_B9_R_B8_the_last_bid_of_hand_1_cannot_be_undone() -> None:
    table = bid_out(hand_one())
    for seat in range(4):
        table.refuses(AskUndo(seat), NothingToUndo)
