"""The limits of a game: proposals of a seat in a hand (R-P7, R-P8), and events before a deal."""

from typing import Any

import pytest

from domain.commands import AnswerProposal, AskUndo, Command, EndGame, MakeBid, OpenGame, PassBid, ProposeDraw
from domain.decide import decide
from domain.decide.dealer_duties import next_duty
from domain.events import DrawProposed, GameEnded, GameLimits, GameOpened, HandDealt, Player, UndoAsked, Watch
from domain.rejections import NotDue, NotOffered, TooManyProposals
from domain.state import EMPTY_STATE
from domain.struct import replace
from projections.views.own_seat import own_seat_json
from tests.games.hands import HANDS, go_on
from tests.given import GAME, Given, deal, game_opened, given
from tests.replay.playing import Table, table
from tests.replay.variety import BY_HOST
from tests.stored.stories import first

PEOPLE = tuple(Player(f"p{seat}", "human") for seat in range(3))


def limited(proposals: int, *commands: Command) -> Given:
    """Return the auction of a game of three with that many proposals for each seat, after these commands."""
    return go_on(given(game_opened(3, limits=GameLimits(5000, proposals)), *deal(HANDS[:3])), *commands)


def rejected_draw(at: Given, seat: int, other: int) -> Given:
    """Return the situation after a draw that `seat` proposed and `other` rejected."""
    return at.when(ProposeDraw(seat)).happens().when(AnswerProposal(other, False)).happens()


def test_R_P8_a_draw_beyond_the_limit_of_the_hand_is_refused_and_writes_nothing() -> None:
    at = rejected_draw(rejected_draw(limited(2), 1, 0), 1, 0)
    refusal = at.when(ProposeDraw(1)).rejected(TooManyProposals, "2 proposals", "next hand")
    assert refusal.code == "too-many"


def test_R_P7_an_undo_counts_like_a_draw() -> None:
    at = rejected_draw(limited(2, MakeBid(0, 2)), 0, 1)
    at = at.when(AskUndo(0)).happens().when(AnswerProposal(1, False)).happens()
    at.when(AskUndo(0)).rejected(TooManyProposals)
    at.when(ProposeDraw(0)).rejected(TooManyProposals)


def test_R_P7_a_seat_that_has_used_up_its_proposals_leaves_others_theirs() -> None:
    at = rejected_draw(limited(1), 1, 0)
    at.when(ProposeDraw(2)).then(DrawProposed(2))
    at.when(ProposeDraw(1)).rejected(TooManyProposals)


def test_R_P7_an_undo_that_is_granted_stays_counted() -> None:
    at = limited(1, MakeBid(0, 2), AskUndo(0), AnswerProposal(1, True), AnswerProposal(2, True), PassBid(0))
    at.when(AskUndo(0)).rejected(TooManyProposals)
    at.when(PassBid(1)).happens().when(AskUndo(1)).then(UndoAsked(1, at.state.version))


@pytest.mark.parametrize(("hand", "redeal", "left"), [(2, 0, True), (1, 1, False)])
def test_R_P7_the_next_hand_allows_as_many_again_but_the_same_hand_dealt_again_does_not(
    hand: int, redeal: int, left: bool
) -> None:
    at = rejected_draw(limited(1), 0, 1)
    opened, kept, dealt, *cards = deal(HANDS[:3], hand=2)
    assert isinstance(dealt, HandDealt)
    again = given(*at.facts, opened, kept, replace(dealt, hand=hand, redeal=redeal), *cards)
    if left:
        again.when(ProposeDraw(0)).then(DrawProposed(0))
    else:
        again.when(ProposeDraw(0)).rejected(TooManyProposals)


def test_R_P7_an_open_proposal_and_nothing_to_undo_are_refused_as_before() -> None:
    at = limited(0)
    assert "propose_draw" not in own_seat_json(at.state, 0, is_commit_end=True)["may"]
    assert "propose_draw" in own_seat_json(limited(1).state, 0, is_commit_end=True)["may"]
    at.when(ProposeDraw(0)).rejected(TooManyProposals, "0 proposals")


