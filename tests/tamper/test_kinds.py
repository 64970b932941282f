"""Every kind of tampering, in each store and in an export, is noticed by the program: exit code 1, the event named."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli import main
from tests.conftest import Database
from tests.postgres import Server
from tests.tamper.kinds import KINDS, Kind
from tests.tamper.ledgers import ledger
from tests.tamper.places import PLACES, Made, make, neighbours, tables


def run(*arguments: str, url: str | None = None) -> Result:
    """The program, in this process."""
    return CliRunner().invoke(main, list(arguments), env={"TRICKBOOK_DATABASE_URL": url})


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Made]]:
    """The places on each store, by the games in them; every test writes all rows anew."""
    with ExitStack() as opened:
        made: dict[str, Made] = {}
        for game, _ in PLACES:
            url = None
            if request.param == "postgres":
                server: Server = request.getfixturevalue("postgres_server")
                url = opened.enter_context(server.fresh())
            place = make(Database(url, tmp_path_factory.mktemp("place")), neighbours(game))
            made |= dict.fromkeys((table.game.id for table in neighbours(game)), place)
        yield made


def test_there_are_sixty_kinds_and_more() -> None:
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names) >= 60


def noticed(result: Result, version: int | None, *, kept: bool) -> None:
    """Exit code 1, and the event named where one has to be; where only a receipt tells, among others."""
    assert result.exit_code == 1, result.output
    spans = re.findall(r"one of the events (\d+) to (\d+) was changed", result.output) if kept else ()
    among = any(int(first) <= (version or 0) <= int(last) for first, last in spans)
    assert version is None or among or re.search(rf"\bevent {version}\b", result.output), result.output


def test_what_nobody_tampered_with_is_in_order(places: dict[str, Made]) -> None:
    for game, made in places.items():
        ledger(game).store(made.database)
        result = run("check", "--data", str(made.database.data), url=made.database.url)
        assert (result.exit_code, result.output.splitlines()[-1]) == (0, "verdict: all is in order"), result.output


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "store" in kind.where], ids=lambda kind: kind.name)
def test_the_check_of_a_place_notices(places: dict[str, Made], kind: Kind) -> None:
    made, written = places[kind.game], ledger(kind.game)
    version = kind.change(written)
    written.store(made.database)
    result = run("check", "--data", str(made.database.data), url=made.database.url)
    noticed(result, version, kept=kind.kept)
    assert kind.game in result.output


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "export" in kind.where], ids=lambda kind: kind.name)
def test_verify_notices_in_an_export(tmp_path: Path, kind: Kind) -> None:
    written = ledger(kind.game)
    kept = ("--root", tables()[kind.game].game.root) if kind.kept else ()
    version = kind.change(written)
    (tmp_path / "f.ndjson").write_bytes(written.export())
    result = run("verify", str(tmp_path / "f.ndjson"), *kept)
    noticed(result, None if kind.kept else version, kept=False)
