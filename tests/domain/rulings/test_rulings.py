"""The effects of rulings on scores, the hand in play and the winners (docs/disputes.md, docs/design.md; R-C66)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.cards import DECK_52
from domain.commands import CallDelay, GiveRuling, OpenDispute, PassBid, Resign
from domain.engine.rulings import net_changes
from domain.events import (
    AuctionWon,
    CeremonyOpened,
    CeremonyRevealed,
    CoinFlipped,
    Evidence,
    Fact,
    GameEnded,
    HandDealt,
    HandScored,
    Ruled,
    RulingGiven,
    SeatResigned,
)
from domain.rejections import NothingToVoid
from domain.rules.choices import Phase
from domain.state import current_hand
from domain.struct import replace as with_
from tests.games.blackout_hands import LONG, bidding, earlier_hands
from tests.games.corellian_changes import ready
from tests.games.corellian_hands import change_rule
from tests.games.corellian_hands import play_tricks as cards_played
from tests.games.disputes import ANN, NOTE, appeal, contest, decide, rule, ruling
from tests.games.hands import commit, fact_names, only_fact
from tests.games.setback_hands import after_auction
from tests.games.tables import Table
from tests.given import SEED, Given, deal, game_opened, given

Four = tuple[int, ...]
NONE = (0, 0, 0, 0)
SOME = [" ".join(DECK_52[6 * seat : 6 * seat + 6]) for seat in range(4)]


def test_voiding_a_hand_removes_its_points() -> None:
    table = Table().plays_out(hands=2)
    first, second = table.hands_scored
    contest(table, 3, 1)
    given_ = rule(table, "void")
    assert given_.changes == tuple(-change for change in first.changes)
    assert (given_.voids, given_.ruled) == (None, Ruled(second.changes, ()))
    assert table.state.scores == second.scores


def test_rulings_in_force_add_up_and_a_reversed_one_no_longer_counts() -> None:
    table = Table().plays_out(hands=2)
    scores = table.state.scores
    contest(table, 0, 1)
    contest(table, 1, 2)
    rule(table, "adjust", 1, 0, 0, -1)
    assert rule(table, "adjust", 0, 2, 0, -1, dispute=2).ruled == Ruled(added(scores, (1, 2, 0, -2)), ())
    assert net_changes(table.state.disputes, 4) == (1, 2, 0, -2)
    appeal(table, 3, 2)
    assert net_changes(table.state.disputes, 4) == (1, 2, 0, -2)
    assert decide(table, "reversed", dispute=2).ruled == Ruled(added(scores, (1, 0, 0, -1)), ())
    appeal(table, 3, 1)
    assert decide(table, "upheld", dispute=1).ruled == Ruled(added(scores, (1, 0, 0, -1)), ())


def added(scores: Four, changes: Four) -> Four:
    return tuple(score + change for score, change in zip(scores, changes, strict=True))


def test_rulings_that_cancel_each_other_change_nothing() -> None:
    table = Table().plays_out(hands=1)
    for seat in (0, 1):
        contest(table, seat, 1)
    assert rule(table, "adjust", 1, -1, 0, 0).ruled is not None
    assert rule(table, "adjust", -1, 1, 0, 0, dispute=2).ruled is None
    assert table.state.ruled is None


@pytest.mark.parametrize("reveal", ["hand", "game"])
def test_a_void_hand_in_play_is_revealed_and_dealt_again(reveal: str) -> None:
    table = Table(reveal=reveal).plays_out(hands=1)
    table.moves(0)
    before = table.state
    contest(table, 1, 2)
    entries = table.send(ruling(table, "void"), ANN)
    facts = [entry.event.data for entry in entries]
    assert " ".join(fact_names(facts)) == (
        "RulingGiven CeremonyRevealed CeremonyOpened SeedKept HandDealt CardsDealt CardsDealt CardsDealt "
        "CardsDealt StockLaid"
    )
    assert (facts[0].voids, facts[0].changes, facts[0].ruled) == (2, NONE, None)
    assert only_fact(CeremonyRevealed, facts).n == 2
    assert only_fact(CeremonyOpened, facts).subject == "deal hand 2 redeal 1"
    again, first = only_fact(HandDealt, facts), before.hand
    assert first is not None
    assert (again.hand, again.redeal, again.n, again.dealer) == (2, 1, 3, first.dealer)
    assert [entry.event.by for entry in entries] == [ANN, *["server"] * 9]
    assert (table.state.phase, table.state.scores) == (Phase.AUCTION, before.scores)
    assert table.read_again().state == table.state


def test_a_dispute_about_an_earlier_deal_does_not_void_the_next_one() -> None:
    table = Table()
    contest(table, 0, 1)
    contest(table, 1, 1)
    rule(table, "void")
    table.refuses(ruling(table, "void", dispute=2), NothingToVoid, ANN)
    contest(table, 2, 1)
    assert rule(table, "void", dispute=3).voids == 2
    assert table.state.hand is not None
    assert table.state.hand.redeal == 2
    table.plays_out(hands=1)
    table.refuses(ruling(table, "void", dispute=2), NothingToVoid, ANN)


def test_a_hand_that_was_thrown_in_can_be_adjusted_but_not_voided() -> None:
    table = Table()
    for _ in range(4):
        (seat,) = table.state.turn
        table.says(PassBid(seat))
    contest(table, 0, 1)
    table.refuses(ruling(table, "void"), NothingToVoid, ANN)
    assert rule(table, "adjust", 1, 0, 0, 0).ruled == Ruled((1, 0, 0, 0), ())


def test_a_hand_cut_short_by_the_end_of_the_game_cannot_be_voided() -> None:
    table = Table(2)
    table.says(Resign(1))
    contest(table, 1, 1)
    table.refuses(ruling(table, "void"), NothingToVoid, ANN)
    assert rule(table, "adjust", 0, 4).ruled == Ruled((0, 4), (0,))


def test_R_C66_changes_that_wait_in_a_void_hand_are_dropped() -> None:
    at = cards_played(ready("AH 4H", "KH 9H", "QH 8H", "7H 6H"), "0: AH")
    at = at.when(CallDelay(0, 1, "2026-11-21T08:00:15.001000Z")).happens()
    setting, at = at.state.rules.setting, change_rule(at, "points:7")
    assert [change.summary.points for change in current_hand(at.state).deferred] == ["7"]
    at = at.when(OpenDispute(0, 1, at.state.version, "rules", NOTE)).happens()
    facts = commit(at, void_of(at))
    assert fact_names(facts)[:4] == ["RulingGiven", "DelayDropped", "CeremonyRevealed", "CeremonyOpened"]
    after = given(*at.facts, *facts).state
    assert (after.rules.setting, after.delay, current_hand(after).deferred) == (setting, None, ())


def void_of(at: Given) -> GiveRuling:
    """Return the situation after dispute 1 is ruled void."""
    return GiveRuling(ANN, 1, "void", (), None, "likely", Evidence(at.state.version, NOTE), NOTE)


def test_B9_a_void_last_hand_does_not_end_the_game() -> None:
    at = bidding(13, LONG, trump=None, past=earlier_hands(13, (10, 0, 0, 0), (1, 0, 0, 0)))
    at = at.when(OpenDispute(0, 13, at.state.version, "deal", NOTE)).happens()
    facts = commit(at, void_of(at))
    assert only_fact(CeremonyOpened, facts).subject == "deal hand 13 redeal 1"
    assert (only_fact(HandDealt, facts).hand, only_fact(HandDealt, facts).redeal) == (13, 1)


def test_T43_a_void_hand_does_not_decide_a_match() -> None:
    """Seats 0 and 1 tie above 11, and seat 1 leaves during the next hand, which is still played."""
    at = after_auction((0, 0, 2), ["AH KH", "2H 3H", "4H 5H"], scores=(12, 12, 3))
    at = at.when(Resign(1)).happens()
    at = at.when(OpenDispute(0, 4, at.state.version, "deal", NOTE)).happens()
    facts = commit(at, void_of(at))
    assert "GameEnded" not in fact_names(facts)
    assert only_fact(HandDealt, facts).redeal == 1


def over(
    reason: str,
    winners: Four,
    scores: Four,
    *,
    variant: str = "pitch",
    bids: tuple[int | None, ...] = (None, None, None, None),
    pitcher: int | None = None,
    left: Four = (),
    coin: Fact | None = None,
    **options: Any,
) -> Given:
    """Return a game that one hand has decided; the seats that bid 0 were exact, since each seat took 0 tricks."""
    sides: tuple[Four, ...] = ((0, 2), (1, 3)) if variant == "setback" else ((0,), (1,), (2,), (3,))
    first = tuple(sorted(sides, key=lambda side: pitcher not in side))
    auction = () if pitcher is None else (AuctionWon(pitcher, 2, forced=False, max=False, sides=first, next=()),)
    score = HandScored(1, (), NONE, True, scores, scores, NONE, bids)
    flipped = () if coin is None else (coin,)
    return given(
        game_opened(4, variant=variant, **options),
        *deal(SOME),
        *(SeatResigned(seat) for seat in left),
        *auction,
        score,
        CeremonyRevealed(1, SEED),
        *flipped,
        GameEnded(reason, winners, scores),
    )


def as_ruled(table: Given, *changes: int) -> Four | None:
    """Return the winners by these changes, or None if no score changes."""
    version = table.state.version
    contested = table.when(OpenDispute(0, 1, version, "score", NOTE)).happens()
    seen = Evidence(version, NOTE)
    ruled = the_ruling(contested, GiveRuling(ANN, 1, "adjust", changes, None, "recorded", seen, NOTE))
    return None if ruled is None else ruled.winners


def the_ruling(table: Given, command: GiveRuling) -> Ruled | None:
    return only_fact(RulingGiven, table.when(command).facts).ruled


@pytest.mark.parametrize(
    ("changes", "winners"),
    [
        pytest.param((1, 0, 0, 0), (0,), id="the winner gets more points"),
        pytest.param((-2, 0, 0, 0), (1,), id="one player at the goal by the ruling"),
        pytest.param((0, 3, 0, 0), (1,), id="the highest of two at the goal"),
        pytest.param((0, 1, 0, 0), (0, 1), id="two level at the goal win together"),
        pytest.param((-5, -5, 0, 0), (2,), id="no player at the goal: the highest"),
        pytest.param((-5, -6, -4, 0), (0,), id="no player at the goal: the player who stays the highest"),
    ],
)
def test_S21_the_winners_at_the_goal_by_the_scores_as_ruled(changes: Four, winners: Four) -> None:
    assert as_ruled(over("goal", (0,), (11, 10, 8, 3)), *changes) == winners


def test_a_seat_that_left_does_not_win_by_a_ruling() -> None:
    assert as_ruled(over("goal", (0,), (11, 10, 8, 3), left=(1,)), 0, 5, 0, 0) == (0,)


@pytest.mark.parametrize(
    ("pitcher", "changes", "winners"),
    [
        pytest.param(0, (-1, 0, -1, 0), (0, 2), id="R-T8 the bidders still at the goal, below the others"),
        pytest.param(0, (-3, 0, -3, 0), (1, 3), id="R-T8 the bidders below the goal"),
        pytest.param(1, (5, 0, 5, 0), (1, 3), id="R-T8 the bidders at the goal, though others have more"),
        pytest.param(1, (5, -9, 5, -9), (0, 2), id="T42 the highest if the bidders are not at the goal"),
    ],
)
def test_R_T8_the_bidder_goes_out_first_by_the_scores_as_ruled(pitcher: int, changes: Four, winners: Four) -> None:
    won = (0, 2) if pitcher == 0 else (1, 3)
    table = over("goal", won, (13, 13, 13, 13), variant="setback", pitcher=pitcher)
    assert as_ruled(table, *changes) == winners


def test_R_T8_a_set_bidder_does_not_go_out_first_by_the_scores_as_ruled() -> None:
    made = over("goal", (1, 3), (9, 13, 9, 13), variant="setback", pitcher=0)
    was_set = given(*(with_(fact, made=False) if isinstance(fact, HandScored) else fact for fact in made.facts))
    assert (as_ruled(made, 3, 0, 3, 0), as_ruled(was_set, 3, 0, 3, 0)) == ((0, 2), (1, 3))


def test_a_bid_made_in_a_void_hand_does_not_count() -> None:
    table = over("goal", (0, 2), (12, 13, 12, 13), variant="setback", pitcher=0)
    version = table.state.version
    for number in (1, 2):
        table = table.when(OpenDispute(number, 1, version, "score", NOTE)).happens()
    adjusted = GiveRuling(ANN, 1, "adjust", (20, 20, 20, 20), None, "likely", Evidence(version, NOTE), NOTE)
    table = table.when(adjusted).happens()
    assert table.state.ruled == Ruled((32, 33, 32, 33), (0, 2))
    void = replace(adjusted, dispute=2, decision="void", changes=())
    assert the_ruling(table, void) == Ruled((20, 20, 20, 20), (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("changes", "winners"),
    [
        pytest.param((0, 0, 0, 9), (3,), id="B24 the highest score"),
        pytest.param((-1, 0, -1, 0), (1,), id="B24 the remaining one of two that tied"),
        pytest.param((-9, -9, 0, 4), (2, 3), id="B26 a tie without a coin: they win together"),
        pytest.param((1, 1, 0, 0), (0,), id="B26 still level: the coin that fell"),
        pytest.param((0, 0, 0, 4), (0,), id="B25 four level: those with more exact bids, and their coin"),
        pytest.param((-1, 0, 0, 0), (1,), id="B25 level with one of fewer exact bids"),
    ],
)
def test_B24_B25_B26_the_winners_after_the_last_hand_by_the_scores_as_ruled(changes: Four, winners: Four) -> None:
    coin = CoinFlipped(2, (0, 1), 0)
    table = over("hands", (0,), (50, 50, 50, 46), variant="blackout", inorder=True, bids=(0, 0, 1, 1), coin=coin)
    assert as_ruled(table, *changes) == winners


@pytest.mark.parametrize("reason", ["time", "randomizer"])
def test_R_C43_the_winners_of_a_session_by_the_scores_as_ruled(reason: str) -> None:
    table = over(reason, (0,), (9, 8, 7, 7), variant="corellian")
    assert as_ruled(table, -2, 0, 0, 1) == (1, 3)


@pytest.mark.parametrize(
    ("reason", "winners", "left"),
    [
        pytest.param("draw", (), (), id="R-P8 a draw"),
        pytest.param("resignation", (0,), (1, 2, 3), id="R-P9 all but one have left"),
        pytest.param("forfeit", (0,), (1, 2, 3), id="R-P10 all but one are out of time"),
        pytest.param("void", (), (0, 1, 2, 3), id="R-P9 no player is left"),
        pytest.param("time", (), (), id="a game other than a session ends by time"),
    ],
)
def test_winners_who_did_not_win_by_score_stay_as_played(reason: str, winners: Four, left: Four) -> None:
    assert as_ruled(over(reason, winners, (5, 4, 3, 2), left=left), 0, 50, 0, 0) == winners
