"""Count how often `simple` beats `random` in 500 games of each variant, in memory, on one core.

    python -m bench.rules.bots

Every other seat plays `simple`, which in Setback with four is one side, or one seat among others at random.
A game that seats of both won counts for neither. `--games N` plays fewer. Milliseconds of processor time.
"""

import argparse
from collections import Counter
from time import process_time

from tests.projections.bots.bot_table import winner

TABLES = (
    ("pitch", "two players", ("simple", "random")),
    ("pitch", "one of four", ("simple", "random", "random", "random")),
    ("pitch", "every other of four", ("simple", "random") * 2),
    ("setback", "one of three", ("simple", "random", "random")),
    ("setback", "side against side", ("simple", "random") * 2),
    ("blackout", "every other of four", ("simple", "random") * 2),
    ("corellian", "every other of four", ("simple", "random") * 2),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    games = parser.parse_args().games
    print("| variant   | simple sits         | simple wins | random wins | both | ms a game |")
    print("|---|---|---:|---:|---:|---:|")
    for variant, sits, strategies in TABLES:
        start = process_time()
        won = Counter(winner(seed, variant, strategies) for seed in range(games))
        took = 1000 * (process_time() - start) / games
        counts = f"{won['simple']:>11} | {won['random']:>11} | {won['both']:>4}"
        print(f"| {variant:<9} | {sits:<19} | {counts} | {took:>9.0f} |", flush=True)


if __name__ == "__main__":
    main()
