"""The moves of Corellian Pitch over HTTP; each refusal says why and leaves the log as it was."""

from dataclasses import replace

from flask import Flask

from domain.cards import Card
from domain.commands import MakeBid, NameTrump, PassBid, SeatCommand
from domain.decide.stand_in import stand_in_move
from domain.events import (
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    DelayCalled,
    DelayJudged,
    DelayVoted,
    GameOpened,
    PartnerCalled,
    TrumpNamed,
)
from domain.rules.choices import Partners, Phase
from tests.api.conftest import Caller, check_problem
from tests.api.given_http import Table, given_http
from tests.given import Given, cards, deal, game_opened, given
from tests.step_limit import steps

NINE = [
    "2C 3C 4C 5C 6C 7C 8C 9C AH",
    "10C JC QC 2D 3D 4D 5D 6D KH",
    "KC AC 7D 8D 9D 10D JD QD X1",
    "KD AD 2H 3H 4H 5H 6H 7H JS",
]
BIDDEN = (MakeBid(0, 5), PassBid(1), PassBid(2), PassBid(3))
SUITS = [{"type": "name_trump", "suit": suit} for suit in "CDHS"]


def play(card: str) -> dict[str, object]:
    return {"type": "play", "card": card}


def discard(text: str) -> dict[str, object]:
    return {"type": "discard", "cards": list(cards(text))}


def corellian(*said: SeatCommand, calls: bool = False) -> Given:
    """Return a game of Corellian Pitch without a randomizer; with `calls`, the pitcher calls a partner."""
    usual = game_opened(4, variant="corellian", randomizer=None)
    rules = replace(usual.rules, partners=Partners.CALL) if calls else None
    at = given(game_opened(4, variant="corellian", rules=rules, randomizer=None), *deal(NINE, jokers=True))
    for command in said:
        at = at.when(command).happens()
    return at


def on_to(at: Given, phase: Phase) -> Given:
    """Play for the seats that left until `phase`."""
    spent = steps(1000)
    while at.state.phase is not phase:
        next(spent)
        at = at.when(stand_in_move(at.state, at.state.turn[0])).happens()
    return at


def served(app: Flask, at: Given) -> Table:
    """Serve the game over HTTP."""
    first, *facts = at.facts
    assert isinstance(first, GameOpened)
    return given_http(app, first, *facts)


def test_R_C60_only_the_pitcher_names_trump_and_may_name_any_suit(app: Flask) -> None:
    table = served(app, corellian(*BIDDEN))
    body = table.when(0, play("2C")).refused(409, "wrong-phase", "name trump")
    assert body["legal"] == SUITS
    assert "choose" not in body
    table.when(1, SUITS[0]).refused(409, "out-of-turn")
    for bad in ("X", "c", "", None, 1, ["C"]):
        table.when(0, {"type": "name_trump", "suit": bad}).refused(400, "malformed")
    table.when(0, SUITS[3]).then(TrumpNamed(0, "S", (1,)))


def test_R_C3_a_refused_discard_names_the_choices(app: Flask) -> None:
    table = served(app, corellian(*BIDDEN, NameTrump(0, "C")))
    others = list(cards("QC 2D 3D 4D 5D 6D KH"))
    choose = {"type": "discard", "from": others, "must": [], "min": 3, "max": 7}
    assert table.by(1).get(f"/games/{table.game}/seats/1").get_json()["you"]["choose"] == choose
    for thrown in ("2D 3D", "2D 3D 10C", "2D 3D AS", "2D 2D 3D 4D", "", "2D 3D 4D 5D 6D KH QC JC"):
        body = table.when(1, discard(thrown)).refused(409, "cannot-discard", "Discard 3 to 7 different cards")
        assert body["choose"] == choose
        assert "legal" not in body
    assert "choose" not in table.when(2, discard("7D 8D 9D")).refused(409, "out-of-turn")
    assert table.when(1, {"type": "pass"}).refused(409, "wrong-phase", "discard")["choose"] == choose


def test_R_C2_R_C48_the_others_fill_up_and_only_the_seat_sees_its_discard(app: Flask) -> None:
    table = served(app, corellian(*BIDDEN, NameTrump(0, "C")))
    answered = table.when(1, discard("KH 2D 3D 4D 5D 6D"))
    thrown, drawn = CardsDiscarded(1, 6, (), (2,)), CardsDrawn(1, 3)
    buried, taken = CardsBuried(1, 1, cards("2D 3D 4D 5D 6D KH")), CardsTaken(1, 1, cards("8H 9H 10H"))
    after = answered.then(thrown, buried, drawn, taken)
    told = [line.get("event", {}).get("fact") for line in answered.answer.get_json()["events"]]
    assert told == ["CardsDiscarded", "CardsBuried", "CardsDrawn", "CardsTaken"]
    others = after.by(0).get(f"/games/{after.game}/events?after={len(answered.before)}").get_json()["items"]
    assert [line.get("event", {}).get("fact") for line in others] == ["CardsDiscarded", None, "CardsDrawn", None]


