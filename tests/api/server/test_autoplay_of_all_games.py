"""The autoplayer in Corellian Pitch: it names trump, calls and discards for seats that left; bots vote out of turn."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import NO_LIMITS
from api.play.services.autoplay import seats_to_play
from api.worker import Worker
from domain.commands import MakeBid, NameTrump, PassBid, SeatCommand
from domain.events import GameOpened, RulesChanged
from domain.rules.choices import Partners, Phase
from domain.rules.model import Rules
from projections.bots import choose
from tests.api.conftest import services_of
from tests.api.games.test_moves_of_all_games import BIDDEN, NINE, on_to
from tests.api.given_http import Table, given_http
from tests.api.server.test_autoplay import Pick, use_autoplayer
from tests.given import deal, game_opened, given
from tests.values import replace


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough for tests of moves that never reach it."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


def table(
    app: Flask, *said: SeatCommand, bots: tuple[int, ...] = (), phase: Phase | None = None, calls: str = ""
) -> Table:
    """Return a hand after the moves in `said`, played on for the seats that left until `phase`."""
    usual = game_opened(4, variant="corellian", randomizer=None, bots=bots)
    calling = replace(usual.rules, partners=Partners.CALL)
    first = replace(usual, rules=calling) if calls == "from the start" else usual
    at = given(first, *deal(NINE, jokers=True))
    for command in said:
        at = at.when(command).happens()
    at = at if phase is None else on_to(at, phase)
    facts = list(at.facts)
    if calls == "now":
        by_hand: dict[str, Any] = {"cause": "host", "n": None, "label": None, "pick": None, "of": None}
        facts.append(RulesChanged(rules=calling, summary=calling.setting, next=at.state.turn, **by_hand))
    opening, *rest = facts
    assert isinstance(opening, GameOpened)
    return given_http(app, opening, *rest)


def choice_facts(answered: Any) -> list[tuple[str, str]]:
    """Return the facts that show a choice, with the seat that made it."""
    players = [seat.player for seat in answered.table.games.state(answered.table.game).seats]
    found = [(entry.event.fact, entry.event.by) for entry in answered.new]
    return [(fact, str(players.index(by)) if by in players else by) for fact, by in found]


def test_R_C66_the_table_names_trump_calls_and_discards_for_a_seat_that_left(app: Flask) -> None:
    at = table(app, *BIDDEN, calls="from the start")
    made = choice_facts(at.when(0, {"type": "resign"}))
    assert made[:3] == [("SeatResigned", "0"), ("TrumpNamed", "server"), ("PartnerCalled", "server")]
    for seat in (1, 2, 3):
        choice = at.by(seat).get(f"/games/{at.game}/seats/{seat}").get_json()["you"]["choose"]
        cards = [*choice["must"], *choice["from"]][: choice["min"]]
        made = choice_facts(at.when(seat, {"type": "discard", "cards": cards}))
    assert ("CardsDiscarded", "server") in made
    assert at.games.state(at.game).phase is Phase.PLAY


def test_bots_name_trump_call_and_discard(app: Flask) -> None:
    at = table(app, *BIDDEN[:3], bots=(0, 1, 2), calls="from the start")
    made = choice_facts(at.when(3, {"type": "pass"}))
    assert made[:2] == [("BidPassed", "3"), ("AuctionWon", "server")]
    assert made[2:5] == [("TrumpNamed", "0"), ("PartnerCalled", "0"), ("CardsDiscarded", "1")]
    assert at.games.state(at.game).turn == (3,)


def test_R_C31_a_bot_calls_as_soon_as_it_may_also_out_of_turn(app: Flask) -> None:
    at = table(app, MakeBid(0, 5), PassBid(1), PassBid(2), PassBid(3), NameTrump(0, "C"), bots=(0,), calls="now")
    assert at.games.state(at.game).turn == (1,)
    made = choice_facts(at.when(1, {"type": "discard", "cards": ["2D", "3D", "4D"]}))
    assert ("PartnerCalled", "0") in made


def open_late_game(app: Flask, bots: tuple[int, ...]) -> Table:
    """Return a game in which seat 0 must lead, and has had to for a long time."""
    return table(app, *BIDDEN, NameTrump(0, "C"), bots=bots, phase=Phase.PLAY)


def voting_bot(guilty: bool) -> Any:
    """Return bots that vote this way, and otherwise play as usual."""

    def decided(strategy: str, view: Mapping[str, Any], rules: Rules, pick: Pick) -> Mapping[str, Any]:
        move = choose(strategy, view, rules, pick)
        return {"type": "vote", "guilty": guilty} if move["type"] == "vote" else move

    return decided


CALL = {"type": "call_delay", "accused": 0}


@pytest.mark.parametrize(("guilty", "score"), [(True, -10), (False, 0)])
def test_R_C39_bots_vote_in_the_answer_to_the_call(app: Flask, guilty: bool, score: int) -> None:
    at = open_late_game(app, (1, 2))
    use_autoplayer(app, voting_bot(guilty))
    answered = at.when(3, CALL)
    votes = [("DelayVoted", "1"), ("DelayVoted", "2")] if guilty else [("DelayVoted", "1")]
    assert choice_facts(answered) == [("DelayCalled", "3"), *votes, ("DelayJudged", "server")]
    after = answered.happens()
    assert after.games.state(at.game).scores[0] == score
    after.when(0, {"type": "play", "card": "3C"}).happens()


def test_R_C39_the_worker_casts_votes_that_a_stopped_server_left_out(app: Flask) -> None:
    at, here = open_late_game(app, (1, 2)), services_of(app)
    use_autoplayer(app, lambda *_: {})
    assert choice_facts(at.when(3, CALL)) == [("DelayCalled", "3")]
    before = at.games.state(at.game).version
    use_autoplayer(app, voting_bot(guilty=True))
    here.followers.catch_up()
    worker = Worker(here)
    worker.play_waiting_games(timedelta(hours=1))
    assert at.games.state(at.game).version == before, "the request is left time to have them cast itself"
    worker.play_waiting_games(timedelta())
    voted = [entry.event.fact for entry in at.games.entries(at.game, before)]
    assert voted == ["DelayVoted", "DelayVoted", "DelayJudged"]
    assert at.games.state(at.game).turn == (0,)


def test_a_bot_that_fails_or_repeats_a_refused_move_is_asked_once_and_again_only_after_a_new_event(app: Flask) -> None:
    at, here, asked = open_late_game(app, (1, 2)), services_of(app), list[int]()
    moves = iter([{"type": "pass"}] * 2)

    def stubborn(_strategy: str, view: Mapping[str, Any], _rules: Rules, _pick: Pick) -> Mapping[str, Any]:
        asked.append(view["you"]["seat"])
        return next(moves, {})

    use_autoplayer(app, stubborn)
    at.when(3, CALL).happens()
    assert asked == [1, 2]
    here.followers.catch_up()
    worker = Worker(here)
    for times in (2, 0, 0):
        asked.clear()
        worker.play_waiting_games(timedelta())
        assert len(asked) == times


def test_R_C66_a_seat_that_left_votes_not_guilty(app: Flask) -> None:
    at = open_late_game(app, ()).when(1, {"type": "resign"}).happens()
    made = choice_facts(at.when(3, CALL))
    assert made == [("DelayCalled", "3"), ("DelayVoted", "server"), ("DelayJudged", "server")]


def test_a_bot_that_fails_at_a_vote_does_not_block_the_game(app: Flask) -> None:
    at = open_late_game(app, (1, 2))

    def faulty(strategy: str, view: Mapping[str, Any], rules: Rules, pick: Pick) -> Mapping[str, Any]:
        move = choose(strategy, view, rules, pick)
        return {"type": "vote", "guilty": True, "why": "so"} if move["type"] == "vote" else move

    use_autoplayer(app, faulty)
    assert choice_facts(at.when(3, CALL)) == [("DelayCalled", "3")]
    assert seats_to_play(at.games.state(at.game)) == [1, 2]
    answered = at.when(0, {"type": "play", "card": "3C"})
    assert ("CardPlayed", "1") in choice_facts(answered)
    answered.happens()


def test_no_moves_are_made_after_the_game_is_over(app: Flask) -> None:
    at = open_late_game(app, (1, 2))
    at.when(3, {"type": "resign"}).happens()
    at.when(0, {"type": "resign"}).happens()
    assert seats_to_play(at.games.state(at.game)) == []
