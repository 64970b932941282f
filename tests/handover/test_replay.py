"""Replay, audit, rejudge and the texts understand seats that changed hands (R-P13, R-P14)."""

from contextlib import suppress
from random import Random

import pytest

from domain.commands import AnswerHandover, AskHandover, Resign, ReturnSeat
from domain.events import Fairness, Timing
from domain.rejections import Rejected
from projections.views.audience import ceremonies_revealed_in, viewer_of, visible
from replay.audit import audit
from replay.fold import START, Position, apply_event
from replay.history import History, export_bytes, from_entries, read_export
from replay.rejudge import rejudge
from replay.text.narrate import narrate
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript
from tests.games.disputes import contest, rule
from tests.games.tables import Table
from tests.games.whole_games import FIRST
from tests.handover.games import BOT, NAMES, agree, ask, cut, facts, hand_over, history_of, lent_and_returned, take_back
from tests.replay import playing
from tests.values import replace


def wild(variant: str, seed: int, moves: int = 160) -> Table:
    """Return a game in which seats are asked for, answered, handed over, returned and left at any time."""
    table, chance = Table(4, variant=variant, seed=seed), Random(seed)
    for step in range(moves):
        if table.state.result is not None:
            break
        with suppress(Rejected):
            _interfere(table, chance, step)
        if table.state.result is None:
            table.moves(chance.randrange(5))
    return table


def _interfere(table: Table, chance: Random, step: int) -> None:
    seat, state = chance.randrange(4), table.state
    match chance.randrange(9):
        case 0 | 1:
            ask(table, seat, chance.choice([f"q{step}", f"bot:simple:{step + 10}"]))
        case 2 | 3 | 4 | 5:
            table.says(AnswerHandover(seat, accept=chance.random() < 0.9))
        case 6 if state.seats[seat].lenders:
            table.send(ReturnSeat(seat), chance.choice(state.seats[seat].lenders))
        case 7 if chance.random() < 0.03:
            table.says(Resign(seat))
        case _:
            pass


def last_position(history: History) -> Position:
    position = START
    for event in history.events:
        position = apply_event(position, event)
    return position


@pytest.mark.parametrize("variant", FIRST)
def test_wild_games_with_hand_overs_have_no_findings(variant: str) -> None:
    seen = set[str]()
    for seed in range(3):
        table = wild(variant, seed)
        history = history_of(table)
        judged = rejudge(history)
        assert (judged.findings, judged.waits) == ((), None)
        report = audit(history, judged)
        assert report.findings == []
        assert report.code(live_is_fine=True) == 0
        seen |= {event.fact for event in table.events}
    assert {"HandoverAsked", "HandoverAnswered", "SeatHandedOver", "SeatReturned"} <= seen


@pytest.mark.parametrize("variant", FIRST)
def test_both_folds_agree_on_the_players_of_each_seat(variant: str) -> None:
    table = wild(variant, 7)
    state, position = table.state, last_position(history_of(table))
    assert [(each.player, each.kind, each.bot) for each in state.seats] == [
        (each.player, each.kind, each.bot) for each in position.players
    ]
    assert [seat.lenders for seat in state.seats] == [position.lent.get(seat, ()) for seat in range(4)]
    held = {past.player for seat in state.seats for past in seat.earlier} | {seat.player for seat in state.seats}
    assert set(position.sat) == held
    assert position.proposed == state.proposals
    asked, question = state.handover, position.question
    assert (asked and (asked.seat, asked.to, asked.accepted)) == (
        question and (question.asked.seat, question.asked.to, question.agreed)
    )


def test_a_stored_game_folds_back_to_the_same_state() -> None:
    table = wild("setback", 3)
    again = table.read_again()
    assert (again.state, again.root) == (table.state, table.game.root)


def test_the_header_of_an_export_names_those_who_came_later() -> None:
    history = history_of(lent_and_returned())
    assert history.header.players == {"p0": "player 0", "p1": "player 1", "p2": "player 2", "p9": "zoe"}
    assert audit(read_export(export_bytes(history))).findings == []


def test_R_P13_the_forfeit_of_the_last_person_is_audited() -> None:
    table = Table(3, bots=(1, 2))
    table.send(AskHandover(0, BOT, "bot", "simple"), "p0")
    history = history_of(table)
    assert audit(history, rejudge(history)).findings == []


def test_a_question_after_a_refusal_is_told() -> None:
    table = Table(3)
    ask(table, 1)
    table.says(AnswerHandover(0, accept=False))
    assert narrate(table.events[-1].data, {0: "ann"}) == "ann does not agree to the hand-over"
    hand_over(table, 1)
    take_back(table, 1, "p1")
    assert "seat 1 is returned" in transcript_text(table.plays_out(hands=1))


def transcript_text(table: Table) -> str:
    return format_transcript(transcript_of(history_of(table), 1))


def test_R_P13_a_hand_over_after_a_pending_deal_is_audited() -> None:
    table = Table(3, fairness=Fairness("sealed", 3600))
    for deal in range(2):
        for seat in range(3):
            if deal and seat == 2:
                table.says(AnswerHandover(2, accept=True))
            table.says(cut(table, seat))
        if not deal:
            ask(table, 1)
            table.says(AnswerHandover(0, accept=True))
            table.plays_out(hands=1)
    assert table.events[-1].fact == "SeatHandedOver"
    history = history_of(table)
    assert (rejudge(history).findings, audit(history, rejudge(history)).findings) == ((), [])


def test_R_P13_a_hand_over_comes_after_the_deal_that_it_waited_for_was_voided() -> None:
    table = Table(3, fairness=Fairness("open", 3600))
    for seat in range(3):
        table.says(replace(cut(table, seat), next_seal=None))
    ask(table, 1)
    table.plays_out(hands=1)
    agree(table)
    contest(table, 0, 2)
    rule(table, "void")
    assert facts(table.commits[-1])[:3] == ["RulingGiven", "CeremonyVoided", "SeatHandedOver"]
    history = history_of(table)
    assert (rejudge(history).findings, audit(history, rejudge(history)).findings) == ((), [])


def test_R_P13_the_end_by_time_comes_before_a_hand_over_that_the_clock_leaves_agreed_to() -> None:
    made = playing.table(1, 3, timing=Timing(None, 3, 10), autopilot="bot:simple")
    (late,) = made.state.turn
    asker, other = (seat for seat in range(3) if seat != late)
    made.says(AskHandover(asker, "p9", "human"))
    made.says(AnswerHandover(other, accept=True))
    size = len(made.entries)
    made.waits(12)
    assert [entry.event.fact for entry in made.entries[size:]] == ["SeatHandedOver", "CeremonyRevealed", "GameEnded"]
    assert (rejudge(made.history).findings, audit(made.history, rejudge(made.history)).findings) == ((), [])


@pytest.mark.parametrize("player", [None, "p0", "p1", "p2", "p9"])
def test_what_anybody_may_see_of_such_a_game_has_no_findings(player: str | None) -> None:
    table = lent_and_returned()
    table.moves(0)
    viewer, revealed = viewer_of(table.state, player), ceremonies_revealed_in(table.state)
    entries = [entry for commit in table.commits for entry in commit]
    history = from_entries(entries, NAMES, [visible(entry.event, viewer, revealed) for entry in entries])
    assert history.withheld > 0
    assert audit(history, rejudge(history)).findings == []
