"""Every route about a delayed game tells a spectator what it told when the log ended where they see it."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

import api.play.services.gate as delay_module
import api.play.services.gate as gate_module
from api.evidence.services.receipts import ReceiptIssuer
from api.play.services.positions import POSITION
from domain.events import Player, Watch
from tests.api.conftest import Caller
from tests.api.worlds import Events, play_random_game, time_after
from tests.campaigns.worlds.campaign import Stage, open_stage
from tests.campaigns.worlds.served import Server
from tests.campaigns.worlds.sight import Setup
from tests.campaigns.worlds.stories import is_over, late_head
from tests.plugins.chance import seeded_randomness
from tests.values import replace
from tests.watching.routes import Response, requests_about, whole_response


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """Two servers with the same players."""
    with open_stage() as opened:
        yield opened


def delayed_events(people: Sequence[Player], variant: str, moves: int, delay: int) -> Events:
    """Return a random game that spectators see `delay` facts late."""
    first, *others = play_random_game(random.Random(f"{variant} {moves}"), people, variant, moves)
    return [replace(first, data=replace(first.data, watch=Watch(delay=delay))), *others]


def responses(server: Server, token: str | None) -> dict[str, Response]:
    """Return what every route about the game answers, and the bulk export, without the encrypted position."""
    caller, told = Caller(server.app.test_client(), token), dict[str, Response]()
    for request in (*requests_about(server.app, 1), ("GET", "/exports/games", None)):
        with seeded_randomness(str(request)):
            answer = caller.ask(*request)
        answer.headers.pop(POSITION, None)
        told[str(request)] = whole_response(answer)
    return told


QUICK = {("pitch", 2), ("corellian", 17)}
GAMES = [
    pytest.param(variant, players, moves, marks=() if (variant, moves) in QUICK else pytest.mark.slow)
    for variant, players in (("pitch", 3), ("setback", 4), ("blackout", 4), ("corellian", 4))
    for moves in (2, 17, 44)
]


@pytest.mark.parametrize(("variant", "players", "moves"), GAMES)
def test_spectators_get_byte_by_byte_what_they_got_when_the_log_ended_at_the_head(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, variant: str, players: int, moves: int
) -> None:
    delay, tokens = 1 + moves % 7, (None, stage.office.people["eve"].token)
    events = delayed_events(stage.office.players[:players], variant, moves, delay)
    head, now = late_head(events, delay), time_after(events[-1].at, 20)
    monkeypatch.setattr(ReceiptIssuer, "issue_missing", lambda *_: None)  # spectators see none before the end
    stage.server.put(Setup(events), now)
    lists = [Caller(stage.server.app.test_client(), token).get("/games").data for token in tokens]
    seated = Caller(stage.server.app.test_client(), stage.office.people["p0"].token)
    assert seated.get("/games/1").get_json()["version"] == len(events)
    late = [responses(stage.server, token) for token in tokens]
    if not head:
        assert all(b"nothing of it can be seen yet" in told[str(("GET", "/games/1", None))][2] for told in late)
        assert all(told[str(("GET", "/exports/games", None))][2] == b"" for told in late)
        return
    stage.other.put(Setup(events[:head]), now)
    with monkeypatch.context() as patch:
        for module in (gate_module, delay_module):
            patch.setattr(module, "is_delayed", lambda _: False)
        for told, token in zip(late, tokens, strict=True):
            for request, response in responses(stage.other, token).items():
                assert told[request] == response, request
    opening = next(one.version for one, after in pairwise(events) if one.command != after.command)
    stage.other.put(Setup(events if is_over(events) else events[:opening]), now)
    assert lists == [Caller(stage.other.app.test_client()).get("/games").data] * 2, "until the end as at the opening"
