"""`trickbook store restore --game`: one game comes back from a backup, as it was, and no other continuation is lost."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.config import Config
from api.container import Services, open_services
from tests.api.conftest import config_for
from tests.commands import run
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.games.four import Four, id_of

BOARD, OTHER = 1, 3
"""The same shard of two has both."""
GAME = id_of(BOARD)


@pytest.fixture
def there(database: Database) -> Database:
    return Database(database.url, database.data / "data")


@pytest.fixture
def config(there: Database) -> Config:
    return config_for(there)


@pytest.fixture
def four(config: Config) -> Iterator[Four]:
    """Three games, of which the last one is over."""
    open_services(config).close()
    with closing(Four(config)) as made:
        made.open(BOARD, "pitch")
        made.play(BOARD, 12)
        made.open(2, "blackout")
        made.open(OTHER, "setback")
        made.play(OTHER, 12)
        made.leave(OTHER)
        yield made


@pytest.fixture
def backup(four: Four, tmp_path: Path) -> Path:
    folder = tmp_path / "backup"
    assert run("store", "backup", str(folder), at=four.config).exit_code == 0
    return folder


def bring_back(backup: Path, config: Config, game: str = str(BOARD)) -> tuple[int, str]:
    """Return the exit code and what the command printed."""
    done = run("store", "restore", str(backup), "--game", game, at=config)
    return done.exit_code, done.stdout + done.stderr


def stored(here: Services) -> list[tuple[object, ...]]:
    """Return each event with its shard and position."""
    log = here.games.log
    return [(shard, *row) for shard in range(log.shards) for row in log.raw_rows(shard, 0, 1000)]


def changed(state: bytes) -> bytes:
    """Return an event's bytes with another number in its place, so that its link alone is wrong."""
    return state.replace(b'"at":"2', b'"at":"1', 1)


def change_one(rows: Rows) -> None:
    _, topic, state = rows.of(GAME)[6]
    rows.put(GAME, 7, topic, changed(state))


def damage_last(rows: Rows) -> None:
    version, topic, state = rows.of(GAME)[-1]
    rows.put(GAME, version, topic, state[:-9])


def drop_one(rows: Rows) -> None:
    rows.drop(GAME, 7)


def drop_end(rows: Rows) -> None:
    for version in range(9, len(rows.of(GAME)) + 1):
        rows.drop(GAME, version)


def drop_all(rows: Rows) -> None:
    for version in range(1, len(rows.of(GAME)) + 1):
        rows.drop(GAME, version)


def drop_first(rows: Rows) -> None:
    rows.drop(GAME, 1)


DAMAGE = (change_one, damage_last, drop_one, drop_end, drop_all, drop_first)


def test_a_damaged_game_is_as_in_the_backup_in_its_old_place_and_in_the_lists(
    there: Database, four: Four, backup: Path
) -> None:
    with closing(open_services(four.config)) as here:
        before, events = stored(here), here.games.state(GAME).version
        for damage in DAMAGE:
            damage(Rows(there))
            here.followers.catch_up()
            assert stored(here) != before, damage.__name__
            code, said = bring_back(backup, four.config)
            assert (code, f"game {GAME} (board {BOARD}): {events} events" in said) == (0, True), said
            assert stored(here) == before, damage.__name__
        assert here.rows.count_quarantined() == 0
        assert not any(here.followers.lag().values())
    assert run("store", "check", at=four.config).exit_code == 0
    report = json.loads(run("game", "audit", str(BOARD), "--json", at=four.config).stdout)
    assert [note["what"] for note in report["journal"]] == ["game-restored"] * len(DAMAGE)
    assert json.loads(run("game", "audit", str(OTHER), "--json", at=four.config).stdout)["journal"] == []
    assert bring_back(backup, four.config)[1].strip().endswith("all as in the backup already")


@pytest.mark.lengthy
def test_a_game_that_comes_back_after_the_end_of_what_the_lists_know_is_in_them(
    there: Database, four: Four, backup: Path
) -> None:
    for number in (BOARD, 2, OTHER):
        for version in range(1, len(Rows(there).of(id_of(number))) + 1):
            Rows(there).drop(id_of(number), version)
    with closing(open_services(four.config)) as here:
        here.followers.catch_up()
        assert bring_back(backup, four.config)[0] == 0
        here.followers.catch_up()
        assert here.rows.count_quarantined() == 0
    assert GAME in run("game", "list", "--json", at=four.config).output


