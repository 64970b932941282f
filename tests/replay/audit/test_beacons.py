"""The audit and rejudge find each tampering with a beacon, even if the forger recomputes every hash."""

from collections.abc import Callable

import pytest

from domain.state import require
from replay.audit import GREEN, WRONG, audit
from replay.queries import deal
from replay.rejudge import rejudge
from tests.beacons.forgeries import FLIPPED, FORGERIES, Event, change, game, plain_game, recorded, with_own_signatures
from tests.beacons.rounds import SIGNATURES, source_of
from tests.replay.forging import forged


def test_the_game_itself_is_right() -> None:
    history = game()
    report = audit(history, rejudge(history))
    assert (report.code(), report.findings) == (GREEN, [])
    assert [event.data.grade for event in history.events if event.fact == "HandDealt"] == ["F1", "F3", "F2"]
    assert [event.by for event in history.events if event.fact == "BeaconRecorded"] == ["p1", "server"]


@pytest.mark.parametrize("name", FORGERIES)
def test_each_tampering_with_a_beacon_is_found(name: str) -> None:
    tamper, says = FORGERIES[name]
    report = audit(forged(game(), tamper))
    assert report.code() == WRONG
    assert any(says in finding.says for finding in report.findings), [each.says for each in report.findings]


def test_a_round_named_in_a_game_without_a_beacon_is_found() -> None:
    assert audit(plain_game()).code() == GREEN
    report = audit(forged(plain_game(), change("CeremonyOpened", 1, beacon=source_of(1000))))
    assert any("but must name none" in finding.says for finding in report.findings)


@pytest.mark.parametrize(
    "tamper",
    [
        pytest.param(recorded(2, 1001, FLIPPED), id="a forged signature"),
        pytest.param(change("CeremonyOpened", 3, beacon=source_of(1002)), id="another round in the promise"),
    ],
)
def test_rejudge_decides_by_the_signature_and_the_time(tamper: Callable[[Event], None]) -> None:
    assert rejudge(game()).findings == ()
    assert rejudge(forged(game(), tamper)).findings


def test_the_deal_shows_its_round() -> None:
    first, second, third = (require(deal(game(), hand).body["deals"][0]["beacon"]) for hand in (1, 2, 3))
    assert (first["source"], first["signed"], first["counts"]) == (source_of(1000), True, True)
    assert (second["signature"], second["published"]) == (SIGNATURES[1001], "2023-08-23T15:59:27.000000Z")
    assert (third["source"], third["signature"], third["signed"], third["counts"]) == (
        source_of(1003), None, None, False,
    )  # fmt: skip
    notes = "\n".join(deal(game(), 2).notes + deal(game(), 3).notes)
    assert "drand/quicknet/1001, signed by the beacon, event" in notes
    assert "drand/quicknet/1003 didn't come in time, and doesn't count" in notes
    assert deal(plain_game(), 1).body["deals"][0]["beacon"] is None


def test_a_server_that_makes_signatures_up_is_found_by_nothing_but_the_signatures() -> None:
    report = audit(with_own_signatures())
    assert [finding.says for finding in report.findings] == [
        "its signature isn't that of drand/quicknet/1000",
        "its signature isn't that of drand/quicknet/1001",
    ]
