"""The lobby: one row for each game, with filters and pages."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from domain.events import Watch
from projections.followers import LogFollower
from projections.lists import lobby_pages
from projections.lists.cursors import BadCursor
from projections.lists.lobby import LOBBY, fold
from projections.lists.lobby_pages import LobbyFilter
from projections.lists.lobby_pages import lobby_page as page_of
from projections.storage.rows import RowStore
from projections.storage.tables import MemoryRows
from projections.views.seat import ViewFold, view_json
from tests.conftest import Database
from tests.given import auction, deal, events, game_opened
from tests.projections.playing_stored import Play, opened
from tests.replay.variety import of
from tests.waiting import wait_until


def found(
    rows: RowStore, limit: int = 50, cursor: str | None = None, wanted: LobbyFilter | None = None
) -> dict[str, Any]:
    with rows.snapshot("lobby") as reading:
        return dict(page_of(reading, wanted or LobbyFilter(), limit, cursor))


def ids(rows: RowStore, **wanted: Any) -> list[str]:
    return [game["id"] for game in found(rows, wanted=LobbyFilter(**wanted))["items"]]


def test_postgres_moves_change_the_rows_of_the_lobby_in_place(fresh_postgres: str, tmp_path: Path) -> None:
    with opened(Database(fresh_postgres, tmp_path)) as (games, _, followers):
        play = Play(games)
        game = play.open(players=4)
        followers.catch_up()
        for _ in range(12):
            play.step(game)
            followers.catch_up()
    select = (
        "SELECT n_tup_upd - n_tup_hot_upd FROM pg_stat_user_tables"
        " WHERE relname IN ('lobby_1_games', 'lobby_1_seats') AND n_tup_upd >= 12"
    )
    with psycopg.connect(fresh_postgres, autocommit=True) as connection:
        wait_until(lambda: connection.execute(select).rowcount == 2)
        assert connection.execute(select).fetchall() == [(0,), (0,)]


def test_the_lobby_filters_by_variant_player_status_waiting_and_since(
    play: Play, rows: RowStore, followers: LogFollower
) -> None:
    small, large = play.open(players=2), play.open(players=4)
    ended = play.open(players=4)
    for seat in (1, 2, 3):
        play.resign(ended, seat)
    followers.catch_up()
    assert ids(rows) == [ended, large, small]
    assert ids(rows, variant="pitch") == [ended, large, small]
    assert ids(rows, variant="setback") == []
    assert ids(rows, players=("p3",)) == [ended, large]
    assert ids(rows, players=("nobody",)) == []
    assert ids(rows, players=("p0", "p3")) == ids(rows, players=("p3", "p0")) == [ended, large]
    assert ids(rows, players=("p0", "p1"), status="active") == [large, small]
    assert ids(rows, players=("p0", "nobody")) == []
    assert ids(rows, status="finished") == [ended]
    assert ids(rows, waiting="p0", status="active") == [large, small]
    assert ids(rows, waiting="p1") == []
    play.step(small)
    followers.catch_up()
    assert ids(rows, waiting="p1", players=("p1",), variant="pitch") == [small]
    updated = {game["id"]: game["updated"] for game in found(rows)["items"]}
    assert ids(rows, since=updated[small]) == [small]
    assert ids(rows, since=updated[large]) == [ended, large, small]


def test_pages_neither_repeat_nor_miss_a_game_while_others_begin(
    play: Play, rows: RowStore, followers: LogFollower
) -> None:
    begun = [play.open(board=number) for number in range(7)]
    followers.catch_up()
    cursor, seen = None, []
    for _ in range(4):
        page = found(rows, 2, cursor)
        seen += [game["id"] for game in page["items"]]
        cursor = page["next"]
        play.open(board=99)
        followers.catch_up()
    assert seen == begun[::-1]
    assert cursor is None


@pytest.mark.lengthy
@pytest.mark.parametrize("walked", [1, 2, 500])
def test_pages_of_one_player_go_through_all_their_games(
    play: Play, rows: RowStore, followers: LogFollower, monkeypatch: pytest.MonkeyPatch, walked: int
) -> None:
    monkeypatch.setattr(lobby_pages, "FEW_GAMES", walked)
    begun = [play.open(players=2 if number == 2 else 4, board=number) for number in range(6)]
    followers.catch_up()
    del begun[2]
    wanted, cursor, seen = LobbyFilter(players=("p3",)), None, []
    for size in (2, 2, 1):
        page = found(rows, 2, cursor, wanted)
        assert len(page["items"]) == size
        seen += [game["id"] for game in page["items"]]
        cursor = page["next"]
    assert seen == begun[::-1]
    assert cursor is None


def test_a_private_game_stays_hidden_while_rows_of_an_older_version_are_read(
    database: Database, play: Play, rows: RowStore, followers: LogFollower
) -> None:
    private, late, shown = play.open(watch=Watch(public=False)), play.open(watch=Watch(delay=300)), play.open()
    for game in (private, late):
        play.steps(game, 3)
    followers.catch_up()
    with closing(RowStore(database.data, database.url, [replace(LOBBY, version=LOBBY.version + 1)])) as newer:
        with newer.snapshot("lobby") as reading:
            assert not reading.is_current
        assert (ids(newer), ids(newer, players=("p0",))) == ([shown, late], [shown, late])
        assert found(newer)["items"][1]["version"] == 1


def test_a_page_has_at_least_one_game_and_at_most_500_and_an_invalid_cursor_is_refused(
    play: Play, rows: RowStore, followers: LogFollower
) -> None:
    for number in range(3):
        play.open(board=number)
    followers.catch_up()
    assert [len(found(rows, limit)["items"]) for limit in (0, 1, 3, 10_000)] == [1, 1, 3, 3]
    for cursor in ("", "!", "AAAA", "\u00e9", "YSBiIGM=", "AGEgYg==", "a"):
        with pytest.raises(BadCursor):
            found(rows, cursor=cursor)


def test_secret_facts_change_only_the_version() -> None:
    facts = [game_opened(2), *deal(["AD KD QD JD 10D 9D", "2C 3C 4C 5C 6C 7C"]), *auction(2, 0)]
    rows = MemoryRows(LOBBY)
    before: dict[str, Any] = {}
    for event in events(facts):
        fold(rows, event)
        (after,) = rows.all("games")
        if event.seen_by is not None:
            assert after == before | {"version": event.version}
        before = after


@pytest.mark.parametrize("name", ["Pitch with open cuts", "Setback with sealed cuts", "Corellian with sealed cuts"])
def test_the_lobby_and_the_view_wait_for_the_people_who_can_still_cut(name: str) -> None:
    waited = 0
    for seed in (1, 3):
        made = of(name, seed).hands(2)
        if seed == 3 and not made.over:
            made.resign(made.game.state.persons[0])
        rows, seen = MemoryRows(LOBBY), ViewFold(None)
        for entry in made.entries:
            fold(rows, entry.event)
            seen.add(entry.event)
            shown = view_json(seen, "")
            seats = range(len(shown["seats"]))
            rows_of = [rows.get("seats", entry.event.game, seat) or {} for seat in seats]
            cutting = shown["ceremony"]["waits_for"] if shown["ceremony"] else []
            if cutting and seen.is_commit_end:
                waited += 1
                assert [seat for seat in seats if rows_of[seat]["waiting"]] == cutting
            elif seen.is_commit_end:
                left = [seat for seat in shown["turn"]["seats"] if shown["seats"][seat]["state"] == "in"]
                assert [seat for seat in seats if rows_of[seat]["waiting"]] == left
    assert waited > 5
