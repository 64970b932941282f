"""The strong bot against the others, in memory, on one core, and what a choice costs: `python -m bench.rules.strong`.

Every other seat is a strong bot with `--worlds` worlds, in Setback with three one seat. The seats rotate by one from
game to game. "Points" is the strong seats' average score less the others' at the end of a game. Intervals are of 95 %.
`--games N` plays fewer games, `--variant NAME` one variant's, and `--costs` only measures the cost of a choice, in
milliseconds of processor time: of every eighth choice of one game, at each number of worlds. `--results FILE` keeps
each game's result in a file, so that a run that was stopped goes on from there; `--only-results` prints what is there.

`--pairs N` plays N deals of every variant and number of players twice instead: once a side is strong, once simple, and
all others are simple in both. A hand's worth is the side's change of score less the others' average. Hands that are
thrown in count 0. If a game has a fixed number of hands, whole games are played, so that there are hands of all sizes.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import ClassVar

from domain.events import HandScored, HandThrownIn
from domain.rules.variants import VARIANTS
from projections.bots.strong import Analysis
from tests.projections.bots.bot_table import BotTable, bot_table

STRONG, OTHER = "strong", "other"
TABLES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("pitch", "two players", (STRONG, OTHER)),
    ("setback", "one of three", (STRONG, OTHER, OTHER)),
    ("setback", "side against side", (STRONG, OTHER) * 2),
    ("corellian", "every other of four", (STRONG, OTHER) * 2),
    ("blackout", "every other of four", (STRONG, OTHER) * 2),
)
OTHERS = ("simple", "random")
WORLDS = (20, 100, 400)
Z = 1.96
"""How many standard errors an interval of 95 % reaches to each side."""


class Watched(BotTable):
    """A table that notes how long each choice took."""

    took: ClassVar[defaultdict[str, list[float]]] = defaultdict(list)

    def think(self, seat: int, worlds: int) -> Analysis:
        """Return what a strong bot would do."""
        start = process_time()
        thought = super().think(seat, worlds)
        if thought.worlds:
            self.took[thought.label.split()[-1]].append(1000 * (process_time() - start))
        return thought


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return the interval of the rate of wins (Wilson), in percent."""
    rate, square = wins / games, Z * Z / games
    middle, reach = rate + square / 2, Z * sqrt(rate * (1 - rate) / games + square / (4 * games))
    return 100 * (middle - reach) / (1 + square), 100 * (middle + reach) / (1 + square)


def game(seed: int, variant: str, seats: Sequence[str], strategies: dict[str, str]) -> tuple[str, float]:
    """Play a game; return whose seats won it, or "both", and the points that the strong seats are ahead."""
    shift = seed % len(seats)
    seated = (*seats[shift:], *seats[:shift])
    table = bot_table(seed, variant, [strategies[each] for each in seated], make=Watched).play()
    result = table.game.state.result
    scores: dict[str, list[int]] = {STRONG: [], OTHER: []}
    for seat, score in enumerate(result.scores if result else ()):
        scores[seated[seat]].append(score)
    won = {seated[seat] for seat in result.winners} if result else set[str]()
    return won.pop() if len(won) == 1 else "both", mean(scores[STRONG]) - mean(scores[OTHER])


def kept(path: Path | None) -> dict[str, tuple[str, float, float]]:
    """Return the games in a file of results, by table, opponent and seed."""
    lines = path.read_text().splitlines() if path and path.exists() else []
    return {key: (who, ahead, took) for key, who, ahead, took in map(json.loads, lines)}


def matches(asked: argparse.Namespace, variants: Sequence[str]) -> None:
    """Print a row for each table and opponent."""
    print(
        "| variant   | strong sits         | against | games | won | lost | both | won of all | points a game "
        "| ms a choice |"
    )
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---:|")
    done = kept(asked.results)
    for variant, sits, seats in TABLES:
        for other in OTHERS if variant in variants else ():
            strategies = {STRONG: f"strong/1:{asked.worlds}", OTHER: other}
            played = list[tuple[str, float, float]]()
            for seed in range(asked.games):
                key = f"{variant}, {sits}, {strategies}, {seed}"
                if key not in done and not asked.only_results:
                    done[key] = measured(seed, variant, seats, strategies)
                    if asked.results:
                        with asked.results.open("a") as file:
                            file.write(json.dumps([key, *done[key]]) + "\n")
                if key in done:
                    played.append(done[key])
            if len(played) > 1:
                print(f"| {variant:<9} | {sits:<19} | {other} | {row(played)} |", flush=True)


def measured(seed: int, variant: str, seats: Sequence[str], strategies: dict[str, str]) -> tuple[str, float, float]:
    """Play a game; return what `game` returns, and the mean of the milliseconds of a choice."""
    Watched.took.clear()
    who, ahead = game(seed, variant, seats, strategies)
    return who, ahead, mean([each for choices in Watched.took.values() for each in choices] or [0.0])


def row(played: Sequence[tuple[str, float, float]]) -> str:
    """Return the counts and means of games."""
    won, ahead = Counter(who for who, _, _ in played), [points for _, points, _ in played]
    low, high = wilson(won[STRONG], len(played))
    error = Z * stdev(ahead) / sqrt(len(played))
    counts = f"{len(played)} | {won[STRONG]} | {won[OTHER]} | {won['both']} | {low:.0f}-{high:.0f} %"
    return f"{counts} | {mean(ahead):+.1f} ± {error:.1f} | {mean(took for _, _, took in played):.0f}"


