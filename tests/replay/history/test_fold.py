"""The second reading agrees with the server's own fold, at every version of random games."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.cards import Card, sort_cards
from domain.engine.rulings import ruled_outcome
from domain.events import BidPassed, CardPlayed, Event, GameOpened, HandDealt, MovesTakenBack, SeedKept
from domain.evolve import evolve
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, Hand, State
from replay.audit.disputes import ruled_result
from replay.fold import (
    START,
    HandRead,
    MisplacedFact,
    Position,
    apply_event,
    earlier_position,
    positions,
    skip_withheld,
)
from tests.given import auction, deal, events, game_opened
from tests.replay.playing import Table, table
from tests.replay.variety import VARIETY, of
from tests.values import replace


def same(position: Position, state: State) -> None:
    """Assert that the two readings agree."""
    assert position.phase == state.phase.value
    assert (position.version, position.at) == (state.version, state.at)
    assert (position.scores, position.turn) == (state.scores, state.turn)
    assert position.still_in == state.still_in
    assert {n for n, ceremony in position.ceremonies.items() if not ceremony.closed} == {c.n for c in state.ceremonies}
    assert (position.proposal and position.proposal.agreed) == (state.proposal and state.proposal.accepted)
    assert (position.proposal and position.proposal.to_version) == (state.proposal and state.proposal.to_version)
    assert position.ended == state.result
    hand, theirs = position.hand, state.hand
    assert (hand is None) == (theirs is None)
    if hand is None or theirs is None:
        return
    assert hand.counts == theirs.counts
    held = [None if seat not in hand.cards else sort_cards(hand.cards[seat]) for seat in range(position.seats)]
    assert held == [None if cards is None else sort_cards(cards) for cards in theirs.cards]
    assert (hand.bids, hand.taken, hand.tricks) == (theirs.bids, theirs.taken, theirs.tricks)
    assert hand.passed == theirs.passed
    assert (hand.trump, hand.marker, hand.over) == (theirs.trump, theirs.marker, theirs.over)
    assert (hand.won and hand.won.seat, hand.bid or None) == (theirs.pitcher, theirs.bid)
    assert hand.table == (theirs.trick.plays if theirs.trick else ())
    if theirs.trick:
        assert hand.leader == theirs.trick.leader
    elif not hand.over and hand.leader is not None:
        assert hand.leader == theirs.lead
    same_course(position, hand, state, theirs)


def same_course(position: Position, hand: HandRead, state: State, theirs: Hand) -> None:
    """Assert that the two readings agree on the fields that only some games have."""
    assert position.rules == state.rules
    assert [player.player for player in position.players] == [seat.player for seat in state.seats]
    assert (position.exact, position.coin, position.dealer) == (state.exact_hands, state.coin, state.dealer)
    assert (position.since, position.host) == (state.turn_since, state.host)
    assert (position.awaited, position.delayed) == (state.awaited, state.delay_turn)
    assert (position.delay_call and position.delay_call.votes) == (state.delay and state.delay.votes)
    assert (position.delay_call and position.delay_call.n) == (state.delay and state.delay.n)
    assert position.proposed == state.proposals
    assert (hand.upcard, hand.called, hand.settled, hand.mid_hand) == (
        theirs.upcard,
        theirs.called,
        theirs.call_settled,
        theirs.mid_hand,
    )
    assert (hand.turns, hand.drawn) == (theirs.turns, theirs.last_draw_turn)
    assert (hand.held, hand.acquitted, hand.deferred) == (theirs.defers_changes, theirs.acquitted, theirs.deferred)
    assert (hand.discarded, hand.stock_left, hand.misdealt) == (theirs.discarded, theirs.stock_left, theirs.misdealt)
    assert hand.stock == theirs.stock
    assert hand.sides == theirs.sides


def compare(made: Table) -> None:
    state = EMPTY_STATE
    for entry, position in zip(made.entries, positions(entry.event for entry in made.entries), strict=True):
        state = evolve(state, entry.event)
        same(position, state)
        assert ruled_result(position, position.ended) == ruled_outcome(state)
        assert [(each.number, each.ruling) for each in state.disputes] == [
            (each.opened.dispute, each.ruling) for each in position.disputes
        ]
        assert [tuple(each) for each in position.deals] == [tuple(each) for each in state.past_deals]


def compare_seen(made: Table, viewer: int | None) -> State:
    """Compare both readings of the events that a viewer sees, and return the last state."""
    state, position = EMPTY_STATE, START
    for line in made.seen_by(viewer).lines:
        if line.event is None:
            position = skip_withheld(position, line.version)
            continue
        state, position = evolve(state, line.event), apply_event(position, line.event)
        same(position, state)
    return state


@pytest.mark.parametrize("name", VARIETY)
def test_both_readings_agree_on_every_kind_of_table(name: str) -> None:
    compare(of(name, 11).hands(3, also=0.2, often=0.1))


@pytest.mark.parametrize("name", VARIETY)
def test_both_readings_agree_on_what_a_seat_sees_of_every_kind_of_table(name: str) -> None:
    made = of(name, 12).play(0.1, 30, 0.2)
    for viewer in (None, 1):
        compare_seen(made, viewer)


def test_both_readings_agree_if_seats_leave_and_draws_are_proposed() -> None:
    made = table(9, 5).play(0.2, most=17)
    made.draw(accept=False)
    made.resign(2)
    made.play(0.2, most=25)
    made.resign(4)
    made.play(0.1, most=40)
    made.draw(accept=True)
    compare(made)


def test_the_position_before_the_opening_is_empty() -> None:
    assert (START.phase, START.seats, START.hand) == (Phase.UNOPENED.value, 0, None)


def test_the_leader_is_the_pitcher_then_the_taker() -> None:
    *_, last = positions(events([game_opened(2), *deal(["AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D"]), *auction(2, 0)]))
    assert last.live.leader == 0
    assert replace(last.live, won=None).leader == 0, "without a contract the eldest hand leads"
    assert replace(last.live, won=None, calls=()).leader is None


HANDS = ["AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D"]


def after(*facts: Any) -> Position:
    *_, last = positions(events(facts))
    return last


def event(position: Position, fact: Any) -> Event[Any]:
    made: Event[Any] = Event(
        position.at, "server", "c", fact, type(fact).__name__, "g", "0" * 32, None, 1, position.version + 1
    )
    return made


PLACES: list[tuple[str, Callable[[], Position], Any, str]] = [
    ("a bid before the opening", lambda: START, BidPassed(0, ()), "isn't open yet"),
    ("a bid before the deal", lambda: after(game_opened(2)), BidPassed(0, ()), "no hand is in play"),
    ("a seat that does not exist", lambda: after(game_opened(2)), BidPassed(2, ()), "seat 2 is not a seat"),
    ("a turn of no seat", lambda: after(game_opened(2)), BidPassed(0, (7,)), "names a seat that"),
    ("a seed for no ceremony", lambda: after(game_opened(2)), SeedKept(4, "0" * 64), "no ceremony 4"),
    ("an invalid seed", lambda: after(game_opened(2)), SeedKept(4, "0" * 63), "64 hex"),
    ("an invalid card", lambda: after(game_opened(2), *deal(HANDS)), CardPlayed(0, Card("1C"), ()), "not a card"),
    (
        "an undo to before the deal",
        lambda: after(game_opened(2), *deal(HANDS)),
        MovesTakenBack(0, 3, ()),
        "no version 3",
    ),
    ("an undo to later", lambda: after(game_opened(2), *deal(HANDS)), MovesTakenBack(0, 99, ()), "no version 99"),
    (
        "counts for other seats",
        lambda: after(game_opened(2)),
        HandDealt(1, 0, 1, 1, 0, (6, 6, 6), 40, (), (), "F0", (0,)),
        "3 entries for 2 seats",
    ),
    ("no players", lambda: START, replace(game_opened(2), players=()), "players"),
    ("a player twice", lambda: START, replace(game_opened(2), players=game_opened(2).players[:1] * 2), "players"),
    ("no deck", lambda: START, replace(game_opened(2), deck=()), "not a deck"),
    ("a card twice", lambda: START, replace(game_opened(2), deck=game_opened(2).deck[:1] * 2), "not a deck"),
    (
        "no hand sizes",
        lambda: START,
        replace(game_opened(2), rules=replace(game_opened(2).rules, hand_sizes=())),
        "missing hand",
    ),
]


@pytest.mark.parametrize(("before", "fact", "says"), [each[1:] for each in PLACES], ids=[each[0] for each in PLACES])
def test_a_fact_that_cannot_come_there_is_misplaced(before: Callable[[], Position], fact: Any, says: str) -> None:
    position = before()
    with pytest.raises(MisplacedFact, match=says):
        apply_event(position, event(position, fact))


def test_nothing_follows_the_end() -> None:
    made = table(2, 2)
    made.resign(0)
    *_, last = positions(entry.event for entry in made.entries)
    with pytest.raises(MisplacedFact, match="over"):
        apply_event(last, event(last, BidPassed(0, ())))


def test_a_hand_goes_back_no_further_than_its_deal() -> None:
    *_, last = positions(entry.event for entry in table(2, 2).play(most=1).entries)
    assert earlier_position(last, 3) is None
    assert earlier_position(last, last.version) is last


def test_a_position_without_an_opening_has_no_players_or_rules() -> None:
    with pytest.raises(MisplacedFact):
        assert isinstance(START.opening, GameOpened)
    with pytest.raises(MisplacedFact, match="isn't open yet"):
        assert START.rules is None
