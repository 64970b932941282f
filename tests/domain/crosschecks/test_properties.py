"""Properties of every game, whatever is played and drawn (docs/rules/)."""

from itertools import accumulate
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import DECK_54, SUITS, Card
from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
    VoteDelay,
)
from domain.events import (
    CardsBuried,
    CardsDiscarded,
    Event,
    HandDealt,
)
from domain.evolve import evolve
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, Hand, State
from tests.games.corellian_hands import EVERY, MENU, ORIENTATIONS
from tests.games.tables import Table

MANY = settings(max_examples=80, deadline=None)
DRAWS = {"when": [1, 5], "end": None, "points": list(EVERY), "partners": list(ORIENTATIONS)}

seats = st.integers(0, 6)
seat_commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(MakeBid, seats, st.integers(-1, 17)),
    st.builds(PassBid, seats),
    st.builds(NameTrump, seats, st.sampled_from(SUITS)),
    st.builds(CallPartner, seats, st.sampled_from(DECK_54)),
    st.builds(Discard, seats, st.lists(st.sampled_from(DECK_54), max_size=9).map(tuple)),
    st.builds(PlayCard, seats, st.sampled_from(DECK_54)),
    st.builds(AskUndo, seats),
    st.builds(ProposeDraw, seats),
    st.builds(AnswerProposal, seats, st.booleans()),
    st.builds(VoteDelay, seats, st.booleans()),
    st.builds(ChangeRules, seats, st.sampled_from(MENU)),
    st.builds(Resign, seats),
)
"""Any command of a player, legal or not, in turn or not."""


def play_on(table: Table, moves: int, *, bold: bool, leaving: bool) -> Table:
    """Play that many more moves, or fewer if the game ends. Bold players bid anything, others at most two."""
    for _ in range(moves):
        if table.state.result is not None:
            break
        choice = table.entropy(1)[0]
        if leaving and choice == 255:
            table.says(Resign(table.state.persons[-1]))
        elif table.state.phase is Phase.AUCTION and not bold:
            table.moves(int(choice < 128 and len(table.choices()) == 5))
        else:
            table.moves(choice)
    return table


@st.composite
def tables(draw: st.DrawFn, most: int = 200) -> Table:
    """Draw a game, in play or over, after up to `most` moves; seats leave, and hands are thrown in or played."""
    table = Table(
        draw(st.integers(2, 7)),
        seed=draw(st.integers(0, 2**16)),
        bots=draw(st.sampled_from([(), (1,)])),
        reveal=draw(st.sampled_from(["hand", "game"])),
        win=draw(st.sampled_from([7, 11, 21])),
    )
    return play_on(table, draw(st.integers(0, most)), bold=draw(st.booleans()), leaving=draw(st.booleans()))


@st.composite
def corellian(draw: st.DrawFn, most: int = 80) -> Table:
    """Draw a game of Corellian Pitch after up to `most` moves, with a randomizer or without one."""
    table = Table(
        variant="corellian",
        seed=draw(st.integers(0, 2**16)),
        randomizer=draw(st.sampled_from([DRAWS, None])),
        deal=draw(st.sampled_from(["fill", "fill", "all"])),
        follow=draw(st.sampled_from(["trumps", "trumps", "suit_or_trump"])),
        call=draw(st.sampled_from(["announced", "secret"])),
        credit=draw(st.sampled_from(["full", "own", "half"])),
    )
    for _ in range(draw(st.integers(0, most))):
        table.moves(table.entropy(1)[0])
    return table


@st.composite
def others(draw: st.DrawFn, most: int = 150) -> Table:
    """Draw a game of Setback or Blackout, in play or over, after up to `most` moves."""
    variant = draw(st.sampled_from(["setback", "blackout"]))
    table = Table(
        4 if variant == "blackout" else draw(st.sampled_from([3, 4])),
        variant=variant,
        seed=draw(st.integers(0, 2**16)),
        bots=draw(st.sampled_from([(), (1,)])),
        reveal=draw(st.sampled_from(["hand", "game"])),
    )
    return play_on(table, draw(st.integers(0, most)), bold=draw(st.booleans()), leaving=draw(st.booleans()))


def games() -> st.SearchStrategy[Table]:
    return st.one_of(tables(most=120), others(), corellian())


def states(events: list[Event[Any]]) -> list[State]:
    return list(accumulate(events, evolve, initial=EMPTY_STATE))[1:]


def everywhere(hand: Hand, thrown: list[Card]) -> list[Card]:
    """Return all cards of the hand: held, on the table, taken, discarded and in the stock."""
    held = [card for own in hand.cards for card in own or ()]
    on_table = [play.card for play in hand.trick.plays] if hand.trick else []
    return [*held, *on_table, *(card for own in hand.taken for card in own), *thrown, *(hand.stock or ())]


@MANY
@given(games())
def test_C3_C12_R_C32_every_card_is_in_one_place_and_every_seat_on_one_side_after_every_event(table: Table) -> None:
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
        hand = state.hand
        if not laid or hand is None:
            continue
        assert sorted(everywhere(hand, thrown)) == sorted(state.rules.deck)
        sides = hand.sides or state.rules.sides(len(state.seats))
        assert sorted(seat for side in sides for seat in side) == list(range(len(state.seats)))
        if hand.pitcher is not None:
            assert hand.pitcher in sides[0]
            assert len(sides[0]) <= 2
    if (final := table.state.hand) is not None:
        assert final.counts == tuple(len(own or ()) for own in final.cards)
        assert final.stock_left == len(final.stock or ())


@MANY
@given(games(), st.lists(seat_commands, max_size=12))
def test_a_refused_command_writes_nothing_and_leaves_the_game_as_it_was(table: Table, asked: list[Command]) -> None:
    table.hears(asked)


@MANY
@given(games())
def test_replaying_the_log_gives_the_same_game(table: Table) -> None:
    again = table.read_again()
    assert (again.state, again.root, again.commands) == (table.state, table.game.root, table.game.commands)
    assert states(table.events)[-1] == table.state