class Sampled(BotTable):
    """A table of strong bots that notes what every eighth choice takes with more worlds."""

    took: ClassVar[defaultdict[tuple[int, str], list[float]]] = defaultdict(list)
    choices: ClassVar[Counter[str]] = Counter()

    def think(self, seat: int, worlds: int) -> Analysis:
        """Return what a strong bot would do."""
        thought = super().think(seat, worlds)
        kind = thought.label.split()[-1]
        self.choices[kind] += 1
        for more in WORLDS if thought.worlds and self.choices[kind] % 8 == 1 else ():
            start = process_time()
            super().think(seat, more)
            self.took[more, kind].append(1000 * (process_time() - start))
        return thought


def hand_gains(seed: int, variant: str, strategies: Sequence[str], side: Sequence[int], hands: int) -> list[float]:
    """Play the first hands of a game; return the side's change of score in each, less the others' average."""
    table, gains, told = bot_table(seed, variant, strategies), list[float](), 0
    while len(gains) < hands and not table.over:
        table.move()
        for entry in table.entries[told:]:
            if isinstance(entry.event.data, HandThrownIn):
                gains.append(0.0)
            elif isinstance(entry.event.data, HandScored):
                changes = entry.event.data.changes
                gains.append(changes[side[0]] - mean([each for at, each in enumerate(changes) if at not in side]))
        told = len(table.entries)
    return gains


def pairs(variants: Sequence[str], many: int, worlds: int, path: Path | None, only: bool) -> None:
    """Print for each variant and number of players how much more a side wins if it's strong, on the same deals."""
    print("| variant | players | deals | points a deal, strong less simple | at least 0 |")
    print("|---|---:|---:|---:|---|")
    lines = path.read_text().splitlines() if path and path.exists() else []
    done: dict[str, list[float]] = dict(map(json.loads, lines))
    for name in variants:
        for seats in VARIANTS[name].rules.seats:
            rules, _ = VARIANTS[name].compose({}, seats)
            hands = len(rules.hand_sizes)
            gained = list[float]()
            for seed in range(-(-many // hands)):
                key = f"{name}, {seats}, {worlds}, {seed}"
                if key not in done and not only:
                    done[key] = paired(seed, name, rules.sides(seats), seats, hands, worlds)
                    if path:
                        with path.open("a") as file:
                            file.write(json.dumps([key, done[key]]) + "\n")
                gained += done.get(key, [])
            if len(gained) > 1:
                error = Z * stdev(gained) / sqrt(len(gained))
                said = "yes" if mean(gained) > error else "no" if mean(gained) < -error else "not shown"
                print(f"| {name} | {seats} | {len(gained)} | {mean(gained):+.2f} ± {error:.2f} | {said} |", flush=True)


def paired(seed: int, variant: str, sides: Sequence[Sequence[int]], seats: int, hands: int, worlds: int) -> list[float]:
    """Return how much more a side gains in each hand if it's strong; of two sides on average, of more in turn."""
    found = list[list[float]]()
    for side in sides if len(sides) == 2 else [sides[seed % len(sides)]]:
        strong = [f"strong/1:{worlds}" if seat in side else "simple" for seat in range(seats)]
        gains = [hand_gains(seed, variant, each, side, hands) for each in (strong, ["simple"] * seats)]
        found.append([ours - theirs for ours, theirs in zip(*gains, strict=True)])
    return [mean(each) for each in zip(*found, strict=True)]


def costs(variants: Sequence[str]) -> None:
    """Print what a choice costs at 20, 100 and 400 worlds."""
    print("\n| variant | worlds | choices | ms a bid | ms a card | at most | others |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for variant, _, seats in {table[0]: table for table in TABLES}.values():
        if variant not in variants:
            continue
        Sampled.took.clear()
        Sampled.choices.clear()
        bot_table(2, variant, ["strong/1:20" if each == STRONG else "simple" for each in seats], make=Sampled).play()
        for worlds in WORLDS:
            took = {kind: times for (more, kind), times in Sampled.took.items() if more == worlds}
            most, count = max(map(max, took.values())), sum(map(len, took.values()))
            means = {kind: f"{mean(times):.0f}" for kind, times in took.items()}
            others = ", ".join(f"{kind} {ms}" for kind, ms in means.items() if kind not in ("bid", "play"))
            figures = f"{means.get('bid', '')} | {means['play']} | {most:.0f} | {others}"
            print(f"| {variant} | {worlds} | {count} | {figures} |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--variant", choices=sorted(VARIANTS))
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--only-results", action="store_true")
    asked = parser.parse_args()
    if asked.pairs:
        variants = [asked.variant] if asked.variant else list(VARIANTS)
        pairs(variants, asked.pairs, asked.worlds, asked.results, asked.only_results)
        return
    variants = [asked.variant] if asked.variant else [variant for variant, _, _ in TABLES]
    if not asked.costs:
        matches(asked, variants)
    if not asked.only_results:
        costs(variants)


if __name__ == "__main__":
    main()
