"""Disputes and appeals: opening, ruling and deciding them (docs/disputes.md)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.commands import AppealRuling, Command, DecideAppeal, OpenDispute, Resign
from domain.decide import decide as judge
from domain.events import DisputeOpened, Evidence, Fairness, RulingAppealed, RulingDecided, RulingGiven
from domain.events.dispute_codes import DisputeKind
from domain.rejections import (
    AlreadyAppealed,
    AlreadyDisputed,
    AlreadyRuled,
    ArbiterSeated,
    HandInPlay,
    NoAppeal,
    NoSuchDispute,
    NotADispute,
    NotARuling,
    NothingToVoid,
    NotRuled,
    NotSeated,
    Rejected,
    SameArbiter,
    SeatLeft,
    WrongPhase,
)
from domain.state import EMPTY_STATE
from tests.games.disputes import ANN, BEN, NOTE, appeal, contest, decide, rule, ruling
from tests.games.tables import Table
from tests.given import game_opened, given

HEARD = [*DisputeKind]


def table_after(hands: int = 1, **options: Any) -> Table:
    """Return a table of Pitch that has played that many hands and is in the next one."""
    return Table(**options).plays_out(hands=hands)


def refused(table: Table, command: Command, offence: type[Rejected], by: str = "p0") -> str:
    """Assert that the command is refused with this class and nothing is written."""
    version, state = table.game.version, table.state
    with pytest.raises(Rejected) as told:
        table.send(command, by)
    assert type(told.value) is offence, repr(told.value)
    assert (table.game.version, table.state) == (version, state)
    return str(told.value)


@pytest.mark.parametrize("kind", HEARD)
def test_a_seat_contests_a_hand(kind: str) -> None:
    table = table_after()
    version = table.game.version
    assert contest(table, 1, 1, kind=kind) == DisputeOpened(1, 1, 1, version, kind, NOTE)
    event = table.events[-1]
    assert (event.by, event.seen_by, event.version) == ("p1", None, version + 1)


def test_disputes_are_numbered_within_the_game() -> None:
    table = table_after()
    assert [contest(table, seat, 1).dispute for seat in (2, 0)] == [1, 2]
    assert contest(table, 2, 2).dispute == 3
    assert [each.number for each in table.state.disputes] == [1, 2, 3]


def test_a_dispute_does_not_change_the_play() -> None:
    table = table_after()
    table.moves(0)
    before = table.state
    contest(table, 2, 1)
    now = table.state
    assert (now.hand, now.turn, now.turn_since, now.undo_point, now.moved) == (
        before.hand,
        before.turn,
        before.turn_since,
        before.undo_point,
        before.moved,
    )


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
    refused(table, Resign(2), SeatLeft, "p2")


def test_disputes_are_accepted_after_the_end_of_the_game() -> None:
    table = table_after(hands=0)
    assert table.state.result is not None
    contest(table, 0, 1)
    rule(table, "none")
    appeal(table, 1)
    assert decide(table, "upheld").ruled is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"kind": "cheating"}, "revoke, deal, score", id="another kind"),
        pytest.param({"note": "ab" * 31}, "hash", id="a short note"),
        pytest.param({"note": "AB" * 32}, "hash", id="a note in capitals"),
        pytest.param({"note": ""}, "hash", id="no note"),
        pytest.param({"hand": 0}, "1 to 2", id="hand 0"),
        pytest.param({"hand": 3}, "1 to 2", id="a hand to come"),
        pytest.param({"hand": -1}, "1 to 2", id="a negative hand"),
        pytest.param({"at_version": 0}, "as of versions", id="version 0"),
        pytest.param({"at_version": 1}, "as of versions", id="before the hand was promised"),
        pytest.param({"at_version": 10**9}, "as of versions", id="a version to come"),
    ],
)
def test_an_invalid_dispute_is_refused(change: dict[str, Any], says: str) -> None:
    table = table_after()
    command = OpenDispute(0, 1, table.game.version, "deal", NOTE)
    assert says in refused(table, replace(command, **change), NotADispute)


def test_a_hand_cannot_be_contested_as_of_a_version_before_it_was_promised() -> None:
    table = table_after()
    assert "as of versions" in refused(table, OpenDispute(0, 2, 6, "deal", NOTE), NotADispute)
    contest(table, 0, 1, at_version=6)


@pytest.mark.parametrize("seat", [-1, 3, 4, 99])
def test_only_a_person_at_the_table_can_dispute_or_appeal(seat: int) -> None:
    table = Table(4, bots=[3]).plays_out(hands=1)
    contest(table, 0, 1)
    rule(table, "none")
    refused(table, OpenDispute(seat, 1, table.game.version, "deal", NOTE), NotSeated, "server")
    refused(table, AppealRuling(seat, 1), NotSeated, "server")


def test_each_seat_can_contest_a_hand_once() -> None:
    table = table_after()
    contest(table, 0, 1)
    rule(table, "none")
    refused(table, OpenDispute(0, 1, table.game.version, "score", NOTE), AlreadyDisputed)


def test_a_dispute_is_refused_before_the_opening() -> None:
    for command in (OpenDispute(0, 1, 1, "deal", NOTE), AppealRuling(0, 1), DecideAppeal(ANN, 1, "upheld")):
        with pytest.raises(WrongPhase):
            judge(EMPTY_STATE, command)


def test_a_ruling_of_none_keeps_the_result() -> None:
    table = table_after()
    contest(table, 0, 1)
    scores, evidence = table.state.scores, Evidence(table.game.version, table.game.root)
    given = RulingGiven(1, "none", (0, 0, 0, 0), "S34", "recorded", evidence, NOTE, None, None)
    assert rule(table, "none") == given
    assert table.events[-1].by == ANN
    assert (table.state.scores, table.state.ruled) == (scores, None)


@pytest.mark.parametrize(
    ("change", "offence"),
    [
        pytest.param({"decision": "replay"}, NotARuling, id="another decision"),
        pytest.param({"standard": "certain"}, NotARuling, id="another standard"),
        pytest.param({"note": "x"}, NotARuling, id="no hash of the grounds"),
        pytest.param({"basis": "because"}, NotARuling, id="a basis that isn't a clause"),
        pytest.param({"basis": ""}, NotARuling, id="an empty basis"),
        pytest.param({"basis": "S34\n"}, NotARuling, id="a clause and a line break"),
        pytest.param({"basis": "S\u0663\u0664"}, NotARuling, id="a clause in other digits"),
        pytest.param({"changes": ()}, NotARuling, id="an adjustment without changes"),
        pytest.param({"changes": (0, 0, 0, 0)}, NotARuling, id="an adjustment of nothing"),
        pytest.param({"changes": (1, -1)}, NotARuling, id="changes for two of four seats"),
        pytest.param({"changes": (1, 0, 0, 0, 0)}, NotARuling, id="changes for five seats"),
        pytest.param({"changes": (1001, 0, 0, 0)}, NotARuling, id="more points than there can be"),
        pytest.param({"changes": (0, 0, 0, -1001)}, NotARuling, id="fewer points than there can be"),
        pytest.param({"decision": "none"}, NotARuling, id="changes although the result stands"),
        pytest.param({"decision": "void"}, NotARuling, id="changes besides a void hand"),
        pytest.param({"evidence": Evidence(10**6, "ab" * 32)}, NotARuling, id="evidence of a log to come"),
        pytest.param({"evidence": Evidence(3, "ab" * 32)}, NotARuling, id="evidence from before what is contested"),
        pytest.param({"evidence": Evidence(-1, "ab" * 32)}, NotARuling, id="evidence of size zero"),
        pytest.param({"dispute": 0}, NoSuchDispute, id="dispute 0"),
        pytest.param({"dispute": 2}, NoSuchDispute, id="a dispute that was never opened"),
        pytest.param({"dispute": -1}, NoSuchDispute, id="a negative dispute"),
        pytest.param({"arbiter": "p3"}, ArbiterSeated, id="by a player of the game"),
    ],
)
def test_an_invalid_ruling_is_refused(change: dict[str, Any], offence: type[Rejected]) -> None:
    table = table_after()
    contest(table, 0, 1)
    refused(table, replace(ruling(table, "adjust", -1, 1, 0, 0), **change), offence, ANN)


def test_a_root_that_is_not_a_hash_is_refused_as_evidence() -> None:
    table = table_after()
    contest(table, 0, 1)
    refused(table, ruling(table, "none", evidence=Evidence(table.game.version, "root")), NotARuling, ANN)


def test_a_player_who_left_cannot_rule() -> None:
    table = table_after(players=4)
    table.says(Resign(1))
    contest(table, 0, 1)
    refused(table, ruling(table, "none", by="p1"), ArbiterSeated, "p1")


def test_a_dispute_gets_one_ruling() -> None:
    table = table_after()
    contest(table, 0, 1)
    rule(table, "none")
    refused(table, ruling(table, "none", by=BEN), AlreadyRuled, BEN)


def test_the_score_of_a_hand_in_play_cannot_be_adjusted() -> None:
    table = table_after()
    contest(table, 0, 2)
    refused(table, ruling(table, "adjust", 1, 0, 0, 0), HandInPlay, ANN)
    waits = Table(fairness=Fairness("open", 60))
    contest(waits, 0, 1)
    refused(waits, ruling(waits, "adjust", 1, 0, 0, 0), HandInPlay, ANN)


def test_fixed_partners_get_the_same_adjustment() -> None:
    table = Table(4, variant="setback").plays_out(hands=1)
    contest(table, 0, 1)
    says = refused(table, ruling(table, "adjust", 1, 0, 0, 0), NotARuling, ANN)
    assert "Partners" in says
    assert rule(table, "adjust", 1, -1, 1, -1).changes == (1, -1, 1, -1)


def test_any_seat_can_appeal_a_ruling_once() -> None:
    table = table_after()
    contest(table, 0, 1)
    refused(table, AppealRuling(0, 1), NotRuled)
    refused(table, AppealRuling(0, 2), NoSuchDispute)
    rule(table, "none")
    appeal(table, 3)
    assert table.events[-1].data == RulingAppealed(1, 3)
    assert table.events[-1].by == "p3"
    refused(table, AppealRuling(0, 1), AlreadyAppealed)


def test_another_arbiter_decides_an_appeal_once() -> None:
    table = table_after()
    contest(table, 0, 1)
    refused(table, DecideAppeal(BEN, 1, "upheld"), NoAppeal, BEN)
    rule(table, "none")
    refused(table, DecideAppeal(BEN, 1, "upheld"), NoAppeal, BEN)
    appeal(table, 1)
    refused(table, DecideAppeal(ANN, 1, "upheld"), SameArbiter, ANN)
    refused(table, DecideAppeal("p2", 1, "upheld"), ArbiterSeated, "p2")
    refused(table, DecideAppeal(BEN, 1, "void"), NotARuling, BEN)
    refused(table, DecideAppeal(BEN, 2, "upheld"), NoSuchDispute, BEN)
    assert decide(table, "upheld") == RulingDecided(1, "upheld", None)
    assert table.events[-1].by == BEN
    refused(table, DecideAppeal(BEN, 1, "reversed"), NoAppeal, BEN)
    refused(table, AppealRuling(1, 1), AlreadyAppealed, "p1")


def test_a_game_with_disputes_is_read_back_unchanged() -> None:
    table = table_after()
    contest(table, 0, 1)
    rule(table, "adjust", 3, -3, 0, 0)
    appeal(table, 1)
    decide(table, "reversed")
    table.plays_out()
    again = table.read_again()
    assert (again.state, again.root) == (table.state, table.game.root)


def test_a_hand_that_cannot_be_voided() -> None:
    table = table_after()
    contest(table, 0, 1, at_version=2)
    refused(table, ruling(table, "void", evidence=Evidence(1, NOTE)), NotARuling, ANN)
    contest(table, 1, 1)
    rule(table, "void", dispute=2)
    refused(table, ruling(table, "void"), NothingToVoid, ANN)
