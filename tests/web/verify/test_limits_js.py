"""The JavaScript knows the newest facts: the limits of a game, and a delay call that a void drops."""

import json
from typing import Any

from replay.history import export_bytes, read_export
from tests.docs.markdown import ROOT
from tests.replay.forging import events_of, rewritten
from tests.web.engines import Engine
from tests.web.reading import reports, told

STORED = ROOT / "tests" / "stored"
NEWEST = ("pitch-limited.ndjson", "corellian-dropped.ndjson", "setback-forgotten.ndjson")
END = "it ends by the limit of the log, which it hasn't reached after a hand"


def test_games_of_the_newest_format_and_a_log_of_the_first_one_are_right(engine: Engine) -> None:
    files = [*(STORED / "v2" / name for name in NEWEST), STORED / "dropped-call-v1.ndjson"]
    answers = reports(engine, [file.read_bytes() for file in files])
    assert [told(report) for report in answers] == [[]] * len(files)


def forged(**fields: Any) -> bytes:
    """Return the game that ends by its limit, with other fields in its opening and its end."""
    history = read_export((STORED / "v2" / NEWEST[0]).read_bytes())
    events = events_of(history)
    for event in (events[0], events[-1]):
        event["data"].update({name: value for name, value in fields.items() if name in event["data"]})
    return export_bytes(rewritten(history, events))


def test_an_end_by_a_limit_that_was_not_reached_and_its_winners_are_found(engine: Engine) -> None:
    later, without, won = reports(
        engine, [forged(limits={"events": 1000, "proposals": 4}), forged(limits=None), forged(winners=[0])]
    )
    assert any(END in text for _, text in told(later))
    assert any(END in text for _, text in told(without))
    assert any("nobody wins a game that ends by the limit" in text for _, text in told(won))


def test_a_fact_of_a_newer_version_is_not_read(engine: Engine) -> None:
    history = read_export((STORED / "v2" / NEWEST[0]).read_bytes())
    events = json.loads(json.dumps(events_of(history)))
    events[0]["v"] = 4
    (report,) = reports(engine, [export_bytes(rewritten(history, events))])
    assert "this program doesn't know GameOpened of version 4" in json.dumps(report)
