"""Practice: one person takes back move after move of a deal, across the bots' moves (R-P7)."""

import pytest

from domain.commands import AskUndo, Command, MakeBid, OpenGame, PassBid
from domain.decide import decide
from domain.events import (
    CeremonyRevealed,
    Fact,
    GameLimits,
    GameOpened,
    HandThrownIn,
    MisdealDeclared,
    MovesTakenBack,
    PartnerRevealed,
    Player,
    SeatForfeited,
    SeatResigned,
    TrumpTurnedUp,
    UndoAsked,
)
from domain.rejections import NothingToUndo, NotOffered, TooManyProposals
from domain.state import EMPTY_STATE
from tests.games.hands import HANDS, card, fact_names, go_on
from tests.given import SEED, Given, cards, deal, game_opened, given

ME, LEFT, RIGHT = 0, 1, 2
AD, AS = cards("AD AS")


def practice(*commands: Command, limits: GameLimits | None = None, undo: str = "practice") -> Given:
    """Return the first hand of one person (seat 0) and two bots after these commands; the person is the eldest."""
    opened = game_opened(3, bots=(LEFT, RIGHT), limits=limits, undo=undo)
    return go_on(given(opened, *deal(HANDS[:3])), *commands)


WON = (MakeBid(ME, 2), PassBid(LEFT), PassBid(RIGHT))
TRICK = (card("0 AH"), card("1 2H"), card("2 4H"))


def test_R_P7_practice_goes_back_across_the_bots_cards_and_a_gathered_trick() -> None:
    won, led = practice(*WON), practice(*WON, *TRICK)
    back = led.when(AskUndo(ME)).then(UndoAsked(ME, won.state.version), MovesTakenBack(ME, won.state.version, (ME,)))
    assert back.state.hand == won.state.hand
    assert fact_names(back.when(card("0 9C")).facts) == ["TrumpPitched", "CardPlayed"]


def test_R_P7_practice_goes_back_move_by_move_to_the_deal() -> None:
    hands = [practice().state.hand, practice(*WON).state.hand, practice(*WON, *TRICK).state.hand]
    table = practice(*WON, *TRICK, card("0 KH"))
    for hand in reversed(hands):
        table = go_on(table, AskUndo(ME))
        assert table.state.hand == hand
    table.when(AskUndo(ME)).rejected(NothingToUndo)


def test_R_P7_a_move_played_again_in_practice_can_be_taken_back_again() -> None:
    again = practice(*WON, *TRICK, AskUndo(ME), AskUndo(ME), MakeBid(ME, 3), PassBid(LEFT), PassBid(RIGHT))
    before = practice(*WON, *TRICK, AskUndo(ME), AskUndo(ME))
    again.when(AskUndo(ME)).then(UndoAsked(ME, before.state.version), MovesTakenBack(ME, before.state.version, (ME,)))


def test_R_P7_practice_undos_count_as_proposals() -> None:
    table = practice(*WON, AskUndo(ME), *WON, AskUndo(ME), *WON, limits=GameLimits(5000, 2))
    table.when(AskUndo(ME)).rejected(TooManyProposals)


BARRIERS: tuple[tuple[Fact, ...], ...] = (
    (PartnerRevealed(ME, RIGHT, AD, ((ME, RIGHT), (LEFT,)), (ME,)),),
    (TrumpTurnedUp(1, AS, "S"),),
    (CeremonyRevealed(1, SEED),),
    (HandThrownIn(1),),
    (MisdealDeclared(1, 0, (LEFT,)),),
    (SeatResigned(RIGHT),),
    (SeatForfeited(RIGHT, "time"),),
    deal(HANDS[:3], hand=2, dealer=2),
)


def test_R_P7_practice_never_goes_past_what_all_have_seen() -> None:
    for facts in BARRIERS:
        given(*practice(*WON).facts, *facts).when(AskUndo(ME)).rejected(NothingToUndo)


def test_R_P7_a_table_without_undo_takes_nothing_back() -> None:
    for commands in ((), WON):
        practice(*commands, undo="none").when(AskUndo(ME)).rejected(NothingToUndo)


def test_R_P7_by_consent_one_person_with_bots_takes_back_only_what_nothing_followed() -> None:
    practice(MakeBid(ME, 2), undo="consent").when(AskUndo(ME)).happens()
    practice(MakeBid(ME, 2), PassBid(LEFT), undo="consent").when(AskUndo(ME)).rejected(NothingToUndo)


def opening(people: int, bots: int, undo: str) -> OpenGame:
    seats = [Player(f"p{seat}", "human") for seat in range(people)]
    seats += [Player(f"bot:simple:{seat}", "bot", "simple") for seat in range(people, people + bots)]
    return OpenGame("0f8fad5b-d9cb-469f-a165-70867728950e", 1, "pitch", {}, tuple(seats), undo=undo)


def test_R_P7_the_opening_says_how_moves_are_taken_back() -> None:
    for people, bots, undo in (
        (1, 1, "practice"),
        (1, 3, "practice"),
        (2, 0, "none"),
        (1, 1, "none"),
        (3, 1, "consent"),
    ):
        (opened,) = decide(EMPTY_STATE, opening(people, bots, undo))
        assert isinstance(opened, GameOpened)
        assert opened.undo == undo
    for people, bots, undo, says in (
        (2, 0, "practice", "Practice is for one person and bots, but 2 people would play"),
        (2, 2, "practice", "2 people"),
        (1, 1, "always", "Choose consent, practice, or none"),
    ):
        with pytest.raises(NotOffered, match=says):
            decide(EMPTY_STATE, opening(people, bots, undo))
