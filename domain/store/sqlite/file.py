"""The SQLite file of a log: the tables of all shards are in it. Its errors are the library's."""

from eventsourcing import persistence

from domain.store.recorder import LogFileDamaged
from domain.store.sql.sqlite_errors import describe_damage
from domain.store.sql.sqlite_file import SqliteFile


class SqliteLogFile(SqliteFile):
    """Readable only by its owner, since it holds hidden cards."""

    damaged = LogFileDamaged

    def translate(self, error: Exception) -> persistence.PersistenceError:
        """Return the library's error of the same name (PEP 249), FileDamaged, or DataError as PostgreSQL would."""
        damage = describe_damage(self.path, error)
        kind = getattr(persistence, type(error).__name__, persistence.DataError)
        translated: persistence.PersistenceError = kind(str(error)) if damage is None else LogFileDamaged(damage)
        return translated
