"""The audit and today's rules accept what decide accepts, in every situation: commands are enumerated, not drawn."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.commands import ChangeRules, VoteDelay
from domain.events import FACTS, Fairness, GameLimits, Timing, TurnPace
from domain.rules.choices import Phase
from domain.state import Hand
from replay.audit import GREEN, audit
from replay.rejudge import rejudge
from tests.agreement.situations import TRIED, Explored, explore
from tests.replay.playing import WINDOW_S, Table, table, until
from tests.replay.variety import AT_ROUND_1000, SOON, WITH_BEACON, randomizer

OPEN, SEALED = Fairness("open", WINDOW_S), Fairness("sealed", WINDOW_S)
LIVE = Timing(None, None, pace=TurnPace("live", base_s=60, increment_s=20))
DAILY = Timing(None, None, pace=TurnPace("daily", move_s=24 * 3600))
BY_HOST: dict[str, Any] = {"variant": "corellian", "randomizer": None, "host_changes": True}


def called(**options: Any) -> Table:
    """Open a table at which the pitcher calls a partner."""
    made = table(2, **BY_HOST, **options)
    made.says(ChangeRules(0, "partners:call"))
    return made


KINDS: dict[str, Callable[[], Table]] = {
    "Pitch with open cuts": lambda: table(1, 3, fairness=OPEN),
    "Setback with open cuts": lambda: table(1, 4, variant="setback", fairness=OPEN),
    "Blackout with open cuts": lambda: table(1, 4, variant="blackout", fairness=OPEN),
    "Corellian with open cuts and a host who changes rules": lambda: table(2, **BY_HOST, fairness=OPEN),
    "Pitch of two": lambda: table(1, 2),
    "Pitch with limits, revealed at the end": lambda: table(1, 2, limits=GameLimits(60, 1), reveal="game"),
    "Pitch with sealed cuts": lambda: table(1, 2, fairness=SEALED),
    "Pitch with a beacon": lambda: table(1, 3, fairness=WITH_BEACON, start=AT_ROUND_1000),
    "Pitch with a bot and without undo": lambda: table(1, 3, bots=(1,), undo="none"),
    "Pitch for practice, live": lambda: table(1, 3, bots=(1, 2), undo="practice", timing=LIVE),
    "Pitch live, with claims": lambda: table(1, 3, timing=LIVE, autopilot="claim", fairness=OPEN),
    "Pitch live, with bots for late seats": lambda: table(1, 3, timing=LIVE, autopilot="bot:simple", fairness=SEALED),
    "Pitch that ends by time": lambda: table(1, 3, timing=Timing(ends_at=SOON), fairness=OPEN, reveal="game"),
    "Corellian with a secret call, live": lambda: called(timing=LIVE, call="secret"),
    "Corellian with an announced call, daily": lambda: called(timing=DAILY, fairness=OPEN),
    "Corellian with all cards dealt": lambda: called(call="secret", deal="all", follow="suit_or_trump"),
    "Corellian held back until a verdict": lambda: table(
        2, variant="corellian", hold="verdict", **randomizer((1, 2)), host_changes=True, fairness=OPEN
    ),
    "Corellian ended by a draw after the hand": lambda: table(
        2, variant="corellian", stop="after_hand", **randomizer((1, 9), (1, 20)), fairness=OPEN
    ),
    "Corellian ended by time after the hand": lambda: table(
        2, variant="corellian", stop="after_hand", randomizer=None, ends_at=SOON, fairness=OPEN
    ),
    "Corellian ended by time": lambda: table(2, **BY_HOST, ends_at=SOON, fairness=OPEN),
}
"""Tables of all variants, and with each setting on which it depends what may come next."""
OF_EACH_VARIANT = list(KINDS)[:4]


NEVER_ALONE = {"OpenGame", "RevealCeremony", "VoidCeremony", "BringChange", "EndGame", "HandOver", "TimeTurn"}
"""Commands that are due only right after another one, in whose commit the table makes them."""
NOT_MET = {"CoinFlipped", "DelayDropped"}
"""Facts of situations farther on: a tie after all hands, and a ruling while a call is open. Other tests read them."""


@pytest.mark.parametrize("name", OF_EACH_VARIANT)
def test_both_readings_accept_every_command_that_is_accepted_in_a_phase(name: str) -> None:
    found = explore(KINDS[name], most_matters=0)
    assert found.faults == []
    assert len(found.situations) >= 7


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_both_readings_accept_every_command_at_every_kind_of_table_whatever_is_open() -> None:
    """Each command is accepted somewhere, and each fact is read that is within reach."""
    total = Explored()
    for make in KINDS.values():
        found = explore(make, most_matters=1)
        assert found.faults == []
        total.accepted.update(found.accepted)
        total.facts.update(found.facts)
    assert total.accepted.keys() == {kind.__name__ for kind in TRIED} - NEVER_ALONE
    assert total.facts.keys() == FACTS.keys() - NOT_MET


# While a deal waits for cuts


def waiting(**options: Any) -> Table:
    """Return a table of Corellian Pitch, whose first deal waits for cuts."""
    made = table(2, **BY_HOST, fairness=OPEN, **options)
    assert made.state.phase is Phase.WAITING
    return made


def is_right(made: Table) -> bool:
    """Return whether both readings accept the whole log."""
    report = audit(made.history, rejudge(made.history))
    assert report.findings == []
    return report.code(live_is_fine=True) == GREEN


def test_the_host_may_change_rules_while_a_deal_waits_for_cuts() -> None:
    made = waiting()
    made.says(ChangeRules(0, "points:7"))
    assert made.entries[-1].event.fact == "RulesChanged"
    assert is_right(made)
    assert is_right(until(made, lambda table: table.state.phase is Phase.AUCTION))


def hand_of(made: Table) -> Hand:
    assert made.state.hand is not None
    return made.state.hand


def test_R_C63_an_open_call_is_voted_on_and_judged_while_the_next_deal_waits_for_cuts() -> None:
    made = until(waiting(), lambda table: table.state.phase is Phase.PLAY and hand_of(table).number == 1)
    made.accuse()
    until(made, lambda table: table.state.phase is Phase.WAITING and hand_of(table).over)
    call = made.state.delay
    assert call is not None
    for seat in [each for each in range(4) if each not in (call.seat, call.accused)]:
        made.says(VoteDelay(seat, True))
        assert is_right(made)
    assert [entry.event.fact for entry in made.entries[-2:]] == ["DelayVoted", "DelayJudged"]
    assert is_right(until(made, lambda table: table.state.phase is Phase.AUCTION))