def test_a_change_of_the_rules_by_the_host_counts_as_a_proposal() -> None:
    made = table(2, variant="corellian", limits=GameLimits(5000, 2), **BY_HOST)
    made.change()
    made.change()
    with pytest.raises(TooManyProposals):
        made.change()
    assert "change_rules" not in own_seat_json(made.game.state, 0, is_commit_end=True)["may"]
    made.hands(1).change()


def test_the_opening_records_the_limits_and_what_holds_for_every_game_today() -> None:
    (opened,) = decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, PEOPLE, limits=GameLimits(20_000, 20)))
    assert isinstance(opened, GameOpened)
    assert (opened.limits, opened.rated, opened.watch) == (GameLimits(20_000, 20), None, Watch(public=True, delay=0))
    assert (opened.undo, opened.autopilot, opened.timing.pace) == ("consent", "forfeit", None)
    (free,) = decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, PEOPLE))
    assert isinstance(free, GameOpened)
    assert free.limits is None


@pytest.mark.parametrize("limits", [GameLimits(0, 20), GameLimits(5000, -1)])
def test_limits_under_which_no_game_can_be_played_are_refused(limits: GameLimits) -> None:
    with pytest.raises(NotOffered, match="1 event or more"):
        decide(EMPTY_STATE, OpenGame(GAME, 1, "pitch", {}, PEOPLE, limits=limits))


KINDS: dict[str, dict[str, Any]] = {
    "gamerz Pitch": {"variant": "pitch", "win": 21},
    "Setback": {"variant": "setback"},
    "Blackout": {"variant": "blackout"},
    "Corellian Pitch": {"variant": "corellian", "randomizer": None},
    "a reveal at the end": {"variant": "pitch", "win": 21, "reveal": "game"},
}


@pytest.mark.parametrize(("kind", "events"), [*((kind, 1) for kind in KINDS), ("gamerz Pitch", 150), ("Blackout", 150)])
def test_a_game_ends_by_limit_once_a_hand_is_over_and_its_log_is_full(kind: str, events: int) -> None:
    made = table(7, 4, limits=GameLimits(events, 20), **KINDS[kind]).play()
    ended, state = made.entries[-1].event.data, made.game.state
    assert isinstance(ended, GameEnded)
    assert (ended.reason, ended.winners, ended.scores) == ("limit", (), state.scores)
    assert state.ceremonies == ()
    facts = [entry.event.fact for entry in made.entries]
    last = max(at for at, fact in enumerate(facts) if fact in ("HandScored", "HandThrownIn"))
    assert set(facts[last + 1 :]) == {"CeremonyRevealed", "GameEnded"}
    begun = [at for at, fact in enumerate(facts) if fact == "HandDealt"]
    assert begun[-1] < events or begun[-1] == begun[0]


def test_a_log_one_event_short_of_its_limit_gets_another_hand() -> None:
    made = table(7, 3, win=21, limits=GameLimits(1, 20)).play()
    full = made.game.version - 1  # the last event is the end itself
    assert table(7, 3, win=21, limits=GameLimits(full, 20)).play().game.version == full + 1
    longer = table(7, 3, win=21, limits=GameLimits(full + 1, 20)).play()
    assert [entry.event.fact for entry in longer.entries].count("HandDealt") == 2


def test_B26_a_coin_is_flipped_although_the_log_is_full() -> None:
    tied = first(lambda seed: table(seed, variant="blackout", inorder=True).play(), "CoinFlipped")
    last = max(entry.event.version for entry in tied.entries if entry.event.fact == "HandDealt")

    def full(seed: int) -> Table:
        return table(seed, variant="blackout", inorder=True, limits=GameLimits(last, 20)).play()

    assert first(full, "CoinFlipped").game.state.result == tied.game.state.result


def test_R_C42_an_end_that_the_randomizer_drew_comes_before_the_limit() -> None:
    ends_at_once = {"when": [0, 1], "end": [1, 1]}
    made = table(1, variant="corellian", stop="after_hand", randomizer=ends_at_once, limits=GameLimits(1, 20)).play()
    assert made.game.state.result is not None
    assert made.game.state.result.reason == "randomizer"


def test_the_table_ends_no_game_before_its_log_is_full() -> None:
    made = table(7, 3, win=21, limits=GameLimits(5000, 20)).hands(1)
    with pytest.raises(NotDue):
        decide(made.game.state, EndGame())
    assert next_duty(made.game.state, lambda: bytes(32)) is None
