"""Facts with a field too many, and with a field missing: one of each version of each fact, at each place in it."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from domain.events import FACTS
from domain.events.fields import RULES_GAINED, fields_of, later_fields
from domain.events.upcasts import upcast
from domain.rules.model import RULES_VERSION
from replay.history import History, read_export, trailer_of
from tests.campaigns.tamper.cuts import STORED
from tests.replay.forging import event_of, forged, in_event, texts

Data = dict[str, Any]
MORE = "noted"
"""A field that no fact has."""


class Stored(NamedTuple):
    """An event of one version of a fact, and the log up to it."""

    history: History
    event: Data


class Misfit(NamedTuple):
    """A fact with other fields, and what each reader says about it."""

    fact: str
    v: int
    rules_v: int | None
    data: Data
    says: str

    @property
    def name(self) -> str:
        of = "" if self.rules_v is None else f" with rules {self.rules_v}"
        return f"{self.fact}/{self.v}{of}: {self.says}"


@cache
def stored() -> dict[tuple[str, int], Stored]:
    """Return an event of each version of each fact, from the log in which it comes first, among the stored ones."""
    found = dict[tuple[str, int], tuple[int, History]]()
    for path in STORED:
        history = read_export(path.read_bytes())
        for line in history.lines:
            if line.event is not None:
                key = (line.event.fact, line.event.v)
                if key not in found or line.version < found[key][0]:
                    found[key] = (line.version, history)
    logs = {key: cut(history, size) for key, (size, history) in sorted(found.items())}
    return {key: Stored(log, event_of(texts(log)[-1])) for key, log in logs.items()}


def cut(history: History, size: int) -> History:
    """Return the first events of a log."""
    lines = history.lines[:size]
    return History(history.header, lines, trailer_of(line.leaf for line in lines))


def misfits() -> Iterator[Misfit]:
    """Yield each fact without one of its fields, or of a record in it, and with one more; with rules of each version.

    Rules that don't say their version are read as the newest.
    """
    for (fact, v), (_, event) in stored().items():
        for rules_v, whole in _of_each_version(fact, v, event["data"]):
            later = later_fields(fact, v) | _later_in_rules(rules_v)
            for path, record in _records(FACTS[fact], whole):
                where = "".join(f"{step}." for step in _named(path))
                more = f"it has a field {where}{MORE}, which {fact} of version {v} doesn't have"
                yield Misfit(fact, v, rules_v, _changed(whole, path, lambda data: data | {MORE: 1}), more)
                for name in [name for name in fields_of(record) if where + name not in later]:
                    less = _changed(whole, path, lambda data, name=name: {k: data[k] for k in data if k != name})
                    more_due = _later_in_rules(rules_v) if where + name == "rules.rules_v" else ()
                    missing = min(each for each in (where + name, *more_due) if each.count(".") == where.count("."))
                    yield Misfit(fact, v, rules_v, less, f"the field {missing} is missing")


def _of_each_version(fact: str, v: int, data: Data) -> Iterator[tuple[int | None, Data]]:
    """Yield the data of a fact with its rules, if it has any, as each version from their own on has them."""
    if "rules" not in data:
        yield None, data
        return
    for to in range(data["rules"]["rules_v"], RULES_VERSION + 1):
        yield to, upcast(fact, v, data, v, rules_to=to)


def _later_in_rules(v: int | None) -> frozenset[str]:
    return frozenset(f"rules.{name}" for since, names in RULES_GAINED.items() if since > (v or since) for name in names)


Path = tuple[str | int, ...]


def _named(path: Path) -> list[str]:
    return [step for step in path if isinstance(step, str)]


def _records(record: type[Any], value: Any, path: Path = ()) -> Iterator[tuple[Path, type[Any]]]:
    """Yield the path of each record in the data of a fact: of a list, only the first."""
    if isinstance(value, list) and value:
        yield from _records(record, value[0], (*path, 0))
    if isinstance(value, dict):
        yield path, record
        for name, inner in fields_of(record).items():
            if inner is not None and value.get(name):
                yield from _records(inner, value[name], (*path, name))


def _changed(value: Any, path: Path, change: Any) -> Any:
    if not path:
        return change(value)
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    copy[path[0]] = _changed(copy[path[0]], path[1:], change)
    return copy


def log_with(misfit: Misfit) -> History:
    """Return the stored log whose last event is that fact, with all hashes recomputed."""
    history, event = stored()[misfit.fact, misfit.v]
    return forged(history, in_event(event["version"], lambda last: last.update(data=misfit.data)))
