"""A commit whose connection is cut is stored once or not at all, and the player learns which by asking again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from api.app import create_app
from tests.api.conftest import config_for, services_of
from tests.api.live_server import GameServer, ServedGame
from tests.campaigns.network_faults.proxy import CUTS, Cut, Proxy, running_proxy
from tests.campaigns.simulation.planted import try_again_after_a_lost_reply
from tests.conftest import Database
from tests.projections.offered_moves import any_move
from tests.step_limit import steps

MOVES = 36


@pytest.fixture
def proxy(fresh_postgres: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy for a new database, and the URL of the database behind it."""
    parts = urlsplit(fresh_postgres)
    (server,) = parse_qs(parts.query)["host"]
    with TemporaryDirectory(prefix="tb-") as folder, running_proxy(Path(folder), Path(server)) as running:
        yield running, parts._replace(query=f"host={folder}").geturl()


@dataclass
class Played:
    """A table, the acknowledged commands, the number of answers by status, and those that no move may get."""

    game: ServedGame
    commands: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def open_duel(app: Flask) -> ServedGame:
    return GameServer(app, services_of(app).config).open(["ann", "bob"], options={"win": 21})


def play(app: Flask, proxy: Proxy, cut_for: dict[int, Cut], moves: int) -> Played:
    """Play moves, of which some are cut, up to the first that is refused."""
    played, chance, asked = Played(open_duel(app)), Random(1), steps(10 * moves)
    for number in range(moves):
        seat = played.game.turn
        move, key = any_move(played.game.view(seat), chance), {"Idempotency_Key": f"move-{number}"}
        if number in cut_for:
            proxy.cut_next(cut_for[number])
        while (answer := played.game.move(seat, move, **key)).status_code == 503 and "Retry-After" in answer.headers:
            next(asked)
            played.statuses[503] += 1
        played.statuses[answer.status_code] += 1
        if answer.status_code != 201:
            return replace(played, faults=[f"move {number}: {answer.status_code} {answer.text}"])
        played.commands.append(answer.get_json()["events"][0]["event"]["command"])
    return played


def faults_of(played: Played) -> list[str]:
    """Return what is wrong: each acknowledged command is stored once, and there is no other."""
    export = played.game.read()
    _, *stored = (command for command, _ in groupby(event["command"] for event in export.events))  # but the opening
    return played.faults + ([] if stored == played.commands else [f"stored: {stored}, acknowledged: {played.commands}"])


@pytest.fixture
def app(proxy: tuple[Proxy, str], tmp_path: Path) -> Iterator[Flask]:
    """A server behind the proxy."""
    made = create_app(config_for(Database(proxy[1], tmp_path)))
    with closing(services_of(made)):
        yield made


def test_canary_a_server_that_tries_again_after_a_lost_reply_is_reported(
    app: Flask, proxy: tuple[Proxy, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    try_again_after_a_lost_reply(monkeypatch)
    assert faults_of(play(app, proxy[0], {1: "after"}, 2)) != []


def test_each_move_is_stored_once_however_its_commit_is_cut(app: Flask, proxy: tuple[Proxy, str]) -> None:
    cut_for = {number: CUTS[number % len(CUTS)] for number in range(1, MOVES, 2)}
    played = play(app, proxy[0], cut_for, MOVES)
    assert faults_of(played) == []
    assert (proxy[0].cuts, played.statuses[201]) == (len(cut_for), MOVES)
