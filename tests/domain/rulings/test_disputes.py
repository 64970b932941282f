"""Disputes and appeals: opening, ruling and deciding them (docs/disputes.md)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.commands import (
    AnswerHandover,
    AppealRuling,
    AskHandover,
    DecideAppeal,
    OpenDispute,
    Resign,
    WithdrawDispute,
)
from domain.decide import decide as judge
from domain.events import (
    DisputeOpened,
    DisputeWithdrawn,
    Evidence,
    Fairness,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    Timing,
    TurnPace,
)
from domain.events.disputes import DisputeKind
from domain.rejections import (
    AlreadyAppealed,
    AlreadyDisputed,
    AlreadyRuled,
    AlreadyWithdrawn,
    AppealTimeOver,
    ArbiterSeated,
    HandInPlay,
    NoAppeal,
    NoSuchDispute,
    NotADispute,
    NotARuling,
    NothingToVoid,
    NotRuled,
    NotSeated,
    SameArbiter,
    SeatLeft,
    TooMany,
    WrongPhase,
)
from domain.state import EMPTY_STATE, require
from domain.struct import replace as changed
from tests.games.disputes import ANN, BEN, NOTE, appeal, contest, decide, rule, ruling, withdraw
from tests.games.tables import Table
from tests.given import game_opened, given


def table_after(hands: int = 1, **options: Any) -> Table:
    return Table(**options).plays_out(hands=hands)


def test_a_seat_contests_a_hand_once_and_play_goes_on() -> None:
    table = Table()
    for kind in DisputeKind:
        table = table_after()
        version, hand, turn = table.game.version, table.state.hand, table.state.turn
        assert contest(table, 1, 1, kind=kind) == DisputeOpened(1, 1, 1, version, kind, NOTE)
        event = table.events[-1]
        assert (event.by, event.seen_by, event.version) == ("p1", None, version + 1)
        assert (table.state.hand, table.state.turn) == (hand, turn)
    table.refuses(OpenDispute(1, 1, table.game.version, "score", NOTE), AlreadyDisputed, "p1")
    rule(table, "none")
    table.refuses(ruling(table, "none", by=BEN), AlreadyRuled, BEN)


def test_the_player_who_opened_a_dispute_withdraws_it_and_contests_the_hand_again() -> None:
    table = table_after()
    contest(table, 1, 1, kind="revoke")
    hand, turn, scores = table.state.hand, table.state.turn, table.state.scores
    withdraw(table, 1)
    event = table.events[-1]
    assert (event.data, event.by, event.seen_by) == (DisputeWithdrawn(1, 1), "p1", None)
    assert (table.state.hand, table.state.turn, table.state.scores, table.state.ruled) == (hand, turn, scores, None)
    for command, by in ((ruling(table, "none"), ANN), (WithdrawDispute(1, 1), "p1"), (AppealRuling(0, 1), "p0")):
        table.refuses(command, AlreadyWithdrawn, by)
    assert contest(table, 1, 1, kind="score").dispute == 2
    table.refuses(OpenDispute(1, 1, table.game.version, "deal", NOTE), AlreadyDisputed, "p1")
    rule(table, "none", dispute=2)
    table.refuses(WithdrawDispute(1, 2), AlreadyRuled, "p1")


def test_a_dispute_is_withdrawn_by_nobody_else_and_counts_among_those_that_a_seat_may_open() -> None:
    table = table_after()
    contest(table, 1, 1)
    table.refuses(WithdrawDispute(0, 1), NotSeated)
    table.refuses(WithdrawDispute(1, 2), NoSuchDispute, "p1")
    withdraw(table, 1)
    table.refuses(OpenDispute(1, 1, table.game.version, "deal", NOTE, 1), TooMany, "p1")
    another = Table().plays_out(hands=1)
    contest(another, 1, 1)
    another.send(AskHandover(1, "p9", "human"), "p1")
    for seat in (0, 2, 3):
        another.says(AnswerHandover(seat, True))
    assert another.state.seats[1].player == "p9"
    another.refuses(WithdrawDispute(1, 1), NotSeated, "p9")


def test_a_withdrawn_dispute_of_a_game_that_is_over_stays_without_a_ruling() -> None:
    table = table_after(hands=0)
    contest(table, 0, 1)
    withdraw(table, 0)
    assert table.state.disputes[0].withdrawn
    assert contest(table, 0, 1).dispute == 2


def test_a_ruling_can_be_appealed_as_long_as_a_player_has_for_a_move() -> None:
    table = table_after()
    table.now = "2026-11-21T08:00:00.000000Z"
    contest(table, 1, 1)
    until = "2026-12-12T08:00:00.000000Z"
    assert rule(table, "none").appeal_until == until
    table.now = until
    says = table.refuses(AppealRuling(0, 1), AppealTimeOver)
    assert says == f"The ruling on dispute 1 could be appealed until {until}."
    table.now = "2026-12-12T07:59:59.999999Z"
    appeal(table, 0)
    assert table.state.disputes[0].appealed_by == 0


@pytest.mark.parametrize(
    ("timing", "days"),
    [(Timing(forfeit_days=2), 2), (Timing(forfeit_days=None), 21), (Timing(None, None, pace=TurnPace("turn", 60)), 21)],
)
def test_the_time_for_appeals_follows_from_the_timing_of_the_table(timing: Timing, days: int) -> None:
    table = table_after()
    contest(table, 1, 1)
    state = changed(table.state, opened=changed(require(table.state.opened), timing=timing))
    (given,) = judge(state, replace(ruling(table, "none"), at="2026-11-01T08:00:00.000000Z"))
    assert isinstance(given, RulingGiven)
    assert given.appeal_until == f"2026-11-{1 + days:02}T08:00:00.000000Z"


def test_a_ruling_without_an_end_of_appeals_stays_open_to_them() -> None:
    table = table_after()
    contest(table, 1, 1)
    (given,) = judge(table.state, ruling(table, "none"))
    assert isinstance(given, RulingGiven)
    assert given.appeal_until is None
    ruled = changed(table.state.disputes[0], ruling=given, ruled_by=ANN)
    late = AppealRuling(0, 1, "2036-11-21T08:00:00.000000Z")
    assert judge(changed(table.state, disputes=(ruled,)), late) == (RulingAppealed(1, 0),)


def test_disputes_are_numbered_within_the_game() -> None:
    table = table_after()
    assert [contest(table, seat, 1).dispute for seat in (2, 0)] == [1, 2]
    assert contest(table, 2, 2).dispute == 3
    assert [each.number for each in table.state.disputes] == [1, 2, 3]


def test_the_hand_in_play_can_be_contested_and_so_can_one_that_waits_for_cuts() -> None:
    assert contest(Table(), 0, 1).hand == 1
    waits = Table(fairness=Fairness("open", 60))
    assert waits.state.hand is None
    assert contest(waits, 0, 1).hand == 1


def test_a_dispute_is_refused_before_the_first_commitment() -> None:
    at = given(game_opened())
    at.when(OpenDispute(0, 1, 1, "deal", NOTE)).rejected(NotADispute, "No hand has been promised yet.")


def test_a_seat_that_left_can_only_dispute_and_appeal() -> None:
    table = table_after(players=4)
    table.says(Resign(2))
    contest(table, 2, 1)
    rule(table, "none")
    appeal(table, 2)
    assert table.events[-1].by == "p2"
    table.refuses(Resign(2), SeatLeft, "p2")


def test_disputes_are_accepted_after_the_end_of_the_game() -> None:
    table = table_after(hands=0)
    assert table.state.result is not None
    contest(table, 0, 1)
    rule(table, "none")
    appeal(table, 1)
    assert decide(table, "upheld").ruled is None


def test_an_invalid_dispute_is_refused() -> None:
    table = table_after()
    command = OpenDispute(0, 1, table.game.version, "deal", NOTE)
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"kind": "cheating"}, "revoke, deal, score"),
        *(({"note": note}, "hash") for note in ("ab" * 31, "AB" * 32, "")),
        *(({"hand": hand}, "1 to 2") for hand in (0, 3, -1)),
        *(({"at_version": version}, "as of versions") for version in (0, 1, 10**9)),
        ({"hand": 2, "at_version": 6}, "as of versions"),
    )
    for change, says in changes:
        assert says in table.refuses(replace(command, **change), NotADispute)
    contest(table, 0, 1, at_version=6)


def test_only_a_person_at_the_table_can_dispute_or_appeal() -> None:
    table = Table(4, bots=[3]).plays_out(hands=1)
    contest(table, 0, 1)
    rule(table, "none")
    for seat in (-1, 3, 4, 99):
        table.refuses(OpenDispute(seat, 1, table.game.version, "deal", NOTE), NotSeated, "server")
        table.refuses(AppealRuling(seat, 1), NotSeated, "server")


def test_a_dispute_is_refused_before_the_opening() -> None:
    for command in (OpenDispute(0, 1, 1, "deal", NOTE), AppealRuling(0, 1), DecideAppeal(ANN, 1, "upheld")):
        with pytest.raises(WrongPhase):
            judge(EMPTY_STATE, command)


def test_a_ruling_of_none_keeps_the_result() -> None:
    table = table_after()
    contest(table, 0, 1)
    scores, evidence = table.state.scores, Evidence(table.game.version, table.game.root)
    until = "2026-12-12T08:00:00.000000Z"
    given = RulingGiven(1, "none", (0, 0, 0, 0), "S34", "recorded", evidence, NOTE, None, None, appeal_until=until)
    assert rule(table, "none") == given
    assert table.events[-1].by == ANN
    assert (table.state.scores, table.state.ruled) == (scores, None)


def test_an_invalid_ruling_is_refused() -> None:
    table = table_after()
    contest(table, 0, 1)
    good = ruling(table, "adjust", -1, 1, 0, 0)
    changes: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("decision", ("replay", "none", "void")),
        ("standard", ("certain",)),
        ("note", ("x",)),
        ("basis", ("because", "", "S34\n", "S\u0663\u0664")),
        ("changes", ((), (0, 0, 0, 0), (1, -1), (1, 0, 0, 0, 0), (1001, 0, 0, 0), (0, 0, 0, -1001))),
        ("evidence", (Evidence(10**6, "ab" * 32), Evidence(3, "ab" * 32), Evidence(-1, "ab" * 32))),
        ("evidence", (Evidence(table.game.version, "root"),)),
    )
    for name, values in changes:
        for value in values:
            table.refuses(replace(good, **{name: value}), NotARuling, ANN)
    for number in (0, 2, -1):
        table.refuses(replace(good, dispute=number), NoSuchDispute, ANN)
    table.refuses(replace(good, arbiter="p3"), ArbiterSeated, ANN)
    table.says(Resign(3))
    table.refuses(ruling(table, "none", by="p3"), ArbiterSeated, "p3")


def test_the_score_of_a_hand_in_play_cannot_be_adjusted() -> None:
    table = table_after()
    contest(table, 0, 2)
    table.refuses(ruling(table, "adjust", 1, 0, 0, 0), HandInPlay, ANN)
    waits = Table(fairness=Fairness("open", 60))
    contest(waits, 0, 1)
    waits.refuses(ruling(waits, "adjust", 1, 0, 0, 0), HandInPlay, ANN)


def test_fixed_partners_get_the_same_adjustment() -> None:
    table = Table(4, variant="setback").plays_out(hands=1)
    contest(table, 0, 1)
    says = table.refuses(ruling(table, "adjust", 1, 0, 0, 0), NotARuling, ANN)
    assert "Partners" in says
    assert rule(table, "adjust", 1, -1, 1, -1).changes == (1, -1, 1, -1)


def test_any_seat_can_appeal_a_ruling_once() -> None:
    table = table_after()
    contest(table, 0, 1)
    table.refuses(AppealRuling(0, 1), NotRuled)
    table.refuses(AppealRuling(0, 2), NoSuchDispute)
    rule(table, "none")
    appeal(table, 3)
    assert table.events[-1].data == RulingAppealed(1, 3)
    assert table.events[-1].by == "p3"
    table.refuses(AppealRuling(0, 1), AlreadyAppealed)


def test_another_arbiter_decides_an_appeal_once() -> None:
    table = table_after()
    contest(table, 0, 1)
    table.refuses(DecideAppeal(BEN, 1, "upheld"), NoAppeal, BEN)
    rule(table, "none")
    table.refuses(DecideAppeal(BEN, 1, "upheld"), NoAppeal, BEN)
    appeal(table, 1)
    table.refuses(DecideAppeal(ANN, 1, "upheld"), SameArbiter, ANN)
    table.refuses(DecideAppeal("p2", 1, "upheld"), ArbiterSeated, "p2")
    table.refuses(DecideAppeal(BEN, 1, "void"), NotARuling, BEN)
    table.refuses(DecideAppeal(BEN, 2, "upheld"), NoSuchDispute, BEN)
    assert decide(table, "upheld") == RulingDecided(1, "upheld", None)
    assert table.events[-1].by == BEN
    table.refuses(DecideAppeal(BEN, 1, "reversed"), NoAppeal, BEN)
    table.refuses(AppealRuling(1, 1), AlreadyAppealed, "p1")


def test_a_hand_that_cannot_be_voided() -> None:
    table = table_after()
    contest(table, 0, 1, at_version=2)
    table.refuses(ruling(table, "void", evidence=Evidence(1, NOTE)), NotARuling, ANN)
    contest(table, 1, 1)
    rule(table, "void", dispute=2)
    table.refuses(ruling(table, "void"), NothingToVoid, ANN)
