"""Practice in whole games: both readings agree, the audit is green, and forged undos are found and named (R-P7)."""

from collections.abc import Callable

import pytest

from domain.commands import AskUndo
from domain.events import MovesTakenBack, UndoAsked
from domain.evolve import evolve
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, SERVER, State
from replay.audit import WRONG, audit
from replay.audit.play.table_talk import last_move
from replay.fold import positions
from replay.history import History
from replay.rejudge import rejudge
from replay.text.narrate import narrate
from replay.text.transcribe import transcripts
from replay.text.transcript import format_transcript, parse_transcript
from tests.replay.forging import events_of, rewritten, with_data
from tests.replay.history.test_fold import compare, compare_seen
from tests.replay.playing import Table, table
from tests.replay.practising import GAMES, practice, practised


@pytest.fixture(scope="module", params=GAMES)
def made(request: pytest.FixtureRequest) -> Table:
    """Two hands of each game, with moves taken back. No test changes them."""
    return practised(request.param, 4)


def test_R_P7_both_readings_agree_on_practice_for_each_viewer_and_nothing_is_wrong_with_it(made: Table) -> None:
    assert any(isinstance(entry.event.data, MovesTakenBack) for entry in made.entries)
    compare(made)
    for viewer in (None, *made.game.state.persons):
        compare_seen(made, viewer)
    assert audit(made.history, rejudge(made.history)).findings == audit(made.seen_by(None)).findings == []


def test_R_P7_both_readings_find_the_same_last_move_at_every_version(made: Table) -> None:
    state, found = EMPTY_STATE, set[bool]()
    for entry, position in zip(made.entries, positions(entry.event for entry in made.entries), strict=True):
        state = evolve(state, entry.event)
        if is_between_commits(state):
            before = state.undo_point
            assert last_move(position) == (before and (before.seat, before.version))
            found.add(before is not None)
    assert found == {True, False}


def is_between_commits(state: State) -> bool:
    """Return whether a seat is to move or the hand is over; not between a pitched trump and its card."""
    hand = state.hand
    if hand is None or hand.over:
        return hand is not None
    pitched = hand.marker is not None and not hand.gathered and hand.trick is None
    return bool(state.turn) and not pitched


def states_of(made: Table) -> dict[int, State]:
    states = {0: EMPTY_STATE}
    for entry in made.entries:
        states[entry.event.version] = evolve(states[entry.event.version - 1], entry.event)
    return states


# Forged undos: the owner of the store can write any facts and compute every hash again.


def found(history: History) -> str:
    """Return all findings of the audit as text, one a line."""
    report = audit(history, rejudge(history))
    assert report.code() == WRONG
    return "\n".join(map(str, report.findings))


def with_undo(made: Table, seat: int, to_version: int, turn: tuple[int, ...]) -> History:
    """Return the history of `made`, and after it a forged undo."""
    events = events_of(made.history)
    at, game = events[-1]["at"], events[-1]["game"]
    player = made.game.state.seats[seat].player
    envelope = {"at": at, "command": "f" * 33, "game": game, "salt": "00" * 16, "seen_by": None, "v": 1, "version": 0}
    asked = {"seat": seat, "to_version": to_version}
    back = {**asked, "next": list(turn), "begins_turn": True}
    return rewritten(
        made.history,
        [
            *events,
            {**envelope, "by": player, "fact": "UndoAsked", "data": asked},
            {**envelope, "salt": "ff" * 16, "by": SERVER, "fact": "MovesTakenBack", "v": 2, "data": back},
        ],
    )


def until(made: Table, when: Callable[[State], bool]) -> Table:
    while not when(made.game.state):
        made.move()
    return made


def version_of(made: Table, fact: str) -> int:
    """Return the version of the last fact of that name."""
    return max(entry.event.version for entry in made.entries if entry.event.fact == fact)


def test_a_forged_undo_like_the_real_one_is_green() -> None:
    """The forger of these tests writes well-formed facts: without a fault the audit finds nothing."""
    made = until(practice("Pitch"), lambda state: state.undo_point is not None)
    before = made.game.state.undo_point
    assert before is not None
    history = with_undo(made, before.seat, before.version, before.turn)
    assert audit(history, rejudge(history)).findings == []


