"""A seat that is out of time gets: a claim by another player, or a bot until the player is back."""

import pytest

from domain.commands import AnswerHandover, AskHandover, ClaimTime, MakeBid, OpenGame, PassBid, ReturnSeat, Tick
from domain.decide import decide
from domain.engine.deadlines import forfeits_at, is_clock_due
from domain.events import HandoverAsked, Player, SeatForfeited, SeatHandedOver, SeatReturned, TimeClaimed, TurnReminded
from domain.rejections import NoClaim, NotOffered
from domain.state import EMPTY_STATE
from tests.games.hands import HANDS, commit, fact_names
from tests.given import GAME, Given, deal, game_opened, given

NAGGED, OUT = "2026-11-28T08:00:00.000000Z", "2026-12-12T08:00:00.000000Z"
JUST_BEFORE = "2026-12-12T07:59:59.999999Z"
DAY_MS = 24 * 3600 * 1000
BOT = SeatHandedOver(0, "p0", "bot:simple:4", "bot", "simple")


def dealt(autopilot: str, bots: tuple[int, ...] = ()) -> Given:
    """Return the situation after the first deal, with seat 0 to bid."""
    return given(game_opened(autopilot=autopilot, bots=bots), *deal(HANDS[:4]))


def test_R_P17_the_clock_takes_no_seat_at_a_table_with_claims_and_a_late_move_counts() -> None:
    table = dealt("claim")
    assert forfeits_at(table.state) == OUT
    assert not is_clock_due(table.state, OUT)
    table.when(Tick(OUT)).then(TurnReminded(0))
    assert fact_names(commit(table, MakeBid(0, 2))) == ["BidMade"]


def test_R_P17_another_player_claims_the_time_and_the_seat_is_forfeit() -> None:
    table = dealt("claim").when(ClaimTime(2, OUT)).then(TimeClaimed(2, 0), SeatForfeited(0, "claimed"))
    assert table.state.still_in == (1, 2, 3)


def test_R_P17_time_for_which_the_clock_was_held_cannot_be_claimed() -> None:
    dealt("claim").when(ClaimTime(2, OUT, DAY_MS)).rejected(NoClaim)
    later = "2026-12-13T08:00:00.000000Z"
    dealt("claim").when(ClaimTime(2, later, DAY_MS)).then(TimeClaimed(2, 0), SeatForfeited(0, "claimed", DAY_MS))


@pytest.mark.parametrize(
    ("autopilot", "claim", "said"),
    [
        pytest.param("claim", ClaimTime(2, JUST_BEFORE), "still has time", id="R-P17 too soon"),
        pytest.param("claim", ClaimTime(0, OUT), "the time of another player", id="R-P17 one's own time"),
        pytest.param("forfeit", ClaimTime(2, OUT), "nobody claims a time", id="R-P17 a table without claims"),
    ],
)
def test_a_claim_is_refused(autopilot: str, claim: ClaimTime, said: str) -> None:
    dealt(autopilot).when(claim).rejected(NoClaim, said)


def test_R_P17_a_bot_claims_no_time() -> None:
    dealt("claim", bots=(2,)).when(ClaimTime(2, OUT)).rejected(NoClaim, "the time of another player")


def test_R_P18_a_bot_takes_over_at_the_deadline_and_the_player_comes_back() -> None:
    taken = dealt("bot:simple").when(Tick(OUT)).then(BOT)
    assert taken.state.still_in == (0, 1, 2, 3)
    assert forfeits_at(taken.state) is None
    taken.when(ReturnSeat(0, "p0")).then(SeatReturned(0, "p0"))


def test_R_P18_the_time_of_a_player_who_is_back_begins_again() -> None:
    state = dealt("bot:simple").when(Tick(OUT)).happens().when(ReturnSeat(0, "p0")).happens().state
    assert state.seats[0].back_at == state.turn_since  # the facts of these tests all have one time
    assert forfeits_at(state) == OUT


def test_R_P18_a_reminder_says_first_how_long_the_clock_was_held() -> None:
    later = "2026-12-13T08:00:00.000000Z"
    told = dealt("bot:simple").when(Tick(later, DAY_MS)).then(TurnReminded(0, DAY_MS))
    told.when(Tick(later, DAY_MS)).then(BOT)


def test_R_P18_the_last_person_at_the_table_forfeits() -> None:
    dealt("bot:simple", bots=(1, 2, 3)).when(Tick(OUT)).then(SeatForfeited(0, "time"))


def test_R_P18_the_bot_has_an_id_that_nobody_had_and_a_question_about_another_seat_stays_open() -> None:
    table = dealt("bot:simple").when(AskHandover(1, "bot:simple:4", "bot", "simple")).happens()
    for seat in (0, 2, 3):
        table = table.when(AnswerHandover(seat, accept=True)).happens()
    table = given(
        *table.facts, SeatHandedOver(1, "p1", "bot:simple:4", "bot", "simple"), HandoverAsked(2, "p9", "human", None)
    )
    taken = table.when(Tick(OUT)).then(SeatHandedOver(0, "p0", "bot:simple:5", "bot", "simple"))
    assert taken.state.handover is not None


@pytest.mark.parametrize(
    ("autopilot", "bots"),
    [
        pytest.param("sleep", 0, id="R-P18 an unknown word"),
        pytest.param("bot:", 0, id="R-P18 a bot without a strategy"),
        pytest.param("claim", 2, id="R-P17 claims without another person"),
    ],
)
def test_an_autopilot_that_is_not_offered_is_refused(autopilot: str, bots: int) -> None:
    players = tuple(Player(f"p{n}", "bot" if n < bots else "human", "random" if n < bots else None) for n in range(3))
    with pytest.raises(NotOffered):
        decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, players, autopilot=autopilot))


def test_R_P17_a_player_passes_after_their_deadline_and_nobody_can_claim_that_time_any_more() -> None:
    table = dealt("claim").when(PassBid(0)).happens()
    table.when(ClaimTime(1, OUT)).rejected(NoClaim)
