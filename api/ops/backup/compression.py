"""Compressing a store that an earlier version has written, if there's a backup to go back to."""

from contextlib import closing
from pathlib import Path

from api.config import Config
from api.container import open_services
from api.ops.backup.create import store_of
from api.ops.backup.manifest import BackupError, check_files, check_logs, read_manifest
from api.ops.backup.restore import require_same_cipher
from api.ops.backup.restore_game import OTHER_STORE
from api.ops.progress import AddBar
from api.people.stored.tokens import DAY_US
from domain.engine.timestamps import parse_time
from domain.store.shards.log_compression import CompressionReport, compress_log

OLD_BACKUP = "{backup}: the backup is more than a day old; make a new one"
UNREADABLE = "{backup}: the backup can't be restored as it was made: {error}"


def compress_store(config: Config, backup: Path, add_bar: AddBar) -> CompressionReport:
    """Compress the log of a store, if the backup in this folder could be restored in its place.

    Try that first: compare its files with the manifest, and read every game in it. Raise BackupError if it isn't
    right, is of another store or is more than a day old, and CompressionDiffers.
    """
    manifest = read_manifest(backup)
    check_files(backup, manifest)
    require_same_cipher(backup, config)
    unreadable = check_logs(backup, config.cipher_key, add_bar("trying the backup's games", manifest.games))
    for game in unreadable:
        if game.error not in manifest.broken:
            raise BackupError(UNREADABLE.format(backup=backup, error=game.error))
    with closing(open_services(config.with_long_statements())) as services:
        if services.receipts.keys.public_keys()[0].text != store_of(backup):
            raise BackupError(OTHER_STORE)
        if services.clock.now_us() - parse_time(manifest.at) > DAY_US:
            raise BackupError(OLD_BACKUP.format(backup=backup))
        log = services.games.log
        return compress_log(log, add_bar("events", sum(log.last_numbers())))
