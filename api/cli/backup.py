"""Backups: `trickbook backup` and `trickbook restore`."""

import sys
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.progress import bars, progress
from api.cli.common.store_files import check_games
from api.ops.backup.create import create_backup
from api.ops.backup.manifest import BackupError, read_manifest
from api.ops.backup.restore import restore_backup
from replay.audit import GREEN, WRONG


class InvalidBackup(click.ClickException):
    """A backup that is not what it should be; exit code 1."""

    exit_code = WRONG


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@data_option
def backup(folder: Path, data: Path | None) -> None:
    """Copy everything into FOLDER, a new one, while games are played: logs, users, keys, all of one moment.

    Then every log in the copy is read and checked. Exit code 1 where one does not hold: the copy is kept all the same,
    and says so. Keep it as safe as the server's own files: it holds its keys, and cards nobody may see yet.
    """
    config = load_config(data)
    check_games(config)
    with exit_on_store_errors(), bars() as bar:
        manifest = create_backup(config, folder, bar)
    click.echo(f"{folder}: {manifest.games} games, {manifest.events} events, as of position {manifest.position}")
    for each in manifest.broken:
        click.echo(each, err=True)
    sys.exit(WRONG if manifest.broken else GREEN)


@click.command(name="restore")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--broken", is_flag=True, help="Also where logs did not hold when the backup was made.")
@data_option
def restore_command(folder: Path, broken: bool, data: Path | None) -> None:
    """Put the backup in FOLDER into a new place: a --data folder that is not there or empty, or an empty database.

    First every file and every log of it is checked; exit code 1 where one is not right, 2 where there is no such
    folder. A restore is noted in the office's journal, and every audit after it says so.
    """
    config = load_config(data)
    if not folder.is_dir():
        raise CannotAnswer(f"{folder}: there is no such folder")
    try:
        manifest = read_manifest(folder)
        with exit_on_store_errors(), progress("checking", manifest.games) as checking:
            restore_backup(folder, manifest, config, checking, broken=broken)
    except BackupError as error:
        raise InvalidBackup(str(error)) from None
    click.echo(f"{manifest.games} games, {manifest.events} events, as they stood at {manifest.at}")


commands: list[click.Command] = [backup, restore_command]
