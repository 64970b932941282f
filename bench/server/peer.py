"""The peer of a move: JSON in, one durable row of an event's size, JSON out, behind the same server."""

import json
import sqlite3
from threading import Lock

import psycopg_pool
from flask import Flask, request

ROW = b"x" * 400


class SqliteRows:
    """One writing connection like that of the log: WAL, synchronous FULL."""

    def __init__(self, path: str) -> None:
        self.lock, self.connection = Lock(), sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=FULL")
        self.connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, state BLOB)")

    def insert(self, state: bytes) -> None:
        with self.lock:
            self.connection.execute("INSERT INTO rows (state) VALUES (?)", (state,))


class PostgresRows:
    """A pool of connections, each INSERT a commit."""

    def __init__(self, url: str) -> None:
        self.pool = psycopg_pool.ConnectionPool(url, min_size=4, max_size=16, kwargs={"autocommit": True}, open=True)
        with self.pool.connection() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS peer (id BIGSERIAL PRIMARY KEY, state BYTEA)")

    def insert(self, state: bytes) -> None:
        with self.pool.connection() as connection:
            connection.execute("INSERT INTO peer (state) VALUES (%s)", (state,), prepare=True)


def peer_app(path: str, url: str | None) -> Flask:
    """Return an application that commits one row for each request: to PostgreSQL at `url`, or to an SQLite file."""
    rows = PostgresRows(url) if url else SqliteRows(path)
    app = Flask(__name__)

    @app.post("/insert")
    def insert() -> tuple[dict[str, str], int]:
        body = json.dumps(request.get_json()).encode()
        rows.insert(body + ROW)
        return {"card": "10C"}, 201

    return app
