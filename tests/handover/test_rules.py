"""Seats handed over and returned: what the rules allow and what follows (R-P13, R-P14)."""

import pytest

from domain.commands import (
    AnswerHandover,
    AskHandover,
    AskUndo,
    Command,
    GiveRuling,
    HandOver,
    OpenDispute,
    ProposeDraw,
    Resign,
    ReturnSeat,
)
from domain.decide import decide
from domain.events import Evidence, Fairness, GameLimits, SeatHandedOver
from domain.events.codec import decode
from domain.rejections import (
    ArbiterSeated,
    DealPending,
    HandoverOpen,
    NoDraw,
    NoHandover,
    NotDue,
    NothingToUndo,
    NotSeated,
    Rejected,
    SeatedBefore,
    SeatLeft,
    TooMany,
)
from domain.state import Holder
from domain.struct import replace
from tests.games.tables import Table
from tests.games.whole_games import FIRST
from tests.handover.games import BOT, agree, ask, cut, facts, hand_over, take_back

NOTE = "ab" * 32


def refused(table: Table, command: Command, by: str, offence: type[Rejected]) -> None:
    """Assert that the command is refused and writes nothing."""
    version = table.game.version
    with pytest.raises(offence):
        table.send(command, by)
    assert table.game.version == version


@pytest.mark.parametrize("variant", FIRST)
def test_R_P13_a_seat_is_handed_over_once_every_other_person_agrees(variant: str) -> None:
    table = Table(4, variant=variant)
    assert facts(ask(table, 1)) == ["HandoverAsked"]
    assert facts(table.says(AnswerHandover(0, accept=True))) == ["HandoverAnswered"]
    assert facts(table.says(AnswerHandover(2, accept=True))) == ["HandoverAnswered"]
    assert facts(table.says(AnswerHandover(3, accept=True)))[:2] == ["HandoverAnswered", "SeatHandedOver"]
    seat = table.state.seats[1]
    assert (seat.player, seat.kind, table.state.seat_of("p9"), table.state.handover) == ("p9", "human", 1, None)


def test_R_P13_one_refusal_ends_the_question() -> None:
    table = Table(3)
    ask(table, 1)
    assert facts(table.says(AnswerHandover(0, accept=False))) == ["HandoverAnswered"]
    assert table.state.handover is None
    refused(table, AnswerHandover(2, accept=True), "p2", NoHandover)


def test_R_P13_moves_do_not_end_the_question() -> None:
    table = Table(3)
    ask(table, 1)
    table.moves(0)
    assert table.state.handover is not None
    assert facts(agree(table)) == ["HandoverAnswered", "SeatHandedOver"]


@pytest.mark.parametrize(
    ("command", "by", "offence"),
    [
        (AskHandover(2, "p8", "human"), "p2", HandoverOpen),
        (AnswerHandover(1, accept=True), "p1", NoHandover),
        (ReturnSeat(1), "p1", NoHandover),
    ],
    ids=["R-P13 a second question", "R-P13 an answer to one's own question", "R-P14 a seat never lent"],
)
def test_while_a_question_is_open(command: Command, by: str, offence: type[Rejected]) -> None:
    table = Table(3)
    ask(table, 1)
    refused(table, command, by, offence)


@pytest.mark.parametrize("to", ["p0", "p1", "p2"])
def test_R_P13_nobody_who_holds_a_seat_gets_one(to: str) -> None:
    refused(Table(3), AskHandover(1, to, "human"), "p1", SeatedBefore)


def test_R_P13_a_player_who_held_one_seat_never_holds_another() -> None:
    table = Table(3)
    hand_over(table, 1)
    refused(table, AskHandover(2, "p1", "human"), "p2", SeatedBefore)
    take_back(table, 1, "p1")
    refused(table, AskHandover(2, "p9", "human"), "p2", SeatedBefore)


@pytest.mark.parametrize(("kind", "bot"), [("human", "simple"), ("bot", None)])
def test_R_P13_only_a_bot_has_a_strategy(kind: str, bot: str | None) -> None:
    refused(Table(3), AskHandover(1, "p9", kind, bot), "p1", NoHandover)


def test_R_P13_a_question_counts_as_a_proposal_of_the_hand() -> None:
    table = Table(3)
    opened = table.state.opened
    assert opened is not None
    state = replace(table.state, opened=replace(opened, limits=GameLimits(5000, 1)))
    asked = AskHandover(1, "p9", "human")
    decide(state, asked)
    with pytest.raises(TooMany):
        decide(replace(state, proposals=(0, 1, 0)), asked)
    ask(table, 1)
    assert table.state.proposals == (0, 1, 0)


