"""New games as clients describe them: offered options, refused options, malformed bodies, and the catalogue."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from api.config import NO_LIMITS, Config
from domain.rules.variants import VARIANTS, Variant
from tests.api.conftest import Caller, check_problem, services_of

BOTS = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"], "options": {"win": 7}}

CONTENTIOUS = {
    "R-S1", "R-S12", "R-S13", "R-T2", "R-T3", "R-C1", "R-C2", "R-C9", "R-C15", "R-C20", "R-C24", "R-C29", "R-C34",
    "R-C36", "R-C37", "R-C41", "R-C42",
}  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough for requests that never reach it."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


@pytest.mark.parametrize("win", [7, 11, 21])
def test_S4_S5_the_offered_goals_are_accepted(ann: Caller, win: int) -> None:
    body = ann.post("/games", BOTS | {"options": {"win": win}}).get_json()
    assert body["view"]["rules"] == {"goal": win}


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        pytest.param({"options": {"win": 8}}, "not-offered", id="S4 another goal"),
        pytest.param({"options": {"win": "7"}}, "not-offered", id="R-S21 a goal as text"),
        pytest.param({"options": {"win": True}}, "not-offered", id="R-S21 true is no goal"),
        pytest.param({"options": {"low": 1}}, "not-offered", id="R-S21 an option of another game"),
        pytest.param({"timing": {"ends_at": "tomorrow"}}, "not-offered", id="an invalid time"),
        pytest.param({"timing": {"ends_at": 1}}, "not-offered", id="a time as a number"),
        pytest.param({"timing": {"ends_at": "2026-11-21T08:00:00"}}, "not-offered", id="a time that is not in UTC"),
        pytest.param({"timing": {"ends_at": "2026-11-21T08:00:00+01:00Z"}}, "not-offered", id="a time in two zones"),
        pytest.param({"timing": {"ends_at": "2026-02-30T08:00:00Z"}}, "not-offered", id="a day that never comes"),
        pytest.param({"timing": {"total_days": 0}}, "not-offered", id="R-P10 no days at all"),
        pytest.param({"timing": {"total_days": 3651}}, "not-offered", id="R-P10 more than ten years"),
        pytest.param({"variant": "chess"}, "not-offered", id="no such variant"),
        pytest.param({"seats": ["ann"]}, "wrong-number-of-players", id="S2 one player"),
        pytest.param({"seats": ["ann", *["bot:random"] * 7]}, "wrong-number-of-players", id="S2 eight players"),
        pytest.param({"seats": ["ann", "ann"]}, "same-player-twice", id="R-P1 a player twice"),
        pytest.param({"seats": ["ann", "nobody"]}, "no-such-player", id="R-P1 a player who is not registered"),
        pytest.param({"seats": ["bot:random", "bot:simple"]}, "no-person", id="bots alone"),
        pytest.param({"reveal": "never"}, "not-offered", id="another reveal"),
        pytest.param({"undo": "always"}, "not-offered", id="another undo"),
        pytest.param({"timing": {"nag_days": "1"}}, "not-offered", id="R-P10 days as text"),
        pytest.param({"timing": {"forfeit_days": [1]}}, "not-offered", id="R-P10 days in a list"),
        pytest.param({"timing": {"hours": 1}}, "not-offered", id="R-P10 hours"),
        pytest.param({"timing": {"nag_days": True}}, "not-offered", id="true is no number of days"),
        pytest.param({"fairness": {"cuts": "all"}}, "not-offered", id="cuts"),
    ],
)
def test_a_refused_game_takes_no_board_number(ann: Caller, app: Flask, change: dict[str, Any], slug: str) -> None:
    check_problem(ann.post("/games", BOTS | change), 409, slug)
    assert sum(services_of(app).games.log.last_numbers()) == 0
    assert ann.post("/games", BOTS).get_json()["board"] == 1


def test_defaults_are_shown_in_the_form_that_clients_send(ann: Caller) -> None:
    for timing, said in (
        ({"hours": 1}, "The fields of timing are nag_days, forfeit_days, total_days, ends_at, pace."),
        ({"nag_days": 0}, "Set timing.nag_days to null or to a whole number of days, 1 to 3650."),
    ):
        refused = check_problem(ann.post("/games", BOTS | {"timing": timing}), 409, "not-offered")
        assert refused["detail"] == said
    refused = check_problem(ann.post("/games", BOTS | {"options": []}), 400, "malformed")
    assert refused["errors"] == {"options": ["Must be an object."]}


def test_defaults_may_be_sent(ann: Caller) -> None:
    body = BOTS | {"timing": {"nag_days": 7, "ends_at": None}, "fairness": {"cuts": "none"}, "reveal": "game"}
    body |= {"undo": "consent"}
    assert ann.post("/games", body).status_code == 201


OFFERED = [
    (variant, option.name, value)
    for variant in VARIANTS.values()
    for option in variant.options
    for value in option.values
]


@pytest.mark.parametrize(("variant", "option", "value"), OFFERED, ids=lambda each: ascii(each)[:30])
def test_R_S21_every_value_of_every_option_is_offered(ann: Caller, variant: Variant, option: str, value: Any) -> None:
    seats = ["ann", *["bot:simple"] * (min(4, variant.rules.seats[-1]) - 1)]
    body = ann.post("/games", {"variant": variant.name, "options": {option: value}, "seats": seats}).get_json()
    opened = body["events"][0]["event"]["data"]
    defaults = {each.name: each.default for each in variant.options}
    assert opened["options"] == defaults | {option: value}


ODDS = {"when": [1, 4], "end": None, "points": ["4", "10"], "dirty": False, "reverse": True, "partners": ["call"]}
MENU = ["points:4", "points:10", "reverse:on", "reverse:off", "partners:call"]


def corellian(ann: Caller, **options: Any) -> Any:
    body = {"variant": "corellian", "options": options, "seats": ["ann", *["bot:random"] * 3]}
    return ann.post("/games", body)


def test_R_C44_missing_fields_of_the_randomizer_get_their_defaults(ann: Caller) -> None:
    opened = corellian(ann, randomizer=ODDS).get_json()["events"][0]["event"]["data"]
    assert opened["options"]["randomizer"] == ODDS
    assert opened["rules"]["changes"]["menu"] == MENU
    assert opened["rules"]["changes"]["randomizer"] == {"when": [1, 4], "end": None}
    filled = corellian(ann, randomizer={"when": [1, 2]}).get_json()["events"][0]["event"]["data"]["options"]
    assert filled["randomizer"] == VARIANTS["corellian"].compose({})[1]["randomizer"] | {"when": [1, 2]}
    none = corellian(ann, randomizer=None).get_json()["events"][0]["event"]["data"]
    assert (none["options"]["randomizer"], none["rules"]["changes"]["menu"]) == (None, [])


def test_C6_the_earlier_of_two_ends_is_recorded_in_the_timing(ann: Caller) -> None:
    early, late = "2126-11-21T08:00:00Z", "2127-11-21T08:00Z"
    pitch = ann.post("/games", BOTS | {"timing": {"ends_at": early}}).get_json()["events"][0]["event"]["data"]
    assert pitch["timing"]["ends_at"] == "2126-11-21T08:00:00.000000Z"
    body = {"variant": "corellian", "seats": ["ann", *["bot:random"] * 3]}
    both = ann.post("/games", body | {"options": {"ends_at": late}, "timing": {"ends_at": early}}).get_json()
    opened = both["events"][0]["event"]["data"]
    assert opened["options"]["ends_at"] == "2127-11-21T08:00:00.000000Z"
    assert opened["timing"]["ends_at"] == "2126-11-21T08:00:00.000000Z"


@pytest.mark.parametrize("days", [None, 1, 3650])
def test_R_P10_days_are_recorded_with_their_defaults(ann: Caller, days: int | None) -> None:
    for name in ("nag_days", "forfeit_days", "total_days"):
        opened = ann.post("/games", BOTS | {"timing": {name: days}}).get_json()["events"][0]["event"]["data"]
        usual = {"nag_days": 7, "forfeit_days": 21, "total_days": None, "ends_at": None, "pace": None}
        assert opened["timing"] == usual | {name: days}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"randomizer": True}, "an object with some of when, end, points, dirty, reverse, partners"),
        ({"randomizer": []}, "Set randomizer to null or to an object with some of"),
        ({"randomizer": {"how": 1}}, "Set randomizer to null or to an object with some of"),
        ({"randomizer": {"when": None}}, "Set randomizer.when to [a, b] for a times in b turns"),
        ({"randomizer": {"when": [1]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [1, 0]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [0, 0]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [2, 1]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [-1, 1]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [True, True]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": ["1", "2"]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"when": [1, 2**53 - 1]}}, "randomizer.when to [a, b]"),
        ({"randomizer": {"end": [3]}}, "randomizer.end to [a, b]"),
        ({"randomizer": {"points": "10"}}, "Set randomizer.points to a list of 4, 5, 6"),
        ({"randomizer": {"points": [10]}}, "Set randomizer.points to a list of"),
        ({"randomizer": {"points": ["12"]}}, "Set randomizer.points to a list of"),
        ({"randomizer": {"points": ["10", "10"]}}, "Set randomizer.points to a list of"),
        ({"randomizer": {"points": [[]] * 5000}}, "Set randomizer.points to a list of"),
        ({"randomizer": {"partners": ["alone"]}}, "Set randomizer.partners to a list of across, left, right, call"),
        ({"randomizer": {"partners": [{}]}}, "Set randomizer.partners to a list of"),
        ({"randomizer": {"dirty": 1}}, "Set randomizer.dirty to true or false"),
        ({"randomizer": {"reverse": None}}, "Set randomizer.reverse to true or false"),
        ({"ends_at": "soon"}, "Set ends_at to null or to a time in UTC, such as 2026-11-21T08:00:00Z"),
        ({"ends_at": ["2126-11-21T08:00:00Z"]}, "Set ends_at to null or to a time in UTC"),
        ({"host_changes": 1}, "The value 1 isn't offered for host_changes. Choose from false, true."),
        ({"ten": "jack"}, "The value 'jack' isn't offered for ten. Choose from card, game."),
        ({"ten": ["card"] * 5000}, "['card', 'card', 'card', 'card', 'card', 'card', ...] isn't offered for ten."),
        ({"ten": {"x": {"x": {"x": {"x": {"x": {"x": {"x": {}}}}}}}}}, "for ten. Choose from card, game."),
        ({"x" * 9000: 1}, "The variant corellian has no option 'xxxx"),
        ({"credit": "none"}, "Choose from full, own, half"),
        ({"defenders": "half"}, "Choose from full, own, none"),
        ({"double": "never"}, "Choose from when_made, at_end"),
    ],
    ids=lambda each: ascii(each)[:60],
)
def test_R_S21_an_option_that_is_not_offered_is_explained(ann: Caller, options: dict[str, Any], said: str) -> None:
    detail = str(check_problem(corellian(ann, **options), 409, "not-offered")["detail"])
    assert said in detail
    assert len(detail) < 400


@pytest.mark.parametrize(
    "text",
    [
        '{"randomizer":{"when":[1,1e2]}}', '{"randomizer":{"when":[1,NaN]}}', '{"randomizer":{"when":[1,2.0]}}',
        '{"randomizer":{"when":[1,Infinity]}}', '{"randomizer":{"when":[1,' + "9" * 400 + "]}}",
        '{"randomizer":' + "[" * 40 + "]" * 40 + "}", '{"randomizer":' + '{"a":' * 40 + "1" + "}" * 40 + "}",
        '{"randomizer":{"when":[1,2],"when":[1,3]}}', '{"randomizer":{"points":["\\ud800"]}}', "[]", "null", "7",
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_options_that_are_not_plain_json_are_malformed(ann: Caller, app: Flask, text: str) -> None:
    body = '{"variant":"corellian","seats":["ann","bot:random","bot:random","bot:random"],"options":' + text + "}"
    headers = {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"}
    answer = ann.client.post("/api/v1/games", data=body, headers=headers)
    check_problem(answer, 400, "malformed")
    assert sum(services_of(app).games.log.last_numbers()) == 0


@pytest.mark.parametrize(("variant", "players"), [("setback", 2), ("setback", 5), ("blackout", 3), ("corellian", 5)])
def test_T1_B1_C37_a_wrong_number_of_players_is_refused(ann: Caller, variant: str, players: int) -> None:
    seats = ["ann", *["bot:random"] * (players - 1)]
    check_problem(ann.post("/games", {"variant": variant, "seats": seats}), 409, "wrong-number-of-players")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"variant": "pitch"},
        {"seats": ["ann", "bot:random"]},
        BOTS | {"board": 7},
        BOTS | {"seed": "00"},
        BOTS | {"role": "admin"},
        BOTS | {"seats": "ann"},
        BOTS | {"seats": []},
        BOTS | {"seats": ["ann", 3]},
        BOTS | {"seats": ["ann", None]},
        BOTS | {"seats": ["ann", "bot:cheat"]},
        BOTS | {"seats": ["ann", "x\r\ny"]},
        BOTS | {"seats": ["ann"] * 100},
        BOTS | {"options": []},
        BOTS | {"options": None},
        BOTS | {"variant": None},
        BOTS | {"variant": 3},
        BOTS | {"reveal": 3},
        BOTS | {"undo": True},
    ],
    ids=lambda body: ascii(body)[-40:],
)
def test_an_invalid_description_of_a_game_is_malformed(ann: Caller, body: object) -> None:
    check_problem(ann.post("/games", body), 400, "malformed")


def test_variants_are_data(caller: Caller) -> None:
    body = caller.get("/variants").get_json()
    assert body["bots"] == ["bot:random", "bot:simple", "bot:strong"]
    shown = {each["name"]: each for each in body["items"]}
    seats = {"pitch": [2, 3, 4, 5, 6, 7], "setback": [3, 4], "blackout": [4], "corellian": [4]}
    assert {name: shown[name]["seats"] for name in seats} == seats
    assert list(shown) == list(VARIANTS)
    win = shown["pitch"]["options"][0]
    plain: dict[str, Any] = {"ruling": None, "takes": None, "parts": []}
    assert win == {"name": "win", "values": [7, 11, 21], "default": 11, "says": "the goal in points"} | plain
    assert shown["pitch"]["rules"]["goal"] == 11
    assert shown["corellian"]["rules"]["changes"]["randomizer"] == {"when": [1, 16], "end": [1, 240]}


def test_every_contentious_ruling_has_an_option_that_names_it(caller: Caller) -> None:
    items = caller.get("/variants").get_json()["items"]
    named = {option["ruling"] for each in items for option in each["options"]} - {None}
    assert named >= CONTENTIOUS
    for each in items:
        for option in each["options"]:
            assert option["ruling"] is None or option["values"][0] == option["default"], option


def test_the_randomizer_is_described_well_enough_to_draw_a_form(caller: Caller) -> None:
    items = {each["name"]: each for each in caller.get("/variants").get_json()["items"]}
    option = next(each for each in items["corellian"]["options"] if each["name"] == "randomizer")
    assert option["values"] == [option["default"], None]
    assert {part["name"]: part["default"] for part in option["parts"]} == option["default"]
    kinds = {part["name"]: part["kind"] for part in option["parts"]}
    assert kinds == {
        "when": "odds", "end": "odds", "points": "list", "dirty": "flag", "reverse": "flag", "partners": "list",
    }  # fmt: skip
    assert [part["name"] for part in option["parts"] if part["null"]] == ["end"]
    of = {part["name"]: part["of"] for part in option["parts"] if part["kind"] == "list"}
    assert of["partners"] == ["across", "left", "right", "call"]
    assert of["points"] == ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"]
