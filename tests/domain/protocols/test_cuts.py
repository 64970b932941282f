"""Cuts: the players' part of a deal, mixed in after the table has committed itself (docs/fairness.md)."""

from datetime import datetime, timedelta
from hashlib import sha256

import pytest

from domain.commands import CutDeck, OpenGame, PassBid, ProposeDraw, Resign, RevealCeremony, Tick
from domain.decide import decide
from domain.events import (
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    Fairness,
    HandDealt,
    Player,
    SeedKept,
)
from domain.protocols import fairdeal
from domain.rejections import AlreadyCut, NoCut, NotACut, NotAsSealed, NotOffered, WrongCommitment, WrongPhase
from domain.rules.choices import Phase
from domain.state import SERVER
from domain.store.aggregate import Game, Request
from tests.games.hands import fact_names, facts_of_kind, only_fact
from tests.games.tables import Table, entropy, folded
from tests.given import AT, GAME, game_opened, given

OPEN, SEALED = Fairness("open", 2), Fairness("sealed", 60)


def own(seat: int, deal: int) -> bytes:
    return sha256(f"cut of seat {seat} for deal {deal}".encode()).digest()


def cut(table: Table, seat: int, *, sealing: bool = False) -> CutDeck:
    """Return the cut that the table waits for; at a table with seals, with the seal of the next."""
    (ceremony,) = (each for each in table.state.ceremonies if not each.dealt)
    seal = fairdeal.seal(GAME, str(seat), own(seat, ceremony.n + 1)).hex() if sealing else None
    return CutDeck(seat, ceremony.n, ceremony.commit, own(seat, ceremony.n).hex(), seal)


def later(table: Table, seconds: float) -> None:
    then = datetime.fromisoformat(table.now[:-1]) + timedelta(seconds=seconds)
    table.now = then.isoformat(timespec="microseconds") + "Z"


def clock(table: Table) -> list[str]:
    return fact_names(entry.event.data for entry in table.send(Tick(), SERVER))


def last_deal(table: Table) -> HandDealt:
    return list(facts_of_kind(HandDealt, (event.data for event in table.events)))[-1]


def play_out(table: Table) -> None:
    """Play to the end of the hand; each seat takes its first choice."""
    while table.state.phase is not Phase.WAITING:
        table.send(table.choices()[0], table.state.seats[table.state.turn[0]].player)


def all_cut(table: Table, *, sealing: bool = False) -> Table:
    for seat in range(len(table.state.seats)):
        table.says(cut(table, seat, sealing=sealing))
    return table


def test_no_repr_shows_a_cut_that_is_not_made_yet() -> None:
    command = cut(Table(2, fairness=SEALED), 0, sealing=True)
    assert command.cut not in repr(command)


def test_a_cut_is_refused_at_a_table_without_cuts_even_before_it_deals() -> None:
    at = given(game_opened(3))
    assert at.state.phase is Phase.WAITING
    at.when(CutDeck(0, 1, "00" * 32, "00" * 32)).rejected(NoCut, "No deal is waiting for cuts now.")


def test_a_refusal_between_hands_names_no_command_of_the_table() -> None:
    given(game_opened(3)).when(PassBid(0)).rejected(WrongPhase, "No seat is to move now.")
    cutting = Table(3, fairness=OPEN).state
    with pytest.raises(WrongPhase, match=r"You can cut[^,]*\.$"):
        decide(cutting, PassBid(0))


def test_all_accepted_cuts_count_in_the_order_of_seats() -> None:
    table = Table(3, fairness=OPEN)
    for seat in (2, 0, 1):
        table.says(cut(table, seat))
    dealt = last_deal(table)
    assert dealt.cuts == tuple((str(seat), own(seat, 1).hex()) for seat in range(3))
    assert (dealt.grade, dealt.missing) == ("F1", ())


def test_after_the_window_the_table_deals_without_the_missing_cuts() -> None:
    table = Table(4, fairness=OPEN)
    table.says(cut(table, 1))
    later(table, 1.999999)
    assert clock(table) == []
    later(table, 0.000001)
    assert clock(table)[0] == "HandDealt"
    assert (last_deal(table).cuts, last_deal(table).missing) == ((("1", own(1, 1).hex()),), ())
    assert last_deal(table).grade == "F1"
    table.refuses(CutDeck(2, 1, table.state.hand.commit if table.state.hand else "", "11" * 32), WrongPhase)


