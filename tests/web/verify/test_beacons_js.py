"""The JavaScript checks everything about a beacon but its signature, and says so."""

import json

from replay.history import export_bytes
from tests.beacons.forgeries import FORGERIES, game, with_own_signatures
from tests.beacons.rounds import SIGNATURES, source_of
from tests.replay.forging import forged
from tests.web.engines import Engine
from tests.web.reading import reports, told


def test_a_game_with_a_beacon_is_right_and_its_signatures_are_listed_as_unchecked(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(game())])
    assert (report["ok"], told(report)) == (True, [])
    assert [each["grade"] for each in report["hands"]] == ["F1", "F3", "F2"]
    assert [(each["source"], each["signature"]) for each in report["unsigned"]] == [
        (source_of(1000), SIGNATURES[1000]),
        (source_of(1001), SIGNATURES[1001]),
    ]


def test_each_tampering_with_a_beacon_is_found(engine: Engine) -> None:
    exports = [export_bytes(forged(game(), tamper)) for tamper, _ in FORGERIES.values()]
    missed = [
        name for name, report in zip(FORGERIES, reports(engine, exports), strict=True) if report["ok"] is not False
    ]
    assert missed == []


def test_signatures_that_a_server_made_up_are_listed_as_unchecked(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(with_own_signatures())])
    assert report["ok"] is True
    assert len(report["unsigned"]) == 2, json.dumps(report)
