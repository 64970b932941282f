"""`trickbook shards` for stores, servers and shards that aren't there, and what it counts (docs/operations.md)."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from api.config import Config
from api.container import open_services
from tests import postgres
from tests.commands import run
from tests.domain.store.storing import command_id, opening, play

COUNT = 4
IDS = [str(UUID(int=number, version=4)) for number in (0, 1, 2, 5, 6, 9, 14)]
"""Games in all shards but the last one: `uuid.int % 4` names the shard."""


@pytest.fixture
def places(fresh_postgres: str, postgres_server: postgres.Server, tmp_path: Path) -> Iterator[tuple[Config, str]]:
    """A store on PostgreSQL with four shards, and the address of another, empty database."""
    with postgres_server.fresh() as other:
        config = Config(data=tmp_path, database_url=fresh_postgres, shards=COUNT)
        with closing(open_services(config)) as here:
            for number, game in enumerate(IDS):
                board = here.accounts.boards.reserve(game, "p0")
                here.games.open(opening(game, board=board), by="p0", command_id=command_id(number))
                play(here.games, game, number)
        yield config, other


def shards(config: Config, *words: str) -> tuple[int, str]:
    done = run("shards", *words, at=config)
    return done.exit_code, done.output


def rows_of(config: Config) -> dict[int, tuple[int, int]]:
    """Return the numbers of games and rows that each shard must have, from ids and versions."""
    games, rows = Counter[int](), Counter[int]()
    with closing(open_services(config)) as here:
        for game in IDS:
            games[UUID(game).int % COUNT] += 1
            rows[UUID(game).int % COUNT] += len(here.games.entries(game))
    return {shard: (games[shard], rows[shard]) for shard in range(COUNT)}


@pytest.mark.timeout(600)
def test_show_and_check_count_the_games_and_rows_that_the_ids_name(places: tuple[Config, str]) -> None:
    config, _ = places
    expected = rows_of(config)
    assert expected[3] == (0, 0)
    code, shown = shards(config, "show")
    lines = [line.split() for line in shown.splitlines() if line.split()[:1] in [[str(each)] for each in expected]]
    assert code == 0, shown
    assert [line[:3] for line in lines] == [[str(n), "home", str(rows)] for n, (_, rows) in expected.items()], shown
    code, checked = shards(config, "check")
    told = {int(shard): tuple(map(int, re.findall(r"(?:games|rows): (\d+)", rest)))
            for shard, rest in re.findall(r"^shard (\d+)(.*)$", checked, re.MULTILINE)}  # fmt: skip
    assert (code, told) == (0, expected), checked


@pytest.mark.timeout(600)
def test_what_is_not_there_is_refused_and_every_shard_stays(
    places: tuple[Config, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config, other = places
    before = shards(config, "check")
    assert shards(config, "move", "0", "--to", "east")[0] == 1, "no server but home is named"
    monkeypatch.setenv("TRICKBOOK_SERVERS", f"east={other}")
    refusals = {
        ("move", "4", "--to", "east"): 2,
        ("move", "99", "--to", "home"): 2,
        ("drop", "4", "--from", "home", "--yes"): 2,
        ("move", "0", "--to", "west"): 1,
        ("drop", "0", "--from", "home", "--yes"): 1,
        ("drop", "3", "--from", "home", "--yes"): 1,
        ("drop", "0", "--from", "east", "--yes"): 1,
        ("drop", "0", "--from", "west", "--yes"): 1,
    }
    said = {words: shards(config, *words) for words in refusals}
    assert {words: code for words, (code, _) in said.items()} == refusals, said
    assert [words for words, (_, text) in said.items() if not text.strip() or other in text] == []
    for words in (["move", "x", "--to", "east"], ["move", "0"], ["drop", "0"], ["move", "--to", "east"], ["grow"]):
        assert shards(config, *words)[0] == 2, words
    assert shards(config, "move", "0", "--to", "home")[0] == 0, "it's there already"
    monkeypatch.delenv("TRICKBOOK_SERVERS")
    assert shards(config, "check") == before
