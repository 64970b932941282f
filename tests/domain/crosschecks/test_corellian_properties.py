"""Properties of every game of Corellian Pitch, whatever is played and drawn (docs/rules/corellian.md)."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import DECK_54, OFF_SUIT, SUITS, Card
from domain.commands import (
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    SeatCommand,
    VoteDelay,
)
from domain.decide import decide
from domain.engine.discards import point_cards
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.events import AuctionWon, BidMade, CardsBuried, CardsDiscarded, Event, HandDealt, HandScored
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.rules.choices import Award, Phase
from domain.rules.model import Rules
from domain.state import EMPTY_STATE, Hand, State
from tests.games.corellian_hands import EVERY, MENU, ORIENTATIONS
from tests.games.tables import Table

FEW = settings(max_examples=25, deadline=None)
DRAWS = {"when": [1, 5], "end": None, "points": list(EVERY), "partners": list(ORIENTATIONS)}

seats = st.integers(0, 3)
some_cards = st.lists(st.sampled_from(DECK_54), max_size=9)
seat_commands: st.SearchStrategy[SeatCommand] = st.one_of(
    st.builds(MakeBid, seats, st.integers(-1, 17)),
    st.builds(PassBid, seats),
    st.builds(NameTrump, seats, st.sampled_from(SUITS)),
    st.builds(CallPartner, seats, st.sampled_from(DECK_54)),
    st.builds(Discard, seats, some_cards.map(tuple)),
    st.builds(PlayCard, seats, st.sampled_from(DECK_54)),
    st.builds(VoteDelay, seats, st.booleans()),
    st.builds(ChangeRules, seats, st.sampled_from(MENU)),
)
"""Any command of a player, legal or not, in turn or not."""


@st.composite
def tables(draw: st.DrawFn, *, changing: bool | None = None, most: int = 80) -> Table:
    """Draw a game after up to `most` moves; with a randomizer, without one, or either."""
    draws = DRAWS if (draw(st.booleans()) if changing is None else changing) else None
    table = Table(
        variant="corellian",
        seed=draw(st.integers(0, 2**16)),
        randomizer=draws,
        deal=draw(st.sampled_from(["fill", "fill", "all"])),
        follow=draw(st.sampled_from(["trumps", "trumps", "suit_or_trump"])),
        call=draw(st.sampled_from(["announced", "secret"])),
        credit=draw(st.sampled_from(["full", "own", "half"])),
    )
    for _ in range(draw(st.integers(0, most))):
        table.moves(table.entropy(1)[0])
    return table


def states(events: list[Event[Any]]) -> list[State]:
    """Yield the state after each event."""
    return list(accumulate(events, evolve, initial=EMPTY_STATE))[1:]


def accepted(state: State, command: Command) -> bool:
    """Return whether the decider accepts the command."""
    try:
        return bool(decide(state, command))
    except Rejected:
        return False


def everywhere(hand: Hand, thrown: list[Card]) -> list[Card]:
    """Return all cards of the hand: held, on the table, taken, discarded and in the stock."""
    held = [card for own in hand.cards for card in own or ()]
    on_table = [play.card for play in hand.trick.plays] if hand.trick else []
    taken = [card for own in hand.taken for card in own]
    return [*held, *on_table, *taken, *thrown, *(hand.stock or ())]


@FEW
@given(tables())
def test_every_card_is_in_one_place_after_every_event(table: Table) -> None:
    thrown, laid = list[Card](), False
    for event, state in zip(table.events, states(table.events), strict=True):
        match event.data:
            case HandDealt():
                thrown, laid = [], False
            case CardsDiscarded(shown=shown):
                thrown += shown
            case CardsBuried(cards=cards):
                thrown += cards
        laid = laid or event.fact == "StockLaid"
        if laid and state.hand is not None:
            assert sorted(everywhere(state.hand, thrown)) == sorted(DECK_54)


@FEW
@given(tables())
def test_counts_of_cards_match_the_cards_after_every_commit(table: Table) -> None:
    hand = table.state.hand
    assert hand is not None
    assert hand.counts == tuple(len(own or ()) for own in hand.cards)
    assert hand.stock_left == len(hand.stock or ())
    assert sum(hand.tricks) == len(hand.gathered)


@FEW
@given(tables())
def test_C3_C12_R_C32_sides_divide_the_seats_after_every_event(table: Table) -> None:
    for state in states(table.events):
        hand = state.hand
        if hand is None or hand.pitcher is None:
            continue
        assert hand.sides is not None
        own, others = hand.sides
        assert hand.pitcher in own
        assert len(own) in {1, 2}
        assert sorted((*own, *others)) == [0, 1, 2, 3]


@FEW
@given(tables(), st.lists(seat_commands, max_size=12))
def test_a_refused_command_writes_nothing_and_leaves_the_game_as_it_was(table: Table, asked: list[SeatCommand]) -> None:
    table.hears(asked)


def every_move(seat: int) -> Iterator[Command]:
    """Return every command of a seat except discards."""
    yield PassBid(seat)
    yield from (MakeBid(seat, bid) for bid in range(-1, 18))
    yield from (NameTrump(seat, suit) for suit in SUITS)
    yield from (PlayCard(seat, card) for card in DECK_54)


@FEW
@given(tables())
def test_the_legal_moves_are_exactly_the_accepted_moves(table: Table) -> None:
    state = table.state
    for seat in range(4):
        assert {move for move in every_move(seat) if accepted(state, move)} == set(legal_moves(state, seat))
        calls = {accepted(state, CallPartner(seat, card)) for card in DECK_54}
        assert calls == {can_call_partner(state, seat)}


@FEW
@given(tables(), st.randoms(use_true_random=False))
def test_R_C48_exactly_the_legal_discards_are_accepted(table: Table, rng: Any) -> None:
    if table.state.phase is not Phase.DISCARDING:
        return
    (seat,) = table.state.turn
    may, hand = legal_discards(table.state, seat), table.state.hand
    assert may is not None
    assert hand is not None
    held = hand.cards[seat] or ()
    for _ in range(20):
        cards = tuple(rng.sample(held, rng.randint(0, len(held))))
        assert accepted(table.state, Discard(seat, cards)) == may.allows(cards)


@FEW
@given(tables())
def test_replaying_the_log_gives_the_same_game(table: Table) -> None:
    again = table.read_again()
    assert (again.state, again.root) == (table.state, table.game.root)


@FEW
@given(tables(changing=False))
def test_R_C5_bids_rise_and_no_seat_bids_twice(table: Table) -> None:
    bids: list[BidMade] = []
    for event in table.events:
        if isinstance(event.data, HandDealt):
            bids = []
        if isinstance(event.data, BidMade):
            bids.append(event.data)
            assert [each.bid for each in bids] == sorted({each.bid for each in bids})
            assert len({each.seat for each in bids}) == len(bids)
        if isinstance(event.data, AuctionWon) and bids:
            assert (event.data.seat, event.data.bid) == (bids[-1].seat, bids[-1].bid)


def dead(rules: Rules, hand: Hand) -> int:
    """Return the worth of the point cards that no seat has won."""
    assert hand.trump is not None
    worth = {f"{point.rank}{OFF_SUIT[hand.trump] if point.off else hand.trump}": point.worth for point in rules.points}
    won = {card for own in hand.taken for card in own}
    return sum(worth.get(card, 1) for card in point_cards(rules, hand.trump) - won)  # jokers are worth one


@FEW
@given(tables(most=160))
def test_R_C1_R_C21_the_sides_win_all_points_except_dead_cards(table: Table) -> None:
    for event, state in zip(table.events, states(table.events), strict=True):
        if not isinstance(event.data, HandScored) or state.hand is None:
            continue
        won, total = sum(peg.worth for peg in event.data.pegs), state.rules.total
        assert won <= total
        if all(point.award in {Award.CARD, Award.JOKERS} for point in state.rules.points):
            assert won == total - dead(state.rules, state.hand)


@FEW
@given(tables(most=120))
def test_C22_scores_add_up(table: Table) -> None:
    before: tuple[int, ...] = (0, 0, 0, 0)
    for score in (event.data for event in table.events if isinstance(event.data, HandScored)):
        assert score.scores == tuple(old + new for old, new in zip(before, score.changes, strict=True))
        before = score.scores
