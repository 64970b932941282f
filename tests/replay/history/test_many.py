"""Files of many games on the command line: write them, check each game, and pick one game."""

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.cli.games import exports
from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import open_services
from api.ops.files import atomic_write
from domain.engine.paces import EVENT_TIME
from replay.history import read_export
from replay.history.bundle import split_exports
from replay.queries.flat_table import COLUMNS, flat_rows
from replay.text.transcript import format_transcript, parse_transcripts
from tests.api.games.test_bulk import damage_log
from tests.api.server_process import server_environment
from tests.commands import run
from tests.games.four import OVER, RUNNING, Four, id_of
from tests.replay.terminal import terminal

EVERY = range(1, 9)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Four]:
    """A store of eight games that no test changes."""
    config = Config(
        data=tmp_path_factory.mktemp("many") / "data", hashing="cheapest", limits=NO_LIMITS, seating="at-once"
    )
    open_services(config).close()
    with closing(Four(config)) as four:
        four.fill()
        with closing(open_services(config)) as services:
            for board in EVERY:
                services.receipts.issue(id_of(board))
        yield four


@pytest.fixture(scope="module")
def everything(stored: Four) -> bytes:
    said = run("game", "export", "--all", at=stored.config)
    assert (said.exit_code, said.stderr) == (0, f"8 games, as of position {sum(stored.games.log.last_numbers())}\n")
    return said.stdout_bytes


@pytest.fixture
def file(everything: bytes, tmp_path: Path) -> str:
    (tmp_path / "all.ndjson").write_bytes(everything)
    return str(tmp_path / "all.ndjson")


def boards(data: bytes) -> list[int]:
    return [read_export(each).header.board for each in split_exports(data.splitlines(keepends=True))] if data else []


def test_export_all_writes_each_single_export_one_after_another(stored: Four, everything: bytes) -> None:
    alone = [run("game", "export", str(board), at=stored.config).stdout_bytes for board in EVERY]
    assert everything == b"".join(alone)


def test_of_a_stored_game_that_runs_an_operator_sees_public_facts_alone(stored: Four, everything: bytes) -> None:
    board = RUNNING[0]
    for command, code in (("game audit", 2), ("ask rejudge", 2), ("game show", 0)):
        assert run(*command.split(), str(board), at=stored.config).exit_code == code
    assert run("hand", "replay", str(board), "--hand", "1", at=stored.config).exit_code == 0
    hidden = run("game", "show", str(board), "--seat", "0", at=stored.config)
    assert (hidden.exit_code, "is not revealed" in hidden.output) == (2, True)
    assert "you" not in json.loads(run("game", "show", id_of(board), "--json", at=stored.config).output)
    assert read_export(list(split_exports(everything.splitlines(keepends=True)))[board - 1]).withheld > 0
    for game in ("99", "99999999999999999999999", "0f8fad5b-d9cb-469f-a165-000000000000", "x" * 36):
        assert run("game", "show", game, at=stored.config).exit_code == 2, game


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        (("--variant", "blackout"), [5, 6]),
        (("--status", "finished"), list(OVER)),
        (("--status", "active", "--variant", "corellian"), [7]),
        (("--player", "cat"), list(EVERY)),
        (("--since", "2030-01-01"), []),
        (("--until", "2030-01-01T12:00", "--all"), list(EVERY)),
    ],
)
def test_filters_pick_games(stored: Four, filters: tuple[str, ...], wanted: list[int]) -> None:
    said = run("game", "export", *filters, at=stored.config)
    assert (said.exit_code, boards(said.stdout_bytes)) == (0, wanted)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Name a GAME, or select games"),
        (("1", "--all"), "Give either a GAME, or --all or filters"),
        (("--status", "over"), "--status: Must be one of: active, finished."),
        (("--since", "yesterday"), "--since: Must be a time in UTC"),
        (("--player", "nobody"), "There is no player nobody"),
        (("--all", "-o", "/nowhere/at/all"), "/nowhere/at/all"),
        (("--all", "--parquet"), "Name a file for --parquet, with --output."),
        (("--all", "--csv", "-o", "games/"), "The table is one file: name it with --output."),
    ],
)
def test_an_impossible_request_exits_with_2_and_says_why(stored: Four, arguments: tuple[str, ...], says: str) -> None:
    said = run("game", "export", *arguments, at=stored.config)
    assert (said.exit_code, says in said.stderr, said.stdout) == (2, True, ""), said.stderr


