"""docs/operations.md: every setting, with what it usually is, and a backup that can be served."""

import subprocess
from pathlib import Path

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
    subprocess.run(["bash", "-euo", "pipefail", "-c", backup], cwd=tmp_path, check=True)
    office.close()
    games.close()
    copied = Config(data=tmp_path / "backup")
    office, games = open_office(copied), open_games(copied)
    try:
        assert office.player_by_name("ann") == ann
        assert office.server_secret() == secret
        assert games.snapshot(GAME)[1] == root
    finally:
        office.close()
        games.close()
