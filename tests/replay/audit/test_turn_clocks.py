"""Clocks of turns, claims and bots that sit in, read a second time (R-P15 to R-P18)."""

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from domain.commands import AnswerProposal, AskUndo, ClaimTime, ReturnSeat
from domain.decide.table_talk import has_undealt_ceremony
from domain.engine.deadlines import counts_from, is_overdue
from domain.events import Timing, TurnPace, TurnTimed
from domain.state import State
from domain.store.aggregate import AlwaysOpen
from replay.fold.clocks import elapsed_ms
from replay.history import History, export_bytes, read_export
from replay.queries.timing import turn_times
from replay.text.narrate import narrate
from tests.replay.audit.test_clock import findings_in
from tests.replay.finding import find_fact
from tests.replay.forging import forged, in_each
from tests.replay.playing import Table, table
from tests.replay.test_variants import sound
from tests.replay.variety import VARIETY

PACES = {
    "live": TurnPace("live", base_s=60, increment_s=5, auction_s=20, cap_s=90),
    "daily": TurnPace("daily", move_s=86_400),
    "bank": TurnPace("bank", base_s=2 * 86_400, move_s=43_200, cap_s=3 * 86_400),
}
AUTOPILOTS = ("forfeit", "claim", "bot:simple")
DAY_S = 86_400


class EveningsOff(AlwaysOpen):
    """Hours of players whose clock stands still from 18:00 to 24:00, for the 60 days of these tests."""

    def closed_intervals(self, _player: str, since: str, _time_ms: int) -> tuple[tuple[str, str], ...]:
        days = [f"2026-{month}-{day:02}" for month, last in ((11, 30), (12, 31)) for day in range(1, last + 1)]
        times = [(f"{day}T18:00:00.000000Z", f"{day}T23:59:59.000000Z") for day in days]
        return tuple(each for each in times if each[1] > since)


def with_pauses(seed: int, kind: str, autopilot: str, moves: int = 60) -> Table:
    """Play with pauses, undos, claims, holds of the clock, and players who come back from time to time."""
    chance = Random(seed)
    name = chance.choice(list(VARIETY))
    settings = VARIETY[name] | {"timing": Timing(1, None, pace=PACES[kind]), "autopilot": autopilot}
    made = table(seed, **settings, hours=EveningsOff())
    for _ in range(moves):
        if made.over:
            break
        step(made, chance, kind)
    return made


def step(made: Table, chance: Random, kind: str) -> None:
    """Make one move, or let time pass: the clock, the others or the bot then act."""
    state = made.game.state
    made.clock += round(chance.choice([0, 0, 1, 8, 30]) * (1 if kind == "live" else DAY_S / 20))
    if chance.random() < 0.1:
        lasted = elapsed_ms(counts_from(state), made.now) or 0
        made.held_ms = round(lasted * chance.choice([0, 0.1, 1])) if state.turn else 0
        made.stop()
        made.held_ms = 0
    elif state.turn and is_overdue(state, made.now) and state.opened is not None and state.opened.autopilot == "claim":
        claimer = next((seat for seat in state.persons if seat not in state.turn), None)
        if claimer is not None and chance.random() < 0.5:
            made.says(ClaimTime(claimer))
    elif (lent := lent_seats(state)) and chance.random() < 0.2:
        made.do(ReturnSeat(lent[0]), state.seats[lent[0]].lenders[0])
    if not made.over:
        made.play(0.2, 1, 0.1)


def lent_seats(state: State) -> list[int]:
    """Return the seats that can be taken back now."""
    return [seat for seat in state.still_in if state.seats[seat].lenders and not has_undealt_ceremony(state)]


@pytest.mark.parametrize("autopilot", AUTOPILOTS)
@pytest.mark.parametrize("kind", PACES)
def test_a_game_with_pauses_is_sound(kind: str, autopilot: str) -> None:
    for seed in range(3):
        sound(read_export(export_bytes(with_pauses(seed, kind, autopilot).history)), live=True)


@cache
def told(autopilot: str = "forfeit") -> Table:
    """Return a game of Pitch with a clock that was held once, and a seat that ran out of time."""
    made = table(1, 3, timing=Timing(None, None, pace=PACES["daily"]), autopilot=autopilot, hours=EveningsOff())
    for _ in range(3):
        made.move()
    made.held_ms = 3_600_000
    made.waits(0.9)
    made.waits(0.5)
    made.held_ms = 0
    if autopilot == "claim":
        made.says(ClaimTime((made.game.state.turn[0] + 1) % 3))
    else:
        made.stop()
    made.move()
    return made


def shifted(field: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    """Change a field in the last clock of the game."""

    def put(event: dict[str, Any]) -> None:
        if event["fact"] == "TurnTimed" and event["data"]["held_ms"]:
            event["data"][field] = change(event["data"][field])

    return put


MOVED: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "R-P15 earlier": ("deadline", lambda _: "2026-11-21T20:00:00.000000Z", "follows to be"),
    "R-P15 later": ("deadline", lambda _: "2026-12-21T20:00:00.000000Z", "follows to be"),
    "R-P15 less time": ("left_ms", lambda ms: ms - 1, "starts its turn with"),
    "R-P15 held longer": ("held_ms", lambda ms: ms + 1, "follows to be"),
    "R-P15 held longer than the turn": ("held_ms", lambda _: 10**9, "have been held"),
    "R-P16 an evening is missing": ("closed", lambda _: [], "follows to be"),
    "R-P16 out of order": ("closed", lambda times: times[::-1] * 2, "can't be those"),
    "R-P16 no times": ("closed", lambda _: [["x", "y"]], "can't be those"),
    "R-P15 held beyond the calendar": ("held_ms", lambda _: 10**15, "have been held"),
    "R-P16 a time after the deadline": (
        "closed",
        lambda times: [*times, ["2027-01-01T18:00:00.000000Z", "2027-01-01T19:00:00.000000Z"]],
        "after the deadline",
    ),
    "R-P15 another seat": ("seat", lambda seat: (seat + 1) % 3, "is not to move"),
}
"""Forged fields of a clock, and words of the finding, the same in JavaScript except for "no times"."""


