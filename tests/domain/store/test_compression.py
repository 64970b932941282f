"""Facts are compressed as they are stored; an older log stays as it is until somebody has it compressed."""

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.cryptography import AESCipher
from eventsourcing.utils import Environment
from zstandard import FORMAT_ZSTD1_MAGICLESS, ZstdCompressionParameters, ZstdCompressor

from domain.store.aggregate import PREV_SIZE, Corrupt
from domain.store.compression import (
    DICTIONARIES,
    FRAME,
    LONGEST,
    NEWEST,
    FactCompressor,
    NoDictionary,
    is_plain,
    read_dictionary,
)
from domain.store.shards import log_compression
from domain.store.shards.log_compression import CompressionDiffers, compress_log
from replay.history import read_export
from tests.conftest import Database
from tests.domain.store.plain_store import execute, fill_plainly, plain_versions, states, three_games
from tests.domain.store.storing import SEALED, Rows, at, logs, open_game, play
from tests.generators.dictionary import train
from tests.logs.reading import all_notices

ROOT = Path(__file__).parents[3]
STORED = ROOT / "tests" / "stored"
PREV = bytes(range(PREV_SIZE))
BOMB = ZstdCompressor(compression_params=ZstdCompressionParameters(format=FORMAT_ZSTD1_MAGICLESS))
PROGRAM = """
import os, signal, sys
from pathlib import Path
from domain.store import Games
from domain.store.shards import log_compression

run, calls = log_compression._compress_game, []

def kill_at_third(*arguments):
    calls.append(1)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    run(*arguments)

log_compression._compress_game, log_compression.GAMES_A_PAGE = kill_at_third, 1
log_compression.compress_log(Games(Path(sys.argv[1]), sys.argv[2] or None).log)
"""


class Interrupted(Exception):
    """The program is stopped."""


@cache
def facts() -> list[bytes]:
    """Return the canonical bytes of every event of the stored games of all formats."""
    exports = [read_export(path.read_bytes()) for path in sorted(STORED.glob("v*/*.ndjson"))]
    return [line.raw for export in exports for line in export.lines if line.raw is not None]


def test_every_fact_of_every_format_comes_back_from_a_third_of_its_bytes() -> None:
    compressor, plain = FactCompressor(), [PREV + raw for raw in facts()]
    compressed = [*map(compressor.compress, plain)]
    assert [*map(compressor.decompress, compressed)] == plain
    assert not any(map(is_plain, compressed))
    assert {state[:PREV_SIZE] for state in compressed} == {PREV}
    assert 3 * sum(map(len, compressed)) < sum(map(len, plain))


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b'{"at":"","command":"1-2","game":"x","salt":""}',
        lambda _: b'{"command":"%b-%b","game":"%b","salt":"%b"}' % (b"0" * 16, b"0" * 16, b"0" * 36, b"0" * 32),
        lambda fact: fact.replace(b'"by":"', b'"by":"\1'),
        lambda fact: fact.replace(b'"salt":"', b'"salt":"A'),
        lambda fact: fact.replace(b'"by":"', b'"by":"' + LONGEST * b"a"),
        lambda _: b"",
    ],
)
def test_what_no_server_writes_stays_as_it_is(change: Callable[[bytes], bytes]) -> None:
    for state in (b"", PREV + change(facts()[0])):
        assert FactCompressor().compress(state) == FactCompressor().decompress(state) == state


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state[:PREV_SIZE] + b"\2" + state[PREV_SIZE + 1 :],
        lambda state: state + b" ",
        lambda state: state[:-1],
        lambda state: state[: PREV_SIZE + 1],
        lambda state: state[:FRAME] + BOMB.compress(bytes(LONGEST + 1)),
    ],
    ids=["an unknown dictionary", "longer", "shorter", "no frame", "a bomb"],
)
def test_a_damaged_state_stops_its_game_alone(database: Database, change: Callable[[bytes], bytes]) -> None:
    with closing(at(database)) as games:
        broken, sound, _ = three_games(games)
    version, topic, _ = Rows(database).of(broken)[4]
    Rows(database).put(broken, version, topic, change(states(database, broken)[4]))
    with closing(at(database)) as games:
        with pytest.raises(Corrupt, match=f"event {version} .*decompressed"):
            games.state(broken)
        assert len(games.entries(sound)) == len(states(database, sound))


def test_a_new_log_holds_compressed_facts_that_read_as_ever(database: Database) -> None:
    with closing(at(database)) as games:
        game = open_game(games)
        play(games, game, 60)
        stored = states(database, game)
        assert plain_versions(database, game) == []
        assert [state[:PREV_SIZE] for state in stored] == [entry.prev for entry in games.entries(game)]
        assert sum(map(len, stored[1:])) <= 140 * len(stored[1:])
    with closing(at(database)) as games:
        assert games.state(game).version == len(stored)


