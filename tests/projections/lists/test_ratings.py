"""The ratings are what exports come to, to the last digit, however they were followed; a rebuild changes nothing."""

import random
from itertools import pairwise
from typing import Any

import pytest

from domain.commands import GiveRuling, OpenDispute, OpenGame, Resign
from domain.events import Evidence, Player
from domain.store import Games
from projections.followers import LogFollower
from projections.ratings.rating_pool import rating_json
from projections.ratings.ratings import RATINGS
from projections.ratings.ratings_pages import ratings_page
from projections.storage.pages import PageFold
from projections.storage.rows import RowStore
from tests.conftest import Database
from tests.games.whole_games import Clock
from tests.projections.lists.ratings_reference import Finished, finished_games, rate
from tests.projections.lists.standings_games import ANN, NOTE, PEOPLE, PlayedGames, export_of
from tests.projections.playing_stored import all_rows, opened

POOLS = [
    (variant, kind)
    for variant in ("pitch", "setback", "blackout", "corellian")
    for kind in ("all", "two", "more", "partners")
]


def tables_of(rows: RowStore) -> dict[str, list[dict[str, Any]]]:
    return all_rows(rows, RATINGS)


def check_ratings(rows: RowStore, wanted: list[Finished]) -> int:
    """Compare all ratings with the independent ones, and return how many there are."""
    found = {(row["pool"], row["player"]): row for row in tables_of(rows)["players"]}
    count = 0
    for variant, kind in POOLS:
        for player, own in rate(wanted, variant, kind).items():
            row = found.pop((f"{variant}/{kind}", player))
            numbers = (own.rating, None) if kind == "all" else (own.mu, own.sigma)
            shown = row["value"] / 1_000_000, row["spread"] and row["spread"] / 1_000_000
            assert shown == numbers, (variant, kind, player)
            assert (row["played"], row["opponents"], row["last"]) == (own.games, len(own.opponents), own.last)
            count += 1
    assert found == {}
    return count


def check_changes(rows: RowStore, wanted: list[Finished]) -> int:
    """Compare what the rulings moved with the ratings just before and after each, and return how many they moved."""
    tables = tables_of(rows)
    found = {(row["pool"], row["game"], row["version"], row["player"]): row for row in tables["changes"]}
    count = 0
    for game in wanted:
        for _, (at, version, _) in pairwise(game.outcomes):
            for kind in ("all", game.kind):
                before, after = (rate(wanted, game.variant, kind, (at, game.game, version + more)) for more in (0, 1))
                for player in before:
                    old, new = before[player], after[player]
                    numbers = [(own.rating, None) if kind == "all" else (own.mu, own.sigma) for own in (old, new)]
                    if numbers[0] != numbers[1]:
                        row = found.pop((f"{game.variant}/{kind}", game.game, version, player))
                        shown = [(row[f"value{when}"], row[f"spread{when}"]) for when in ("_before", "")]
                        assert [(a / 1e6, b and b / 1e6) for a, b in shown] == numbers
                        count += 1
    assert found == {}
    return count


def turn_round(played: PlayedGames, game: str) -> None:
    """Turn the order of the scores of a finished game round by a ruling."""
    state, root = played.games.snapshot(game)
    most, least = max(state.scores), min(state.scores)
    changes = tuple(most + least - 2 * score for score in state.scores)
    played.act(game, OpenDispute(0, 1, state.version, "revoke", NOTE), state.seats[0].player)
    number, evidence = len(state.disputes) + 1, Evidence(state.version, root)
    played.act(game, GiveRuling(ANN, number, "adjust", changes, "S34", "recorded", evidence, NOTE), ANN)


def test_a_ruling_that_is_followed_late_moves_what_had_ended_by_then(database: Database) -> None:
    # given a game, and two others of its variant that ended a day later and were followed before a ruling on the first
    clock = Clock()
    with opened(database, clock=clock, page=500) as (games, rows, followers):
        played = PlayedGames(games, 7, PEOPLE[:4])
        first = played.play(0)
        by_then = clock.seconds
        clock.seconds += 86_400
        for number in (7, 28):
            played.play(number)
        followers.catch_up()
        # when a ruling on the first one comes that was given before
        clock.seconds = by_then
        turn_round(played, first)
        followers.catch_up()
        # then all ratings and changes are those of the independent computation
        wanted = finished_games(map(played.export, played.played))
        assert len(wanted) == 3
        check_ratings(rows, wanted)
        assert check_changes(rows, wanted) > 0


