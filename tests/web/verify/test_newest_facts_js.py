"""JavaScript knows the newest facts as the audit does: beacons except for their signatures, hand-overs and limits."""

import json
from typing import Any

from replay.history import export_bytes, read_export
from tests.beacons.forgeries import FORGERIES, game, with_own_signatures
from tests.beacons.rounds import SIGNATURES, source_of
from tests.docs.markdown import ROOT
from tests.games.whole_games import FIRST
from tests.handover.games import history_of
from tests.handover.test_replay import wild
from tests.replay import forging
from tests.replay.forging import events_of, rewritten
from tests.web.engines import Engine
from tests.web.example import with_receipt
from tests.web.reading import reports, told

STORED = ROOT / "tests" / "stored"
NEWEST = ("pitch-limited.ndjson", "corellian-dropped.ndjson", "setback-forgotten.ndjson")
END = "it ends by the limit of the log, which it hasn't reached after a hand"


def test_games_of_the_newest_format_and_a_log_of_the_first_one_are_right(engine: Engine) -> None:
    files = [*(STORED / "v6" / name for name in NEWEST), STORED / "dropped-call-v1.ndjson"]
    answers = reports(engine, [file.read_bytes() for file in files])
    assert [told(report) for report in answers] == [[]] * len(files)


def forged(**fields: Any) -> bytes:
    """Return the game that ends by its limit, with other fields in its opening and its end."""
    history = read_export((STORED / "v6" / NEWEST[0]).read_bytes())
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


def test_wild_games_with_hand_overs_have_no_findings(engine: Engine) -> None:
    exports = [export_bytes(history_of(wild(variant, seed))) for variant in FIRST for seed in range(2)]
    assert [told(report) for report in reports(engine, exports)] == [[]] * len(exports)


def test_a_game_with_a_beacon_is_right_and_its_signatures_are_listed_as_unchecked(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(with_receipt(game()))])
    assert (report["ok"], told(report)) == (True, [])
    assert [each["grade"] for each in report["hands"]] == ["F1", "F3", "F2"]
    assert [(each["source"], each["signature"]) for each in report["unsigned"]] == [
        (source_of(1000), SIGNATURES[1000]),
        (source_of(1001), SIGNATURES[1001]),
    ]


def test_each_tampering_with_a_beacon_is_found(engine: Engine) -> None:
    exports = [export_bytes(forging.forged(game(), tamper)) for tamper, _ in FORGERIES.values()]
    found = dict(zip(FORGERIES, reports(engine, exports), strict=True))
    assert [name for name, report in found.items() if report["ok"] is not False] == []


def test_signatures_that_a_server_made_up_are_listed_as_unchecked(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(with_receipt(with_own_signatures()))])
    assert report["ok"] is True
    assert len(report["unsigned"]) == 2, json.dumps(report)