@pytest.mark.parametrize(("field", "change", "said"), MOVED.values(), ids=MOVED)
def test_a_moved_deadline_is_found(field: str, change: Callable[[Any], Any], said: str) -> None:
    assert findings_in(told().history) == []
    assert any(said in each for each in findings_in(forged(told().history, shifted(field, change))))


@cache
def undone() -> Table:
    """Return a live game in which a move is taken back with two seconds left."""
    made = table(1, 2, timing=Timing(None, None, pace=TurnPace("live", base_s=60)))
    made.clock += 58
    made.move()
    made.says(AskUndo(0))
    made.says(AnswerProposal(1, accept=True))
    return made


TURNS: dict[str, tuple[Callable[[], History], Callable[[dict[str, Any]], None], str]] = {
    "R-P15 after an undo less than ten seconds": (
        lambda: undone().history,
        in_each("TurnTimed", lambda event: event["data"]["left_ms"] == 10_000 and event["data"].update(left_ms=1000)),
        "starts its turn with 1000 ms, but has 10000 ms",
    ),
    "R-P15 a turn that goes on after an undo": (
        lambda: undone().history,
        in_each("MovesTakenBack", lambda event: event["data"].update(begins_turn=False)),
        "the turn goes on after the undo",
    ),
}
"""Forged turns after undos, and words of the finding, the same in JavaScript."""


@pytest.mark.parametrize(("make", "change", "said"), TURNS.values(), ids=TURNS)
def test_a_forged_turn_after_an_undo_is_found(
    make: Callable[[], History], change: Callable[[dict[str, Any]], None], said: str
) -> None:
    assert findings_in(make()) == []
    assert any(said in each for each in findings_in(forged(make(), change)))


def test_R_C31_a_call_says_truly_whether_it_ends_the_turn() -> None:
    calling = find_fact("Corellian of secret partners", "PartnerCalled")[0]
    assert findings_in(calling) == []
    turned = in_each("PartnerCalled", lambda event: event["data"].update(begins_turn=not event["data"]["begins_turn"]))
    assert any("the turn, but the table" in each for each in findings_in(forged(calling, turned)))


def test_R_P15_a_missing_clock_and_a_clock_at_a_table_without_one_are_found() -> None:
    forget = in_each("GameOpened", lambda event: event["data"]["timing"].update(pace=None))
    assert any("must be" in each for each in findings_in(forged(told().history, forget)))


def data(fact: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return in_each(fact, lambda event: event["data"].update(fields))


def opened(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return data("GameOpened", **fields)


def bots_around(event: dict[str, Any]) -> None:
    """Leave one person at the table: seat 0, whose time is over."""
    for player in event["data"]["players"][1:]:
        player.update(kind="bot", bot="simple")


@pytest.mark.parametrize(
    ("autopilot", "change", "said"),
    [
        pytest.param("claim", opened(autopilot="forfeit"), "it's TimeClaimed, but must be", id="R-P17 no claims here"),
        pytest.param(
            "claim", data("SeatForfeited", reason="time"), 'must forfeit for "claimed"', id="R-P17 the reason"
        ),
        pytest.param("claim", data("TimeClaimed", seat=0, late=0), "can't claim the time", id="R-P17 its own time"),
        pytest.param("bot:simple", opened(autopilot="bot:random"), "but the autopilot is", id="R-P18 another bot"),
        pytest.param(
            "forfeit", opened(autopilot="bot:simple"), 'must forfeit for "handover" here', id="R-P18 no bot took over"
        ),
        pytest.param("bot:simple", data("SeatHandedOver", to="p1"), "who has or had a seat", id="R-P18 a player"),
        pytest.param("bot:simple", in_each("GameOpened", bots_around), "no other person", id="R-P18 the last person"),
        pytest.param("bot:simple", opened(autopilot="forfeit"), "not every other person", id="R-P18 no bots here"),
    ],
)
def test_a_forged_time_out_is_found(autopilot: str, change: Callable[[dict[str, Any]], None], said: str) -> None:
    assert findings_in(told(autopilot).history) == []
    found = findings_in(forged(told(autopilot).history, change))
    assert any(said in each for each in found), found


def test_R_P18_a_bot_that_takes_a_seat_too_soon_is_found() -> None:
    soon = in_each("SeatHandedOver", lambda event: event.update(at="2026-11-22T00:00:00.000000Z"))
    assert any("the clock takes seat" in each for each in findings_in(forged(told("bot:simple").history, soon)))


def test_a_clock_and_a_claim_are_narrated() -> None:
    names = {0: "ann", 1: "bob"}
    clock = TurnTimed(1, 90_000, (), 0, "2026-11-21T00:01:30.000000Z")
    assert narrate(clock, names) == "the clock of bob runs, with 90 s left, until 2026-11-21T00:01:30.000000Z"
    claims = [entry.event.data for entry in told("claim").entries if entry.event.fact == "TimeClaimed"]
    assert "claims that" in str(narrate(claims[0], {0: "ann", 1: "bob", 2: "cat"}))


def test_R_P15_the_times_of_turns_are_compared_with_their_clocks() -> None:
    body = turn_times(told().history).body
    assert json.loads(json.dumps(body))["limits"]["pace"]["move_s"] == 86_400
    limits = [turn["limit_ms"] for turn in body["turns"][:3]]
    assert all(limit is not None and limit >= 86_400_000 for limit in limits)