def test_a_practice_undo_across_a_deal_is_found() -> None:
    made = until(practice("Pitch"), lambda state: state.hand is not None and state.hand.n > 1 and not state.undo_point)
    first = version_of(made, "HandDealt")
    says = found(with_undo(made, 0, first - 5, (0,)))
    assert f"seat 0 goes back to version {first - 5}, but no move can be taken back here" in says


def test_a_practice_undo_across_a_reveal_is_found() -> None:
    """In Corellian Pitch a called partner is revealed before the next trick; moves before it stand."""
    made = until(practice("Corellian Pitch", 2), lambda state: state.hand is not None and state.hand.call_settled)
    revealed = version_of(made, "PartnerRevealed")
    states = states_of(made)
    point = next(states[version].undo_point for version in range(revealed, 0, -1) if states[version].undo_point)
    assert point is not None
    says = found(with_undo(made, point.seat, point.version, point.turn))
    assert f"seat {point.seat} goes back to version {point.version}, but" in says


def test_a_practice_undo_by_a_bot_is_found() -> None:
    made = until(practice("Pitch"), lambda state: state.undo_point is not None and state.turn == (0,))
    bid = next(entry for entry in reversed(made.entries) if entry.event.fact in {"BidMade", "BidPassed"})
    bot, before = bid.event.data.seat, bid.event.version - 1
    assert bot != 0
    assert f"seat {bot} is a bot, but asks to take a move back" in found(with_undo(made, bot, before, (bot,)))


def test_a_practice_undo_of_an_earlier_move_than_the_last_is_found() -> None:
    made = until(practice("Pitch"), lambda state: state.undo_point is not None and state.undo_point.earlier is not None)
    last = made.game.state.undo_point
    assert last is not None
    assert last.earlier is not None
    says = found(with_undo(made, 0, last.earlier.version, last.earlier.turn))
    assert f"but the last move that can be taken back is that of seat 0 after version {last.version}" in says


def test_practice_of_two_persons_is_found() -> None:
    made = until(table(3, 3), lambda state: state.phase is Phase.PLAY)
    forgery = with_data(made.history, 1, undo="practice")
    assert "which is for one person, but 3 people play" in found(forgery)


@pytest.mark.parametrize(
    ("undo", "says"),
    [
        ("none", "asks for an undo, but no move of this game can be taken back"),
        ("consent", "is not the version just before the last move of seat 0"),
        ("always", "its undo is 'always', but must be one of consent, practice, none"),
    ],
)
def test_practice_undos_at_a_table_with_another_undo_are_found(undo: str, says: str) -> None:
    made = until(practice("Pitch"), lambda state: state.undo_point is not None and state.turn == (0,))
    made.says(AskUndo(0))
    assert isinstance(made.entries[-2].event.data, UndoAsked)
    assert says in found(with_data(made.history, 1, undo=undo))


# Texts: the transcript of a hand shows the moves that stand, and notes what was taken back.


def test_R_P7_the_transcript_of_practice_holds_the_moves_that_stand(made: Table) -> None:
    *_, last = positions(made.history.events)
    for transcript in transcripts(made.history):
        written = format_transcript(transcript)
        assert parse_transcript(written) == transcript
    assert last.hand is not None
    assert transcript.bids == list(last.hand.calls)
    assert [play for trick in transcript.tricks for play in trick] == list(last.hand.played)


def test_R_P7_the_texts_of_practice_say_which_moves_were_taken_back() -> None:
    made = table(2, 2, undo="practice", bots=(1,))
    until(made, lambda state: state.hand is not None and len(state.hand.gathered) == 2 and state.turn == (0,))
    assert "\n1: 8S 8D > 1\n1: 8H JH > 0\n" in format_transcript(transcripts(made.history)[-1])
    made.undo()
    made.undo()
    back = made.entries[-1].event
    assert back.data.to_version == version_of(made, "CardPlayed") - 4
    who = {0: "ann", 1: "bob"}
    assert narrate(back.data, who).endswith(f"is taken back: the play is as it was after event {back.data.to_version}")
    made.move()
    written = format_transcript(transcripts(made.history)[-1])
    assert "\n1: 8S {seat 0 takes back JH} {seat 0 takes back 8D 8H} KH > 1\n" in written
