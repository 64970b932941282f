"""The SQL of a table of the log in an SQLite file: how it's created, and what the recorder asks."""

from functools import cache

MOST_ROWS = 64
"""The most rows of one INSERT. A statement for each row would let other threads take the interpreter after each."""
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS {table} (
    notification_id INTEGER PRIMARY KEY,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
COLUMNS = "originator_id, originator_version, topic, state"
BETWEEN_VERSIONS = (
    "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
SAFE_COLUMNS = (
    "CASE typeof(topic) WHEN 'text' THEN CAST(topic AS BLOB) END, CASE typeof(state) WHEN 'blob' THEN state END"
)
"""The casts keep Python from decoding text that isn't UTF-8, which would fail for all rows of a query."""
IS_GAME_ID = "typeof(originator_id) = 'text' AND length(originator_id) = 32 AND originator_id NOT GLOB '*[^0-9a-f]*'"
"""Rows of a changed file that name no game are left out."""


class LogStatements:
    """The statements for one table."""

    def __init__(self, table: str) -> None:
        self.create_table = CREATE_TABLE.format(table=table)
        self.insert = f"INSERT INTO {table} ({COLUMNS}) VALUES (?, ?, ?, ?) RETURNING notification_id"
        self.select_last_version = f"SELECT MAX(originator_version) FROM {table} WHERE originator_id = ?"
        self.select_version_at = f"{self.select_last_version} AND notification_id <= ?"
        self.select_through_index = (  # whatever values a changed file holds, the row's own ones are looked up
            f"SELECT found.notification_id FROM {table} AS row NOT INDEXED"
            f" JOIN {table} AS found USING (originator_id, originator_version) WHERE row.notification_id = ?"
        )
        self.select_last_id = f"SELECT MAX(notification_id) FROM {table}"
        select_game = f"SELECT originator_version, {SAFE_COLUMNS} FROM {table} {BETWEEN_VERSIONS}"
        self.select_game = {False: f"{select_game} LIMIT ?", True: f"{select_game} DESC LIMIT ?"}
        """Whether it's the other way round, and the statement."""
        self.select_log_rows = (
            "SELECT notification_id, CAST(originator_id AS BLOB),"
            f" CASE typeof(originator_version) WHEN 'integer' THEN originator_version END, {SAFE_COLUMNS}"
            f" FROM {table} WHERE notification_id > ? ORDER BY notification_id LIMIT ?"
        )
        self.select_openings = (
            f"SELECT notification_id, originator_id FROM {table} WHERE notification_id > ? AND notification_id <= ?"
            f" AND originator_version = 1 AND {IS_GAME_ID} ORDER BY notification_id LIMIT ?"
        )
        self.select_all = (
            f"SELECT notification_id, {COLUMNS} FROM {table} WHERE notification_id >= ? AND notification_id <= ?"
        )
        self._insert_rows = f"INSERT INTO {table} ({COLUMNS}) VALUES "

    def insert_rows(self, count: int) -> str:
        """Return the statement that inserts that many rows, up to `MOST_ROWS`. Their ids are consecutive."""
        return self._insert_rows + ", ".join(["(?, ?, ?, ?)"] * count)


log_statements = cache(LogStatements)
"""Return the statements for a table."""