def test_a_file_of_all_games_appears_whole_or_not_at_all(stored: Four, everything: bytes, tmp_path: Path) -> None:
    path = tmp_path / "all.ndjson"
    assert run("game", "export", "--all", "-o", str(path), at=stored.config).exit_code == 0
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (everything, [path])
    with pytest.raises(KeyboardInterrupt):
        breaks_off(path)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (everything, [path])


def breaks_off(path: Path) -> None:
    with atomic_write(path) as half:
        half.write(b"half")
        raise KeyboardInterrupt


def test_a_folder_gets_a_file_for_each_game_and_unchanged_files_stay(
    stored: Four, everything: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    paths = [folder / f"board-{board}.ndjson" for board in EVERY]
    assert run("game", "export", "--all", "-o", f"{folder}/", at=stored.config).exit_code == 0
    assert sorted(folder.iterdir()) == paths
    assert b"".join(path.read_bytes() for path in paths) == everything
    for path in paths:
        os.utime(path, (1, 1))
    paths[2].write_bytes(paths[2].read_bytes()[:1000])
    paths[3].unlink()
    paths[4].with_name(paths[4].name + ".part").write_bytes(b"of one that was killed")
    again = run("game", "export", "--all", "-o", str(folder), at=stored.config)
    assert (again.exit_code, ", 6 of them unchanged\n" in again.stderr) == (0, True)
    assert b"".join(path.read_bytes() for path in paths) == everything
    assert [path.stat().st_mtime == 1 for path in paths] == [True, True, False, False, True, True, True, True]


def test_a_table_of_the_store_or_of_a_file_has_the_rows_of_every_game(
    stored: Four, everything: bytes, file: str, tmp_path: Path
) -> None:
    rows = [row for each in split_exports(everything.splitlines(keepends=True)) for row in flat_rows(read_export(each))]
    said = run("game", "export", "--all", "--csv", at=stored.config)
    assert (said.exit_code, said.stderr) == (0, f"8 games, {len(rows)} rows\n")
    written = list(csv.DictReader(io.StringIO(said.stdout)))
    assert [{name: words(getattr(row, name)) for name in COLUMNS} for row in rows] == written
    assert run("game", "export", file, "--csv", "-o", str(tmp_path / "t.csv")).exit_code == 0
    assert (tmp_path / "t.csv").read_bytes() == said.stdout_bytes
    second = [row for row in written if row["board"] == "2"]
    for arguments in (("2",), (file, "--game", "2")):
        one = run("game", "export", *arguments, "--csv", at=stored.config)
        assert list(csv.DictReader(io.StringIO(one.stdout))) == second


def words(value: object) -> str:
    """Return a value as it stands in a cell."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_a_table_in_parquet_has_the_same_rows_with_their_types(
    stored: Four, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="`make setup` installs it")
    monkeypatch.setattr(exports, "GROUP", 100)
    path = tmp_path / "t.parquet"
    assert run("game", "export", "--all", "--parquet", "-o", str(path), at=stored.config).exit_code == 0
    read = parquet.ParquetFile(path)
    assert read.metadata.num_row_groups > 1
    found = read.read().to_pylist()
    text = run("game", "export", "--all", "--csv", at=stored.config).stdout
    for row, cells in zip(found, csv.DictReader(io.StringIO(text)), strict=True):
        times = {name: row[name].strftime(EVENT_TIME) for name in ("opened", "at")}
        assert {name: words(value) for name, value in (row | times).items()} == cells


def test_parquet_without_pyarrow_names_the_package_and_writes_nothing(
    stored: Four, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = run("game", "export", "1", "--parquet", "-o", str(tmp_path / "t.parquet"), at=stored.config)
    assert (said.exit_code, "pip install pyarrow" in said.stderr, list(tmp_path.iterdir())) == (2, True, [])


def test_a_game_that_cannot_be_read_is_named_and_the_table_has_the_others(everything: bytes, tmp_path: Path) -> None:
    games = list(split_exports(everything.splitlines(keepends=True)))
    opening, second, *rest = games[3].splitlines(keepends=True)
    shuffled, broken = b"".join([opening, rest[8], second, *rest]), games[4][: games[4].index(b"\n") + 1]
    (tmp_path / "some.ndjson").write_bytes(games[0] + shuffled + broken + games[1])
    said = run("game", "export", str(tmp_path / "some.ndjson"), "--csv")
    assert (said.exit_code, {row["board"] for row in csv.DictReader(io.StringIO(said.stdout))}) == (1, {"1", "2"})
    assert [line.partition(":")[0] for line in said.stderr.splitlines()[1:]] == ["board 4", "board 5"]


@pytest.mark.process
def test_verify_reports_each_game_and_audit_reports_hands_that_are_not_revealed(file: str) -> None:
    said = run("game", "verify", file)
    lines = said.stdout.splitlines()
    assert (said.exit_code, len(lines)) == (0, 9)
    assert lines[1].startswith(f"board 2 · pitch · game {id_of(2)} · over · ")
    assert lines[1].endswith(" events, 0 withheld: all green")
    assert lines[-1] == "8 games: 8 all green, 0 a check failed, 0 cannot decide"
    said = run("game", "audit", file)
    assert (said.exit_code, said.stdout.splitlines()[-1]) == (
        2,
        "8 games: 4 all green, 0 a check failed, 4 cannot decide",
    )
    assert sum("running" in line and "withheld: cannot decide" in line for line in said.stdout.splitlines()) == 4


@pytest.mark.process
def test_with_json_each_line_is_a_report_and_the_last_is_the_count(file: str, everything: bytes) -> None:
    said = run("game", "verify", "-", "--json", given=everything)
    *reports, count = map(json.loads, said.stdout.splitlines())
    assert [report["board"] for report in reports] == list(EVERY)
    assert {report["audit"] for report in reports} == {"trickbook-audit/1"}
    verdicts = {"all green": 8, "a check failed": 0, "cannot decide": 0}
    assert count == {"games": 8, "verdicts": verdicts, "code": 0}
    assert run("game", "verify", file, "--json").stdout == said.stdout


def test_the_exit_code_is_that_of_the_worst_game(everything: bytes, tmp_path: Path) -> None:
    games = list(split_exports(everything.splitlines(keepends=True)))
    changed = games[3].replace(b'"bid":', b'"bid":1', 1)
    unreadable = games[4].replace(b"trickbook-export/1", b"trickbook-export/9", 1)
    cut_off = games[5][:-100]
    for parts, code, counted in (
        ((games[0], changed, games[4]), 1, "2 all green, 1 a check failed, 0 cannot decide"),
        ((games[0], unreadable, games[5]), 2, "2 all green, 0 a check failed, 1 cannot decide"),
        ((changed, unreadable), 1, "0 all green, 1 a check failed, 1 cannot decide"),
        ((games[0], cut_off), 1, "1 all green, 1 a check failed, 0 cannot decide"),
    ):
        path = tmp_path / "some.ndjson"
        path.write_bytes(b"".join(parts))
        said = run("game", "verify", str(path))
        assert (said.exit_code, counted in said.stdout) == (code, True), said.stdout
    *reports, _ = map(json.loads, run("game", "verify", "-", "--json", given=unreadable + games[0]).stdout.splitlines())
    assert reports[0]["unread"] == "its first line doesn't name a format that this program knows"


@pytest.mark.parametrize(
    "command",
    [
        ("game", "show"),
        ("game", "show", "--json"),
        ("hand", "replay", "--hand", "1"),
        ("game", "audit"),
        ("ask", "rejudge"),
        ("game", "transcript"),
        ("game", "export"),
        ("game", "verify"),
    ],
    ids=" ".join,
)
def test_a_game_is_picked_by_its_number_or_id(file: str, everything: bytes, command: tuple[str, ...]) -> None:
    group, name, *options = command
    games = list(split_exports(everything.splitlines(keepends=True)))
    for board, reference in ((3, "3"), (6, id_of(6))):
        alone = run(group, name, "-", *options, given=games[board - 1])
        assert run(group, name, file, "--game", reference, *options).stdout_bytes == alone.stdout_bytes
        assert alone.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("game", "show"),
        ("hand", "replay", "--hand", "1"),
        ("ask", "rejudge"),
        ("game", "transcript"),
        ("game", "export"),
    ],
)
def test_a_command_for_one_game_needs_its_name(file: str, command: tuple[str, ...]) -> None:
    group, name, *options = command
    said = run(group, name, file, *options)
    assert said.exit_code == 2
    assert "the file holds 8 games; name one with --game: boards 1, 2, 3, 4, 5, 6, 7, 8" in said.stderr
    said = run(group, name, file, "--game", "9", *options)
    assert (said.exit_code, "the file holds no game 9; there are boards 1, 2," in said.stderr) == (2, True)


def test_a_broken_log_is_reported_and_exits_with_1(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "data")
    open_services(config).close()
    with closing(Four(config)) as four:
        four.open(1, "pitch")
        four.open(2, "setback")
        run("game", "export", "--all", "-o", f"{tmp_path}/games/", at=config)
        damage_log(four, 1)
    said = run("game", "export", "--all", at=config)
    assert (said.exit_code, f"of game {id_of(1)}: its link is not" in said.stderr) == (1, True)
    assert run("game", "verify", "-", given=said.stdout_bytes).exit_code == 1
    kept = (tmp_path / "games" / "board-1.ndjson").read_bytes()
    assert run("game", "export", "--all", "-o", str(tmp_path / "games"), at=config).exit_code == 1
    assert (tmp_path / "games" / "board-1.ndjson").read_bytes() == kept


@pytest.mark.process
def test_a_terminal_shows_the_progress(stored: Four, file: str) -> None:
    env = server_environment() | {"PYTHONPATH": str(Path(__file__).parents[3]), "TERM": "xterm"}
    command = ("game", "export", "--all", "-o", f"{file}.again", "--data", str(stored.config.data))
    with terminal([sys.executable, "-m", "api.cli", *command], env, at=["stderr"]) as shown:
        code, seen = shown.rest()
    assert (code, b"exporting" in seen) == (0, True), seen


def test_an_unreadable_game_is_skipped_if_another_one_is_named(everything: bytes) -> None:
    games = list(split_exports(everything.splitlines(keepends=True)))
    some = games[4].replace(b"trickbook-export/1", b"trickbook-export/9", 1) + games[0]
    assert run("game", "show", "-", "--game", "1", given=some).stdout == run("game", "show", "-", given=games[0]).stdout
    said = run("game", "show", "-", given=some)
    assert (said.exit_code, "the file holds 2 games; name one with --game: boards 1" in said.stderr) == (2, True)


@pytest.mark.parametrize("board", [1, 4, 5, 8])
def test_transcripts_come_back_as_the_same_bytes(everything: bytes, board: int) -> None:
    export = list(split_exports(everything.splitlines(keepends=True)))[board - 1]
    written = run("game", "transcript", "-", given=export).stdout
    assert ("??" in written) == (board in RUNNING)
    assert "\n".join(map(format_transcript, parse_transcripts(written))) == written
    assert run("game", "transcript", "-", "--import-profile", given=written.encode()).stdout == written
    typed = "% as somebody types it\n" + "".join(map(carelessly, written.splitlines(keepends=True)))
    assert typed != written
    assert run("game", "transcript", "-", "--import-profile", given=typed.encode()).stdout == written
    windows = "\ufeff" + typed.replace("\n", "\r\n")
    assert run("game", "transcript", "-", "--import-profile", given=windows.encode()).stdout == written
    assert parse_transcripts("\ufeff" + typed) == parse_transcripts(typed)


def carelessly(line: str) -> str:
    """Return the line as a person might type it: lower case, t for ten, extra blanks and comments; notes unchanged."""
    if line.startswith("["):
        return f" {line[:-1]} ; a tag\n"
    parts = re.split(r"(\{.*?\})", line)
    return "".join(part if part[:1] == "{" else re.sub(r"\b10(?=[CDHS])", "T", part).lower() for part in parts) + "\n"
