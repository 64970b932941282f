"""A move in a game while its shard is between two servers: 503 with Retry-After, and then stored once."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from api.config import Config
from domain.store.log import shard_of
from domain.store.shards.opening import open_move
from tests import postgres
from tests.api.conftest import MakeApp, check_problem, config_for
from tests.api.live_server import GameServer, ServedGame, first_move
from tests.conftest import Database

COUNT = 2


@pytest.fixture
def config(postgres_server: postgres.Server, fresh_postgres: str, tmp_path: Path) -> Iterator[Config]:
    """A store with two shards, and another database to which one can move."""
    with postgres_server.fresh() as east:
        yield replace(config_for(Database(fresh_postgres, tmp_path)), shards=COUNT, servers=(("east", east),))


@pytest.fixture
def game(make_app: MakeApp, config: Config) -> ServedGame:
    return GameServer(make_app(config), config).open(["ann", "bob"])


def run_move(config: Config, game: ServedGame, then: Callable[[str], None]) -> None:
    """Move the game's shard to the other database, and call `then` before each step."""
    mover = open_move(config.server_urls, config.timeouts, shard_of(UUID(game.id), COUNT), COUNT)
    mover.run("east", lambda _: None, lambda _: None, then)


@pytest.mark.parametrize("fenced", ["rest", "switch", "leave", "decide"])
def test_a_move_at_the_end_of_a_shard_move_is_503_and_its_repeat_is_stored_once(
    config: Config, game: ServedGame, fenced: str
) -> None:
    """The shard takes no rows before these steps of its move."""
    before = game.public
    (seat,) = before["turn"]["seats"]
    move = partial(game.move, seat, first_move(game.view(seat)), Idempotency_Key="once")
    refused = list[Any]()
    run_move(config, game, lambda step: refused.extend([move()] if step == fenced else []))
    check_problem(refused[0], 503, "store-down")
    assert int(refused[0].headers["Retry-After"]) >= 1
    assert game.public == before
    stored, again = move(), move()
    assert (stored.status_code, again.status_code) == (201, 201)
    assert again.get_json()["events"] == stored.get_json()["events"]


def test_a_move_before_the_end_of_a_shard_move_is_stored_and_moves_too(config: Config, game: ServedGame) -> None:
    (seat,) = game.public["turn"]["seats"]
    move, stored = partial(game.move, seat, first_move(game.view(seat))), list[Any]()
    run_move(config, game, lambda step: stored.extend([move()] if step == "fence" else []))
    assert stored[0].status_code == 201
    assert game.public["version"] == stored[0].get_json()["version"]
