"""Backups: `trickbook store backup` and `trickbook store restore`."""

import sys
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.processes import bars, progress
from api.cli.common.stores import require_games
from api.config import Config
from api.monitoring.logs import setup_logging
from api.ops.backup.create import create_backup, remove_older
from api.ops.backup.manifest import BackupError, Manifest, read_erasures, read_manifest
from api.ops.backup.restore import restore_backup
from api.ops.backup.restore_game import restore_game
from replay.audit import GREEN, WRONG


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


class InvalidBackup(click.ClickException):
    """A backup that isn't complete or correct; exit code 1."""

    exit_code = WRONG


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1), help="Then remove older backups beside FOLDER, all but the newest N.")
@data_option
def backup(folder: Path, keep: int | None, data: Path | None) -> None:
    """Copy everything into FOLDER, a new folder, while games are played: logs, users and keys of one moment.

    Then read and check every log in the copy. Exit code 1 if a log is corrupt: the copy stays, and its manifest says
    so. Keep the copy as safe as the server's own files: it contains the server's keys, and cards that nobody may see
    yet.

    With --keep, a backup without errors removes older ones of the same store in the folder that FOLDER is in.
    """
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), bars() as bar:
        manifest = create_backup(config, folder, bar)
    click.echo(f"{folder}: {_games(manifest.games)}, {manifest.events} events, as of position {manifest.position}")
    for each in manifest.broken:
        click.echo(each, err=True)
    if keep is not None and not manifest.broken:
        with exit_on_store_errors():
            for older in remove_older(folder, keep):
                click.echo(f"removed {older}")
    sys.exit(WRONG if manifest.broken else GREEN)


@click.command(name="restore")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--broken", is_flag=True, help="Restore even if logs were corrupt when the backup was made.")
@click.option(
    "--erasures", type=click.Path(path_type=Path, dir_okay=False), multiple=True,
    help="A file that names users deleted since: a newer manifest.json, or what `user list --erased` printed.",
)  # fmt: skip
@click.option("--game", help="Bring this game, an id or a board number, back into the store that has the others.")
@data_option
def restore_command(
    folder: Path, broken: bool, erasures: tuple[Path, ...], game: str | None, data: Path | None
) -> None:
    """Put the backup in FOLDER into a new place: a missing or empty --data folder, or an empty database.

    First check every file and every log of it. Exit code 1 if one isn't right, 2 if there is no such folder. The
    administration log records the restore, and every later audit mentions it. Name users who were deleted since the
    backup with --erasures, and they are deleted again.

    With --game, write the events of one game that are damaged or gone into the store that the backup is of, while
    servers run. The game keeps its id and board. The command changes nothing if the log or a receipt shows that it
    went on differently, or if the game can't be read even so.
    """
    config = load_config(data)
    setup_logging(config)
    if not folder.is_dir():
        raise CannotAnswer(f"{folder}: There is no such folder.")
    if game is not None and (broken or erasures):
        raise CannotAnswer("--broken and --erasures are for a whole backup, not for --game.")
    try:
        manifest = read_manifest(folder)
        if game is not None:
            return _restore_game(folder, manifest, config, game)
        erased = [each for path in erasures for each in read_erasures(path)]
        with exit_on_store_errors(), progress("checking games", manifest.games) as checking:
            restore_backup(folder, manifest, config, checking, broken=broken, erasures=erased)
    except BackupError as error:
        raise InvalidBackup(str(error)) from None
    return click.echo(f"{_games(manifest.games)}, {manifest.events} events, as they stood at {manifest.at}")


def _restore_game(folder: Path, manifest: Manifest, config: Config, game: str) -> None:
    require_games(config)
    with exit_on_store_errors():
        done = restore_game(folder, manifest, config, game)
    written = f"{len(done.written)} of them from the backup" if done.written else "all as in the backup already"
    click.echo(f"game {done.game} (board {done.board}): {done.events} events, {written}")
    if done.receipt > done.events:
        click.echo(f"A receipt names {done.receipt} events: those after {done.events} are gone.", err=True)


commands: list[click.Command] = [backup, restore_command]
