"""The standings are what exports add up to, however they were followed, and a rebuild changes nothing."""

from collections import Counter
from typing import Any

import pytest

from domain.events import Event, Fact, GameEnded, HandoverAnswered, HandoverAsked, HandScored, SeatHandedOver
from domain.store import Games
from projections.followers import LogFollower
from projections.lists.standings import STANDINGS
from projections.lists.standings_pages import head_to_head, history_page, standings_page
from projections.storage.pages import PageFold
from projections.storage.rows import RowStore
from projections.storage.tables import MemoryRows
from tests.conftest import Database
from tests.given import AT, GAME, game_opened
from tests.projections.lists.standings_games import PEOPLE, PlayedGames
from tests.projections.lists.standings_reference import Reference, reference
from tests.projections.playing_stored import all_rows, refolded, rows_of

VARIANTS = ("pitch", "setback", "blackout", "corellian")
COUNTED = ("games", "won", "hands", "hands_won", "bids", "made", "points")


def everybody(players: Any) -> Any:
    return players


def check(rows: RowStore, wanted: Reference) -> None:
    """Compare every read of the standings with the independent count."""
    periods = {period for _, period, _ in wanted.figures}
    with rows.snapshot("standings") as reading:
        for variant in VARIANTS:
            for period in periods:
                page = standings_page(reading, variant, period, everybody)["items"]
                found = {
                    line["player"]: {name: each for name, each in line.items() if name in COUNTED} for line in page
                }
                assert found == {
                    player: {name: figures[name] for name in COUNTED}
                    for (player, when, what), figures in wanted.figures.items()
                    if (when, what) == (period, variant)
                }
                assert [line["rank"] for line in page] == list(range(1, len(page) + 1))
                order = [(line["won"], line["points"]) for line in page]
                assert order == sorted(order, reverse=True)
        for player in PEOPLE:
            own = history_page(reading, player, player, limit=500)["items"]
            listed = [(each["ended"], each["id"], each["won"], each["points"], each["counts"]) for each in own]
            assert listed == sorted(wanted.histories[player], reverse=True)
            for other in PEOPLE:
                met = head_to_head(reading, player, other)
                assert [(each["variant"], each["games"], each["won"], each["lost"]) for each in met] == [
                    (variant, count, wanted.beaten[player, other, variant], wanted.beaten[other, player, variant])
                    for variant in sorted(VARIANTS)
                    if (count := wanted.met[player, other, variant])
                ]


def play_and_check(games: Games, rows: RowStore, followers: LogFollower, count: int, seed: int) -> Reference:
    """Play that many games; follow them in between, so that rulings change results that are counted already."""
    played = PlayedGames(games, seed)
    for number in range(count):
        played.play(number)
        if number % 3 == 0:
            followers.catch_up()
    followers.catch_up()
    wanted = reference(map(played.export, played.played))
    check(rows, wanted)
    before = all_rows(rows, STANDINGS)
    assert rows_of(rows, STANDINGS) == refolded(games, STANDINGS)
    followers.each["standings"].rebuild()
    assert all_rows(rows, STANDINGS) == before
    check(rows, wanted)
    return wanted


@pytest.mark.both_stores
@pytest.mark.lengthy
def test_standings_are_what_exports_add_up_to(
    database: Database, games: Games, rows: RowStore, followers: LogFollower
) -> None:
    many = 7 if database.url is None else 4  # each move is a commit
    wanted = play_and_check(games, rows, followers, many, seed=3)
    assert {variant for _, _, variant in wanted.figures} == set(VARIANTS)
    counted = Counter(counts for games_of in wanted.histories.values() for *_, counts in games_of)
    assert counted[True] > 5
    assert counted[False] > 5 or many == 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_standings_of_many_games(games: Games, rows: RowStore, followers: LogFollower, seed: int) -> None:
    play_and_check(games, rows, followers, 30, seed)


@pytest.mark.both_stores
@pytest.mark.lengthy
def test_a_game_leaves_the_standings_with_its_rows(games: Games, rows: RowStore, followers: LogFollower) -> None:
    # given two games of the same people
    played = PlayedGames(games, 1)
    first = played.play(0)
    followers.catch_up()
    before = all_rows(rows, STANDINGS)
    second = played.play(0)
    followers.catch_up()
    assert all_rows(rows, STANDINGS) != before
    # when the second one is folded again, nothing is counted twice
    twice = all_rows(rows, STANDINGS)
    assert rows.refold("standings", second, games.history) is None
    assert all_rows(rows, STANDINGS) == twice
    # and when it's gone, only the first one counts
    with rows._transaction(writes=True) as transaction:
        PageFold(transaction, STANDINGS, rows.live_generation("standings"), games.history)._remove_rows(second)
    assert all_rows(rows, STANDINGS) == before
    assert {row["game"] for row in all_rows(rows, STANDINGS)["games"]} == {first}


QUESTION = HandoverAsked(0, "bot:simple:2", "bot", "simple")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        pytest.param((("c3", QUESTION), ("c4", HandoverAnswered(1, True))), "handover", id="handed over"),
        pytest.param((), None, id="taken by the clock"),
        pytest.param((("c3", QUESTION),), None, id="taken before anybody has answered"),
        pytest.param((("c3", QUESTION), ("c3b", HandoverAnswered(1, False))), None, id="taken after a refusal"),
    ],
)
def test_a_seat_that_the_clock_took_is_lost_by_its_player(
    question: tuple[tuple[str, Fact], ...], reason: str | None
) -> None:
    # given a game whose only hand p0 has played, and then p0's seat is a bot's
    rows = MemoryRows(STANDINGS)
    scored = HandScored(1, (), (0, 0), None, (1, 0), (1, 0), (3, 3), (None, None))
    taken = SeatHandedOver(0, "p0", "bot:simple:2", "bot", "simple")
    told: list[tuple[str, Fact]] = [("c1", game_opened(2)), ("c2", scored), *question, ("c4", taken)]
    told.append(("c5", GameEnded("goal", (0,), (7, 0))))
    # when the bot wins it
    for version, (command, fact) in enumerate(told, 1):
        name = type(fact).__name__
        STANDINGS.fold(rows, Event(AT, "server", command, fact, name, GAME, "00" * 16, None, 1, version))
    # then nobody won, and p0 lost only if the clock took the seat
    found = {row["player"]: (row["reason"], row["won"]) for row in rows.all("results")}
    assert found == {"p0": (reason, int(reason is not None)), "p1": (None, 0)}
