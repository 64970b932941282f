"""The cost of reading a history again: `python -m bench.rules.replay [--hands 1000]`.

Whole games in memory. One process is measured in its own processor time, several by the clock; the best of three runs
counts. A finished hand is one whose cards are public; `verify` of a game is everything `trickbook game verify` does but
printing it.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from random import Random
from time import perf_counter, process_time

from api.cli.common.processes import collect_garbage_seldom, core_count, map_in_order
from projections.views.seat import view_at
from replay.audit import audit
from replay.audit.ledger import check_events
from replay.audit.log.hash_chain import check_log
from replay.fold import positions
from replay.history import History, export_bytes, read_export
from replay.history.steps import steps, view_of
from replay.rejudge import rejudge
from replay.text.transcribe import format_transcripts, transcripts
from replay.text.transcript import parse_transcript as read_text
from tests.replay.playing import Table, table

VARIANTS = ("pitch", "setback", "blackout", "corellian")
WIDE, RUNS = 62, 3


def best(work: Callable[[], object], of: int, clock: Callable[[], float] = process_time) -> float:
    """Return the rate of `of` things a second, in the best run."""
    rates = []
    for _ in range(RUNS):
        start = clock()
        work()
        rates.append(of / (clock() - start))
    return max(rates)


def row(what: str, rate: float, of: str) -> None:
    """Print a line of the table."""
    print(f"| {what:<{WIDE}} | {rate:>9,.0f} | {of:<8} |", flush=True)


def hands_of(history: History) -> int:
    """Return the number of finished hands: dealt, with revealed seeds."""
    dealt = {event.data.n for event in history.events if event.fact == "HandDealt"}
    return len(dealt & {event.data.n for event in history.events if event.fact == "CeremonyRevealed"})


def game(variant: str, seed: int) -> Table:
    """Play a game of four to its end. A session of Corellian Pitch ends when its players leave."""
    if variant == "pitch":
        return table(seed, 4, variant=variant, win=11).play()
    made = table(seed, 4, variant=variant)
    if variant != "corellian":
        return made.play()
    made.hands(12)
    for seat in range(3):
        if not made.over:
            made.resign(seat)
    return made


def files_of(variant: str, hands: int) -> Iterator[bytes]:
    """Return exports of whole games with at least `hands` finished hands together."""
    seed = 0
    while hands > 0:
        history = game(variant, seed).history
        hands, seed = hands - hands_of(history), seed + 1
        yield export_bytes(history)


def verified(data: bytes) -> int:
    """Run every check on a file. Return 0 if everything is right."""
    history = read_export(data)
    return audit(history, rejudge(history)).code(live_is_fine=True)


def hashed(data: bytes) -> int:
    """Parse and hash each line once, without a check."""
    lines = data.splitlines()
    return sum(len(sha256(line).digest()) for line in lines if json.loads(line))


def checks(variant: str, files: list[bytes]) -> None:
    """Measure the parts of a check."""
    histories = [read_export(file) for file in files]
    events, hands = sum(len(each.lines) for each in histories), sum(map(hands_of, histories))
    size = sum(map(len, files)) / 1e6
    print(f"\n{variant}: {len(files)} games of four, {hands} finished hands, {events} events, {size:.1f} MB\n")
    print(f"| {'one process, its own processor time':<{WIDE}} | a second  | of       |")
    print("|---|---:|---|")
    row(
        "verify: read, links, leaves, bytes, deals, books, rules", best(lambda: [*map(verified, files)], hands), "hands"
    )
    row("the same", best(lambda: [*map(verified, files)], events), "events")
    row("peer: lines parsed by json and hashed, nothing checked", best(lambda: [*map(hashed, files)], events), "events")
    row("an export read, every line canonical", best(lambda: [*map(read_export, files)], events), "events")
    row("links, leaves and root", best(lambda: [*map(check_log, histories)], events), "events")
    row("books: deals, cards, turns, tricks, score", best(lambda: [*map(check_events, histories)], events), "events")
    row("rejudge: each command by today's rules", best(lambda: [*map(rejudge, histories)], events), "events")
    row("second reading alone", best(lambda: [[*positions(each.events)] for each in histories], events), "events")


def _by_processes(files: list[bytes], jobs: int) -> None:
    list(map_in_order(verified, files, jobs))


def shared(files: list[bytes], hands: int) -> None:
    """Measure the check with several processes, by the clock."""
    for jobs in sorted({1, core_count()}):
        work = best(partial(_by_processes, files, jobs), hands, perf_counter)
        row(f"verify, by the clock, --jobs {jobs}", work, "hands")


def walked(files: list[bytes]) -> int:
    """Step through each hand of each file as seat 1. Return the number of steps."""
    seen = 0
    for file in files:
        history = read_export(file)
        numbers = {event.data.hand for event in history.events if event.fact == "HandDealt"}
        seen += sum(1 for hand in sorted(numbers) for _ in steps(history, hand, 1))
    return seen


def any_of(history: History) -> None:
    """Yield every seat at every step, in random order."""
    asked = [(seat, at) for seat in (None, 0, 1, 2, 3) for at in range(1, len(history.lines) + 1)]
    Random(1).shuffle(asked)
    for seat, at in asked:
        view_of(history, seat, at)


def views(variant: str, files: list[bytes]) -> None:
    """Measure the views of a seat at any step of a game."""
    some, first = files[:4], read_export(files[0])
    size = len(first.lines)
    row(f"{variant}: steps of a seat's replay, the file read too", best(lambda: walked(some), walked(some)), "views")
    row(
        f"{variant}: any seat at any step, folded each time",
        best(lambda: any_of(read_export(files[0])), 5 * size),
        "views",
    )
    any_of(first)
    row(f"{variant}: any seat at any step, folded before", best(lambda: any_of(first), 5 * size), "views")
    some_at = range(1, size + 1, max(1, size // 20))
    folded = best(lambda: [view_at(first.lines, 1, at) for at in some_at], len(some_at))
    row(f"{variant}: peer: each view folded from event 1", folded, "views")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1000)
    hands = parser.parse_args().hands
    collect_garbage_seldom()
    files = {variant: list(files_of(variant, hands)) for variant in VARIANTS}
    for variant, each in files.items():
        checks(variant, each)
        shared(each, sum(hands_of(read_export(file)) for file in each))
    print(f"\n| {'views, one process, its own processor time':<{WIDE}} | a second  | of       |\n|---|---:|---|")
    for variant, each in files.items():
        views(variant, each)
    transcribed([read_export(file) for file in files["pitch"][:20]])


def transcribed(histories: list[History]) -> None:
    """Measure writing and reading transcripts."""
    written = [format_transcripts([each]) for history in histories for each in transcripts(history)]
    row(
        "transcripts written",
        best(lambda: [format_transcripts(transcripts(each)) for each in histories], len(written)),
        "hands",
    )
    row("transcripts read", best(lambda: [read_text(each) for each in written], len(written)), "hands")


if __name__ == "__main__":
    main()
