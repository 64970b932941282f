"""Compares two histories of one game: the same, one continues the other, or different from some event on.

Exports for different viewers withhold different events but have the same hashes, so only the leaves are compared.
"""

from collections.abc import Iterator
from typing import Any, TypedDict

from msgspec.structs import asdict

from domain.events import Event
from domain.events.codec import encode
from domain.protocols.merkle_log import EMPTY, leaf
from replay.audit.log.hash_chain import check_log
from replay.history import History, LogLine
from replay.history.findings import Finding
from replay.queries.answer import Answer, QuestionAnswer, findings_json, question_json

MAX_VALUE_LENGTH = 100
"""The most characters shown of a value that differs."""
SAME, LONGER, SHORTER, TWO = "same", "longer", "shorter", "two"


class Difference(TypedDict):
    """The first event that two histories don't share, and how it differs."""

    version: int
    says: list[str]


class HistoryComparison(QuestionAnswer):
    """How far two histories are the same: `became` is `same`, `longer`, `shorter` or `two`."""

    became: str
    sizes: list[int]
    common: int
    root: str
    first_difference: Difference | None


class AnotherGame(ValueError):
    """The two histories are of different games."""


def compare(first: History, second: History) -> Answer[HistoryComparison]:
    """Compare `first` with `second`: same, longer or shorter (one continues the other), or two, which is a finding.

    Faults in either log are findings, too, and come first. Raise AnotherGame if they aren't of one game.
    """
    if first.header.game != second.header.game:
        raise AnotherGame(f"these are two games, {first.header.game} and {second.header.game}")
    common = min(len(first.lines), len(second.lines))
    pairs = zip(first.lines[:common], second.lines[:common], strict=True)
    at = next((number for number, (a, b) in enumerate(pairs, 1) if a.leaf != b.leaf), None)
    became = TWO if at is not None else _length(len(first.lines), len(second.lines))
    differs = [] if at is None else list(_differences(first.lines[at - 1], second.lines[at - 1]))
    findings = [*_log_fault("the first", first), *_log_fault("the second", second)]
    findings += [] if at is None else [Finding(at, f"the two histories differ from here on: {'; '.join(differs)}")]
    body: HistoryComparison = {
        **question_json(first, "compare"),
        "became": became,
        "sizes": [len(first.lines), len(second.lines)],
        "common": common if at is None else at - 1,
        "root": recompute_root(first, common if at is None else at - 1),
        "first_difference": None if at is None else {"version": at, "says": differs},
        **findings_json(findings),
    }
    return Answer(first, body, notes=(_summary(body),), findings=tuple(findings))


def _length(first: int, second: int) -> str:
    return SAME if first == second else LONGER if first > second else SHORTER


def _log_fault(which: str, history: History) -> Iterator[Finding]:
    """Yield the first fault of one of the logs, if there is one."""
    for finding in check_log(history)[:1]:
        yield Finding(finding.version, f"{which} does not verify: {finding.says}")


def recompute_root(history: History, size: int) -> str:
    """Return the root, in hex, over the first `size` leaves of a history."""
    frontier = EMPTY
    for line in history.lines[:size]:
        frontier = frontier.append(line.leaf)
    return frontier.root().hex()


def _differences(first: LogLine, second: LogLine) -> Iterator[str]:
    """Yield the differences of two events, as far as both are shown."""
    if first.event is None or second.event is None:
        yield f"the leaf is {first.leaf.hex()} and {second.leaf.hex()}"
        return
    one, other = first.event, second.event
    for name in ("fact", "by", "at", "command", "seen_by", "salt", "v"):
        if getattr(one, name) != getattr(other, name):
            yield f"its {name} is {getattr(one, name)} and {getattr(other, name)}"
    if one.fact == other.fact:
        yield from _fact_differences(one, other)
    if leaf(encode(one)) == leaf(encode(other)):
        yield "the events are the same, and one of the leaves is not theirs"


def _fact_differences(one: Event[Any], other: Event[Any]) -> Iterator[str]:
    for name, value in asdict(one.data).items():
        if value != (later := getattr(other.data, name)):
            yield f"its {name} is {_cut(value)} and {_cut(later)}"


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + "..."


def _summary(body: HistoryComparison) -> str:
    sizes, common = body["sizes"], body["common"]
    match body["became"]:
        case "same":
            return f"one history of {sizes[0]} events, root {body['root']}"
        case "two":
            return f"two histories: the same up to event {common}, and not from there on"
        case _:
            longer, shorter = ("first", "second") if body["became"] == LONGER else ("second", "first")
            return f"one history: the {longer}, {max(sizes)} events, continues the {shorter}, {common}"
