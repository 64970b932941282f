"""Corellian Pitch, the randomizer: the seed of the hand decides when and what it draws."""

from typing import Any

import pytest

from domain.commands import AnswerProposal, AskUndo, OpenGame
from domain.engine.rule_menu import apply_change
from domain.events import CardPlayed, GameOpened, HandDealt, MovesTakenBack, Player, RulesChanged, RulesChangeDeferred
from domain.rejections import NotOffered
from domain.store.aggregate import Game, Request
from tests.games.corellian_draws import Draw, check_draws, those
from tests.games.corellian_hands import rules_of
from tests.games.corellian_sessions import Session
from tests.games.tables import entropy
from tests.given import AT, GAME

ALL = ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"]
EVERY_TURN: dict[str, Any] = {"when": [1, 1], "end": None, "points": ALL}
NOTHING: dict[str, Any] = {"points": ["10"], "dirty": False, "reverse": False, "partners": []}


def opened(session: Session) -> GameOpened:
    opening = session.events[0].data
    assert isinstance(opening, GameOpened)
    return opening


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="R-C44 R-C46 the default"),
        pytest.param({"randomizer": {"when": [1, 3], "end": [1, 90]}}, id="R-C44 R-C45 often"),
        pytest.param({"randomizer": {"when": [1, 1], "end": [1, 100], "points": ALL}}, id="R-C44 every turn"),
        pytest.param({"randomizer": {"when": [1, 4], "end": [1, 90]}, "host_changes": True}, id="R-C44 beside a host"),
        pytest.param({"randomizer": {"when": [1, 2], "end": [1, 90]}, "hold": "verdict"}, id="R-C41 R-C44 verdict"),
        pytest.param({"randomizer": {"end": [1, 40]}, "stop": "after_hand"}, id="R-C42 R-C46 after the hand"),
    ],
)
def test_every_draw_of_a_session_follows_from_its_seed(options: dict[str, Any], seed: int) -> None:
    session = Session(seed, **options).lively(1000)
    assert session.state.result is not None
    draws = check_draws(session)
    changes = [event.data.cause for event in those(RulesChanged, session.events)]
    changes += [event.data.cause for event in those(RulesChangeDeferred, session.events)]
    assert len(draws) == changes.count("randomizer") + 1
    assert draws[-1].word == "end"


def test_C2_the_standard_rules_hold_until_a_change_is_declared() -> None:
    session = Session(3, randomizer={"when": [0, 1], "end": [1, 200]}).plays_out()
    assert check_draws(session)[0].word == "end"
    assert session.state.rules == opened(session).rules
    setting = opened(session).rules.setting
    assert (setting.points, setting.dirty, setting.reverse, setting.partners) == ("10", False, False, "across")


def test_R_C45_C8_the_randomizer_changes_a_rule_before_each_turn_if_it_always_fires() -> None:
    session = Session(2, randomizer=EVERY_TURN).plays_out(hands=3)
    draws = check_draws(session)
    for deal in those(HandDealt, session.events):
        turns = [draw.t for draw in draws if draw.n == deal.data.n]
        assert turns == list(range(len(turns)))
    assert {event.data.next for event in those(CardPlayed, session.events)} == {()}


def test_R_C44_the_menu_is_the_ordered_list_of_single_changes() -> None:
    assert opened(Session(1)).rules.changes.menu == (
        *("points:4", "points:5", "points:7", "points:8", "points:10", "points:11", "points:13", "points:14"),
        *("dirty:on", "dirty:off", "reverse:on", "reverse:off"),
        *("partners:across", "partners:left", "partners:right", "partners:call"),
    )
    own = {"points": ["16", "4"], "dirty": False, "reverse": True, "partners": ["call", "across"]}
    assert opened(Session(1, randomizer=own)).rules.changes.menu == (
        *("points:16", "points:4", "reverse:on", "reverse:off", "partners:call", "partners:across"),
    )


def test_R_C44_only_the_changes_on_the_tables_menu_are_drawn() -> None:
    own = {"when": [1, 2], "end": None, "points": ["10", "16"], "dirty": True, "reverse": False, "partners": []}
    words = {draw.word for draw in check_draws(Session(8, randomizer=own).plays_out(hands=6))}
    assert words == {"points:10", "points:16", "dirty:on", "dirty:off"}


def test_R_C44_an_empty_menu_draws_nothing() -> None:
    session = Session(5, randomizer=NOTHING | {"when": [1, 1], "end": [1, 50]}).plays_out()
    assert opened(session).rules.changes.menu == ("points:10",)
    assert [draw.word for draw in check_draws(session)] == ["end"]


def test_R_C46_the_end_is_drawn_before_a_change() -> None:
    session = Session(6, randomizer={"when": [1, 1], "end": [1, 1]})
    assert check_draws(session) == [Draw(session.events[-1].data.n, 0, "end")]
    assert (session.events[-1].fact, session.events[-1].data.label) == ("GameEnded", "randomizer 0 end")
    assert list(those(RulesChanged, session.events)) == []


def test_R_C44_a_move_repeated_after_an_undo_meets_the_same_draws() -> None:
    taken_back = 0
    for seed in range(4):
        session = Session(seed, randomizer={"when": [1, 3], "end": None})
        for _ in range(40):
            taken_back += takes_back(session.turns())
        session.plays_out(hands=len(session.hands_scored) + 1)
        draws = check_draws(session)
        assert len(set(draws)) == len(draws)
        assert any(those(MovesTakenBack, session.events))
    assert taken_back > 30


def takes_back(session: Session) -> bool:
    """Undo the last move, if that's allowed and it wasn't the second of its turn."""
    before = session.state.undo_point
    if before is None or session.random.random() < 0.5:
        return False
    session.says(AskUndo(before.seat))
    for seat in range(4):
        if seat != before.seat:
            session.says(AnswerProposal(seat, accept=True))
    return True


def test_R_C44_R_C47_an_invalid_randomizer_is_refused() -> None:
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    invalid: tuple[dict[str, Any], ...] = (
        *({"when": when} for when in ([2, 1], [0, 0])),
        *({"points": points} for points in (["12"], ["10", "10"])),
        *({"partners": ["alone"]}, {"dirty": "on"}, {"often": True}),
    )
    for options in invalid:
        command = OpenGame(GAME, 1, "corellian", {"randomizer": options}, people)
        with pytest.raises(NotOffered):
            Game(GAME).draft(command, Request("p0", "c1", AT), entropy(1))


def test_R_C44_an_invalid_word_changes_nothing() -> None:
    for word in ("points:99", "points:"):
        with pytest.raises(LookupError):
            apply_change(rules_of(), word)
    for word in ("dirty:maybe", "reverse", "partners:behind", "goal:52"):
        with pytest.raises(ValueError, match=r"is(n.t| not) a"):
            apply_change(rules_of(), word)
