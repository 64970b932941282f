"""Every figure of bench/results.md, one benchmark after another, on a PostgreSQL started for it: `make bench`."""

import platform
import subprocess
import sys

from tests import postgres


def run(*words: str) -> None:
    """Run one benchmark below a heading with its command."""
    print(f"\n## python -m {' '.join(word if '://' not in word else 'URL' for word in words)}\n", flush=True)
    subprocess.run([sys.executable, "-m", *words], check=True)


def main() -> None:
    """Run every benchmark."""
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}")
    run("bench.fairdeal")
    run("bench.store")
    run("bench.log")
    run("bench.attacks")
    run("bench.games")
    run("bench.projections")
    run("bench.freshness")
    run("bench.lists")
    run("bench.bots")
    run("bench.replay")
    run("bench.streams")
    run("bench.shards")
    run("bench.big_store")
    run("bench.move_cpu")
    run("bench.http", "--clients", "16,64")
    run("bench.http", "--rate", "500")
    run("bench.http", "--clients", "16,64", "--disk-ms", "2")
    run("bench.http", "--streams", "200")
    with postgres.server() as server:
        with server.fresh() as url:
            run("bench.store", "--postgres", url)
        with server.fresh() as url:
            run("bench.log", "--postgres", url)
        with server.fresh() as url:
            run("bench.attacks", "--postgres", url)
        with server.fresh() as url:
            run("bench.streams", "--postgres", url)


if __name__ == "__main__":
    main()
