"""A table with a beacon: the promise names a round, and its signature is one more cut (docs/fairness.md)."""

import pytest

from domain.commands import OpenCeremony, OpenGame, PassBid, RecordBeacon, Resign
from domain.decide import decide
from domain.events import BeaconRecorded, CeremonyOpened, Fairness, Player
from domain.protocols.beacon import cut_of
from domain.rejections import NoBeacon, NotDue, NotOffered, SeatLeft, WrongBeacon, WrongPhase
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, SERVER
from tests.beacons.rounds import CHAIN, SIGNATURES, last_moment_for, published, source_of
from tests.domain.protocols.test_cuts import all_cut, clock, last_deal, later, play_out
from tests.games.hands import fact_names, facts_of_kind
from tests.games.tables import Table
from tests.given import GAME, given

SEALED, OPEN = Fairness("sealed", 30, CHAIN), Fairness("open", 30, CHAIN)


def at_round(number: int, fairness: Fairness = SEALED, players: int = 2) -> Table:
    """Return a table whose first deal names this round."""
    return Table(players, fairness=fairness, at=last_moment_for(number))


def opened(table: Table) -> CeremonyOpened:
    return list(facts_of_kind(CeremonyOpened, (event.data for event in table.events)))[-1]


def bring(table: Table, number: int, seat: int = 0) -> RecordBeacon:
    return RecordBeacon(seat, opened(table).n, source_of(number), SIGNATURES[number])


def dealt_with_beacon(number: int = 1000, fairness: Fairness = SEALED) -> Table:
    """Return a table at which everybody cut and the round came."""
    table = all_cut(at_round(number, fairness), sealing=fairness is SEALED)
    table.now = published(number)
    table.says(bring(table, number))
    return table


def next_deal(table: Table, number: int) -> None:
    table.now = last_moment_for(number)
    play_out(table)


def test_the_promise_names_the_first_round_after_the_lead() -> None:
    assert opened(at_round(1000)).beacon == source_of(1000)
    assert opened(Table(2, fairness=Fairness("sealed", 30))).beacon is None


def test_only_deals_name_a_round() -> None:
    table = Table(3, variant="setback", fairness=SEALED, at=last_moment_for(1000))
    ceremonies = list(facts_of_kind(CeremonyOpened, (event.data for event in table.events)))
    assert [(each.subject, each.beacon) for each in ceremonies] == [("game", None), ("deal hand 1", source_of(1000))]


def test_the_deal_waits_for_the_round_after_the_last_cut() -> None:
    table = all_cut(at_round(1000), sealing=True)
    assert table.state.turn == ()
    table.now = published(1000)
    entries = table.says(bring(table, 1000, seat=1))
    assert fact_names(entry.event.data for entry in entries)[:2] == ["BeaconRecorded", "HandDealt"]
    assert entries[0].event.by == "p1"
    assert table.state.phase is Phase.AUCTION


def test_the_deal_waits_for_cuts_after_the_round() -> None:
    table = at_round(1000)
    table.now = published(1000)
    assert fact_names(entry.event.data for entry in table.says(bring(table, 1000))) == ["BeaconRecorded"]
    assert table.state.phase is Phase.WAITING
    all_cut(table)
    assert [source for source, _ in last_deal(table).cuts] == ["0", "1", source_of(1000)]


def test_F3_is_F2_with_the_beacon() -> None:
    table = dealt_with_beacon()
    assert last_deal(table).grade == "F1", "the first deal has no seals yet"
    next_deal(table, 1001)
    assert opened(table).beacon == source_of(1001)
    all_cut(table, sealing=True)
    table.now = published(1001)
    table.says(bring(table, 1001))
    assert last_deal(table).grade == "F3"
    assert table.state.hand is not None
    assert (table.state.hand.beacon, table.state.hand.has_beacon) == (source_of(1001), True)
    assert table.read_again().state == table.state


def test_without_the_round_the_deal_goes_on_at_the_end_of_the_window_as_F2() -> None:
    table = dealt_with_beacon()
    next_deal(table, 1001)
    all_cut(table, sealing=True)
    later(table, 29.999999)
    assert clock(table) == []
    later(table, 0.000001)
    assert clock(table)[0] == "HandDealt"
    deal = last_deal(table)
    assert (deal.grade, deal.missing, [source for source, _ in deal.cuts]) == ("F2", (), ["0", "1"])
    assert table.state.hand is not None
    assert (table.state.hand.beacon, table.state.hand.has_beacon) == (source_of(1001), False)
    table.refuses(bring(table, 1001), WrongPhase)


