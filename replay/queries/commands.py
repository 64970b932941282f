"""The commits of a range of events: each command, its time, its facts, and the server's moves in answer.

The facts of one commit share time and command; the server's moves in answer are separate commits under the same
command. A repeated command writes nothing, so it's a fault if a person's command stands in two of their commits, or if
they used one key for two requests, as the halves of a command id show (docs/design.md).
"""

from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from domain.events import Event, GameOpened
from domain.json_fields import Time, says
from domain.state import SERVER
from replay.fold.clocks import elapsed_ms
from replay.history import History
from replay.history.findings import Finding
from replay.history.steps import NotShown
from replay.queries.answer import Answer, QuestionAnswer, findings_json, question_json

HEADS = ("events", "after s", "by", "command", "", "facts")


class ListedCommit(TypedDict):
    """The events of one command."""

    first: int
    last: int
    at: Time
    by: str
    command: str
    follows: Annotated[bool, says("Whether the server made it in answer to the command before.")]
    after_ms: int | None
    facts: list[str | None]


CommitsSince = TypedDict("CommitsSince", {"from": int})


class Commits(QuestionAnswer, CommitsSince):
    """The commits between two events, command by command."""

    to: int
    commits: list[ListedCommit]


@dataclass
class RecordedCommit:
    """Events `first` to `last`: one command of `by` at one time; `facts` are in order, None if withheld.

    `follows` says that the server made it in answer to the command of the commit before.
    """

    first: int
    last: int
    at: str
    by: str
    command: str
    follows: bool
    after_ms: int | None
    facts: list[str | None] = field(default_factory=list)


def list_commits(history: History, first: int | None = None, last: int | None = None) -> Answer[Commits]:
    """Return the commits that hold any of the events `first` to `last`, or all; repeated commands are findings.

    Raise NotShown if the history has no such events.
    """
    _require_events(history, first, last)
    opened = [event.data for event in history.events if isinstance(event.data, GameOpened)]
    server_ids = {SERVER, *(player.player for each in opened for player in each.players if player.kind == "bot")}
    commits = _group(history, server_ids)
    low, high = first or 1, last or len(history.lines)
    selected = [each for each in commits if each.last >= low and each.first <= high]
    firsts = {each.first for each in selected}
    findings = tuple(each for each in _find_repeated(commits, server_ids) if each.version in firsts)
    body: Commits = {
        **question_json(history, "commits"),
        "from": low,
        "to": high,
        "commits": [_json(each) for each in selected],
        **findings_json(findings),
    }
    names = history.header.players
    command_ids = {each.command for each in selected}
    notes = (f"{_count(selected, 'commit')}, {_count(command_ids, 'command')}", *_span_note(selected))
    return Answer(history, body, HEADS, [_row(each, names) for each in selected], notes, findings)


def _json(commit: RecordedCommit) -> ListedCommit:
    return {
        "first": commit.first,
        "last": commit.last,
        "at": commit.at,
        "by": commit.by,
        "command": commit.command,
        "follows": commit.follows,
        "after_ms": commit.after_ms,
        "facts": commit.facts,
    }


def _require_events(history: History, first: int | None, last: int | None) -> None:
    """Raise NotShown unless `first` and `last` are events of this history in this order."""
    size = len(history.lines)
    for version in (first, last):
        if version is not None and version > size:
            raise NotShown(f"there are events 1 to {size}, no event {version}")
    if first is not None and last is not None and first > last:
        raise NotShown(f"there are events 1 to {size}, and event {first} is after event {last}")


def _count(things: Sized, word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def _group(history: History, server_ids: set[str]) -> list[RecordedCommit]:
    """Group the events by commit. A withheld event belongs to the commit before: no commit begins with a secret."""
    commits = list[RecordedCommit]()
    for line in history.lines:
        event = line.event
        if event is not None and (not commits or (event.at, event.command) != (commits[-1].at, commits[-1].command)):
            commits.append(_begin(event, commits[-1] if commits else None, server_ids))
        for commit in commits[-1:]:
            commit.last = line.version
            commit.facts.append(None if event is None else event.fact)
    return commits


def _begin(event: Event[Any], before: RecordedCommit | None, server_ids: set[str]) -> RecordedCommit:
    after = None if before is None else elapsed_ms(before.at, event.at)
    follows = before is not None and before.command == event.command and event.by in server_ids
    return RecordedCommit(event.version, event.version, event.at, event.by, event.command, follows, after)


def _find_repeated(commits: list[RecordedCommit], server_ids: set[str]) -> Iterator[Finding]:
    """Yield a finding for each person's command in two commits, and for each key with two requests."""
    seen: dict[str, RecordedCommit] = {}
    for each in commits:
        if each.by in server_ids:
            continue
        player_and_key = each.command.partition("-")[0]
        if (before := seen.setdefault(player_and_key, each)) is not each:
            same = "the same command" if before.command == each.command else "another request under the same key"
            yield Finding(each.first, f"{same} led to events {before.first} to {before.last} already")


def _span_note(selected: list[RecordedCommit]) -> Iterator[str]:
    """Yield a note on the time from the first to the last commit."""
    if len(selected) > 1:
        took = elapsed_ms(selected[0].at, selected[-1].at)
        yield f"from {selected[0].at} to {selected[-1].at}: {(took or 0) / 1000:.3f} s"


def _row(commit: RecordedCommit, names: Mapping[str, str]) -> tuple[object, ...]:
    after = "" if commit.after_ms is None else f"{commit.after_ms / 1000:.3f}"
    by = "the table" if commit.by == SERVER else names.get(commit.by, commit.by)
    which = f"{commit.first}" if commit.first == commit.last else f"{commit.first}-{commit.last}"
    answers, facts = "in answer" if commit.follows else "", " ".join(each or "?" for each in commit.facts)
    return which, after, by, commit.command, answers, facts
