"""gamerz Pitch, the end of a game (S21, S42-S45, R-S13 to R-S16).

The goal is 11 unless a test says otherwise. A peg in words is in brackets where it gives no point.
"""

import pytest

from domain.commands import (
    AskUndo,
    Command,
    EndGame,
    EndSession,
    MakeBid,
    OpenCeremony,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
    RevealCeremony,
    Tick,
)
from domain.events import GameEnded, HandScored
from domain.rejections import GameOver, NotDue
from tests.games.hands import (
    SHARED,
    SWEPT,
    commit,
    game_ended,
    only_fact,
    pegs_text,
    play_hand,
    playing,
    plays,
)
from tests.games.tables import Table
from tests.given import SEED, cards, given

Scores = tuple[int, ...]


@pytest.mark.parametrize(
    ("bid", "before", "credited", "after", "winner"),
    [
        pytest.param(2, (10, 10, 10), "high", (11, 10, 10), 0, id="S44 S45 high wins, though all would reach the goal"),
        pytest.param(2, (9, 10, 10), "high low", (10, 11, 10), 1, id="S44 S45 low comes before jack"),
        pytest.param(2, (9, 9, 9), "high low jack game", (11, 10, 10), 0, id="S45 game comes last of the four"),
        pytest.param(2, (8, 9, 9), "high low jack game", (10, 10, 10), None, id="S5 S21 the usual goal is not reached"),
        pytest.param(3, (10, 10, 10), "low", (7, 11, 10), 1, id="R-S13 a set pitcher isn't there on high"),
        pytest.param(3, (10, 9, 10), "low jack", (7, 10, 11), 2, id="R-S14 R-S13 the others go on in order"),
        pytest.param(2, (-2, 10, 4), "high low", (-1, 11, 4), 1, id="R-S15 R-S16 scores end short, or negative"),
    ],
)
def test_points_are_credited_in_order_until_a_player_reaches_the_goal(
    bid: int, before: Scores, credited: str, after: Scores, winner: int | None
) -> None:
    facts = play_hand((bid, 0, 0), *SHARED, scores=before)
    result = only_fact(HandScored, facts)
    assert pegs_text(result.pegs).translate(str.maketrans("", "", "()")) == "high 0 AH, low 1 2H, jack 2 JH, game 0"
    assert (" ".join(peg.point for peg in result.pegs if peg.credited), result.scores) == (credited, after)
    assert result.changes == tuple(new - old for new, old in zip(after, before, strict=True))
    assert game_ended(facts) == (None if winner is None else GameEnded("goal", (winner,), after))


@pytest.mark.parametrize(
    ("before", "after", "pegs"),
    [
        pytest.param(6, 11, "high 0 AH, low 0 2H, jack 0 JH, game 0, smudge 0", id="R-S14 the fifth point wins, last"),
        pytest.param(7, 11, "high 0 AH, low 0 2H, jack 0 JH, game 0, (smudge 0)", id="R-S15 the game point wins"),
        pytest.param(10, 11, "high 0 AH, (low 0 2H), (jack 0 JH), (game 0), (smudge 0)", id="S44 high is enough"),
    ],
)
def test_a_smudge_at_the_finish(before: int, after: int, pegs: str) -> None:
    facts = play_hand((5, 0), *SWEPT, scores=(before, 10))
    assert pegs_text(only_fact(HandScored, facts).pegs) == pegs
    assert game_ended(facts) == GameEnded("goal", (0,), (after, 10))


@pytest.mark.parametrize("goal", [pytest.param(goal, id=f"S21 S4 to {goal}") for goal in (7, 11, 21)])
def test_the_first_to_the_goal_wins(goal: int) -> None:
    assert game_ended(play_hand((2, 0, 0), *SHARED, scores=(goal - 3, 0, 0), win=goal)) is None
    over = game_ended(play_hand((2, 0, 0), *SHARED, scores=(goal - 2, goal - 2, goal - 2), win=goal))
    assert over == GameEnded("goal", (0,), (goal, goal - 1, goal - 1))


@pytest.mark.parametrize(
    ("left", "before", "after", "winners"),
    [
        pytest.param((0,), (10, 10, 9), (11, 11, 9), (1,), id="R-P9 over the goal, it does not stop the scoring"),
        pytest.param((0,), (10, 0, 0), (12, 1, 1), None, id="R-P9 over the goal, it does not end the game"),
        pytest.param((0,), (25, 0, 10), (26, 1, 11), (2,), id="R-P9 long over the goal it is still credited"),
    ],
)
def test_a_seat_that_left_takes_points_and_wins_nothing(
    left: tuple[int, ...], before: Scores, after: Scores, winners: tuple[int, ...] | None
) -> None:
    facts = play_hand((2, 0, 0), *SHARED, scores=before, left=left)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winners is None else GameEnded("goal", winners, after))


def test_every_command_is_refused_after_the_end() -> None:
    table = playing((2, 0, 0), SHARED, scores=(9, 0, 0))
    over = given(*table.facts, *commit(table, plays(SHARED, 3)[-1]))
    moves: tuple[Command, ...] = (PlayCard(0, cards("AH")[0]), MakeBid(0, 2), PassBid(0), AskUndo(2), ProposeDraw(1))
    duties = (OpenCeremony(9, "deal hand 9", SEED), EndGame(), EndSession(1, "randomizer 0 end"), Tick())
    for command in (*moves, Resign(1), *duties):
        over.when(command).rejected(GameOver)
    assert over.state.turn == ()
    for duty in (RevealCeremony(4), EndGame()):
        table.when(duty).rejected(NotDue)


@pytest.mark.parametrize(
    ("reveal", "played_out"),
    [
        pytest.param("hand", ["CeremonyRevealed", "CeremonyOpened"], id="R-S22 reveal hand: after every hand"),
        pytest.param("game", ["CeremonyOpened", "SeedKept"], id="R-S22 reveal game: only at the end"),
    ],
)
def test_deals_are_revealed_after_each_hand_or_at_the_end(reveal: str, played_out: list[str]) -> None:
    table = Table(2, reveal=reveal, win=7).plays_out()
    facts = [event.fact for event in table.events]
    assert facts[facts.index("HandScored") + 1 :][:2] == played_out
    dealt = [event.data.n for event in table.events if event.fact == "HandDealt"]
    assert [event.data.n for event in table.events if event.fact == "CeremonyRevealed"] == dealt
    if reveal == "game":
        assert facts[-len(dealt) - 1 :] == ["CeremonyRevealed"] * len(dealt) + ["GameEnded"]
    assert "CeremonyVoided" not in facts
