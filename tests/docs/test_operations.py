"""docs/operations.md: every setting with its default, and a backup that can be served."""

import subprocess
from contextlib import closing
from pathlib import Path

from api.config import Config
from api.container import open_services
from domain.commands import OpenGame
from domain.events import Player
from tests.docs.markdown import blocks
from tests.generators.settings_table import PAGE, page

DAY = "2026-11-21T03-00-00"
GAME = "6f1d0c1e-0000-4000-8000-000000000001"


def test_every_setting_has_a_row_with_its_default() -> None:
    told = "docs/operations.md isn't up to date: run python -m tests.generators.settings_table"
    assert PAGE.read_text(encoding="utf-8") == page(), told


def blocks_with(word: str) -> str:
    """Return the page's blocks with that command."""
    return next(block.text for block in blocks(PAGE, "bash") if block.text.startswith(f"trickbook store {word}"))


def typed(command: str, folder: Path, path: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command in a shell in `folder` on `DAY`, with the program in the folder `path`. Return its output."""
    script = f"set -e\nPATH={path}:$PATH\ndate() {{ echo {DAY}; }}\n{command}"
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)


def test_a_backup_taken_with_open_stores_is_restored(tmp_path: Path, program_path: Path) -> None:
    config = Config(data=tmp_path / "data")
    with closing(open_services(config)) as here:
        ann = here.accounts.users.register("ann", "correct horse")
        people = Player(ann.id, "human"), Player("bot:random:1", "bot", "random")
        board = here.accounts.boards.reserve(GAME, ann.id)
        here.games.open(OpenGame(GAME, board, "pitch", {}, people), by=ann.id, command_id="1-1")
        root, secret = here.games.snapshot(GAME)[1], here.secret
        made = typed(blocks_with("backup"), tmp_path, program_path)
    assert (made.returncode, made.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "backup" / DAY).iterdir()} == {
        "log.db", "office.db", "keys", "manifest.json",
    }  # fmt: skip
    assert typed(blocks_with("restore"), tmp_path, program_path).returncode == 0
    with closing(open_services(Config(data=tmp_path / "restored"))) as here:
        assert here.accounts.users.by_name("ann") == ann
        assert (here.games.snapshot(GAME)[1], here.secret) == (root, secret)
    audited = typed("trickbook game audit " + GAME + " --data restored", tmp_path, program_path)
    assert " restored from the backup of " in audited.stdout


def test_a_server_without_its_secret_is_not_copied(tmp_path: Path, program_path: Path) -> None:
    open_services(Config(data=tmp_path / "data")).close()
    (tmp_path / "data" / "keys" / "server.secret").unlink()
    made = typed(blocks_with("backup"), tmp_path, program_path)
    assert (made.returncode, "server.secret: is missing" in made.stderr) == (2, True)
    assert list((tmp_path / "backup").iterdir()) == []
