"""The agenda: which games are due, on both databases."""

from projections.agenda import due
from projections.rows import RowStore
from projections.runner import Followers
from tests.projections.playing_stored import Play

SOON, LATER = "2999-01-01T08:00:00.000000Z", "2999-01-01T09:00:00.000000Z"


def owed(rows: RowStore, now: str, limit: int = 64) -> list[str]:
    with rows.reading("agenda") as reading:
        return due(reading, now, limit)


def test_C6_a_game_is_due_from_its_time_on_until_it_has_ended(play: Play, rows: RowStore, followers: Followers) -> None:
    ends = [{"ends_at": f"{at[:19]}Z", "randomizer": None} for at in (LATER, SOON)]
    late, early = (play.open(4, variant="corellian", options=options) for options in ends)
    play.open(3)
    followers.catch_up()
    assert owed(rows, "2999-01-01T07:59:59.999999Z") == []
    assert owed(rows, SOON) == [early]
    assert owed(rows, LATER) == [early, late]
    assert owed(rows, LATER, 1) == [early]
    assert owed(rows, LATER, -1) == []
    for seat in (1, 2, 3):
        play.resign(early, seat)
    followers.catch_up()
    assert owed(rows, LATER) == [late]
