"""Question 6 of docs/questions.md: points as recorded, as recomputed, and as ruled."""

from replay.history import History
from replay.queries import score
from replay.queries.dispute_case import points_lines
from tests.games.disputes import appeal, contest, decide, rule
from tests.games.tables import Table
from tests.replay.asking import history_of, says
from tests.replay.forging import version_of, with_data


def test_section_3_6_a_score_that_does_not_add_up_is_found(whole: History) -> None:
    at = version_of(whole, "HandScored")
    first, *others = whole.events[at - 1].data.changes
    false = with_data(whole, at, changes=[first + 1, *others])
    hand = next(event.data.hand for event in whole.events if event.version == at)
    assert (score(false, hand).code, score(false, hand + 1).code) == (1, 0)
    told = score(false, hand).to_json()["hands"][0]
    assert told["recorded"]["changes"] != told["recomputed"]["changes"]


def test_the_cards_that_each_side_took_stand_beside_the_points(whole: History) -> None:
    for told in score(whole).to_json()["hands"]:
        cards = [card for taken in told["taken"] for card in taken]
        assert len(set(cards)) == len(cards) == 6 * len(told["tricks"])
        assert sorted(seat for side in told["sides"] for seat in side) == [0, 1, 2, 3]
    table = Table(4, variant="setback").plays_out(hands=1)
    contest(table, 0, 1, kind="score")
    lines = points_lines(history_of(table), 1)
    assert [line.split(" take ")[0] for line in lines] == ["p1 and p3", "p0 and p2"]
    assert points_lines(history_of(Table()), 1) == ["the hand isn't scored"]


def contested() -> Table:
    """Return a game with two scored hands, the first of them contested."""
    made = Table(4, seed=3).plays_out(hands=2)
    contest(made, 1, 1)
    return made


def test_section_5_an_upheld_ruling_stays_and_decides_the_winners() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    appeal(made, 0)
    decide(made, "upheld")
    made.plays_out()
    told = score(history_of(made)).to_json()
    ended = made.events[-1].data
    assert told["as_ruled"] == {"scores": list(ended.ruled.scores), "winners": list(ended.ruled.winners)}


def test_section_5_a_ruling_with_other_scores_than_it_makes_is_found() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    at = made.events[-1].version
    ruled = made.events[-1].data.ruled
    scores = [ruled.scores[0] + 5, *ruled.scores[1:]]
    answer = score(with_data(history_of(made), at, ruled={"scores": scores, "winners": list(ruled.winners)}))
    assert (answer.code, answer.findings[0].version) == (1, at)
    assert "the rulings in force make it" in says(answer)