def test_an_older_log_is_read_and_goes_on_as_it_is(database: Database) -> None:
    game, *_ = fill_plainly(database)
    for _ in range(2):
        with closing(at(database)) as games:
            play(games, game, 2)
    size = len(states(database, game))
    assert plain_versions(database, game) == [*range(1, size + 1)]
    with closing(at(database, migrate=False)) as games:
        assert games.state(game).version == size


@pytest.mark.parametrize("settings", [{}, SEALED], ids=["plain", "encrypted"])
def test_an_older_log_is_compressed_and_says_what_it_said(database: Database, settings: dict[str, str]) -> None:
    opened = fill_plainly(database, **settings)
    with closing(at(database, settings=settings)) as games:
        before = logs(games), all_notices(games), games.log.heads()
        told = list[int]()
        report = compress_log(games.log, told.append)
        assert (report.games, report.states) == (len(opened), len(all_notices(games)))
        assert 2 * report.after < report.before
        assert (told, told[-1]) == (sorted(told), sum(games.log.last_numbers()))
        assert (logs(games), all_notices(games), games.log.heads()) == before
        again = compress_log(games.log)
        assert (again.states, again.before, again.after) == (report.states, report.after, report.after)
    with closing(at(database, settings=settings)) as games:
        assert (logs(games), all_notices(games), games.log.heads()) == before
        play(games, opened[0], 1)
    cipher = AESCipher(Environment(env=settings)) if settings else None
    assert not any(
        is_plain(state if cipher is None else cipher.decrypt(state)) for state in states(database, opened[0])
    )


def test_a_server_that_runs_meanwhile_reads_and_writes_on(database: Database) -> None:
    game, *_ = fill_plainly(database)
    with closing(at(database)) as server, closing(at(database)) as games:
        size = server.state(game).version
        compress_log(games.log)
        play(server, game, 1)
        assert plain_versions(database, game)[0] == size + 1
        assert games.state(game).version == server.state(game).version
        assert compress_log(games.log).unreadable == []
        assert plain_versions(database, game) == []


def test_an_interrupted_compression_goes_on(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = fill_plainly(database)
    monkeypatch.setattr(log_compression, "GAMES_A_PAGE", 1)
    run, calls = log_compression._compress_game, list[int]()

    def stop_at_third(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise Interrupted
        run(*arguments)

    with closing(at(database)) as games:
        before = logs(games)
        with monkeypatch.context() as patch:
            patch.setattr(log_compression, "_compress_game", stop_at_third)
            with pytest.raises(Interrupted):
                compress_log(games.log)
        assert sorted(bool(plain_versions(database, game)) for game in opened) == [False, False, True]
    with closing(at(database)) as games:
        assert logs(games) == before
        compress_log(games.log)
        assert not any(plain_versions(database, game) for game in opened)
        assert logs(games) == before


@pytest.mark.process
def test_a_killed_compression_goes_on(database: Database) -> None:
    opened = fill_plainly(database)
    with closing(at(database)) as games:
        before = logs(games)
    words = [sys.executable, "-c", PROGRAM, str(database.data), database.url or ""]
    assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert sorted(bool(plain_versions(database, game)) for game in opened) == [False, False, True]
    with closing(at(database)) as games:
        compress_log(games.log)
        assert logs(games) == before
    assert not any(plain_versions(database, game) for game in opened)


def test_a_game_that_cannot_be_read_stays_as_it_is(database: Database) -> None:
    broken, sound, _ = fill_plainly(database)
    version, topic, state = Rows(database).of(broken)[4]
    Rows(database).put(broken, version, topic, state[:PREV_SIZE] + b"\7" + state[PREV_SIZE + 1 :])
    before = states(database, broken)
    with closing(at(database)) as games:
        assert compress_log(games.log).unreadable == [broken]
    assert (states(database, broken), plain_versions(database, sound)) == (before, [])


def test_nothing_is_changed_if_the_compressed_facts_differ(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, compress = fill_plainly(database), FactCompressor.compress
    before = [states(database, game) for game in opened]
    monkeypatch.setattr(FactCompressor, "compress", lambda self, data: compress(self, data.replace(b"p1", b"p2")))
    with closing(at(database)) as games, pytest.raises(CompressionDiffers):
        compress_log(games.log)
    assert [states(database, game) for game in opened] == before


def test_a_log_that_needs_another_dictionary_is_not_opened(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    at(database).close()
    execute(database, f"INSERT INTO {{schema}}dictionaries VALUES ({NEWEST + 1})")
    for migrate in (True, False):
        with pytest.raises(NoDictionary, match=f"dictionary {NEWEST + 1}, which this installation of trickbook lacks"):
            at(database, migrate=migrate)
    execute(database, f"DELETE FROM {{schema}}dictionaries WHERE version = {NEWEST + 1}")
    at(database).close()
    monkeypatch.setitem(DICTIONARIES, NEWEST, "another file")
    read_dictionary.cache_clear()
    with pytest.raises(NoDictionary):
        at(database)
    read_dictionary.cache_clear()


def test_the_dictionary_is_that_of_the_stored_games() -> None:
    assert sha256(train(STORED / "v6")).hexdigest() == DICTIONARIES[NEWEST]
