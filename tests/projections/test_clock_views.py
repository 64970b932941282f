"""Times in a view: the deadline of the awaited seats, the seats out of time, and the end of the game (R-P10)."""

from domain.commands import PassBid, Resign
from domain.events import Fairness, Timing, TurnPace
from domain.state import require
from projections.views.seat import View, view_at
from tests.replay.playing import Table, table

DEALT, OUT = "2026-11-21T00:00:01.000000Z", "2026-12-12T00:00:01.000000Z"


def shown(made: Table, viewer: int | None = None) -> View:
    return view_at(made.entries, viewer, len(made.entries))


def test_R_P10_all_viewers_see_the_deadline_of_the_awaited_seat() -> None:
    made = table(1, 3)
    for viewer in (None, 0, 1, 2):
        assert shown(made, viewer)["turn"] == {"seats": [0], "since": DEALT, "deadline": OUT}
    made.waits(7)
    assert made.entries[-1].event.fact == "TurnReminded"
    assert shown(made)["turn"] == {"seats": [0], "since": DEALT, "deadline": OUT}


def test_R_P10_no_deadline_is_shown_for_bots_or_at_a_table_without_deadlines() -> None:
    assert shown(table(1, 3, bots=(0,)))["turn"]["deadline"] is None
    assert shown(table(1, 3, timing=Timing(forfeit_days=None)))["turn"]["deadline"] is None
    waiting = shown(table(1, 3, fairness=Fairness("open", 2)))
    assert (waiting["turn"]["seats"], waiting["turn"]["deadline"]) == ([], None)


def test_R_P10_a_seat_out_of_time_can_do_nothing_and_has_no_deadline() -> None:
    made = table(1, 3).waits(21)
    look = shown(made, 0)
    assert [seat["state"] for seat in look["seats"]] == ["forfeited", "in", "in"]
    assert look["turn"] == {"seats": [0], "since": DEALT, "deadline": None}
    assert (look["you"]["legal"], look["you"]["choose"], look["you"]["may"]) == ([], None, [])
    made.move()
    assert shown(made)["turn"] == {"seats": [1], "since": made.now, "deadline": "2027-01-02T00:00:03.000000Z"}


def test_R_P10_a_finished_game_awaits_no_seat_and_shows_its_reason() -> None:
    made = table(1, 2).waits(21)
    look = shown(made)
    assert (look["turn"]["seats"], look["turn"]["deadline"]) == ([], None)
    assert (require(look["result"])["reason"], require(look["result"])["winners"]) == ("forfeit", [1])


def test_C6_a_game_with_a_number_of_days_shows_its_end() -> None:
    made = table(1, 3, timing=Timing(total_days=3))
    assert shown(made)["rules"]["ends_at"] == "2026-11-24T00:00:01.000000Z"
    assert "ends_at" not in shown(table(1, 3))["rules"]
    made.says(Resign(1))
    assert require(shown(made.waits(3))["result"])["reason"] == "time"


def test_R_P15_a_view_shows_the_deadline_and_the_time_left_of_each_seat() -> None:
    pace = TurnPace("live", base_s=300, increment_s=5)
    made = table(1, 3, bots=(2,), timing=Timing(pace=pace))
    made.clock += 99
    made.says(PassBid(0))
    assert shown(made)["turn"] == {"seats": [1], "since": made.now, "deadline": "2026-11-21T00:06:46.000000Z"}
    assert shown(made)["clock"] == {
        "pace": {"kind": "live", "base_s": 300, "increment_s": 5},
        "autopilot": "forfeit",
        "running": {"seat": 1, "since": made.now, "left_ms": 305_000, "held_ms": 0, "closed": []},
        "left_ms": [205_000, 300_000, None],
    }
    inside = view_at(made.entries, None, len(made.entries) - 1)
    assert (inside["turn"]["seats"], inside["clock"]["running"]) == ([], None)


def test_R_P17_a_table_with_claims_says_so_and_offers_them_to_the_others() -> None:
    made = table(1, 3, autopilot="claim")
    assert shown(made)["clock"] == {"pace": None, "autopilot": "claim", "running": None, "left_ms": []}
    assert ["claim_time" in shown(made, seat)["you"]["may"] for seat in range(3)] == [False, True, True]
    assert "clock" not in shown(table(1, 3))