class ShortGames:
    """Games of two that end at once, in one store: the second player resigns."""

    def __init__(self, games: Games) -> None:
        self.games, self.number = games, 0

    def play(self, winner: str, loser: str) -> str:
        self.number += 1
        game = f"00000000-0000-4000-8000-{self.number:012}"
        seats = (Player(winner, "human"), Player(loser, "human"))
        opening = OpenGame(game, self.number, "pitch", {"win": 7}, seats)
        self.games.open(opening, by=winner, command_id=f"open-{game}")
        self.games.act(game, Resign(1), by=loser, command_id=f"resign-{game}")
        return game

    def finished(self, left_out: str | None = None) -> list[Finished]:
        ids = (f"00000000-0000-4000-8000-{number:012}" for number in range(1, self.number + 1))
        return finished_games(export_of(self.games, game) for game in ids if game != left_out)


def listed(rows: RowStore, kind: str) -> list[str]:
    with rows.snapshot("ratings") as reading:
        return [line["player"] for line in ratings_page(reading, "pitch", kind, set)["items"]]


def test_many_wins_over_one_opponent_put_nobody_on_the_list(
    games: Games, rows: RowStore, followers: LogFollower
) -> None:
    # given 30 wins of a over b
    short = ShortGames(games)
    for _ in range(30):
        short.play("a", "b")
    followers.catch_up()
    # then nobody is on a list, and each game after the tenth counted half
    assert listed(rows, "all") == listed(rows, "two") == []
    check_ratings(rows, short.finished())
    halves = [row["halves"] for row in tables_of(rows)["histories"] if row["pool"] == "pitch/two"]
    assert halves == [2] * 20 + [1] * 40
    # when a has met four others, too, only a is
    for other in "cdef":
        short.play("a", other)
    followers.catch_up()
    assert listed(rows, "all") == listed(rows, "two") == ["a"]


@pytest.mark.both_stores
@pytest.mark.lengthy
def test_half_the_weight_and_the_mean_of_active_players_end_with_time(database: Database) -> None:
    # given games of five people, now and then after weeks or months, a third of them between the same two
    clock, rng = Clock(), random.Random(4)
    with opened(database, clock=clock, page=100) as (games, rows, followers):
        short = ShortGames(games)
        for number in range(110):
            clock.seconds += 86_400 * ((rng.random() < 0.1) + 110 * (number % 50 == 49))
            short.play(*(("a", "b") if number % 3 == 0 else rng.sample("abcde", 2)))
        followers.catch_up()
        # then the ratings are those of the independent computation
        check_ratings(rows, short.finished())
        tables = tables_of(rows)
        assert {row["halves"] for row in tables["histories"]} == {1, 2}
        assert {row["established"] for row in tables["players"]} == {1}
        assert len(tables["months"]) >= 1


def test_a_game_leaves_the_ratings_with_its_rows(games: Games, rows: RowStore, followers: LogFollower) -> None:
    # given three games
    short = ShortGames(games)
    short.play("a", "b")
    followers.catch_up()
    second = short.play("b", "c")
    short.play("c", "a")
    followers.catch_up()
    whole = tables_of(rows)
    # when the one in the middle is folded again, as one that comes late, nothing changes
    assert rows.refold("ratings", second, games.history) is None
    assert tables_of(rows) == whole
    # and when it's gone, the others are rated without it
    with rows._transaction(writes=True) as transaction:
        PageFold(transaction, RATINGS, rows.live_generation("ratings"), games.history)._remove_rows(second)
    check_ratings(rows, short.finished(left_out=second))
    assert {row["game"] for row in tables_of(rows)["histories"]} == {row["game"] for row in tables_of(rows)["games"]}


@pytest.mark.parametrize(
    ("kind", "value", "spread", "played", "shown"),
    [
        ("all", 1623_400_000, None, 20, "1623"),
        ("all", 1623_400_000, None, 7, "1623, provisional (7 of 20)"),
        ("two", 25_479_166, 2_916_667, 30, "1623 ± 140"),
        ("two", 25_000_000, 8_333_333, 0, "1600 ± 400, provisional (0 of 20)"),
    ],
)
def test_a_rating_is_shown_with_its_uncertainty(
    kind: str, value: int, spread: int | None, played: int, shown: str
) -> None:
    assert rating_json(kind, value, spread, played)["shown"] == shown
