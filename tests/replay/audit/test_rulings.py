"""The result of a game by rulings after its end, in each reading and in each report (docs/disputes.md)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.commands import AppealRuling, DecideAppeal, GiveRuling, OpenDispute
from domain.events import Evidence, GameEnded, Ruled, RulingGiven, Seats
from domain.state import State
from replay.audit import audit
from replay.fold import positions
from replay.history import export_bytes
from replay.rejudge import rejudge
from replay.text.audit_text import report_text
from replay.text.narrate import narrate
from replay.text.terminal import plain_text
from tests.commands import run
from tests.replay.disputing import ANN, BEN, NOTE
from tests.replay.finding import COINS, TIED
from tests.replay.forging import version_of, with_data
from tests.replay.history.test_fold import compare
from tests.replay.playing import Table, table
from tests.replay.test_cli import written
from tests.replay.variety import of, timed
from tests.values import replace

WHO = {0: "ann", 1: "bob", 2: "cat", 3: "Dörte"}


def contest(made: Table, seat: int, hand: int, at_version: int | None = None) -> None:
    made.says(OpenDispute(seat, hand, at_version or made.game.version, "revoke", NOTE))


def rule(made: Table, dispute: int, decision: str, changes: Seats = ()) -> RulingGiven:
    """Rule as an arbiter on the current log."""
    seen = Evidence(made.game.version, made.game.root)
    version = made.game.version
    made.do(GiveRuling(ANN, dispute, decision, changes, None, "recorded", seen, NOTE), ANN)
    fact = made.entries[version].event.data
    assert isinstance(fact, RulingGiven)
    return fact


def last_hand(made: Table) -> int:
    assert made.game.state.hand is not None
    return made.game.state.hand.number


def ended(made: Table) -> GameEnded:
    assert made.game.state.result is not None
    return made.game.state.result


def moving(made: Table, by: int, *seats: int) -> Seats:
    """Return changes of that many points for these seats."""
    return tuple(by if seat in seats else 0 for seat in range(len(made.game.state.seats)))


def adjusted(made: Table, changes: Seats, seat: int = 0) -> Seats:
    """Contest the last hand for a seat, adjust its score, and return the ruled winners."""
    contest(made, seat, last_hand(made))
    ruled = rule(made, len(made.game.state.disputes), "adjust", changes).ruled
    return () if ruled is None else ruled.winners


def sound(made: Table) -> None:
    """Assert that both readings agree on each fact and have no findings."""
    compare(made)
    assert audit(made.history, rejudge(made.history)).findings == []


def behind(state: State) -> int:
    """Return a seat that hasn't won, or seat 2 if all have."""
    assert state.result is not None
    return next((seat for seat in range(len(state.seats)) if seat not in state.result.winners), 2)


def out_by_a_bid() -> tuple[Table, Seats, Seats]:
    """Return a game of Setback won by the bidding side of the last hand, its seats, and the other seats."""
    for seed in range(200):
        made = of("Setback with partners", seed).play()
        hand, last, side = made.game.state.hand, made.game.state.last_hand, ended(made).winners
        if hand is not None and last is not None and last.made and hand.pitcher in side:
            return made, side, tuple(seat for seat in range(4) if seat not in side)
    raise LookupError("no such game")


def test_R_T8_the_bidder_goes_out_first_by_the_scores_as_ruled_but_by_no_hand_that_is_void() -> None:
    made, side, others = out_by_a_bid()
    assert adjusted(made, moving(made, 100, *others)) == side
    contest(made, 1, last_hand(made))
    void = rule(made, 2, "void")
    assert void.ruled is not None
    assert void.ruled.winners == others
    sound(made)


def test_R_T8_a_bidder_below_the_goal_by_a_ruling_does_not_go_out_first() -> None:
    made, side, others = out_by_a_bid()
    assert adjusted(made, moving(made, -100, *side)) == others
    sound(made)


def test_B26_the_coin_counts_by_the_scores_as_ruled_as_long_as_its_seat_is_ahead() -> None:
    games = (of(TIED, seed).play() for seed in (*COINS, *range(400)))
    made = next(made for made in games if made.game.state.coin is not None)
    coin = made.game.state.coin
    assert coin is not None
    seat = behind(made.game.state)
    assert ended(made).winners == (coin,)
    assert adjusted(made, moving(made, -900, seat)) == (coin,)
    others = adjusted(made, moving(made, -900, coin), 1)
    assert others != ()
    assert coin not in others
    sound(made)