def test_a_beacon_without_players_cuts_makes_no_grade() -> None:
    table = at_round(1000)
    table.now = published(1000)
    table.says(bring(table, 1000))
    later(table, 60)
    clock(table)
    assert (last_deal(table).grade, [source for source, _ in last_deal(table).cuts]) == ("F0", [source_of(1000)])


def test_with_open_cuts_the_round_counts_and_the_grade_stays_F1() -> None:
    table = dealt_with_beacon(fairness=OPEN)
    next_deal(table, 1001)
    all_cut(table)
    table.now = published(1001)
    table.says(bring(table, 1001))
    assert (last_deal(table).grade, last_deal(table).cuts[-1][0]) == ("F1", source_of(1001))


def test_the_server_may_bring_the_round() -> None:
    table = at_round(1000)
    table.now = published(1000)
    (entry,) = table.send(bring(table, 1000), SERVER)
    recorded = BeaconRecorded(1, source_of(1000), SIGNATURES[1000], cut_of(SIGNATURES[1000]))
    assert (entry.event.by, entry.event.data) == (SERVER, recorded)


def test_a_round_is_refused_before_its_time() -> None:
    table = at_round(1000)
    later(table, 2.999999)
    says = f"The round {source_of(1000)} is published at {published(1000)}, and not known before."
    assert table.refuses(bring(table, 1000), WrongBeacon) == says
    later(table, 0.000001)
    table.says(bring(table, 1000))


def test_other_rounds_and_signatures_are_refused() -> None:
    table = at_round(1000)
    later(table, 20)
    right = bring(table, 1000)
    for wrong in (
        bring(table, 1001),
        bring(table, 3),
        RecordBeacon(0, 2, right.source, right.signature),
        RecordBeacon(0, 1, right.source, SIGNATURES[1001]),
        RecordBeacon(0, 1, right.source, "c0" + "00" * 47),
        RecordBeacon(0, 1, right.source, right.signature.upper()),
        RecordBeacon(0, 1, "drand/quicknet/01000", right.signature),
    ):
        table.refuses(wrong, WrongBeacon)
    wrong = RecordBeacon(0, 1, right.source, SIGNATURES[1001])
    assert "isn't the signature" in table.refuses(wrong, WrongBeacon)
    table.says(right)
    table.refuses(right, NoBeacon)


def test_no_round_is_accepted_at_a_table_without_a_beacon() -> None:
    table = Table(2, fairness=Fairness("sealed", 30), at=last_moment_for(1000))
    later(table, 5)
    table.refuses(bring(table, 1000), NoBeacon)


def test_a_player_who_left_brings_no_round() -> None:
    table = at_round(1000, players=3)
    table.says(Resign(2))
    later(table, 5)
    table.refuses(bring(table, 1000, seat=2), SeatLeft)


def test_a_table_says_that_it_takes_a_beacon_only_if_it_does() -> None:
    with_beacon, without = at_round(1000), Table(2, fairness=Fairness("sealed", 30))
    for table, words in ((with_beacon, "cut the deck or bring the beacon"), (without, "You can cut the deck.")):
        with pytest.raises(WrongPhase, match=words):
            decide(table.state, PassBid(0))


def test_the_usual_window_is_half_a_minute_and_other_settings_are_not_offered() -> None:
    table = Table(2, fairness=Fairness("sealed", None, CHAIN), at=last_moment_for(1000))
    assert table.state.opened is not None
    assert table.state.opened.fairness == SEALED
    players = (Player("p0", "human"), Player("p1", "human"))
    for fairness, says in (
        (Fairness("none", None, CHAIN), "A beacon comes after the players' cuts"),
        (Fairness("sealed", None, "drand/default"), "Set fairness.beacon to null or to drand/quicknet"),
        (Fairness("sealed", 9, CHAIN), "to null or to 10 to 604800 seconds at a table with a beacon"),
        (Fairness("open", 604801, CHAIN), "to null or to 10 to 604800"),
    ):
        with pytest.raises(NotOffered, match=says):
            decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, players, fairness=fairness))


def test_a_commitment_with_a_beacon_needs_its_time() -> None:
    game = Table(2, fairness=SEALED, at=last_moment_for(1000)).commits[0][0].event.data
    given(game).when(OpenCeremony(1, "deal hand 1", "11" * 32)).rejected(NotDue)
    at = last_moment_for(1003)
    facts = given(game).when(OpenCeremony(1, "deal hand 1", "11" * 32, at)).facts
    assert next(facts_of_kind(CeremonyOpened, facts)).beacon == source_of(1003)
