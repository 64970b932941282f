"""A game with an event that can't be read or folded goes into quarantine; the rows of all others stay right."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from domain.events import Event
from domain.events import codec as event_codec
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.lists.lobby import LOBBY
from projections.lists.lobby_pages import LobbyFilter, lobby_page
from projections.storage.rows import RowStore
from projections.storage.tables import Rows as FoldRows
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.projections.followers.following import PATIENCE, running
from tests.projections.playing_stored import Play, refolded, rows_of


@contextmanager
def older_program(monkeypatch: pytest.MonkeyPatch, fact: str) -> Iterator[None]:
    """Run the block as a program that doesn't know a fact."""
    with monkeypatch.context() as patch:
        patch.delitem(event_codec._decoders, fact)
        yield


def games_in(rows: RowStore) -> set[str]:
    return {entry.fault.game for entry in rows.quarantined()}


def corrupt_in_lobby(rows: RowStore) -> dict[str, bool]:
    with rows.snapshot("lobby") as reading:
        return {item["id"]: item["corrupt"] for item in lobby_page(reading, LobbyFilter())["items"]}


def test_a_newer_program_folds_at_its_start_what_an_older_one_could_not_read(
    games: Games, rows: RowStore, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer, plain = play.open(3), play.open(2)
    play.steps(newer, 10)
    with older_program(monkeypatch, "CardPlayed"):
        assert LogFollower(games, rows).catch_up() == games.log.last_numbers()
        assert games_in(rows) == {newer}
        assert {(each.projection, each.fault.too_new) for each in rows.quarantined()} == {
            (projection.name, True) for projection in PROJECTIONS
        }
        assert corrupt_in_lobby(rows) == {newer: True, plain: False}
        play.steps(plain, 5)
    follower = LogFollower(games, rows)
    with running(follower):
        assert follower.wait_for(games.log.heads(), PATIENCE)
    assert games_in(rows) == set()
    for projection in PROJECTIONS:
        assert rows_of(rows, projection) == refolded(games, projection)


def test_a_fold_that_fails_on_damaged_rows_folds_the_game_again(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    damaged, other = play.open(3), play.open(2)
    followers.catch_up()
    number = rows.live_generation("lobby").number
    with rows._transaction(writes=True) as transaction:
        transaction.run(f"DELETE FROM lobby_{number}_games WHERE id = ?", damaged)
        transaction.run(f"UPDATE lobby_{number}_games SET turn = ? WHERE id = ?", "[0", other)
    for game in (damaged, other):
        play.steps(game, 3)
    followers.catch_up()
    assert games_in(rows) == set()
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


def test_a_list_that_cannot_fold_an_event_leaves_out_that_game_until_it_is_repaired(
    database: Database, games: Games, play: Play
) -> None:
    bad, good = play.open(3), play.open(3)

    def broken(rows: FoldRows, event: Event[Any]) -> None:
        LOBBY.fold(rows, event)
        if (event.game, event.version) == (bad, 5):
            raise ArithmeticError("a fault of this list")

    rows = RowStore(database.data, database.url, [replace(LOBBY, fold=broken)])
    followers = LogFollower(games, rows)
    followers.catch_up()
    (entry,) = rows.quarantined()
    assert (entry.fault.game, entry.fault.version, entry.fault.too_new) == (bad, 5, False)
    assert entry.fault.reason == "lobby can't include this event (ArithmeticError)"
    assert {row["id"]: row["version"] for row in rows_of(rows, LOBBY)["games"]} == {
        bad: 4,
        good: games.state(good).version,
    }
    followers.rebuild("lobby")
    assert games_in(rows) == {bad}
    repaired = RowStore(database.data, database.url, [LOBBY])
    assert LogFollower(games, repaired).retry(bad) == []
    assert rows_of(repaired, LOBBY) == refolded(games, LOBBY)
    rows.close()
    repaired.close()


def test_a_dropped_game_is_in_no_list_until_a_rebuild_finds_it_again(
    games: Games, rows: RowStore, followers: LogFollower, play: Play, database: Database
) -> None:
    dropped, other = play.open(3), play.open(2)
    Rows(database).put(dropped, 3, "Nonsense/1", b"")
    followers.catch_up()
    assert not rows.drop_game(other)
    assert rows.drop_game(dropped)
    assert rows.count_quarantined() == 0
    play.steps(other, 3)
    followers.catch_up()
    for projection in PROJECTIONS:
        for table, listed in rows_of(rows, projection).items():
            assert dropped not in {row[projection.table(table).key_columns[0]] for row in listed}
    followers.rebuild("lobby")
    assert corrupt_in_lobby(rows) == {dropped: True, other: False}