def by_the_clock() -> Table:
    """Return a session whose time runs out in its first hand."""
    made = timed()
    made.clock += 60
    return made.stop()


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        pytest.param(lambda: of("gamerz Pitch", 3).play(), "goal", id="S21 at the goal"),
        pytest.param(lambda: of("Blackout to its end", 1).play(), "hands", id="B24 after the last hand"),
        pytest.param(by_the_clock, "time", id="R-C43 by the clock"),
        pytest.param(lambda: of("Corellian ended by a draw", 1).play(), "randomizer", id="R-C43 by a draw"),
    ],
)
def test_the_highest_score_as_ruled_has_won(play: Callable[[], Table], reason: str) -> None:
    made = play()
    seat = behind(made.state)
    assert ended(made).reason == reason
    assert adjusted(made, moving(made, 900, seat)) == (seat,)
    sound(made)


def test_a_game_of_another_kind_whose_time_is_up_is_won_by_nobody_by_rulings_either() -> None:
    made = timed("pitch")
    made.clock += 60
    made.stop()
    assert ended(made).reason == "time"
    assert adjusted(made, moving(made, 5, 2)) == ()
    sound(made)


def test_the_last_seat_left_wins_with_any_ruled_scores() -> None:
    made = table(5, 2)
    made.resign(1)
    assert adjusted(made, moving(made, 5, 1)) == (0,)
    sound(made)


def test_an_open_appeal_is_in_the_report() -> None:
    made = table(5, 3).hands(1)
    contest(made, 0, 1)
    rule(made, 1, "adjust", (1, 0, 0))
    made.do(AppealRuling(2, 1), "p2")
    answer = audit(made.history)
    assert [each["status"] for each in answer.to_json()["rulings"]["disputes"]] == ["appealed"]
    assert "dispute 1 on hand 1, revoke: appealed (adjust)" in plain_text(report_text(answer))
    made.do(DecideAppeal(BEN, 1, "upheld"), BEN)
    assert audit(made.history).to_json()["rulings"]["disputes"][0]["status"] == "upheld"


def test_show_prints_disputes_and_both_the_ruled_and_the_played_score(tmp_path: Path) -> None:
    made = of("gamerz Pitch", 3).play()
    seat, scores = behind(made.game.state), made.game.state.scores
    contest(made, 0, last_hand(made))
    opened = run("game", "show", written(tmp_path / "open.ndjson", export_bytes(made.history))).output
    assert f"Dispute 1 on hand {last_hand(made)} (revoke): open" in opened
    assert "as ruled" not in opened
    rule(made, 1, "adjust", moving(made, 500, seat))
    shown = run("game", "show", written(tmp_path / "ruled.ndjson", export_bytes(made.history))).output
    names = made.history.header.players
    who = [names[f"p{each}"] for each in range(5)]
    as_ruled = ", ".join(f"{who[each]} {score + 500 * (each == seat)}" for each, score in enumerate(scores))
    assert f"Dispute 1 on hand {last_hand(made)} (revoke): ruled" in shown
    assert f"Scores as ruled: {as_ruled}; {who[seat]} won" in shown
    assert f"Over (goal): {who[ended(made).winners[0]]} won" in shown


def test_show_names_no_ruled_winner_during_the_game(tmp_path: Path) -> None:
    made = table(5, 3).hands(1)
    contest(made, 0, 1)
    rule(made, 1, "adjust", (3, 0, -3))
    first, *_, last = made.game.state.scores
    shown = run("game", "show", written(tmp_path / "live.ndjson", export_bytes(made.seen_by(None)))).output
    (line,) = (each for each in shown.splitlines() if each.startswith("Scores as ruled: "))
    assert line.startswith(f"Scores as ruled: ann {first + 3}, bob ")
    assert line.endswith(f"cat {last - 3}")


@pytest.mark.parametrize(("winners", "says"), [((1,), "; as ruled bob wins"), ((1, 3), "; as ruled bob and Dörte win")])
def test_a_sentence_names_the_winners_by_a_ruling(winners: Seats, says: str) -> None:
    given = RulingGiven(1, "adjust", (0, 2, 0, 0), None, "recorded", Evidence(9, NOTE), NOTE, None, None)
    fact = replace(given, ruled=Ruled((1, 9, 1, 9), winners))
    assert narrate(fact, WHO).endswith(f": bob +2; as ruled ann 1, bob 9, cat 1, Dörte 9{says}")
    assert "win" not in narrate(given, WHO)


