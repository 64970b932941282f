"""docs/operations.md: every setting, with what it usually is, and a backup that can be served."""

import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from api.config import SETTINGS, Config, Rate
from api.office import open_office
from api.services import open_games
from domain.commands import OpenGame
from domain.events import Player
from tests.docs.markdown import ROOT, blocks

PAGE = ROOT / "docs" / "operations.md"
GAME = "6f1d0c1e-0000-4000-8000-000000000001"


def test_every_setting_has_a_row_with_what_it_usually_is() -> None:
    rows = [line.split("|")[1:4] for line in PAGE.read_text().splitlines() if line.startswith("| `TRICKBOOK_")]
    told = {name.strip(" `"): usually.strip(" `") for name, usually, _ in rows}
    usual = dict(line.split("=", 1) for line in Config().printed())
    assert told == usual
    assert set(told) == set(SETTINGS)


def test_the_limits_are_those_of_the_page() -> None:
    limits = Config().limits
    assert (limits.guesses, limits.registrations) == (Rate(10, 6.0), Rate(600, 1.0))
    assert Config().body_limit == 64 * 1024


def test_a_copy_made_while_the_stores_are_open_holds_games_users_and_the_secret(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "data")
    office, games = open_office(config), open_games(config)
    ann = office.register("ann", "correct horse")
    secret = office.server_secret()
    games.open(OpenGame(GAME, 1, "pitch", {}, (Player(ann.id, "human"), Player("bot:random:1", "bot", "random"))),
               by=ann.id, command_id="1-1")  # fmt: skip
    root = games.snapshot(GAME)[1]
    backup = next(block.text for block in blocks(PAGE, "bash") if "backup" in block.text)
    first = taken(backup, tmp_path, "2026-11-21")
    bob = office.register("bob", "correct horse")
    second = taken(backup, tmp_path, "2026-11-22")
    office.close()
    games.close()
    for folder, known in ((first, None), (second, bob)):
        copied = Config(data=folder)
        with closing(open_office(copied)) as office, closing(open_games(copied)) as games:
            assert office.player_by_name("ann") == ann
            assert office.player_by_name("bob") == known
            assert office.server_secret() == secret
            assert games.snapshot(GAME)[1] == root


def taken(backup: str, folder: Path, day: str) -> Path:
    """The copy that the recipe makes on `day`; nobody else can read any of it."""
    bash = ["bash", "-c", f"date() {{ echo {day}; }}\n{backup}"]
    done = subprocess.run(bash, cwd=folder, capture_output=True, text=True, check=True)
    copy = folder / done.stdout.strip()
    assert {path.name for path in copy.rglob("*")} == {"log.db", "office.db", "keys", "server.secret"}
    assert [path for path in (copy, *copy.rglob("*")) if path.stat().st_mode & 0o077] == []
    return copy


@pytest.mark.parametrize("missing", ["log.db", "office.db", "keys/server.secret"])
def test_a_copy_that_cannot_be_made_is_no_success_and_leaves_an_older_one_alone(tmp_path: Path, missing: str) -> None:
    config = Config(data=tmp_path / "data")
    with closing(open_office(config)) as office, closing(open_games(config)):
        office.server_secret()
    backup = next(block.text for block in blocks(PAGE, "bash") if "backup" in block.text)
    kept = {path.name: path.read_bytes() for path in taken(backup, tmp_path, "2026-11-21").glob("*.db")}
    again = subprocess.run(
        ["bash", "-c", f"date() {{ echo 2026-11-21; }}\n{backup}"], cwd=tmp_path, capture_output=True, check=False
    )
    (tmp_path / "data" / missing).unlink()
    without = subprocess.run(["bash", "-c", backup], cwd=tmp_path, capture_output=True, check=False)
    assert again.returncode != 0
    assert without.returncode != 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "backup/2026-11-21").glob("*.db")} == kept
