"""Properties of every game of Pitch, whatever is played (docs/rules/).

The tests compare the score of every hand with the second reading of the rules in tests/rulebooks/rulebook.py.
"""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import DECK_52, Card
from domain.commands import Command, MakeBid, PassBid, PlayCard
from domain.decide import decide
from domain.engine.legal_moves import legal_moves
from domain.events import (
    AuctionWon,
    BidMade,
    CardPlayed,
    CardsDealt,
    Event,
    GameEnded,
    HandDealt,
    HandScored,
    SeatResigned,
    StockLaid,
    TrickTaken,
)
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, State
from tests.games.strategies import seat_commands, tables
from tests.games.tables import Table
from tests.rulebooks import rulebook

FEW = settings(max_examples=50, deadline=None)


def accepted(state: State, command: Command) -> bool:
    """Return whether the decider accepts the command."""
    try:
        return bool(decide(state, command))
    except Rejected:
        return False


def states(events: list[Event[Any]]) -> list[State]:
    """Yield the state after each event."""
    return list(accumulate(events, evolve, initial=EMPTY_STATE))[1:]


@FEW
@given(tables())
def test_every_card_is_in_one_place_after_every_event(table: Table) -> None:
    stock: tuple[Card, ...] = ()
    for event, state in zip(table.events, states(table.events), strict=True):
        hand = state.hand
        if isinstance(event.data, HandDealt):
            stock = ()
        if isinstance(event.data, StockLaid):
            stock = event.data.cards
        if hand is None or not stock:
            continue
        held = [card for cards in hand.cards for card in cards or ()]
        on_table = [play.card for play in hand.trick.plays] if hand.trick else []
        taken = [card for cards in hand.taken for card in cards]
        assert sorted([*held, *on_table, *taken, *stock]) == sorted(DECK_52)
        assert hand.counts == tuple(len(cards or ()) for cards in hand.cards)


@FEW
@given(tables())
def test_the_legal_moves_are_exactly_the_accepted_moves(table: Table) -> None:
    state = table.state
    for seat in range(len(state.seats)):
        asked: list[Command] = [PassBid(seat), *(MakeBid(seat, bid) for bid in (-1, *range(1, 8)))]
        asked += [PlayCard(seat, card) for card in DECK_52]
        assert [command for command in asked if accepted(state, command)] == list(legal_moves(state, seat))
        assert accepted(state, MakeBid(seat, 0)) == accepted(state, PassBid(seat))


@FEW
@given(tables())
def test_the_legal_moves_are_those_of_the_rule_sheet(table: Table) -> None:
    hand, turn = table.state.hand, table.state.turn
    if hand is None or not turn:
        return
    (seat,) = turn
    if table.state.phase is Phase.AUCTION:
        said = [bid for bid in hand.bids if bid]
        bids = rulebook.legal_bids(max(said, default=0))
        wanted: set[Command] = {MakeBid(seat, bid) if bid else PassBid(seat) for bid in bids}
    else:
        trick = hand.trick.plays if hand.trick else ()
        cards = rulebook.playable_cards(list(hand.cards[seat] or ()), trick[0].card if trick else None, hand.trump)
        wanted = {PlayCard(seat, Card(card)) for card in cards}
    assert set(legal_moves(table.state, seat)) == wanted


@FEW
@given(tables(), st.lists(seat_commands, max_size=10))
def test_a_refused_command_writes_nothing_and_leaves_the_game_as_it_was(table: Table, asked: list[Command]) -> None:
    table.hears(asked)


@FEW
@given(tables())
def test_replaying_the_log_gives_the_same_game(table: Table) -> None:
    again = table.read_again()
    assert (again.state, again.root, again.commands) == (table.state, table.game.root, table.game.commands)
    assert states(table.events)[-1] == table.state


@FEW
@given(tables())
def test_bids_rise_and_no_seat_bids_twice(table: Table) -> None:
    bids: list[BidMade] = []
    for event in table.events:
        if isinstance(event.data, HandDealt):
            bids = []
        if isinstance(event.data, BidMade):
            bids.append(event.data)
            assert [each.bid for each in bids] == sorted({each.bid for each in bids})
            assert len({each.seat for each in bids}) == len(bids)
        if isinstance(event.data, AuctionWon):
            assert (event.data.seat, event.data.bid) == (bids[-1].seat, bids[-1].bid)


@FEW
@given(tables())
def test_points_of_a_hand_are_at_most_five_and_add_up(table: Table) -> None:
    before = (0,) * len(table.state.seats)
    for event in table.events:
        hand = event.data
        if not isinstance(hand, HandScored):
            continue
        credited = [peg for peg in hand.pegs if peg.credited]
        assert sum(peg.worth for peg in credited) <= 5
        assert hand.scores == tuple(old + new for old, new in zip(before, hand.changes, strict=True))
        penalty = 0 if hand.made else max(bid or 0 for bid in hand.bids)
        assert sum(hand.changes) == len(credited) - penalty
        assert (sum(hand.tricks), len([peg for peg in hand.pegs if peg.point == "high"])) == (6, 1)
        before = hand.scores


def judge(table: Table) -> None:
    """Compare every hand of the game with the second reading: the takers, the pegs, the scores and the winner."""
    scores, gone = [0] * len(table.state.seats), list[int]()
    tricks: list[list[tuple[int, str]]] = []
    winner = None
    for event in table.events:
        match event.data:
            case SeatResigned(seat):
                gone.append(seat)
            case HandDealt():
                assert winner is None
                tricks = []
            case TrickTaken() as trick:
                tricks.append([(play.seat, play.card) for play in trick.plays])
                assert trick.seat == rulebook.taker(tricks[-1], rulebook.suit(tricks[0][0][1]))
            case HandScored() as hand:
                bid = max(bid or 0 for bid in hand.bids)
                wanted = rulebook.judge_hand(tricks, bid, scores, table.state.rules.goal or 0, gone)
                scores, winner = wanted.scores, wanted.winner
                assert [(peg.point, peg.seat, peg.credited) for peg in hand.pegs] == wanted.pegs
                assert (list(hand.counts), hand.made, list(hand.scores)) == (wanted.counts, wanted.made, scores)
            case GameEnded(reason, winners) if reason == "goal":
                assert winners == (winner,)
            case _:
                pass
    assert (winner is not None) == (table.state.result is not None and table.state.result.reason == "goal")


@FEW
@given(tables(most=400))
def test_every_hand_is_scored_by_the_rule_sheet(table: Table) -> None:
    judge(table)


@pytest.mark.parametrize("goal", [7, 11, 21])
@pytest.mark.parametrize("players", range(2, 8))
def test_whole_games_end_by_the_rule_sheet(players: int, goal: int) -> None:
    table = Table(players, seed=players + goal, win=goal).plays_out()
    judge(table)
    assert table.state.result


@pytest.mark.parametrize("players", range(2, 8))
def test_a_card_is_dealt_once_and_played_once(players: int) -> None:
    table = Table(players, seed=players).plays_out(hands=1)
    played = [event.data.card for event in table.events if isinstance(event.data, CardPlayed)]
    first = [event.data for event in table.events if isinstance(event.data, CardsDealt) and event.data.n == 1]
    dealt = [card for own in first for card in own.cards]
    assert sorted(played) == sorted(dealt)
    assert len(set(played)) == 6 * players
