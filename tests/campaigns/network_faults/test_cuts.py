"""A commit whose connection is cut is stored once or not at all, and the player learns which by asking again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from tests.api.conftest import config_for, services_of
from tests.api.log_reference import check_export
from tests.api.room import Room
from tests.campaigns.network_faults.proxy import CUTS, Cut, Proxy, Statements, running_proxy
from tests.conftest import Database
from tests.projections.playing import anyhow
from tests.step_limit import steps

MOVES = 60


@pytest.fixture
def proxy(fresh_postgres: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy for a new database, and the URL of the database behind it."""
    parts = urlsplit(fresh_postgres)
    (server,) = parse_qs(parts.query)["host"]
    with TemporaryDirectory(prefix="tb-") as folder, running_proxy(Path(folder), Path(server)) as running:
        yield running, parts._replace(query=f"host={folder}").geturl()


def play(app: Flask, proxy: Proxy, cut_for: dict[int, Cut], moves: int) -> tuple[Room, list[str], Counter[int]]:
    """Play moves, of which some are cut. Return the table, the acknowledged commands, and the statuses."""
    room, chance, asked = Room(app, ["ann", "bob"], options={"win": 21}), Random(1), steps(10 * moves)
    commands, statuses = list[str](), Counter[int]()
    for number in range(moves):
        seat = room.turn()
        move, key = anyhow(room.view(seat), chance), {"Idempotency_Key": f"move-{number}"}
        if number in cut_for:
            proxy.cut_next(cut_for[number])
        while (answer := room.move(seat, move, **key)).status_code != 201:
            next(asked)
            statuses[answer.status_code] += 1
            assert (answer.status_code, "Retry-After" in answer.headers) == (503, True), answer.text
        statuses[201] += 1
        commands.append(answer.get_json()["events"][0]["event"]["command"])
    return room, commands, statuses


def test_each_move_is_stored_once_however_its_commit_is_cut(proxy: tuple[Proxy, str], tmp_path: Path) -> None:
    running, url = proxy
    config: Config = config_for(Database(url, tmp_path))
    cut_for = {number: CUTS[number % len(CUTS)] for number in range(1, MOVES, 2)}
    app = create_app(config)
    with closing(services_of(app)):
        room, commands, statuses = play(app, running, cut_for, MOVES)
        export = check_export(room.stranger.get(f"{room.path}/export").data)
    stored = [command for command, _ in groupby(event["command"] for event in export.events)]
    assert stored[-MOVES:] == commands
    assert len(set(stored)) == len(stored)
    assert (running.cuts, statuses[201]) == (len(cut_for), MOVES)


def test_a_proxy_notices_prepared_calls_however_the_bytes_come() -> None:
    def message(kind: bytes, body: bytes) -> bytes:
        return kind + (len(body) + 4).to_bytes(4, "big") + body

    startup = (12).to_bytes(4, "big") + b"\0\3\0\0\0\0\0\0"
    parse = message(b"P", b"s1\0SELECT log.append_batches($1)\0\0\0")
    binds = message(b"B", b"\0s1\0\0\0"), message(b"B", b"\0s2\0\0\0")
    statements = Statements()
    assert [statements.appends(sent) for sent in (startup, parse, *binds)] == [False, False, True, False]
    assert [statements.appends(binds[0][:6]), statements.appends(binds[0][6:])] == [False, True]