def test_a_late_cut_before_the_tick_counts_and_ends_the_wait() -> None:
    table = Table(4, fairness=OPEN)
    later(table, 5)
    table.says(cut(table, 3))
    assert [source for source, _ in last_deal(table).cuts] == ["3"]


def test_a_wrong_cut_is_refused() -> None:
    table = Table(3, fairness=OPEN)
    right = cut(table, 0)
    for name, wrong in (("commit", "00" * 32), ("n", 2), ("n", 0)):
        table.refuses(CutDeck(**vars(right) | {name: wrong}), WrongCommitment)
    for text in ("11" * 31, "11" * 33, "AA" * 32, ""):
        table.refuses(CutDeck(**vars(right) | {"cut": text}), NotACut)
    table.refuses(CutDeck(**vars(right) | {"next_seal": "11" * 32}), NotACut)  # at a table of open cuts
    assert fact_names(entry.event.data for entry in table.says(ProposeDraw(0))) == ["DrawProposed"]
    table.says(right)
    table.refuses(right, AlreadyCut)
    sealed = Table(2, fairness=SEALED)
    sealed.refuses(CutDeck(**vars(cut(sealed, 0)) | {"next_seal": "1" * 63}), NotACut)


def sealed_table(seats: int = 3) -> Table:
    """Return a table after its first hand: it waits for the cuts that these seats sealed for the second deal."""
    table = Table(seats, fairness=SEALED)
    for seat in range(seats):
        table.says(cut(table, seat, sealing=True))
    play_out(table)
    return table


def test_F2_needs_every_persons_cut_sealed_before_the_commitment() -> None:
    table = sealed_table()
    opened = list(facts_of_kind(CeremonyOpened, (event.data for event in table.events)))
    assert [len(each.seals) for each in opened] == [0, 3]
    assert opened[1].seals == {str(seat): fairdeal.seal(GAME, str(seat), own(seat, 2)).hex() for seat in range(3)}
    for seat in range(3):
        table.says(cut(table, seat, sealing=True))
    grades = [each.grade for each in facts_of_kind(HandDealt, (event.data for event in table.events))]
    assert grades == ["F1", "F2"]


def test_a_cut_that_does_not_match_its_seal_is_refused() -> None:
    table = sealed_table()
    table.refuses(CutDeck(**vars(cut(table, 1)) | {"cut": "22" * 32}), NotAsSealed)


def test_a_seat_that_withholds_a_sealed_cut_is_named_and_ignored_from_then_on() -> None:
    table = sealed_table()
    table.says(cut(table, 0, sealing=True))
    table.says(cut(table, 2, sealing=True))
    later(table, 60)
    assert clock(table)[0] == "HandDealt"
    assert (last_deal(table).missing, last_deal(table).grade) == ((1,), "F1")
    assert table.state.barred == (1,)
    play_out(table)
    table.refuses(cut(table, 1), NoCut)
    table.says(cut(table, 0, sealing=True))
    table.says(cut(table, 2, sealing=True))
    third = last_deal(table)
    assert ([source for source, _ in third.cuts], third.missing, third.grade) == (["0", "2"], (), "F1")


def test_a_seat_without_a_seal_that_does_not_cut_is_not_named() -> None:
    table = Table(3, fairness=SEALED)
    table.says(cut(table, 0, sealing=True))
    later(table, 60)
    clock(table)
    assert (last_deal(table).missing, table.state.barred) == ((), ())


def test_the_table_does_not_wait_for_a_seat_that_left_nor_name_it() -> None:
    table = sealed_table()
    table.says(cut(table, 0))
    table.says(cut(table, 2))
    table.says(Resign(1))
    assert (last_deal(table).missing, last_deal(table).grade) == ((), "F2")


def test_a_game_that_ends_while_it_waits_for_cuts_voids_the_ceremony_and_reveals_its_seed() -> None:
    table = Table(2, fairness=OPEN)
    table.says(cut(table, 0))
    last = [entry.event.data for entry in table.says(Resign(1))]
    assert fact_names(last) == ["SeatResigned", "CeremonyVoided", "GameEnded"]
    opened = only_fact(CeremonyOpened, (event.data for event in table.events))
    voided = only_fact(CeremonyVoided, last)
    assert voided.reason == "ended"
    assert fairdeal.commit(GAME, 1, opened.subject, bytes.fromhex(voided.seed)).hex() == opened.commit