MALFORMED: list[object] = [
    *({"type": kind} for kind in ("discard", "call_partner", "vote", "call_delay", "change_rules")),
    *({"type": "discard", "cards": thrown} for thrown in ("2D", None, [2], [["2D"]], ["2D"] * 60, ["2d"])),
    {"type": "discard", "cards": ["2D"], "seat": 1},
    {"type": "call_partner", "card": "Z9"},
    *({"type": "vote", "guilty": guilty} for guilty in (1, "yes")),
    *({"type": "call_delay", "accused": accused} for accused in ("2", True)),
    {"type": "call_delay", "accused": 2, "at": "2126-01-01T00:00:00.000000Z"},
    *({"type": "change_rules", "change": change} for change in (7, "x" * 9000, {"points": 7})),
    {"type": "change_rules", "change": "points:7", "variant": "setback"},
]


def test_an_invalid_move_is_malformed(app: Flask) -> None:
    table = served(app, corellian(*BIDDEN, NameTrump(0, "C")))
    for body in MALFORMED:
        table.when(1, body).refused(400, "malformed")


def test_C13_R_C28_only_the_pitcher_calls_and_may_call_any_card(app: Flask) -> None:
    table = served(app, corellian(*BIDDEN, NameTrump(0, "C"), calls=True))
    called = {"type": "call_partner", "card": "AC"}
    table.when(1, called).refused(409, "no-call")
    body = table.when(0, play("AH")).refused(409, "wrong-phase", "call a partner")
    assert body["choose"] == {"type": "call_partner", "from": "any"}
    table.when(0, called).then(PartnerCalled(0, Card("AC"), (1,))).when(0, called).refused(409, "no-call")


def playing(app: Flask) -> Table:
    """Return a game in which seat 0 must lead, and has had to for a long time."""
    return served(app, on_to(corellian(*BIDDEN, NameTrump(0, "C")), Phase.PLAY))


def test_C28_C29_R_C39_three_guilty_votes_cost_ten_points_at_once(app: Flask) -> None:
    table = playing(app)
    version = len(table.log)
    called = table.when(1, {"type": "call_delay", "accused": 0})
    (made,) = [entry.event.data for entry in called.new]
    assert isinstance(made, DelayCalled)
    assert made.waited_ms > 15_000
    after = called.happens()
    after.when(1, {"type": "vote", "guilty": True}).refused(409, "no-delay")
    after.when(0, {"type": "vote", "guilty": False}).refused(409, "no-delay")
    after = after.when(2, {"type": "vote", "guilty": True}).then(DelayVoted(2, guilty=True))
    judged = DelayJudged(0, guilty=True, scores=(-10, 0, 0, 0))
    after = after.when(3, {"type": "vote", "guilty": True}).then(DelayVoted(3, guilty=True), judged)
    after.when(3, {"type": "vote", "guilty": True}).refused(409, "no-delay")
    after.when(0, play("3C"), If_Match=f'"{version}"').happens()  # a vote doesn't change the turn


def test_the_host_changes_the_rules_if_the_table_allows_it(ann: Caller, caller: Caller) -> None:
    bob = caller.join("bob")
    seats = ["ann", "bob", "bot:simple", "bot:simple"]
    endless: dict[str, object] = {"randomizer": {"end": None}}  # by default a session may end before the first move
    for options, who, slug in ((endless, ann, "not-host"), (endless | {"host_changes": True}, bob, "not-host")):
        game = ann.post("/games", {"variant": "corellian", "seats": seats, "options": options}).get_json()["id"]
        answer = who.post(f"/games/{game}/moves", {"type": "change_rules", "change": "points:7"})
        check_problem(answer, 409, slug)
    body = {"variant": "corellian", "seats": seats, "options": {"host_changes": True, "randomizer": None}}
    opened_one = ann.post("/games", body).get_json()
    moves, version = f"/games/{opened_one['id']}/moves", opened_one["version"]
    for change in ("points:10", "points:12", "dirty:off", "partners:alone", "points:7x"):
        refused = check_problem(ann.post(moves, {"type": "change_rules", "change": change}), 409, "no-change")
        assert "Choose points:4" in str(refused["detail"])
    before = ann.get(f"/games/{opened_one['id']}/seats/0").get_json()
    assert before["version"] == version
    assert "change_rules" in before["you"]["may"]
    answer = ann.post(moves, {"type": "change_rules", "change": "points:7"}, If_Match=f'"{version}"')
    assert answer.status_code == 201, answer.text
    changed = answer.get_json()["events"][0]["event"]
    assert (changed["fact"], changed["by"]) == ("RulesChanged", opened_one["events"][0]["event"]["by"])
    assert (changed["data"]["cause"], changed["data"]["summary"]["points"]) == ("host", "7")
    assert answer.get_json()["view"]["rules"]["points"] == "7"
