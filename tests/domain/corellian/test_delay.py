"""Corellian Pitch, delay of game: the call, the votes, the penalty and the rule changes that have to wait."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.commands import BringChange, CallDelay, VoteDelay
from domain.decide.rule_changes import prospective_rules
from domain.engine.rule_menu import available_changes
from domain.events import (
    CeremonyRevealed,
    DelayCalled,
    DelayJudged,
    DelayVoted,
    GameEnded,
    RulesChanged,
)
from domain.rejections import DelayOpen, NoDelay, NotDue, TooSoon
from tests.games.corellian_changes import after_command, change_facts, hand, ready, turn
from tests.games.corellian_hands import (
    change_rule,
    draw_end,
    make_bids,
    name_trump,
    play_tricks,
    plays,
    table,
)
from tests.games.hands import commit, fact_names, facts_of_kind, only_fact
from tests.given import Given, game_opened, given

HANDS = ("AH 4H", "KH 9H", "QH 8H", "7H 6H")
LATE = "2026-11-21T08:00:15.001000Z"


def delayed(*hands: str, trick: str = "0: AH", seat: int = 0, **setting: Any) -> Given:
    """Return the situation in which seat 1 must play a card and this seat has called delay of game on it."""
    at = play_tricks(ready(*(hands or HANDS), **setting), trick)
    return at.when(CallDelay(seat, turn(at), LATE)).happens()


def voted(at: Given, *guilty: bool, seats: tuple[int, ...] = (2, 3)) -> Given:
    """Return the situation after these votes, one after another."""
    for seat, vote in zip(seats, guilty, strict=False):
        at = after_command(at, VoteDelay(seat, vote))
    return at


def test_C28_R_C39_R_C63_any_other_seat_can_call_delay_after_fifteen_seconds() -> None:
    at = play_tricks(ready(*HANDS), "0: AH")
    for time, waited in (("00.000000", 0), ("14.999000", 14_999), ("15.000000", 15_000)):
        at.when(CallDelay(0, 1, f"2026-11-21T08:00:{time}Z")).rejected(TooSoon, str(waited))
    for seat, time, waited in (
        (0, "21T08:00:15.001", 15_001),
        (2, "21T08:00:15.001", 15_001),
        (3, "22T08:00:00.000", 86_400_000),
    ):
        after = at.when(CallDelay(seat, 1, f"2026-11-{time}000Z")).then(DelayCalled(seat, 1, waited))
        assert after.state.delay is not None
        assert after.state.delay.votes == ((seat, True),)
        assert (after.state.turn, after.state.scores) == ((1,), (0, 0, 0, 0))
    assert fact_names(ready(*HANDS).when(CallDelay(3, 0, LATE)).facts) == ["DelayCalled"]


def test_R_C39_delay_can_be_called_only_on_the_seat_that_must_play_a_card() -> None:
    at = play_tricks(ready(*HANDS), "0: AH")
    at.when(CallDelay(1, 1, LATE)).rejected(NoDelay)
    for accused in (0, 2, 3):
        at.when(CallDelay((accused + 1) % 4, accused, LATE)).rejected(NoDelay)


NO_CARD: dict[str, Callable[[], Given]] = {
    "a bid": table,
    "a trump": lambda: make_bids(table(), 4, 0, 0, 0),
    "discards": lambda: name_trump(make_bids(table(), 4, 0, 0, 0), "H"),
    "a call": lambda: name_trump(make_bids(table(partners="call"), 4, 0, 0, 0), "H"),
    "a call in the middle of a hand": lambda: change_rule(
        play_tricks(ready(*HANDS), "0: AH KH QH 7H"), "partners:call"
    ),
}


def test_R_C39_delay_can_be_called_only_on_a_card() -> None:
    for prepared in NO_CARD.values():
        at = prepared()
        at.when(CallDelay((turn(at) + 1) % 4, turn(at), LATE)).rejected(NoDelay)


def test_C29_three_guilty_votes_cost_ten_points_at_once() -> None:
    at = delayed().when(VoteDelay(2, guilty=True)).then(DelayVoted(2, guilty=True))
    at = at.when(VoteDelay(3, guilty=True)).then(
        DelayVoted(3, guilty=True), DelayJudged(1, guilty=True, scores=(0, -10, 0, 0))
    )
    assert (at.state.scores, at.state.delay, at.state.turn) == ((0, -10, 0, 0), None, (1,))


@pytest.mark.parametrize("before", [(), (True,)], ids=["first", "second"])
def test_C29_R_C39_one_vote_against_acquits_at_once(before: tuple[bool, ...]) -> None:
    at = voted(delayed(), *before)
    seat = 2 + len(before)
    at = at.when(VoteDelay(seat, guilty=False)).then(
        DelayVoted(seat, guilty=False), DelayJudged(1, guilty=False, scores=(0, 0, 0, 0))
    )
    assert (at.state.scores, at.state.delay) == ((0, 0, 0, 0), None)


def test_C29_R_C39_each_seat_except_the_accused_votes_once() -> None:
    at = delayed()
    for seat in (0, 1):
        at.when(VoteDelay(seat, guilty=False)).rejected(NoDelay)
    voted(at, True).when(VoteDelay(2, guilty=True)).rejected(NoDelay)
    voted(at, False).when(VoteDelay(3, guilty=False)).rejected(NoDelay)
    play_tricks(ready(*HANDS), "0: AH").when(VoteDelay(2, guilty=True)).rejected(NoDelay)


def test_R_C40_R_C63_delay_is_called_once_in_a_turn() -> None:
    at = delayed()
    at.when(CallDelay(2, 1, LATE)).rejected(DelayOpen)
    voted(at, False).when(CallDelay(2, 1, LATE)).rejected(DelayOpen)


def test_R_C40_R_C63_play_continues_and_only_one_call_is_open_in_a_game() -> None:
    at = play_tricks(delayed(), "1: KH")
    at.when(CallDelay(0, 2, LATE)).rejected(DelayOpen)
    at = voted(at, True, True)
    assert at.state.scores == (0, -10, 0, 0)
    assert fact_names(at.when(CallDelay(0, 2, LATE)).facts) == ["DelayCalled"]


def test_R_C40_a_delay_call_can_stay_open_beyond_its_hand() -> None:
    at = delayed("AH", "KH", "QH", "9H")
    at = after_command(play_tricks(at, "1: KH QH"), plays(["3: 9H"])[0])
    assert hand(at).number == 2
    before = at.state.scores
    assert voted(at, True, True).state.scores == (before[0], before[1] - 10, *before[2:])


VERDICTS = [
    pytest.param((), id="R-C41 no verdict"),
    pytest.param((True, True), id="R-C41 guilty"),
    pytest.param((False,), id="R-C41 acquitted"),
]


@pytest.mark.parametrize("votes", VERDICTS)
def test_C10_C30_changes_wait_for_the_end_of_the_hand(votes: tuple[bool, ...]) -> None:
    at = voted(delayed(), *votes)
    setting = at.state.rules.setting
    facts = change_facts(at, "points:7")
    assert fact_names(facts) == ["RulesChangeDeferred"]
    at = play_tricks(change_rule(at, "points:7"), "1: KH")
    assert (at.state.rules.setting, hand(at).bid) == (setting, 4)


def test_C30_a_change_before_the_delay_call_does_not_wait() -> None:
    at = change_rule(play_tricks(ready(*HANDS), "0: AH"), "points:7")
    at = at.when(CallDelay(0, 1, LATE)).happens()
    assert at.state.rules.version == "7"
    assert fact_names(change_facts(play_tricks(at, "1: KH"), "dirty:on")) == ["RulesChangeDeferred"]


def test_R_C44_R_C41_a_waiting_change_counts_as_in_force() -> None:
    at = change_rule(delayed(), "points:7")
    assert (at.state.rules.version, prospective_rules(at.state).version) == ("10", "7")
    menu = available_changes(prospective_rules(at.state))
    assert "points:7" not in menu
    assert "points:10" in menu
    at = change_rule(play_tricks(at, "1: KH"), "points:10")
    assert [change.summary.points for change in hand(at).deferred] == ["7", "10"]


def test_R_C64_only_a_waiting_change_whose_wait_is_over_can_be_applied() -> None:
    for at in (given(game_opened(variant="corellian")), delayed(), change_rule(delayed(), "points:4")):
        at.when(BringChange()).rejected(NotDue, "No rule change is waiting.")


def test_R_C41_the_end_of_the_session_does_not_wait() -> None:
    at = change_rule(delayed(), "points:4")
    facts = at.when(draw_end(at)).facts
    assert facts[-1] == GameEnded("randomizer", (0, 1, 2, 3), (0, 0, 0, 0), 1, "randomizer 6 end")
    assert fact_names(facts) == ["CeremonyRevealed", "GameEnded"]
    assert only_fact(CeremonyRevealed, facts).n == 1


@pytest.mark.parametrize(
    ("votes", "version"),
    [
        pytest.param((False,), "7", id="R-C41 verdict: an acquittal releases them"),
        pytest.param((True, True), "10", id="R-C41 verdict: guilty holds them"),
        pytest.param((True,), "10", id="R-C41 verdict: not before it"),
    ],
)
def test_changes_wait_until_an_acquittal_if_the_rules_say_so(votes: tuple[bool, ...], version: str) -> None:
    at = change_rule(delayed(hold="verdict"), "points:7")
    at = voted(at, *votes)
    assert at.state.rules.version == version
    assert fact_names(change_facts(play_tricks(at, "1: KH"), "dirty:on")) == [
        "RulesChanged" if version == "7" else "RulesChangeDeferred"
    ]


def test_R_C41_R_C64_changes_released_by_an_acquittal_take_effect_at_once() -> None:
    at = change_rule(delayed(hold="verdict"), "points:4")
    at = change_rule(play_tricks(at, "1: KH"), "partners:left")
    facts = commit(at, VoteDelay(2, guilty=False))
    assert " ".join(fact_names(facts)) == "DelayVoted DelayJudged RulesChanged BidScaled RulesChanged PartnersChanged"
    assert [change.cause for change in facts_of_kind(RulesChanged, facts)] == ["deferred", "deferred"]
    assert [change.next for change in facts_of_kind(RulesChanged, facts)][-1] == (2,)