GAME_RESTORED = {"what": "game-restored", "backup": "2026-11-20T08:00:00.000000Z"}


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ({"what": "moved"}, "moved"),
        ({**GAME_RESTORED, "events": 1}, "1 event of this game restored from the backup of 2026-11-20"),
        ({**GAME_RESTORED, "events": 3}, "3 events of this game restored from the backup of 2026-11-20"),
    ],
)
def test_an_entry_of_the_admin_log_is_a_line_of_the_report(note: dict[str, Any], line: str) -> None:
    noted = replace(table(5, 3).history, admin_log=({"at": "2026-11-21T08:00:00.000000Z", **note},))
    assert f"journal: 2026-11-21T08:00:00.000000Z {line}" in plain_text(report_text(audit(noted)))


def says(made: Table, fact: str, which: int, what: str, **fields: Any) -> None:
    """Assert that the audit has no findings on the game, and says `what` of the forged fact."""
    assert audit(made.history).findings == []
    version = version_of(made.history, fact, which - 1)
    found = audit(with_data(made.history, version, **fields)).findings
    assert any(what in each.says and each.version == version for each in found), found


def test_trust_5_a_bot_contests_nothing() -> None:
    made = table(5, 3, bots=(2,)).hands(1)
    contest(made, 0, 1)
    says(made, "DisputeOpened", 1, "seat 2 is not a person's seat", seat=2)


def test_trust_5_a_hand_in_play_has_no_score_to_adjust() -> None:
    made = table(5, 3)
    contest(made, 0, 1)
    rule(made, 1, "none")
    forgery = {"decision": "adjust", "changes": [1, 0, 0], "ruled": None}
    says(made, "RulingGiven", 1, "the ruling adjusts the score of hand 1, but that hand is not over", **forgery)


def test_trust_5_partners_have_one_score_by_rulings_too() -> None:
    made = of("Setback with partners", 3).hands(1)
    contest(made, 0, 1)
    rule(made, 1, "adjust", (1, 0, 1, 0))
    says(made, "RulingGiven", 1, "the changes are [1, 0, 0, 0], but partners share a score", changes=[1, 0, 0, 0])


def twice_contested() -> Table:
    """Two seats contest the first hand in play. The first ruling voids it; the second changes nothing."""
    made = table(5, 3)
    contest(made, 0, 1)
    contest(made, 1, 1)
    rule(made, 1, "void")
    return made


def test_trust_5_a_dispute_about_a_deal_that_has_gone_does_not_void_the_next_one() -> None:
    made = twice_contested()
    rule(made, 2, "none")
    forgery = {"decision": "void", "voids": 2}
    says(made, "RulingGiven", 2, "the ruling voids the hand, but the contested deal of it is over already", **forgery)


def test_trust_5_a_deal_that_waits_for_cuts_is_void_before_it_is_made() -> None:
    made = of("Pitch with open cuts", 3)
    contest(made, 0, 1)
    assert rule(made, 1, "void").voids == 1
    assert [entry.event.fact for entry in made.entries[-3:]] == ["CeremonyVoided", "CeremonyOpened", "SeedKept"]
    sound(made)
    says(made, "RulingGiven", 1, "the ruling ends no deal, but the deal of ceremony 1 is contested", voids=None)


def test_trust_5_a_deal_that_scored_nothing_is_not_taken_back() -> None:
    made = twice_contested().hands(1)
    rule(made, 2, "none")
    says(made, "RulingGiven", 2, "the contested deal scored nothing or the hand is void already", decision="void")


def test_trust_5_a_hand_that_is_void_already_is_not_taken_back_again() -> None:
    made = table(5, 3).hands(1)
    contest(made, 0, 1)
    contest(made, 1, 1)
    rule(made, 1, "void")
    rule(made, 2, "none")
    says(made, "RulingGiven", 2, "the contested deal scored nothing or the hand is void already", decision="void")


def test_trust_5_no_ruling_ends_the_deal_of_a_hand_that_is_over() -> None:
    made = of("gamerz Pitch", 3).play()
    contest(made, 0, last_hand(made))
    rule(made, 1, "none")
    *_, last = positions(made.history.events)
    assert last.hand is not None
    n = last.hand.dealt.n
    says(made, "RulingGiven", 1, f"it voids the deal of ceremony {n}, which isn't in play", voids=n)
