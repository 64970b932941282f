"""Compare `verify` with that of another checkout.

    python -m bench.rules.alternate ../other [--hands 100] [--rounds 12]

Both checkouts check the same games, game by game in alternation, in processor time. The best round of each game counts,
so that other programs on the machine change the rates but hardly their ratio.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from bench.rules.replay import VARIANTS, files_of, hands_of
from replay.history import read_export

PARTS = ("read", "links", "books", "rules")
HERE = Path(__file__).resolve().parents[2]
WORK = """
import json, sys
from pathlib import Path
from time import process_time as now
from api.cli.common.processes import collect_garbage_seldom
from replay.audit.ledger import check_events
from replay.audit.log.hash_chain import check_log
from replay.history import read_export
from replay.rejudge import rejudge
collect_garbage_seldom()
for line in sys.stdin:
    data, times = Path(line.strip()).read_bytes(), [now()]
    history = read_export(data)
    times.append(now())
    for check in (check_log, check_events, rejudge):
        check(history)
        times.append(now())
    print(json.dumps([after - before for before, after in zip(times, times[1:])]), flush=True)
"""
"""The program that each checkout runs: it imports its own code."""


def worker(root: Path) -> subprocess.Popen[str]:
    """Start a process that checks the files it's told with the code in `root`."""
    environment = os.environ | {"PYTHONPATH": str(root)}
    command = [sys.executable, "-P", "-c", WORK]
    return subprocess.Popen(
        command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def seconds(process: subprocess.Popen[str], file: Path) -> list[float]:
    """Return the processor time of each part of the check of a file."""
    asks, answers = cast(IO[str], process.stdin), cast(IO[str], process.stdout)
    print(file, file=asks, flush=True)
    times: list[float] = json.loads(answers.readline())
    return times


def rows(variant: str, hands: int, rounds: int, roots: list[Path]) -> Iterator[str]:
    """Yield a line for each checkout: the microseconds an event of each part, and hands a second."""
    with TemporaryDirectory() as place, ExitStack() as stack:
        files = list[Path]()
        for number, data in enumerate(files_of(variant, hands)):
            files.append(Path(place, f"{number}.ndjson"))
            files[-1].write_bytes(data)
        histories = [read_export(file.read_bytes()) for file in files]
        workers = [stack.enter_context(worker(root)) for root in roots]
        best = {(each, file): [float("inf")] * len(PARTS) for each in range(len(roots)) for file in files}
        for _ in range(rounds):
            for (each, file), fastest in sorted(best.items(), key=lambda item: item[0][1]):
                best[each, file] = list(map(min, fastest, seconds(workers[each], file)))
        for process in workers:
            cast(IO[str], process.stdin).close()
        events, finished = sum(len(each.lines) for each in histories), sum(map(hands_of, histories))
        for each, root in enumerate(roots):
            parts = [sum(best[each, file][part] for file in files) for part in range(len(PARTS))]
            figures = " | ".join(f"{part / events * 1e6:.1f}" for part in [*parts, sum(parts)])
            yield f"| {variant} | {root.name} | {figures} | {finished / sum(parts):.0f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    print(
        f"| variant | checkout | {' | '.join(PARTS)} | us an event | hands/s |\n|---|---|---:|---:|---:|---:|---:|---:|"
    )
    for variant in VARIANTS:
        for line in rows(variant, options.hands, options.rounds, [options.other.resolve(), HERE]):
            print(line, flush=True)


if __name__ == "__main__":
    main()
