"""The autoplayer moves for bots and for seats that left, at once, with a commit for each move."""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from api.play.services.autoplay import AutoPlayer, fixed_time
from api.worker import Worker
from domain.cards import Card
from domain.engine.timestamps import format_time, parse_time
from domain.events import CardPlayed
from domain.rules.model import Rules
from projections.bots import choose
from projections.views.cache import ViewCache
from tests.api.conftest import services_of
from tests.api.given_http import Table, given_http
from tests.api.past_times import time_ago
from tests.given import auction, deal, game_opened
from tests.logs.reading import all_notices

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H", "AS KS QS JS 10S 9S"]
Pick = Callable[[int], int]


def use_autoplayer(
    app: Flask, choose: Callable[[str, Mapping[str, Any], Rules, Pick], Mapping[str, Any]] = choose
) -> AutoPlayer:
    """Replace the server's autoplayer with one that uses this `choose`."""
    here = services_of(app)
    here.autoplayer = AutoPlayer(here.games, ViewCache(here.games), choose, random.Random(1).randrange)
    return here.autoplayer


def test_bots_play_in_the_same_answer_each_in_a_commit_of_its_own_and_a_repeat_shows_that_too(app: Flask) -> None:
    table = given_http(app, game_opened(4, bots=(1, 2)), *deal(HANDS))
    answered = table.when(0, {"type": "bid", "bid": 2}, Idempotency_Key="k1")
    answered.happens()
    told = [line["event"] for line in answered.answer.get_json()["events"]]
    assert [event["data"]["seat"] for event in told] == [0, 1, 2]
    assert [event["by"] for event in told[1:]] == ["bot:random:1", "bot:random:2"]
    assert len({event["command"] for event in told}) == 1
    assert all_notices(table.games)[-1].event.version == told[-1]["version"]
    assert answered.answer.get_json()["view"]["turn"]["seats"] == [3]
    table.when(3, {"type": "pass"}).happens()
    assert table.when(0, {"type": "bid", "bid": 2}, Idempotency_Key="k1").answer.data == answered.answer.data


def test_a_bot_is_given_its_own_view_and_nothing_more(app: Flask, table: Table) -> None:
    seen: list[Mapping[str, Any]] = []

    def spy(strategy: str, view: Mapping[str, Any], rules: Rules, pick: Pick) -> Mapping[str, Any]:
        seen.append(view)
        return choose(strategy, view, rules, pick)

    use_autoplayer(app, spy)
    table.when(0, {"type": "bid", "bid": 2}).happens()
    (view,) = seen
    assert view["you"]["seat"] == 1
    assert view["you"]["cards"] == HANDS[1].split()
    assert not any(f"'{card}'" in repr(view) for seat in (0, 2, 3) for card in HANDS[seat].split())


def test_no_time_of_a_move_depends_on_how_long_a_bot_thinks(app: Flask) -> None:
    table = given_http(app, game_opened(4, bots=(1, 2)), *deal(HANDS))
    time = parse_time(time_ago(minutes=1))

    def slowly(strategy: str, view: Mapping[str, Any], rules: Rules, pick: Pick) -> Mapping[str, Any]:
        nonlocal time
        time += 70_000 * len(view["you"]["legal"])
        return choose(strategy, view, rules, pick)

    use_autoplayer(app, slowly)
    table.games._clock = lambda: format_time(time)
    before = len(table.log)
    table.when(0, {"type": "bid", "bid": 2}).happens()
    made = [entry.event for entry in table.games.entries(table.game, before)]
    assert [event.by for event in made[1:]] == ["bot:random:1", "bot:random:2"]
    assert len({event.at for event in made}) == 1
    time += 60_000_000
    late = format_time(time)
    assert fixed_time(made[0].at, late) == late, "a server was stopped meanwhile"


FAULTS: dict[str, Any] = {
    "it fails": lambda *_: 1 // 0,
    "it breaks a rule": lambda *_: {"type": "play", "card": "AS"},
    "it makes no sense": lambda *_: {"type": "nonsense"},
    "it says nothing": lambda *_: {},
}


@pytest.fixture
def table(app: Flask) -> Table:
    """A hand in which a bot of seat 1 bids after seat 0."""
    return given_http(app, game_opened(4, bots=(1,)), *deal(HANDS))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_bot_does_not_undo_the_players_move(app: Flask, table: Table, fault: str) -> None:
    use_autoplayer(app, FAULTS[fault])
    table = table.when(0, {"type": "bid", "bid": 2}).happens()
    assert table.games.state(table.game).turn == (1,)
    use_autoplayer(app)
    here = services_of(app)
    here.followers.catch_up()
    assert Worker(here).play_waiting_games(timedelta(hours=1)) == 0, "a request may be playing for it"
    assert Worker(here).waiting_games(datetime.now(UTC)) == [table.game]
    assert Worker(here).play_waiting_games(timedelta()) == 1
    assert table.games.state(table.game).turn == (2,)
    here.followers.catch_up()
    assert Worker(here).play_waiting_games(timedelta()) == 0


def test_the_worker_ignores_moves_that_the_lists_do_not_know_yet(app: Flask, table: Table) -> None:
    here = services_of(app)
    here.followers.catch_up()
    use_autoplayer(app, lambda *_: {})
    table.when(0, {"type": "bid", "bid": 2}).happens()
    use_autoplayer(app)
    worker = Worker(here)
    worker.play_waiting_games(timedelta(minutes=2))
    assert table.games.state(table.game).turn == (1,)
    here.followers.catch_up()
    worker.play_waiting_games(timedelta())
    assert table.games.state(table.game).turn == (2,)


def test_R_P9_the_table_plays_the_lowest_legal_card_for_a_seat_that_left(app: Flask) -> None:
    table = given_http(app, game_opened(4), *deal(HANDS), *auction(3, 0, 0, 0))
    table = table.when(1, {"type": "resign"}).happens()
    answered = table.when(0, {"text": "ac"})
    assert answered.new[-1].event.data == CardPlayed(1, Card("2C"), (2,))
    assert answered.new[-1].event.by == "server"
    answered.happens()


def test_a_request_makes_a_limited_number_of_automatic_moves(app: Flask) -> None:
    table = given_http(app, game_opened(4, bots=(0, 1, 2)), *deal(HANDS))
    autoplayer, before = use_autoplayer(app), len(table.log)
    assert autoplayer.play(table.games.state(table.game), "x-1", limit=0) == table.games.state(table.game)
    assert len(table.log) == before
    assert autoplayer.play(table.games.state(table.game), "x-1", limit=2).turn == (2,)
    assert len(table.log) == before + 2
