"""One table holds the fields of every version of every fact, and every reader notices one more and one less.

The readers are the store's, the one of exports, and the verifiers in JavaScript and Go.
"""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

import pytest

from domain.events import FACT_VERSIONS
from domain.events.codec import WrongFields, decode
from domain.events.fields import GAINED
from domain.protocols.merkle_log import canonical
from replay.audit import CANNOT_TELL, WRONG, audit
from replay.history import export_bytes
from tests.agreement.fields import MORE, Misfit, log_with, misfits, stored
from tests.agreement.verdicts import FOUND, Verdicts, verdicts
from tests.generators import field_table
from tests.generators.field_table import tables
from tests.replay.forging import forged, in_event
from tests.verifiers.go import Verifier
from tests.web.engines import STATIC, Engine
from tests.web.reading import reports, told

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program


@cache
def every() -> list[Misfit]:
    """Return every misfit, which takes a second to make."""
    return list(misfits())


def few() -> list[Misfit]:
    """Return a field more, and a field less, in each version of each fact."""
    return list({(each.fact, each.v, "missing" in each.says): each for each in every()}.values())


UNREADABLE = Verdicts(CANNOT_TELL, CANNOT_TELL, WRONG)
"""Two verifiers say that a file isn't an export, and Go that its first line is wrong."""


def test_the_tables_in_javascript_and_go_are_those_of_the_facts() -> None:
    """If they differ, run `python -m tests.generators.field_table`."""
    assert {path: path.read_text(encoding="utf-8") for path in tables()} == tables()


def test_the_tables_say_what_records_have_gained_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_table, "RULES_GAINED", {2: ("goal", "auction.hook"), 3: ("changes.versions.off",)})
    rows = {name: rest.split() for name, _, rest in (row.partition(" ") for row in field_table.fact_rows())}
    in_records = {name: [field for field in rows[name] if "+" in field] for name in ("Rules", "Auction", "Version")}
    assert in_records == {"Rules": ["goal:n?+2"], "Auction": ["hook:b+2"], "Version": ["off:[t]+3"]}
    gained = {**GAINED, ("RulingGiven", 3): ("ruled.winners",)}
    monkeypatch.setattr(field_table, "GAINED", gained)
    with pytest.raises(ValueError, match="Ruled has gained other fields in RulingDecided than in another fact"):
        list(field_table.fact_rows())


def test_every_version_of_every_fact_is_tried() -> None:
    assert stored().keys() == {(fact, v) for fact, newest in FACT_VERSIONS.items() for v in range(1, newest + 1)}
    assert len(every()) > 400


def bytes_of(misfit: Misfit) -> bytes:
    return canonical(stored()[misfit.fact, misfit.v].event | {"data": misfit.data})


def fault_in_store(misfit: Misfit) -> str | None:
    try:
        decode(bytes_of(misfit), misfit.fact)
    except WrongFields as error:
        return str(error)
    return None


def test_the_store_reads_no_fact_with_a_field_more_or_less() -> None:
    assert {each.name: fault_in_store(each) for each in every()} == {each.name: each.says for each in every()}


def test_javascript_notices_each_field_more_or_less(engine: Engine) -> None:
    asked = [{"fact": each.fact, "v": each.v, "data": each.data} for each in every()]
    said = engine.run(STATIC, {"do": "fields", "module": "fields.js", "asked": asked})
    assert dict(zip([each.name for each in every()], said, strict=True)) == {each.name: each.says for each in every()}


@pytest.mark.parametrize("asked", [few, pytest.param(every, marks=pytest.mark.slow)])
def test_go_notices_each_field_more_or_less_and_names_the_event(
    verifier: Verifier, asked: Callable[[], list[Misfit]]
) -> None:
    exports = {each.name: export_bytes(log_with(each)) for each in asked()}
    said = {name: (answer.code, answer.lines("wrong")[:1]) for name, answer in verifier.verify_each(exports).items()}
    due = {each.name: (1, [f"event {stored()[each.fact, each.v].event['version']}: {each.says}"]) for each in asked()}
    assert said == due


ENVELOPES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "one more": (lambda event: event.update({MORE: 1}), f"it has a field {MORE}, which an event doesn't have"),
    "one less": (lambda event: event.pop("salt"), "the field salt is missing"),
    "no version": (lambda event: event.update(v=0), "its v isn't the number of a version"),
}


def test_all_verifiers_notice_an_envelope_with_a_field_more_or_less(engine: Engine, verifier: Verifier) -> None:
    sound = {name: stored()["BidMade", 1].history for name in ENVELOPES}
    at = stored()["BidMade", 1].event["version"]
    logs = {name: forged(sound[name], in_event(at, change)) for name, (change, _) in ENVELOPES.items()}
    exports = {name: export_bytes(log) for name, log in logs.items()}
    in_javascript = reports(engine, list(exports.values()))
    in_go = verifier.verify_each(exports)
    for (name, (_, says)), read in zip(ENVELOPES.items(), in_javascript, strict=True):
        assert (at, says) in [(each.version, each.says) for each in audit(logs[name]).findings], name
        assert (at, says) in told(read), name
        assert f"event {at}: {says}" in in_go[name].lines("wrong"), name


OUTER: dict[str, tuple[int, Callable[[dict[str, Any]], object], Verdicts]] = {
    "first line: one more": (0, lambda line: line.update({MORE: 1}), FOUND),
    "first line: no keys": (0, lambda line: line.pop("keys"), FOUND),
    "first line: no variant": (0, lambda line: line.pop("variant"), UNREADABLE),
    "first line: keys null": (0, lambda line: line.update(keys=None), UNREADABLE),
    "first line: a key that is a number": (0, lambda line: line.update(keys=[5]), UNREADABLE),
    "first line: players in a list": (0, lambda line: line.update(players=list(line["players"])), UNREADABLE),
    "first line: a name that is a number": (0, lambda line: line.update(players={"p_1": 5}), UNREADABLE),
    "last line: one more": (-1, lambda line: line.update({MORE: 1}), FOUND),
    "last line: no header": (-1, lambda line: line.pop("header"), FOUND),
    "last line: no receipt": (-1, lambda line: line.pop("receipt"), FOUND),
}


def test_all_verifiers_notice_a_first_or_last_line_with_a_field_more_or_less(
    engine: Engine, verifier: Verifier
) -> None:
    """The hash of the first line, which the last one holds, is right in each of these."""
    exports = {}
    for name, (at, change, _) in OUTER.items():
        lines = export_bytes(stored()["BidMade", 1].history).splitlines()
        line = json.loads(lines[at])
        change(line)
        lines[at] = canonical(line)
        if at == 0:
            lines[-1] = canonical(json.loads(lines[-1]) | {"header": sha256(lines[0]).hexdigest()})
        exports[name] = b"\n".join([*lines, b""])
    found = verdicts(exports, engine, verifier)
    assert found == {name: due for name, (_, _, due) in OUTER.items()}


@pytest.mark.slow
def test_the_readers_of_exports_name_each_event_and_go_on(engine: Engine) -> None:
    """After the event whose fields don't fit, the others are checked."""
    for each in every():
        history, version = log_with(each), stored()[each.fact, each.v].event["version"]
        report = audit(history)
        assert (report.code(live_is_fine=True), (version, each.says)) == (WRONG, (version, each.says))
        assert any((finding.version, finding.says) == (version, each.says) for finding in report.findings), each.name
        (read,) = reports(engine, [export_bytes(history)])
        assert (version, each.says) in told(read), each.name
