"""The cost of a server that nobody uses: transactions and connections of the database, and its processor time.

    python -m bench.server.idle [--tables 20] [--seconds 60]

The games wait for a person. Nothing has happened for a minute when the count begins, which takes a minute itself.
"""

import argparse
import tempfile
import time
from pathlib import Path

import psycopg

from api.client import Server
from bench.server.processes import cpu_seconds
from bench.server.streams import running
from tests import postgres

SETTLE_S = 60.0
COMMITS = "SELECT xact_commit, numbackends FROM pg_stat_database WHERE datname = current_database()"


def leave_games(address: str, tables: int) -> None:
    """Begin a hand at each table as a guest, and leave."""
    with Server(f"http://{address}") as player:
        name = player.guest()
        for _ in range(tables):
            view = player.post("/games", {"variant": "pitch", "seats": [name, "bot:simple"]})
            player.post(f"/games/{view['id']}/moves", player.get(f"/games/{view['id']}/seats/0")["you"]["legal"][0])


def commits(url: str | None) -> tuple[int, int]:
    """Return how many transactions the database has had, and its connections."""
    if url is None:
        return 0, 0
    with psycopg.connect(url, autocommit=True) as database:
        made, connections = database.execute(COMMITS).fetchall()[0]
        return int(made), int(connections) - 1  # one is the count's own


def measure(store: str, data: Path, url: str | None, tables: int, seconds: float) -> None:
    """Print a row."""
    with running(str(data), url) as (address, pid):
        leave_games(address, tables)
        time.sleep(SETTLE_S)
        began, (before, _), used = time.monotonic(), commits(url), cpu_seconds(pid)
        time.sleep(seconds)
        took, (after, connections), used = time.monotonic() - began, commits(url), cpu_seconds(pid) - used
        made = f"{(after - before - 1) / took:.1f} | {connections}" if url else " | "  # one is the count's own
        print(f"| {store} | {tables} | {made} | {1000 * used / took:.1f} |", flush=True)


def main() -> None:
    """Print a row for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    print("| store | games that wait | transactions/s | connections | ms of processor time a second |")
    print("|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, postgres.server() as server, server.fresh() as url:
        for store, address in (("SQLite", None), ("PostgreSQL", url)):
            data = Path(folder) / store
            data.mkdir()
            measure(store, data, address, asked.tables, asked.seconds)


if __name__ == "__main__":
    main()
