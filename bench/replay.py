"""What it costs to read a history again: `python -m bench.replay`. Games of four to eleven, in memory, on one core."""

from collections.abc import Callable
from time import perf_counter

from replay.audit import audit
from replay.fold import positions
from replay.history import History, export, read
from replay.rejudge import rejudge
from replay.steps import steps
from replay.transcribe import text, transcripts
from replay.transcript import read as read_text
from tests.replay.playing import played

GAMES = 20


def best(work: Callable[[], object], of: int) -> float:
    """How many of `of` things a second, in the best of three goes."""
    rates = []
    for _ in range(3):
        start = perf_counter()
        work()
        rates.append(of / (perf_counter() - start))
    return max(rates)


def row(what: str, rate: float, of: str) -> None:
    """A line of the table."""
    print(f"| {what:<52} | {rate:>9,.0f} | {of:<8} |")


def hands_of(histories: list[History]) -> list[tuple[History, int]]:
    """Each hand, with the history it is in."""
    return [
        (history, event.data.hand) for history in histories for event in history.events if event.fact == "HandDealt"
    ]


def main() -> None:
    """Print the table."""
    files = [export(played(number, 4, win=11).history) for number in range(GAMES)]
    histories = [read(file) for file in files]
    events, hands = sum(len(each.lines) for each in histories), hands_of(histories)
    print(f"{GAMES} games of four, {len(hands)} hands, {events} events, {sum(map(len, files)) / 1e6:.1f} MB\n")
    print("| what                                                 | a second  | of       |")
    print("|---|---|---|")
    row("export read, every line canonical", best(lambda: [read(file) for file in files], events), "events")
    row("verify: read, links, leaves, deals, books", best(lambda: [audit(read(f)) for f in files], len(hands)), "hands")
    row("the same", best(lambda: [audit(read(file)) for file in files], events), "events")
    row("rejudge: each command by today's rules", best(lambda: [rejudge(each) for each in histories], events), "events")
    row("second reading alone", best(lambda: [[*positions(each.events)] for each in histories], events), "events")
    some = [(history, hand) for history, hand in hands if history is histories[0]]
    count = sum(len(list(steps(history, hand, 1))) for history, hand in some)
    walked = best(lambda: [list(steps(history, hand, 1)) for history, hand in some], count)
    row("steps of a seat's replay, each folded from event 1", walked, "views")
    row("transcripts written", best(lambda: [text(transcripts(each)) for each in histories], len(hands)), "hands")
    written = [text([each]) for history in histories for each in transcripts(history)]
    row("transcripts read", best(lambda: [read_text(each) for each in written], len(written)), "hands")


if __name__ == "__main__":
    main()
