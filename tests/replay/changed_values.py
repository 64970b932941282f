"""The audit's findings on single values that are changed in sound games, of facts out of place, and what it awaits.

`python -m tests.replay.changed_values` writes the lists again. Read the difference before you commit it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.ledger import Ledger
from replay.audit.log.envelope import turn_follows_flags
from replay.history import History, LogLine
from tests.lists import write_list
from tests.replay.forging import forged, leaves_of, other, put
from tests.replay.sound_games import GAMES

LISTS = Path(__file__).parent / "lists"
TIMES_A_FACT = 2
"""In how many games each fact is changed."""
EVERY = 17
"""Facts are put out of place before every line whose place this number divides."""
UNCHANGED = frozenset({"v", "fact", "version", "game", "salt"})
MUST_BE = "must be "

Paths = Sequence[tuple[str | int, ...]]


def values_of(event: dict[str, Any]) -> Paths:
    """Return the values of an event to change: of each list, the first and the last."""
    paths = [path for path in leaves_of(event) if path[0] not in UNCHANGED]
    return [path for path in paths if all(_is_at_an_end(event, path, depth) for depth in range(len(path)))]


def _is_at_an_end(event: Any, path: tuple[str | int, ...], depth: int) -> bool:
    """Return whether the step of a path at a depth isn't into the middle of a list."""
    inside = event
    for name in path[:depth]:
        inside = inside[name]
    return not isinstance(inside, list) or path[depth] in {0, len(inside) - 1}


def ledgers(history: History) -> Iterator[tuple[int, Ledger]]:
    """Yield each place with the ledger before its line."""
    deals = DealLedger(seeds=DealLedger.read_seeds(history), roots=[line.prev for line in history.lines])
    ledger, later = Ledger(deal_ledger=deals, step_by_step=True), turn_follows_flags(history.lines)
    for place in range(len(history.lines)):
        yield place, ledger
        ledger.check_next(history.lines[: place + 1], later, place)


def said_of(line: LogLine, ledger: Ledger, history: History, place: int) -> list[str]:
    """Return what the audit says of a line in place of the one there."""
    if line.raw is not None and line.event is None:
        return [str(line.unread)]
    copy = deepcopy(ledger, {id(ledger.position): ledger.position})
    copy.check_next([*history.lines[:place], line], turn_follows_flags(history.lines), place)
    found = [*copy.findings, *copy.rulings, *(each for deal in copy.deals for each in deal.findings)]
    return [each.says for each in found]


def shorter_lists(history: History, at: int) -> dict[int, tuple[str, LogLine]]:
    """Return the lines with list number `at` of their events one shorter, and the names of the lists, by version."""
    names: dict[int, str] = {}

    def change(event: dict[str, Any]) -> None:
        lists = [name for name, value in event["data"].items() if isinstance(value, list) and value]
        if at < len(lists):
            names[event["version"]] = f"data.{lists[at]} shorter"
            event["data"][lists[at]].pop()

    lines = {line.version: line for line in forged(history, change).lines}
    return {version: (name, lines[version]) for version, name in names.items()}


def changed(history: History, at: int) -> dict[int, tuple[str, LogLine]]:
    """Return the lines with value number `at` of their events changed, and the names of the values, by version."""
    names: dict[int, str] = {}

    def change(event: dict[str, Any]) -> None:
        paths = values_of(event)
        if at < len(paths):
            names[event["version"]] = ".".join(map(str, paths[at]))
            event.update(put(event, paths[at], other))

    lines = {line.version: line for line in forged(history, change).lines}
    return {version: (name, lines[version]) for version, name in names.items()}


def changed_values(history: History, places: Sequence[int]) -> Iterator[str]:
    """Yield what the audit says of each changed value in the events at some places."""
    few = replace(history, lines=tuple(history.lines[place] for place in places))
    kinds = (changed, shorter_lists)
    forgeries = [each for kind in kinds for each in takewhile(bool, (kind(few, at) for at in count()))]
    for place, ledger in ledgers(history):
        for forgery in forgeries if place in places else ():
            if place + 1 in forgery:
                name, line = forgery[place + 1]
                says = " | ".join(said_of(line, ledger, history, place)) or "nothing"
                yield f"{place} {history.events[place].fact}: {name} -> {says}"


def facts_out_of_place(history: History, places: Sequence[int]) -> Iterator[str]:
    """Yield what the audit says of the events at some places if they come elsewhere."""
    for place, ledger in ledgers(history):
        for of in places if place % EVERY == 0 and place else ():
            says = [each for each in said_of(history.lines[of], ledger, history, place) if MUST_BE not in each]
            yield f"{of} {history.events[of].fact} at {place}: {' | '.join(says) or 'nothing'}"


def awaited_facts(history: History) -> Iterator[str]:
    """Yield the facts that the audit awaits after each fact, with how often it does so."""
    seen = Counter[str]()
    for place, ledger in ledgers(history):
        if place:
            says = next(each for each in said_of(history.lines[0], ledger, history, place) if MUST_BE in each)
            seen[f"after {ledger.last}: {says.partition(MUST_BE)[2]}"] += 1
    yield from (f"{times} x {says}" for says, times in seen.items())


def places_in(lines: Iterable[str]) -> list[int]:
    """Return the places that a list names."""
    return sorted({int(line.partition(" ")[0]) for line in lines})


def chosen_places(times: Counter[str], history: History) -> list[int]:
    """Return the places of the first fact of each kind that wasn't chosen often enough yet."""
    first: dict[str, int] = {}
    for place, event in enumerate(history.events):
        first.setdefault(event.fact, place)
    chosen = {fact: place for fact, place in first.items() if times[fact] < TIMES_A_FACT}
    times.update(chosen.keys())
    return sorted(chosen.values())


def _main() -> None:
    times, games = Counter[str](), {name: make() for name, make in GAMES.items()}
    places = {name: found for name, history in games.items() if (found := chosen_places(times, history))}
    for name, lines_of in {"changed_values": changed_values, "facts_out_of_place": facts_out_of_place}.items():
        write_list(LISTS / f"{name}.txt", {game: lines_of(games[game], found) for game, found in places.items()})
    write_list(LISTS / "awaited_facts.txt", {name: awaited_facts(history) for name, history in games.items()})


if __name__ == "__main__":
    _main()