def test_bots_do_not_cut() -> None:
    table = Table(4, fairness=SEALED, bots=(1, 3))
    table.says(cut(table, 0, sealing=True))
    table.says(cut(table, 2, sealing=True))
    assert [source for source, _ in last_deal(table).cuts] == ["0", "2"]


def test_a_cut_quotes_the_commitment_of_the_waiting_deal_while_earlier_ones_are_open() -> None:
    table = Table(3, fairness=OPEN, reveal="game")
    play_out(all_cut(table))
    first, second = facts_of_kind(CeremonyOpened, (event.data for event in table.events))
    assert [(each.n, each.commit, each.dealt) for each in table.state.ceremonies] == [
        (1, first.commit, True),
        (2, second.commit, False),
    ]
    right = cut(table, 0)
    assert right.commit == second.commit
    for n, commit in ((1, first.commit), (2, first.commit), (1, second.commit)):
        table.refuses(CutDeck(**vars(right) | {"n": n, "commit": commit}), WrongCommitment)
    all_cut(table)
    assert table.state.hand is not None
    assert (table.state.hand.n, table.state.hand.commit) == (2, second.commit)


def test_each_of_several_open_ceremonies_is_revealed_with_the_seed_of_its_commitment() -> None:
    table = Table(2, fairness=OPEN, reveal="game")
    for _ in range(2):
        play_out(all_cut(table))
    kept = {each.n: each.seed for each in facts_of_kind(SeedKept, (event.data for event in table.events))}
    over = folded(table.state, decide(table.state, Resign(1)))
    assert [decide(over, RevealCeremony(n)) for n in (2, 1)] == [(CeremonyRevealed(n, kept[n]),) for n in (2, 1)]
    table.says(Resign(1))
    facts = [event.data for event in table.events]
    promised = {each.n: each for each in facts_of_kind(CeremonyOpened, facts)}
    closed = [each for each in facts if isinstance(each, CeremonyRevealed | CeremonyVoided)]
    assert [each.n for each in closed] == [1, 2, 3]
    assert fact_names(closed) == ["CeremonyRevealed", "CeremonyRevealed", "CeremonyVoided"]
    for each in closed:
        subject = promised[each.n].subject
        assert fairdeal.commit(GAME, each.n, subject, bytes.fromhex(each.seed)).hex() == promised[each.n].commit


def test_the_deal_after_a_misdeal_is_cut_again() -> None:
    dealt = (all_cut(Table(4, variant="corellian", fairness=OPEN, seed=seed)) for seed in range(200))
    table = next(each for each in dealt if each.state.phase is Phase.WAITING)
    subjects = [each.subject for each in facts_of_kind(CeremonyOpened, (event.data for event in table.events))]
    assert subjects[1:] == ["deal hand 1", "deal hand 1 redeal 1"]
    assert [each.n for each in facts_of_kind(CeremonyRevealed, (event.data for event in table.events))] == [0, 1]


def test_an_invalid_fairness_is_refused() -> None:
    players = tuple(Player(f"p{seat}", "human") for seat in range(2))
    for kind, window_s in (("secret", 2), ("none", 2), ("open", 0), ("sealed", 604801)):
        opening = OpenGame(GAME, 1, "pitch", {}, players, fairness=Fairness(kind, window_s))
        with pytest.raises(NotOffered):
            Game(GAME).draft(opening, Request("p0", "c1", AT), entropy(1))


def test_the_usual_the_shortest_and_the_longest_window_are_recorded_and_waited_for() -> None:
    for asked, window_s in ((None, 2), (1, 1), (604800, 604800)):
        table = Table(2, fairness=Fairness("open", asked))
        assert table.events[0].data.fairness == Fairness("open", window_s)
        later(table, window_s - 0.000001)
        assert clock(table) == []
        later(table, 0.000001)
        assert clock(table)[0] == "HandDealt"
        assert (last_deal(table).grade, last_deal(table).cuts) == ("F0", ())
