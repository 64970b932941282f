"""The store in a single process, on both databases. For several processes see test_store_processes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import pytest
from eventsourcing.domain import Aggregate

from domain.cards import parse_exact_card
from domain.commands import AnswerProposal, Command, PassBid, PlayCard, ProposeDraw, Resign
from domain.events.codec import topic
from domain.protocols import merkle_log as cardlog
from domain.rejections import GameOver, NotSeated, OutOfTurn, Rejected, WrongPhase
from domain.store import (
    CommandReused,
    Games,
    NoSuchGame,
    RaceLost,
    StaleVersion,
    StoreUnavailable,
    UnreadableRow,
    projection_envs,
    utc_now,
)
from domain.store.aggregate import Corrupt
from domain.store.log import shard_of
from tests.conftest import Database
from tests.domain.store.storing import SEALED, Rows, at, command_id, new_id, open_game, opening, play
from tests.logs.reading import all_notices


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with at(database) as opened:
        yield opened


# Stored rows hold the events as written


@pytest.mark.parametrize("settings", [{}, SEALED], ids=["plain", "sealed"])
def test_a_game_read_from_the_store_is_the_game_that_was_played(database: Database, settings: dict[str, str]) -> None:
    with at(database, settings=settings) as games, at(database, settings=settings) as others:
        game = open_game(games)
        made = play(games, game, 60)
        assert others.snapshot(game) == games.snapshot(game) == (made[-1].state, made[-1].root)
        written = [entry for commit in made for entry in commit.entries]
        assert others.entries(game)[-len(written) :] == written


def test_a_seat_is_found_in_a_cached_game_and_in_an_uncached_one(database: Database) -> None:
    with at(database) as games, at(database) as others:
        game = open_game(games)
        for each in (games, others, others):
            assert (each.seat_of(game, "p1"), each.seat_of(game, "nobody")) == (1, None)
        with pytest.raises(NoSuchGame):
            games.seat_of(new_id(), "p1")


def test_a_row_holds_the_link_and_the_canonical_bytes_under_a_stable_name(games: Games, database: Database) -> None:
    game = open_game(games)
    play(games, game, 12)
    frontier = cardlog.EMPTY
    for entry, (version, title, state) in zip(games.entries(game), Rows(database).of(game), strict=True):
        assert (version, title) == (entry.event.version, f"{entry.event.fact}/{entry.event.v}")
        assert title == topic(entry.event)
        assert state == frontier.root() + entry.raw
        frontier = frontier.append(cardlog.leaf(state[32:]))
    assert frontier.root().hex() == games.snapshot(game)[1]


def test_an_encrypted_state_shows_nothing_and_is_smaller(database: Database) -> None:
    with at(database, settings=SEALED) as games:
        game = open_game(games)
        for entry, (_, _, sealed) in zip(games.entries(game), Rows(database).of(game), strict=True):
            assert entry.event.salt.encode() not in sealed
        assert len(Rows(database).of(game)[0][2]) < len(games.entries(game)[0].raw)
    with at(database) as unable, pytest.raises(Corrupt, match="event 1 of"):
        unable.state(game)


# No silent change


def test_a_topic_is_never_imported(games: Games, database: Database) -> None:
    game = open_game(games)
    Rows(database).put(game, 5, "this:d", b"")
    with at(database) as others:
        with pytest.raises(Corrupt, match="names an unknown fact"):
            others.state(game)
        unreadable = [row for row in others.log.read((), 10).rows if isinstance(row, UnreadableRow)]
        assert [(row.version, "names an unknown fact" in row.reason) for row in unreadable] == [(5, True)]
    assert "this" not in sys.modules


def test_a_reader_who_saw_events_notices_if_they_are_cut_off_the_end(games: Games, database: Database) -> None:
    game = open_game(games)
    Rows(database).drop(game, 9)
    with pytest.raises(Corrupt, match=f"event 9 of game {game}"):
        games.state(game)
    with at(database) as others:
        assert others.state(game).version == 8  # only a receipt could show it


@pytest.mark.parametrize(
    "kept", [True, False], ids=["by a store that has it in its cache", "by a store that reads it again"]
)
def test_a_row_whose_version_is_not_a_number_is_noticed(tmp_path: Path, *, kept: bool) -> None:
    """PostgreSQL accepts only numbers there; a damaged SQLite file can hold anything."""
    database = Database(None, tmp_path)
    with at(database) as games, at(database) as others:
        game = open_game(games)
        Rows(database).ask(
            "UPDATE {table} SET originator_version = 'x' WHERE originator_id = ? AND originator_version = 9", UUID(game)
        )
        version = 10 if kept else 9
        with pytest.raises(Corrupt, match=f"event {version} of game {game}: it is missing, or its row") as corrupt:
            (games if kept else others).state(game)
        assert corrupt.value.version == version


def test_a_missing_row_is_named_at_any_end_of_the_reading(games: Games, database: Database) -> None:
    game = open_game(games)
    play(games, game, 100)
    Rows(database).drop(game, 20)
    assert games.state(game) == games.state(game)  # it is cached and needs no earlier row
    for upto, version in ((20, 20), (30, 21), (None, 21)):
        with pytest.raises(Corrupt, match=f"event {version} of game {game}"):
            games.entries(game, 0, upto)
    assert len(games.entries(game, 0, 19)) == 19


def test_only_entries_of_games_are_stored(games: Games) -> None:
    with pytest.raises(TypeError, match="only entries"):
        games.log.application_of(uuid4()).save(Aggregate())
    assert sum(games.log.last_numbers()) == 0


# Commands


def test_a_refusal_stores_nothing(games: Games) -> None:
    game = open_game(games)
    before = games.snapshot(game), games.log.last_numbers()
    refused: tuple[tuple[Command, str, type[Rejected]], ...] = (
        (PassBid(2), "p2", OutOfTurn),
        (PlayCard(0, parse_exact_card("2C")), "p0", WrongPhase),
        (PassBid(0), "p2", NotSeated),
    )
    for command, by, refusal in refused:
        with pytest.raises(refusal):
            games.act(game, command, by=by, command_id=command_id(1))
        assert (games.snapshot(game), games.log.last_numbers()) == before
    assert not games.act(game, PassBid(0), by="p0", command_id=command_id(1)).repeated


def test_a_commit_returns_its_entries_and_the_game_after_them(games: Games) -> None:
    game = open_game(games)
    commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1))
    assert [entry.event.fact for entry in commit.entries] == ["BidPassed"]
    assert (commit.state, commit.root) == games.snapshot(game)
    assert (commit.position, commit.game, commit.repeated) == (games.log.head(game), game, False)


def test_events_have_the_time_of_the_clock_and_never_an_earlier_one_than_before(database: Database) -> None:
    times = iter(["2026-11-21T08:00:00.000000Z", "2026-11-21T09:00:00.000000Z", "2026-11-21T08:30:00.000000Z"])
    with at(database, clock=lambda: next(times)) as games:
        game = open_game(games)
        made = play(games, game, 2)
    assert [commit.entries[0].event.at[11:16] for commit in made] == ["09:00", "09:00"]
    assert len(utc_now()) == len("2026-11-21T08:00:00.000000Z")
    assert utc_now()[-1] == "Z"


NOBODYS = "2d9a4a7e-6d3c-4f7b-9b1e-0c8f5a1b2c3d"


def test_an_unknown_game_is_refused(games: Games) -> None:
    for game in (NOBODYS, NOBODYS.upper(), NOBODYS.replace("-", ""), "", "1", "\0", "\ud800", "é" * 9):
        for ask in (games.state, games.snapshot, games.entries):
            with pytest.raises(NoSuchGame):
                ask(game)
        with pytest.raises(NoSuchGame):
            games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert games.entries_of_command(game, command_id(1)) == ()


def test_only_open_opens_a_game_and_needs_a_uuid(games: Games) -> None:
    with pytest.raises(ValueError, match="UUID"):
        games.open(opening("BOARD-1"), by="p0", command_id=command_id(1))
    with pytest.raises(TypeError, match="open"):
        games.act(new_id(), opening(new_id()), by="p0", command_id=command_id(1))
    with pytest.raises(ValueError, match="folder"):
        Games()


def test_if_match_accepts_versions_from_the_last_move_to_the_last_event(games: Games) -> None:
    game = open_game(games)
    games.act(game, ProposeDraw(3), by="p3", command_id=command_id(1))
    games.act(game, AnswerProposal(2, accept=True), by="p2", command_id=command_id(2))
    last = games.act(game, AnswerProposal(1, accept=True), by="p1", command_id=command_id(3)).state.version
    moved = games.state(game).moved
    assert moved < last
    for n in (moved - 1, last + 1, 0, -1, 1 << 63):
        with pytest.raises(StaleVersion) as stale:
            games.act(game, PassBid(0), by="p0", command_id=command_id(4), if_match=n)
        assert (stale.value.if_match, stale.value.moved, stale.value.version) == (n, moved, last)
    for seat, n in ((0, moved), (1, last + 1)):
        games.act(game, PassBid(seat), by=f"p{seat}", command_id=command_id(5 + seat), if_match=n)


# A command id is answered once


def test_a_repeated_command_returns_the_first_entries_and_stores_nothing(games: Games, database: Database) -> None:
    game = open_game(games)
    first = games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=9)
    play(games, game, 60)
    at_end = games.log.last_numbers()
    with at(database) as others:
        for each in (games, others):
            again = each.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=9)
            assert again.repeated
            assert (again.entries, again.state, again.root) == (first.entries, first.state, first.root)
            assert each.entries_of_command(game, command_id(1)) == first.entries
            assert games.log.last_numbers() == at_end
            assert games.log.head(game) == again.position


def test_a_repeated_command_is_answered_after_the_game_is_over(games: Games) -> None:
    game = open_game(games, players=2)
    ended = games.act(game, Resign(0), by="p0", command_id=command_id(1))
    assert ended.state.result is not None
    with pytest.raises(GameOver):
        games.act(game, Resign(1), by="p1", command_id=command_id(2))
    assert games.act(game, Resign(0), by="p0", command_id=command_id(1)).entries == ended.entries


def test_the_same_key_with_another_request_is_refused(games: Games, database: Database) -> None:
    game = open_game(games)
    games.act(game, PassBid(0), by="p0", command_id=command_id(1, body=1))
    with at(database) as others:
        for each in (games, others):
            with pytest.raises(CommandReused):
                each.act(game, PassBid(1), by="p1", command_id=command_id(1, body=2))
            assert each.entries_of_command(game, command_id(1, body=2)) == ()


def test_a_game_opened_twice_is_opened_once(games: Games, database: Database) -> None:
    game = new_id()
    first = games.open(opening(game), by="p0", command_id=command_id(1))
    with at(database) as others:
        for each in (games, others):
            again = each.open(opening(game), by="p0", command_id=command_id(1))
            assert (again.repeated, again.entries, again.root) == (True, first.entries, first.root)
            with pytest.raises(CommandReused):
                each.open(opening(game, players=5), by="p0", command_id=command_id(1, body=2))
            with pytest.raises(WrongPhase):
                each.open(opening(game), by="p9", command_id=command_id(2))


def test_moves_of_the_autoplayer_in_reply_have_the_same_command_id(games: Games) -> None:
    game, asked = open_game(games), command_id(1)
    first = games.act(game, PassBid(0), by="p0", command_id=asked)
    second = games.act(game, PassBid(1), by="p1", command_id=asked, follow_up=True)
    games.act(game, PassBid(2), by="p2", command_id=command_id(2))
    third = games.act(game, PassBid(3), by="p3", command_id=asked, follow_up=True)
    games.act(game, ProposeDraw(0), by="p0", command_id=command_id(3))
    entries = first.entries + second.entries + third.entries
    assert games.entries_of_command(game, asked) == entries
    again = games.act(game, PassBid(0), by="p0", command_id=asked)
    assert (again.entries, again.state, again.root) == (entries, third.state, third.root)


# Readings


def test_more_games_than_fit_in_the_cache_can_all_be_played(database: Database) -> None:
    with at(database, cache=2) as games:
        ids, by = [open_game(games) for _ in range(5)], Random(1)
        for _ in range(3):
            for game in ids:
                play(games, game, 1, by)
        assert [games.state(game).version for game in ids] == [9 + 3] * 5
        assert [games.entries(game)[-1].event.version for game in ids] == [9 + 3] * 5


def test_another_store_sees_a_commit_at_once(games: Games, database: Database) -> None:
    game = open_game(games)
    with at(database) as others:
        for n, (mine, yours) in enumerate([(games, others), (others, games)] * 20):
            after = yours.state(game).version
            commit = play(mine, game, 1, Random(n))[0]
            assert yours.snapshot(game) == (commit.state, commit.root)
            assert tuple(yours.entries(game, after)) == commit.entries


# Races: the clock is read between loading and saving, so these tests make another command at that moment


class Rival:
    """Commits ahead of the next `ahead` commits: another seat agrees to a draw, which changes no move."""

    def __init__(self, database: Database) -> None:
        self.games, self.ahead = at(database), 0
        self.game, self.version, self.seats = "", 0, iter((5, 4, 3, 2))

    def sits_down(self) -> str:
        """Open a game of seven in which seat 6 proposes a draw."""
        self.game = open_game(self.games, players=7)
        proposed = self.games.act(self.game, ProposeDraw(6), by="p6", command_id=command_id(6))
        self.version = proposed.state.version
        return self.game

    def clock(self) -> str:
        if self.ahead:
            self.ahead -= 1
            seat = next(self.seats)
            agreed = AnswerProposal(seat, accept=True)
            self.games.act(self.game, agreed, by=f"p{seat}", command_id=command_id(seat))
        return utc_now()


@pytest.fixture
def rival(database: Database) -> Iterator[Rival]:
    made = Rival(database)
    with made.games:
        yield made


@pytest.mark.parametrize("ahead", [1, 2])
def test_a_command_that_lost_a_race_is_decided_again(database: Database, rival: Rival, ahead: int) -> None:
    game = rival.sits_down()
    with at(database, clock=rival.clock) as games:
        rival.ahead = ahead
        commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=rival.version)
        assert commit.entries[0].event.version == commit.state.version == rival.version + ahead + 1
        assert rival.games.snapshot(game) == (commit.state, commit.root)


@pytest.mark.parametrize("matching", [False, True])
def test_after_three_lost_races_a_command_fails(database: Database, rival: Rival, matching: bool) -> None:
    game = rival.sits_down()
    if_match = rival.version if matching else None
    with at(database, clock=rival.clock) as games:
        rival.ahead = 3
        with pytest.raises(RaceLost):
            games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=if_match)
        assert (rival.ahead, games.state(game).version) == (0, rival.version + 3)
        again = games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=if_match)
        assert (again.repeated, again.state.version) == (False, rival.version + 4)


@contextmanager
def overtaken(database: Database) -> Iterator[tuple[str, Games, Games]]:
    """Yield a game, a store that passes in it as p0 with command 1 ahead of each commit of the other, and the other."""
    with at(database) as others:
        game = open_game(others)

        def clock() -> str:
            others.act(game, PassBid(0), by="p0", command_id=command_id(1))
            return utc_now()

        with at(database, clock=clock) as games:
            yield game, others, games


def test_a_race_lost_to_a_move_makes_if_match_stale(database: Database) -> None:
    with overtaken(database) as (game, _, games):
        with pytest.raises(StaleVersion) as stale:
            games.act(game, PassBid(0), by="p0", command_id=command_id(2), if_match=9)
        assert (stale.value.moved, stale.value.version) == (10, 10)


def test_a_race_lost_to_the_same_command_elsewhere_is_a_repeat(database: Database) -> None:
    with overtaken(database) as (game, others, games):
        commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert commit.repeated
        assert (commit.entries, commit.state.version) == (others.entries_of_command(game, command_id(1)), 10)


def test_a_command_that_the_winner_of_a_race_made_illegal_is_refused(database: Database) -> None:
    with overtaken(database) as (game, _, games), pytest.raises(OutOfTurn):
        games.act(game, PassBid(0), by="p0", command_id=command_id(2))


# Followers


def test_notices_list_all_events_of_a_shard_in_the_order_of_commits(games: Games) -> None:
    ids = [open_game(games), open_game(games)]
    commits = [commit for n in range(4) for game in ids for commit in play(games, game, 1, Random(n))]
    notices = all_notices(games)
    events = [entry.event for entry in games.entries(ids[0])[:9] + games.entries(ids[1])[:9]]
    events += [entry.event for commit in commits for entry in commit.entries]
    for shard in range(games.log.shards):
        here = [notice for notice in notices if notice.shard == shard]
        assert [each.event for each in here] == [
            each for each in events if shard_of(UUID(each.game), games.log.shards) == shard
        ]
        assert [notice.game for notice in here] == [notice.event.game for notice in here]
        assert [notice.position for notice in here] == sorted({notice.position for notice in here})
    assert games.log.has_position(commits[-1].position)
    assert games.log.read(games.log.heads(), 3).rows == []


def test_changes_name_commits_of_every_process_and_a_call_names_those_of_this_one(
    games: Games, database: Database
) -> None:
    told = list[tuple[str, int]]()
    games.log.call_on_commit(lambda game, version: told.append((game, version)))
    before = games.log.last_numbers()
    mine = open_game(games)
    with at(database) as others:
        theirs = open_game(others)
    reached, changes = games.log.changes(before, 500)
    assert sorted(changes) == sorted((game, version) for game in (mine, theirs) for version in range(1, 10))
    assert told == [(mine, 9)]
    assert games.log.changes(reached, 500) == (reached, [])
    assert len(games.log.changes(before, 2)[1]) in (2, 4)  # of one shard or of two
    ahead = tuple(number + 5 for number in reached)
    assert games.log.changes(ahead, 500) == (reached, [])


# A store that fails


@pytest.mark.both_stores
@pytest.mark.lengthy
def test_a_missing_store_is_unavailable(database: Database) -> None:
    url = None if database.url is None else "postgresql://nobody@/none?host=/nowhere"
    hasty = {"POSTGRES_CONNECT_TIMEOUT": "1"}
    with pytest.raises(StoreUnavailable), Games(database.data / "nowhere", url, settings=hasty, migrate=False) as games:
        games.state(new_id())


@pytest.mark.no_tables
def test_a_store_without_tables_is_unavailable_until_it_is_migrated(database: Database) -> None:
    for opens in (lambda: at(database, migrate=False), lambda: projection_envs("V", database.data, database.url)):
        with pytest.raises(StoreUnavailable, match="there is no log in"):
            opens()
    with at(database) as games:
        game = open_game(games)
    with at(database, migrate=False) as games:
        assert games.state(game).version == 9
