"""All four games, running and over: a file gives the same output as the stored game it was exported from.

Exports and transcripts have the same bytes after they are read and written again.
"""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.app import create_app
from api.config import NO_LIMITS, Config
from api.services.container import open_services
from replay.audit import CANNOT_TELL, GREEN, audit
from replay.history import export_bytes, read_export
from replay.text.transcript import format_transcript, parse_transcripts
from tests.api.conftest import Caller, services_of
from tests.commands import run
from tests.games.four import NAMES, OVER, RUNNING, VARIANTS, Four

EVERY = [pytest.param(board, id=f"{VARIANTS[(board - 1) // 2]} {'over' if board in OVER else 'running'}")
         for board in (1, 4, 5, 8)]  # fmt: skip
VIEWERS = (None, 0, 3)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A store of eight games that no test changes."""
    config = Config(
        data=tmp_path_factory.mktemp("reading") / "data", hashing="cheapest", limits=NO_LIMITS, seating="at-once"
    )
    open_services(config).close()
    with closing(Four(config)) as four:
        four.fill(24)
    return config


@pytest.fixture(scope="module")
def askers(config: Config) -> Iterator[dict[int | None, Caller]]:
    """A spectator, and the player of each seat by name. The view says who sits where."""
    app = create_app(config)
    client = app.test_client()
    made: dict[int | None, Caller] = {None: Caller(client)}
    for number, name in enumerate(NAMES):
        answer = made[None].post("/tokens", {"name": name, "password": "correct-horse"})
        made[number] = Caller(client, answer.get_json()["token"])
    yield made
    services_of(app).close()


def exported(askers: dict[int | None, Caller], board: int, viewer: int | None) -> bytes:
    answer = askers[viewer].get(f"/games/{board}/export")
    assert answer.status_code == 200
    data: bytes = answer.data
    return data


COMMANDS = [
    ("game", "show"),
    ("game", "show", "--at", "20", "--json"),
    ("hand", "replay", "--hand", "1"),
    ("hand", "replay", "--hand", "1", "--json"),
    ("game", "rejudge"),
    ("game", "rejudge", "--json"),
    ("game", "transcript"),
    ("game", "export"),
    ("game", "audit"),
    ("game", "audit", "--json"),
]


@pytest.mark.parametrize("board", EVERY)
def test_each_command_prints_the_same_for_a_file_and_the_stored_game(
    config: Config, board: int, tmp_path: Path
) -> None:
    file = tmp_path / "file.ndjson"
    file.write_bytes(run("game", "export", str(board), at=config).stdout_bytes)
    for group, name, *options in COMMANDS:
        stored, read_again = run(group, name, str(board), *options, at=config), run(group, name, str(file), *options)
        assert read_again.exit_code == stored.exit_code, (name, options)
        assert said_of_the_log(name, read_again.stdout) == said_of_the_log(name, stored.stdout), (name, options)
        assert stored.stdout or stored.exit_code
    assert run("game", "verify", str(file)).exit_code == GREEN


def said_of_the_log(command: str, text: str) -> str:
    """Return the output without receipts: the store has all of them, a file only its own."""
    if command == "audit" and text.startswith("{"):
        told = json.loads(text)
        del told["log"]["receipts"]
        return json.dumps(told)
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if command != "audit" or "receipt" not in line)


@pytest.mark.parametrize("board", EVERY)
def test_each_viewer_s_export_verifies_and_counts_its_withheld_lines(
    askers: dict[int | None, Caller], board: int, tmp_path: Path
) -> None:
    over = board in OVER
    for viewer in VIEWERS:
        data = exported(askers, board, viewer)
        history = read_export(data)
        assert export_bytes(history) == data
        report = audit(history)
        assert report.code(live_is_fine=True) == GREEN
        assert report.code() == (GREEN if over else CANNOT_TELL)
        assert (history.withheld == 0) == over
        file = tmp_path / f"{viewer}.ndjson"
        file.write_bytes(data)
        said = run("game", "verify", str(file))
        assert (said.exit_code, f"{history.withheld} withheld" in said.stdout) == (GREEN, True)
        told = askers[viewer].get(f"/games/{board}/audit").get_json()
        verdict = told["verdict"]["code"], told["log"]["withheld"]
        assert verdict == (GREEN if over else CANNOT_TELL, history.withheld)
    own, public = (read_export(exported(askers, board, seat)) for seat in (0, None))
    assert over or own.withheld < public.withheld
    assert over or exported(askers, board, 0) != exported(askers, board, 1)


@pytest.mark.parametrize("board", EVERY)
def test_transcripts_come_back_as_the_same_bytes(askers: dict[int | None, Caller], board: int, tmp_path: Path) -> None:
    for viewer in (None, 0):
        file = tmp_path / "file.ndjson"
        file.write_bytes(exported(askers, board, viewer))
        written = run("game", "transcript", str(file)).stdout
        assert ("??" in written) == (board in RUNNING)
        assert "\n".join(map(format_transcript, parse_transcripts(written))) == written
        assert run("game", "transcript", "-", "--import-profile", given=written.encode()).stdout == written
        typed = "% as somebody types it\n" + "".join(map(carelessly, written.splitlines(keepends=True)))
        assert typed != written
        assert run("game", "transcript", "-", "--import-profile", given=typed.encode()).stdout == written


def carelessly(line: str) -> str:
    """Return the line as a person might type it: lower case, t for ten, extra blanks and comments; notes unchanged."""
    if line.startswith("["):
        return f" {line[:-1]} ; a tag\n"
    parts = re.split(r"(\{.*?\})", line)
    return "".join(part if part[:1] == "{" else re.sub(r"\b10(?=[CDHS])", "T", part).lower() for part in parts) + "\n"
