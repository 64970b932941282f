"""The program notices every kind of tampering, in each store and in an export: exit code 1, and the event is named."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.main import main
from tests.api.server_process import run_program as program
from tests.campaigns.tamper.kinds import CUTS, DISPUTES, FACTS, KINDS, ORDER, ROWS, SEATS, Kind
from tests.campaigns.tamper.ledgers import ledger
from tests.campaigns.tamper.places import PITCH, PLACES, Made, make, neighbours, tables
from tests.conftest import Database
from tests.postgres import Server

IN_STORE = [kind for kind in KINDS if "store" in kind.where]
LEFT = {pair[0] for pair in (*FACTS, *CUTS, *DISPUTES, *SEATS)}
"""A fact changed without its hashes: the links notice any such change."""


def run(*arguments: str, url: str | None = None, **settings: str) -> Result:
    """Run the program in this process."""
    named: dict[str, str | None] = {f"TRICKBOOK_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, list(arguments), env={"TRICKBOOK_DATABASE_URL": url} | named)


ON_POSTGRES = [pytest.param(f"postgres{shards}", marks=pytest.mark.slow) for shards in ("", " with eight shards")]


@pytest.fixture(scope="module", params=["sqlite", *ON_POSTGRES])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Made]]:
    """The places on each store, by their games; every test writes all rows again."""
    with ExitStack() as opened:
        made: dict[str, Made] = {}
        for game, _ in PLACES:
            url = None
            if request.param != "sqlite":
                server: Server = request.getfixturevalue("postgres_server")
                url = opened.enter_context(server.fresh())
            shards = 8 if request.param == "postgres with eight shards" else 1
            place = make(Database(url, tmp_path_factory.mktemp("place")), neighbours(game), shards)
            made |= dict.fromkeys((table.game.game for table in neighbours(game)), place)
        yield made


def noticed(result: Result, version: int | None, *, kept: bool) -> None:
    """Assert exit code 1 and that the event is named, or, if only a receipt shows the change, that its range is."""
    assert result.exit_code == 1, result.output
    spans = re.findall(r"one of the events (\d+) to (\d+) was changed", result.output) if kept else ()
    among = any(int(first) <= (version or 0) <= int(last) for first, last in spans)
    assert version is None or among or re.search(rf"\bevent {version}\b", result.output), result.output


def test_an_untouched_place_is_in_order(places: dict[str, Made]) -> None:
    for game, made in places.items():
        ledger(game).store(made.database, made.shards)
        result = run("store", "check", "--data", str(made.database.data), url=made.database.url)
        assert (result.exit_code, result.output.splitlines()[-1]) == (0, "verdict: all is in order"), result.output


def each(kinds: Iterable[Kind], slow: Callable[[Kind], bool]) -> pytest.MarkDecorator:
    """Return one parameter for each kind; the slow ones run only in `make tamper`."""
    made = [pytest.param(kind, id=kind.name, marks=pytest.mark.slow if slow(kind) else ()) for kind in kinds]
    return pytest.mark.parametrize("kind", made)


@each(IN_STORE, lambda kind: kind not in (*ROWS, *ORDER) and (kind in LEFT or IN_STORE.index(kind) % 4 > 0))
def test_the_check_of_a_place_notices(places: dict[str, Made], kind: Kind) -> None:
    made, written = places[kind.game], ledger(kind.game)
    version = kind.change(written)
    written.store(made.database, made.shards)
    result = run("store", "check", "--data", str(made.database.data), url=made.database.url)
    noticed(result, version, kept=kind.kept)
    assert kind.game in result.output


@each([kind for kind in KINDS if "export" in kind.where], lambda kind: kind in LEFT)
def test_verify_notices_in_an_export(tmp_path: Path, kind: Kind) -> None:
    written = ledger(kind.game)
    kept = ("--root", tables()[kind.game].game.root) if kind.kept else ()
    version = kind.change(written)
    (tmp_path / "f.ndjson").write_bytes(written.export())
    result = run("game", "verify", str(tmp_path / "f.ndjson"), *kept)
    noticed(result, None if kind.kept else version, kept=False)


@pytest.mark.slow
def test_no_program_imports_a_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The topic names a module that writes a file when it is imported."""
    made, written = make(Database(None, tmp_path), neighbours(PITCH)), ledger(PITCH)
    (tmp_path / "marked.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    written.at(20).topic = "marked:Marked"
    written.store(made.database, made.shards)
    for command in (("store", "check"), ("game", "audit", "1"), ("game", "export", "1")):
        done = program(*command, "--data", str(tmp_path))
        assert (done.returncode, "event 20" in done.stdout + done.stderr) == (1, True), done
    assert not (tmp_path / "mark").exists()