@pytest.mark.lengthy
def test_what_was_played_since_the_backup_stays(there: Database, four: Four, backup: Path) -> None:
    four.play(BOARD, 5)
    before = Rows(there).of(GAME)
    change_one(Rows(there))
    assert bring_back(backup, four.config)[0] == 0
    assert Rows(there).of(GAME) == before
    four.play(BOARD, 3)  # another process, which knew the game before


def test_a_game_without_its_board_gets_it_back_and_no_other_game_loses_one(
    there: Database, four: Four, backup: Path
) -> None:
    rows, game = Rows(there), id_of(OTHER)
    for version, _, _ in rows.of(game):
        rows.drop(game, version)
    with closing(open_services(four.config)) as here:
        here.accounts.database.run("DELETE FROM boards WHERE number = ?", OTHER)
        here.accounts.database.run("UPDATE counters SET last = ? WHERE name = 'boards'", OTHER - 1)
    code, said = bring_back(backup, four.config, "99")
    assert (code, "the backup has no game 99" in said) == (1, True)
    assert bring_back(backup, four.config, str(OTHER))[0] == 0
    with closing(open_services(four.config)) as here:
        assert here.accounts.boards.number_of(game) == OTHER
        assert here.accounts.boards.reserve(id_of(99), "ann") == OTHER + 1
        here.accounts.database.run("UPDATE boards SET game = ? WHERE number = ?", id_of(98), OTHER)
    code, said = bring_back(backup, four.config, game)
    assert (code, f"board {OTHER} of game {game} belongs to another game" in said) == (1, True)


def test_another_continuation_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    """The store goes on from an older backup than the one that the game is to come from."""
    first, place = (config_for(Database(None, tmp_path / name)) for name in ("first", "restored"))
    older, newer = tmp_path / "older", tmp_path / "newer"
    open_services(first).close()
    with closing(Four(first)) as four:
        four.open(BOARD, "pitch")
        for folder in (older, newer):
            four.play(BOARD, 10)
            assert run("store", "backup", str(folder), at=first).exit_code == 0
    assert run("store", "restore", str(older), at=place).exit_code == 0
    with closing(Four(place, seed=8)) as again:
        again.play(BOARD, 9)
    rows = Rows(Database(None, place.data))
    for damage in (None, change_one, damage_last, drop_end):
        if damage is not None:
            damage(rows)
        if damage is drop_end:  # only a receipt knows of what is gone
            with closing(open_services(place)) as here:
                here.accounts.database.run("INSERT INTO receipts VALUES (?, 10, ?, '', 0)", GAME, "ab" * 32)
        before = rows.of(GAME)
        code, said = bring_back(newer, place)
        assert (code, "it's another continuation" in said) == (1, True), said
        assert rows.of(GAME) == before


def test_a_fault_beyond_the_backup_and_a_backup_of_another_store_change_nothing(
    there: Database, four: Four, backup: Path, tmp_path: Path
) -> None:
    four.play(BOARD, 3)
    damage_last(Rows(there))
    before = Rows(there).of(GAME)
    code, said = bring_back(backup, four.config)
    assert (code, "the game can't be read with the events of this backup either: event" in said) == (1, True)
    other = Config(data=tmp_path / "other", hashing="cheapest")
    open_services(other).close()
    code, said = bring_back(backup, other)
    assert (code, "the backup is of another store" in said) == (2, True)
    assert run("store", "restore", str(backup), "--game", "1", "--broken", at=four.config).exit_code == 2
    assert Rows(there).of(GAME) == before


@pytest.mark.lengthy
def test_a_receipt_says_how_many_events_are_gone(there: Database, four: Four, backup: Path) -> None:
    with closing(open_services(four.config)) as here:
        had = here.games.state(GAME).version
        four.play(BOARD, 3)
        receipt = here.receipts.issue(GAME)
    for version in range(had, receipt.size + 1):
        Rows(there).drop(GAME, version)
    code, said = bring_back(backup, four.config)
    assert (code, f"A receipt names {receipt.size} events: those after {had} are gone" in said) == (0, True), said