def test_R_P13_a_bot_is_asked_nothing_and_has_no_say() -> None:
    table = Table(3, bots=(2,))
    ask(table, 1, BOT)
    refused(table, AnswerHandover(2, accept=True), "bot:random:2", NoHandover)
    assert facts(table.says(AnswerHandover(0, accept=True))) == ["HandoverAnswered", "SeatHandedOver"]
    assert (table.state.seats[1].kind, table.state.seats[1].bot, table.state.persons) == ("bot", "simple", (0,))
    refused(table, ProposeDraw(0), "p0", NoDraw)


def test_R_P13_a_person_with_bots_hands_the_seat_to_another_person_at_once() -> None:
    table = Table(3, bots=(1, 2))
    assert facts(ask(table, 0)) == ["HandoverAsked", "SeatHandedOver"]


def test_R_P13_the_last_person_forfeits_the_seat_that_would_go_to_a_bot() -> None:
    table = Table(3, bots=(1, 2))
    written = ask(table, 0, BOT)
    assert facts(written)[:2] == ["HandoverAsked", "SeatForfeited"]
    assert written[1].event.data.reason == "handover"
    assert table.state.result is not None
    assert table.state.result.reason == "void"


def test_R_P13_the_question_lapses_when_its_seat_leaves() -> None:
    table = Table(4)
    ask(table, 1)
    table.says(Resign(1))
    assert table.state.handover is None


def test_R_P13_the_last_one_who_had_not_agreed_may_leave_instead() -> None:
    table = Table(4)
    ask(table, 1)
    for seat in (0, 2):
        table.says(AnswerHandover(seat, accept=True))
    assert facts(table.says(Resign(3))) == ["SeatResigned", "SeatHandedOver"]


def test_R_P13_the_move_before_a_hand_over_cannot_be_taken_back_and_a_proposal_lapses() -> None:
    table = Table(3)
    table.moves(0)
    moved = table.state.undo_point
    assert moved is not None
    ask(table, 1)
    table.says(ProposeDraw(0))
    agree(table)
    assert (table.state.proposal, table.state.undo_point) == (None, None)
    refused(table, AskUndo(moved.seat), table.state.seats[moved.seat].player, NothingToUndo)


def test_R_P13_the_time_of_the_turn_continues() -> None:
    table = Table(3)
    before = table.state
    hand_over(table, before.turn[0])
    after = table.state
    assert (after.turn, after.turn_since, after.turn_version) == (before.turn, before.turn_since, before.turn_version)


def test_R_P13_a_former_player_moves_no_more_and_the_new_one_does() -> None:
    table = Table(3)
    seat = table.state.turn[0]
    hand_over(table, seat)
    (move, *_) = table.choices()
    refused(table, move, f"p{seat}", NotSeated)
    table.send(move, "p9")
    assert table.events[-1].by == "p9"


def test_R_P13_a_host_who_left_the_seat_is_no_host_until_they_are_back() -> None:
    table = Table(3)
    hand_over(table, 0)
    assert table.state.seat_of(table.state.host) is None
    take_back(table, 0, "p0")
    assert table.state.seat_of(table.state.host) == 0


def test_R_P13_no_seat_changes_hands_between_a_commitment_and_its_deal() -> None:
    table = Table(3, fairness=Fairness("sealed", 3600))
    refused(table, AskHandover(1, "p9", "human"), "p1", DealPending)
    for seat in range(3):
        table.says(cut(table, seat))
    hand_over(table, 1)
    table.plays_out(hands=1)
    refused(table, ReturnSeat(1), "p1", DealPending)


def test_R_P13_agreement_during_a_pending_deal_takes_effect_after_it() -> None:
    table = Table(3, fairness=Fairness("sealed", 3600))
    for seat in range(3):
        table.says(cut(table, seat))
    ask(table, 1)
    table.says(AnswerHandover(0, accept=True))
    table.plays_out(hands=1)
    assert facts(table.says(AnswerHandover(2, accept=True))) == ["HandoverAnswered"]
    for seat in (0, 1):
        table.says(cut(table, seat))
    written = facts(table.says(cut(table, 2)))
    assert written.index("HandDealt") < written.index("SeatHandedOver")
    assert table.state.seat_of("p9") == 1


