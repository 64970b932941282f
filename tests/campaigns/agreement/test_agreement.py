"""A few random games and forgeries, and faults that the campaign must find: a check that can't fail shows nothing."""

from collections.abc import Iterator

import pytest

from replay.audit.deals import ceremonies
from tests.campaigns.agreement.campaign import Readers, read_forgeries, read_games, time_cuts
from tests.campaigns.agreement.forgeries import forgeries
from tests.campaigns.tamper.cuts import STORED

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program
SEED = 1


def test_all_readers_find_random_games_right(readers: Readers) -> None:
    found = read_games(readers, 25, SEED)
    assert found.faults == []
    assert found.games == 25
    assert found.acts_while_waiting > 0


def test_all_readers_find_forgeries_or_name_a_limit(readers: Readers) -> None:
    assert read_forgeries(readers, forgeries(SEED, 25)).faults == []


MOST_CUTS = {"CutOpened", "BeaconRecorded", "HandDealt", "SeatResigned", "SeatForfeited"}


def test_canary_a_reader_that_refuses_acts_while_a_deal_waits_for_cuts_is_reported(
    readers: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the audit once did."""
    accepts = ceremonies.facts_due_while_cutting
    monkeypatch.setattr(ceremonies, "facts_due_while_cutting", lambda position: accepts(position) & MOST_CUTS)
    found = read_games(readers, 25, SEED)
    assert any("Verdicts(python=1, javascript=0, go=0)" in fault for fault in found.faults)


def test_canary_a_reader_that_overlooks_a_salt_used_twice_is_reported(
    readers: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_repeated(_: object) -> Iterator[object]:
        return iter(())

    monkeypatch.setattr("replay.audit.ledger._repeated_salts", none_repeated)
    twice = next(each for each in forgeries(SEED, 200) if each.kind == "envelope.salt")
    (fault,) = read_forgeries(readers, [twice]).faults
    assert "overlooked by Python." in fault


def test_no_reader_takes_long_on_a_cut(readers: Readers) -> None:
    small = [path for path in STORED if path.name == "setback-forgotten.ndjson"][:1]
    found = time_cuts(readers, small)
    assert found.faults == []
    assert found.longest.keys() >= {"Python", "Go"}
