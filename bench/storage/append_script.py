"""PostgreSQL's own load generator as a writer: it calls the function that appends to a shard, and needs little time."""

import re
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.storage.shards import GAMES, STATE
from domain.store.shards.layout import postgres_tables

TRANSACTIONS = re.compile(r"^number of transactions actually processed: (\d+)", re.MULTILINE)
FAILED = re.compile(r"^number of failed transactions: (\d+)", re.MULTILINE)
SCRIPT = """\\set n :n + 1
\\set game :n % {games}
\\set version :n / {games} * {events} + 1
\\set number (:client_id * {games} + :game) * {shards} + {shard}
SELECT stored_id, stored_game, stored_version FROM log.append_batches_{table}(
    array_fill(lpad(to_hex(:number::bigint), 32, '0')::uuid, ARRAY[{events}]),
    ARRAY[{versions}]::bigint[], array_fill('CardPlayed/1'::text, ARRAY[{events}]),
    array_fill('{state}'::bytea, ARRAY[{events}]), array_fill(0, ARRAY[{events}]), current_setting('lock_timeout')
);
"""
"""One commit of a client of pgbench: as `PostgresLogRecorder.insert_batches` sends it, each of another game."""


def script(shard: int, shards: int, events: int) -> str:
    """Return the script that stores one commit of that many events in a shard."""
    return SCRIPT.format(
        games=GAMES,
        events=events,
        shards=shards,
        shard=shard,
        table=postgres_tables(shards)[shard],
        versions=", ".join(f":version + {number}" for number in range(events)),
        state=f"\\x{STATE.hex()}",
    )


def run_clients(program: Path, places: Sequence[tuple[int, str]], clients: int, seconds: int, events: int) -> float:
    """Run that many clients for each shard, at the URL of its server, and return all commits a second.

    `places` has each shard with the URL. Raise RuntimeError if a commit fails.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        running = []
        for shard, url in places:
            file = folder / f"{shard}.sql"
            file.write_text(script(shard, len(places), events), encoding="ascii")
            command = [str(program), "--no-vacuum", "--protocol=prepared", "--define=n=-1", f"--file={file}"]
            command += [f"--client={clients}", f"--time={seconds}", url]
            running.append(stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)))
        shown = [process.communicate()[0] for process in running]
    if any(process.returncode or FAILED.findall(text) != ["0"] for process, text in zip(running, shown, strict=True)):
        raise RuntimeError(f"pgbench failed:\n{shown[0]}")
    return sum(int(found[1]) for text in shown if (found := TRANSACTIONS.search(text))) / seconds