def test_R_P13_the_seal_of_a_seat_lapses_and_a_bar_stays() -> None:
    table = Table(3, fairness=Fairness("sealed", 3600))
    for seat in range(3):
        table.says(cut(table, seat))
    assert table.state.next_seals[1] is not None
    hand_over(table, 1)
    assert [seal is None for seal in table.state.next_seals] == [False, True, False]
    table.plays_out(hands=1)
    opened = next(event for event in reversed(table.events) if event.fact == "CeremonyOpened")
    assert sorted(opened.data.seals) == ["0", "2"]


def test_R_P14_a_player_takes_the_seat_back_without_asking() -> None:
    table = Table(3)
    hand_over(table, 1)
    written = take_back(table, 1, "p1")
    assert facts(written) == ["SeatReturned"]
    assert (written[0].event.by, table.state.seat_of("p1"), table.state.seat_of("p9")) == ("p1", 1, None)


@pytest.mark.parametrize("by", ["p0", "p9", "p8"])
def test_R_P14_nobody_else_takes_a_seat_back(by: str) -> None:
    table = Table(3)
    hand_over(table, 1)
    refused(table, ReturnSeat(1), by, NoHandover)


def lenders(table: Table) -> str:
    """Return those who can take seat 1 back, the first to lend it first."""
    return " ".join(table.state.seats[1].lenders)


def test_R_P14_a_seat_lent_on_can_be_taken_back_by_each_lender_and_then_only_by_earlier_ones() -> None:
    table = Table(3)
    hand_over(table, 1)
    hand_over(table, 1, BOT)
    assert lenders(table) == "p1 p9"
    take_back(table, 1, "p9")
    assert lenders(table) == "p1"
    take_back(table, 1, "p1")
    refused(table, ReturnSeat(1), "p9", NoHandover)


def test_R_P14_a_seat_that_left_is_not_returned() -> None:
    table = Table(4)
    hand_over(table, 1)
    table.says(Resign(1))
    refused(table, ReturnSeat(1), "p1", SeatLeft)


def test_R_P14_a_returned_player_is_asked_again() -> None:
    table = Table(4)
    hand_over(table, 1)
    ask(table, 2, BOT)
    table.says(AnswerHandover(1, accept=True))
    take_back(table, 1, "p1")
    assert table.state.handover is not None
    assert table.state.handover.accepted == (2,)


def test_R_P14_a_question_of_the_returned_seat_lapses() -> None:
    table = Table(3)
    hand_over(table, 1)
    ask(table, 1, BOT)
    take_back(table, 1, "p1")
    assert table.state.handover is None


def test_R_P13_who_left_a_seat_never_arbitrates_in_the_game() -> None:
    table = Table(3)
    hand_over(table, 1)
    table.send(OpenDispute(0, 1, table.game.version, "revoke", NOTE), "p0")
    evidence = Evidence(table.game.version, table.game.root)
    refused(table, GiveRuling("p1", 1, "none", (), None, "likely", evidence, NOTE), "p1", ArbiterSeated)


def test_R_P13_the_table_hands_nothing_over_before_everybody_agreed() -> None:
    table = Table(3)
    ask(table, 1)
    with pytest.raises(NotDue):
        decide(table.state, HandOver(1))


def test_the_fact_of_a_hand_over_names_both_players_as_from_and_to() -> None:
    table = Table(3)
    entry = hand_over(table, 1)[-1]
    assert b'"data":{"bot":null,"from":"p1","kind":"human","seat":1,"to":"p9"}' in entry.raw
    assert decode(entry.raw).data == SeatHandedOver(1, "p1", "p9", "human", None)


def test_R_P13_a_seat_knows_its_earlier_players_with_their_versions() -> None:
    table = Table(3)
    hand_over(table, 1)
    lent = table.events[-1].version
    assert (table.state.seats[1].since, table.state.former_seat_of("p1")) == (lent, 1)
    assert table.state.seats[1].earlier == (Holder("p1", "human", 1, lent - 1),)
    take_back(table, 1, "p1")
    returned = table.events[-1].version
    seat = table.state.seats[1]
    assert (seat.player, seat.since, seat.lenders) == ("p1", returned, ())
    assert seat.earlier == (Holder("p1", "human", 1, lent - 1), Holder("p9", "human", lent, returned - 1))
