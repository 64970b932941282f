"""The fold in situations that no game of Pitch reaches, and questions asked before their answer exists."""

import pytest

from domain.decide.dealer_duties import next_duty
from domain.engine.scoring import score_points
from domain.events import DelayVoted, MovesTakenBack, SeedKept
from domain.rules.choices import Award, Phase
from domain.rules.model import Point
from domain.rules.variants import PITCH
from domain.state import EMPTY_STATE, State, Trick, current_hand
from tests.given import auction, cards, deal, game_opened, state_of
from tests.values import replace

LOW, ACE = cards("2H AH")


def test_a_game_before_its_opening_has_no_rules_and_no_duties() -> None:
    assert (EMPTY_STATE.phase, next_duty(EMPTY_STATE, lambda: bytes(32))) == (Phase.UNOPENED, None)
    with pytest.raises(LookupError, match="not open"):
        assert EMPTY_STATE.rules.goal


def test_before_the_first_deal_there_is_no_hand_and_no_trick() -> None:
    with pytest.raises(LookupError, match="no hand"):
        current_hand(state_of([game_opened()]))
    assert state_of([game_opened(2), *deal(["AH", "2H"])]).trick is None


def test_a_trick_is_open_before_its_first_card() -> None:
    assert state_of([game_opened(2), *deal(["AH", "2H"]), *auction(2, 0)]).trick == Trick(1, 0)


def test_an_undo_without_a_move_does_not_fold() -> None:
    with pytest.raises(LookupError, match="no move"):
        state_of([game_opened(2), *deal(["AH", "2H"]), MovesTakenBack(0, 7, (0,))])


def test_a_vote_without_a_delay_call_does_not_fold() -> None:
    with pytest.raises(LookupError, match="no such value yet"):
        state_of([game_opened(2), *deal(["AH", "2H"]), DelayVoted(1, guilty=True)])


def test_a_deal_needs_the_seed() -> None:
    seen_by_a_seat = [fact for fact in deal(["AH", "2H"])[:2] if not isinstance(fact, SeedKept)]
    with pytest.raises(LookupError, match="seed"):
        next_duty(state_of([game_opened(2), *seen_by_a_seat]), lambda: bytes(32))


def test_a_hand_without_a_bid_credits_points_and_is_neither_made_nor_set() -> None:
    dealt = state_of([game_opened(2), *deal(["AH 2H", "3C 10C"])]).hand
    assert dealt is not None
    hand = replace(dealt, trump="H", taken=(cards("AH 2H 3C 10C"), ()), tricks=(2, 0))
    result = score_points(PITCH, hand, (0, 0), (0, 1))
    assert (result.made, result.scores, [peg.point for peg in result.pegs]) == (None, (3, 0), ["high", "low", "game"])
    bid_all = replace(PITCH, points=(Point("smudge", Award.SWEEP_BID),))
    assert score_points(bid_all, hand, (0, 0), (0, 1)).pegs == ()


def test_the_seat_of_a_player() -> None:
    state: State = state_of([game_opened(3)])
    assert [state.seat_of(player) for player in ("p0", "p2", "p3")] == [0, 2, None]
