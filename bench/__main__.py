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
    run("bench.rules.fairdeal")
    run("bench.storage.store")
    run("bench.storage.log")
    run("bench.storage.compression")
    run("bench.server.attacks")
    run("bench.rules.games")
    run("bench.storage.projections")
    run("bench.storage.freshness")
    run("bench.storage.lists")
    run("bench.storage.re_rating", "--games", "1000")
    run("bench.rules.bots")
    run("bench.rules.strong", "--games", "100")
    run("bench.rules.replay")
    run("bench.server.streams")
    run("bench.server.bot_times", "--moves", "200", "--tables", "16")
    run("bench.server.pages")
    run("bench.storage.shards")
    run("bench.storage.servers")
    run("bench.storage.big_store")
    run("bench.server.move_cpu")
    run("bench.server.http", "--clients", "16,64")
    run("bench.server.http", "--rate", "500")
    run("bench.server.http", "--clients", "16,64", "--disk-ms", "2")
    run("bench.server.http", "--streams", "200")
    with postgres.server() as server:
        with server.fresh() as url:
            run("bench.storage.store", "--postgres", url)
        with server.fresh() as url:
            run("bench.storage.log", "--postgres", url)
        with server.fresh() as url:
            run("bench.server.attacks", "--postgres", url)
        with server.fresh() as url:
            run("bench.server.streams", "--postgres", url)


if __name__ == "__main__":
    main()
