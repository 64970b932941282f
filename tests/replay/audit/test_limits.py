"""The second reading knows the limits of a game: audits, rejudging and forgeries."""

from typing import Any

import pytest

from domain.events import GameLimits
from replay.audit import GREEN, WRONG, audit
from replay.history import History
from replay.rejudge import rejudge
from tests.replay.forging import with_data
from tests.replay.history.test_fold import compare
from tests.replay.playing import table
from tests.replay.variety import BY_HOST, WILD

KINDS: dict[str, dict[str, Any]] = {
    "gamerz Pitch": {"variant": "pitch", "win": 21},
    "Pitch revealed at the end": {"variant": "pitch", "win": 21, "reveal": "game"},
    "Setback": {"variant": "setback"},
    "Blackout": {"variant": "blackout"},
    "Corellian Pitch with a host": {"variant": "corellian", **BY_HOST},
    "Corellian Pitch that changes all the time": {"variant": "corellian", **WILD},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_with_limits_is_audited_and_judged_again_without_a_finding(kind: str) -> None:
    made = table(1, limits=GameLimits(90, 50), **KINDS[kind]).play(0.2, also=0.1)
    compare(made)
    report = audit(made.history, rejudge(made.history))
    assert (report.findings, report.code()) == ([], GREEN)


def limited() -> History:
    """Return a game of three that ends by its limit, with two proposals."""
    made = table(5, 3, win=21, limits=GameLimits(60, 2))
    for _ in range(2):
        made.draw(accept=False)
    return made.play().history


def said(history: History) -> str:
    report = audit(history)
    assert report.code() == WRONG
    return "; ".join(each.says for each in report.findings)


def with_limits(events: int | None, proposals: int = 2) -> History:
    """Return the game with other limits in its opening, and all hashes recomputed."""
    limits = None if events is None else {"events": events, "proposals": proposals}
    return with_data(limited(), 1, limits=limits)


def test_an_end_by_a_limit_that_the_log_has_not_reached_is_found() -> None:
    assert '"limit", but the facts before it bring about no such end' in said(with_limits(1000))
    assert "but must be" in said(with_limits(None))


def test_a_hand_dealt_beyond_the_limit_is_found() -> None:
    assert "it's CeremonyOpened, but must be" in said(with_limits(10))


def test_a_proposal_beyond_the_limit_is_found() -> None:
    assert "seat 0 makes proposal 2 of this hand, but may make 1" in said(with_limits(60, 1))
