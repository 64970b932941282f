"""The list, the list made again, `trickbook results rate` and an independent computation agree to the last digit."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from domain.store import Games
from projections.storage.rows import RowStore
from tests.api.conftest import services_of
from tests.api.live_server import GameServer, open_server
from tests.commands import run
from tests.conftest import Database
from tests.games.tables import entropy
from tests.games.whole_games import Clock
from tests.projections.lists.rated_games import RatedGames
from tests.projections.lists.ratings_reference import finished_games
from tests.projections.lists.test_ratings import check_changes, check_ratings, tables_of

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
REASONS = {None, "practice", "bots", "guest", "private", "void", "limit", "handover"}
PLAYED = {
    *("pitch/all", "pitch/two", "pitch/more", "setback/all", "setback/more", "setback/partners"),
    *("blackout/all", "blackout/more", "corellian/all", "corellian/more"),
}
TWO_DAYS_S = 172_800


def play(server: GameServer, whole: int, resigned: int, seed: int) -> list[bytes]:
    """Play games of every kind for users of the server, by a clock of their own, and return their exports."""
    services, config, clock = services_of(server.app), server.config, Clock()

    def wait() -> None:
        clock.seconds += TWO_DAYS_S

    people = [server[name].get("/me").get_json()["id"] for name in NAMES]
    with Games(config.data, config.database_url, entropy=entropy(seed), clock=clock) as games:
        played = RatedGames(games, seed, people)
        played.play_all(whole, resigned, wait)
        for game in played.played:
            services.accounts.boards.reserve(game, people[0])
        return played.exports


def rated(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what `trickbook results rate` says of the exports in a folder, by pool and player."""
    answer = run("results", "rate", *map(str, folder.glob("*.ndjson")), "--json")
    assert answer.exit_code == 0, answer.output
    return {(f"{each['variant']}/{each['kind']}", each["player"]): each for each in json.loads(answer.stdout)}


def numbers(rows: RowStore) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Return the numbers of the stored ratings, by pool and player."""
    return {
        (row["pool"], row["player"]): (
            row["value"] / 1_000_000,
            None if row["spread"] is None else row["spread"] / 1_000_000,
            *(row[name] for name in ("played", "opponents", "last")),
        )
        for row in tables_of(rows)["players"]
    }


def check_variety(rows: RowStore, exports: list[bytes]) -> None:
    """Check that games counted for each weight and state of a rating, and for each reason didn't count."""
    with rows.snapshot("standings") as reading:
        assert {row["reason"] for row in reading.find("results", "")} == REASONS
    tables = tables_of(rows)
    assert {row["halves"] for row in tables["histories"]} == {1, 2}
    assert {row["established"] for row in tables["players"]} == {0, 1}
    for text in (b'"SeatForfeited"', b'"autopilot":"bot:random"', b'"RulingGiven"'):
        assert any(text in export for export in exports), text


def check_agreement(database: Database, folder: Path, whole: int, resigned: int, seed: int) -> None:
    """Play games, delete an account, and compare all four."""
    with open_server(folder / "data", database.url) as server:
        exports = play(server, whole, resigned, seed)
        services = services_of(server.app)
        server.follow()
        check_variety(services.rows, exports)
        # when an account is deleted, the list and the independent computation agree
        assert server.command("user", "delete", "bob", "--now", "--yes").exit_code == 0
        wanted = finished_games(exports)
        assert check_ratings(services.rows, wanted) > len(NAMES) * 4
        assert check_changes(services.rows, wanted) > 0
        # and the list made again has the same rows, of every table
        before = tables_of(services.rows)
        services.followers.rebuild("ratings")
        assert tables_of(services.rows) == before
        # and the program says the same from exports alone, which don't name the deleted player
        assert server.command("game", "export", "--all", "-o", f"{folder / 'games'}/").exit_code == 0
        found, stored = rated(folder / "games"), numbers(services.rows)
        assert {
            key: tuple(each[name] for name in ("value", "spread", "games", "opponents", "last"))
            for key, each in found.items()
        } == stored
        assert {each["name"] for each in found.values()} == {*NAMES, "deleted"} - {"bob"}
        assert {pool for pool, _ in found} == PLAYED
        text = run("results", "rate", *map(str, (folder / "games").glob("*.ndjson"))).stdout
        assert "setback partners" in text
        assert re.search(r"provisional \(\d+ of 20\)", text)
        # and so does the page of each player who is left
        for name in set(NAMES) - {"bob"}:
            body = server.nobody.get(f"/players/{name}/ratings").get_json()
            for each in body["ratings"]:
                own = {name: value for name, value in each.items() if name != "rank"}
                assert found[f"{each['variant']}/{each['kind']}", body["player"]] == own | {
                    "player": body["player"],
                    "name": name,
                }


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_forty_games_of_all_variants_are_rated_alike_by_four(database: Database, tmp_path: Path) -> None:
    check_agreement(database, tmp_path, 7, 24, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_hundreds_of_games_are_rated_alike_by_four(database: Database, tmp_path: Path, seed: int) -> None:
    check_agreement(database, tmp_path, 60, 150, seed)


def test_a_file_that_is_no_whole_export_is_named(tmp_path: Path) -> None:
    whole = (Path(__file__).parents[2] / "docs/examples/small-game.ndjson").read_bytes()
    file = tmp_path / "broken.ndjson"
    for content, says in {
        b"": "",
        b"nonsense\n": "",
        b'{"format":"trickbook-export/9"}\n': "",
        whole[: len(whole) // 2]: "board 1",
    }.items():
        file.write_bytes(content)
        answer = run("results", "rate", str(file))
        assert (answer.exit_code, "broken.ndjson" in answer.stderr, says in answer.stderr) == (2, True, True)
    answer = run("results", "rate", str(tmp_path / "absent.ndjson"))
    assert (answer.exit_code, "absent.ndjson" in answer.stderr) == (2, True)
