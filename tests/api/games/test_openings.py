"""New games as clients describe them: offered options, refused options, malformed bodies, and the catalogue."""

from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.rules.variants import VARIANTS, Variant
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.live_server import GameServer

BOTS = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"], "options": {"win": 7}}

CONTENTIOUS = {
    "R-S1", "R-S12", "R-S13", "R-T2", "R-T3", "R-C1", "R-C2", "R-C9", "R-C15", "R-C20", "R-C24", "R-C29", "R-C34",
    "R-C36", "R-C37", "R-C41", "R-C42",
}  # fmt: skip


@pytest.fixture
def ann(server: GameServer) -> Caller:
    return server["ann"]


@pytest.fixture
def caller(server: GameServer) -> Caller:
    return server.nobody


def events_of(server: GameServer) -> int:
    """Return the number of events in the store."""
    return sum(services_of(server.app).games.log.last_numbers())


def opened(answer: TestResponse) -> Any:
    """Return the data of GameOpened in an answer."""
    assert answer.status_code == 201, answer.text
    return answer.get_json()["events"][0]["event"]["data"]


REFUSED: list[Any] = [
    pytest.param("not-offered", [{"options": {"win": 8}}], id="S4 another goal"),
    pytest.param(
        "not-offered",
        [{"options": each} for each in ({"win": "7"}, {"win": True}, {"low": 1})],
        id="R-S21 others",
    ),
    pytest.param(
        "not-offered",
        [
            {"timing": timing}
            for timing in (
                *({"ends_at": end} for end in ("tomorrow", 1, "2026-11-21T08:00:00", "2026-02-30T08:00:00Z")),
                *({"ends_at": "2026-11-21T08:00:00+01:00Z"}, {"total_days": 0}, {"total_days": 3651}),
                *({"nag_days": "1"}, {"nag_days": True}, {"forfeit_days": [1]}, {"hours": 1}),
            )
        ],
        id="R-P10 times and days",
    ),
    pytest.param("wrong-number-of-players", [{"seats": ["ann", *["bot:random"] * n]} for n in (0, 7)], id="S2 1 or 8"),
    pytest.param(
        "wrong-number-of-players",
        [
            {"variant": variant, "seats": ["ann", *["bot:random"] * others], "options": {}}
            for variant, others in (("setback", 1), ("setback", 4), ("blackout", 2), ("corellian", 4))
        ],
        id="T1 B1 C37 too few or too many",
    ),
    pytest.param("same-player-twice", [{"seats": ["ann", "ann"]}], id="R-P1 a player twice"),
    pytest.param("no-such-player", [{"seats": ["ann", "nobody"]}], id="R-P1 a player who is not registered"),
    pytest.param("no-person", [{"seats": ["bot:random", "bot:simple"]}], id="bots alone"),
    pytest.param(
        "not-offered",
        [
            *({"variant": variant} for variant in ("chess", "../x", "pitch/../setback", "Pitch", "pitch ", "", "..")),
            *({"reveal": "never"}, {"undo": "always"}, {"fairness": {"cuts": "all"}}),
        ],
        id="others",
    ),
]


@pytest.mark.parametrize(("slug", "changes"), REFUSED)
def test_a_refused_game_takes_no_board_number(
    server: GameServer, ann: Caller, slug: str, changes: list[dict[str, Any]]
) -> None:
    board, before = ann.post("/games", BOTS).get_json()["board"], events_of(server)
    for change in changes:
        check_problem(ann.post("/games", BOTS | change), 409, slug)
    assert events_of(server) == before
    assert ann.post("/games", BOTS).get_json()["board"] == board + 1


def test_defaults_are_shown_in_the_form_that_clients_send(ann: Caller) -> None:
    for timing, said in (
        ({"hours": 1}, "The fields of timing are nag_days, forfeit_days, total_days, ends_at, pace."),
        ({"nag_days": 0}, "Set timing.nag_days to null or to a whole number of days, 1 to 3650."),
    ):
        refused = check_problem(ann.post("/games", BOTS | {"timing": timing}), 409, "not-offered")
        assert refused["detail"] == said
    refused = check_problem(ann.post("/games", BOTS | {"options": []}), 400, "malformed")
    assert refused["errors"] == {"options": ["Must be an object."]}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_R_S21_every_value_of_every_option_is_offered(ann: Caller, variant: Variant) -> None:
    number = 4 if 4 in variant.rules.seats else variant.rules.seats[0]
    seats = ["ann", *["bot:simple"] * (number - 1)]
    defaults = {each.name: each.default for each in variant.options}
    for option in variant.options:
        for value in option.values:
            body = {"variant": variant.name, "options": {option.name: value}, "seats": seats}
            assert opened(ann.post("/games", body))["options"] == defaults | {option.name: value}


ODDS = {"when": [1, 4], "end": None, "points": ["4", "10"], "dirty": False, "reverse": True, "partners": ["call"]}
MENU = ["points:4", "points:10", "reverse:on", "reverse:off", "partners:call"]


def corellian(ann: Caller, **options: Any) -> Any:
    body = {"variant": "corellian", "options": options, "seats": ["ann", *["bot:random"] * 3]}
    return ann.post("/games", body)


def test_R_C44_missing_fields_of_the_randomizer_get_their_defaults(ann: Caller) -> None:
    given = opened(corellian(ann, randomizer=ODDS))
    assert given["options"]["randomizer"] == ODDS
    assert given["rules"]["changes"]["menu"] == MENU
    assert given["rules"]["changes"]["randomizer"] == {"when": [1, 4], "end": None}
    filled = opened(corellian(ann, randomizer={"when": [1, 2]}))["options"]
    assert filled["randomizer"] == VARIANTS["corellian"].compose({})[1]["randomizer"] | {"when": [1, 2]}
    none = opened(corellian(ann, randomizer=None))
    assert (none["options"]["randomizer"], none["rules"]["changes"]["menu"]) == (None, [])


def test_C6_the_earlier_of_two_ends_is_recorded_in_the_timing(ann: Caller) -> None:
    early, late = "2126-11-21T08:00:00Z", "2127-11-21T08:00Z"
    pitch = opened(ann.post("/games", BOTS | {"timing": {"ends_at": early}}))
    assert pitch["timing"]["ends_at"] == "2126-11-21T08:00:00.000000Z"
    body = {"variant": "corellian", "seats": ["ann", *["bot:random"] * 3]}
    both = opened(ann.post("/games", body | {"options": {"ends_at": late}, "timing": {"ends_at": early}}))
    assert both["options"]["ends_at"] == "2127-11-21T08:00:00.000000Z"
    assert both["timing"]["ends_at"] == "2126-11-21T08:00:00.000000Z"


WHEN = (None, [1], [1, 0], [0, 0], [2, 1], [-1, 1], [True, True], ["1", "2"], [1, 2**53 - 1])
POINTS: tuple[Any, ...] = ("10", [10], ["12"], ["10", "10"], [[]] * 5000)
NOT_OFFERED: list[tuple[dict[str, Any], str]] = [
    ({"randomizer": True}, "an object with some of when, end, points, dirty, reverse, partners"),
    ({"randomizer": []}, "Set randomizer to null or to an object with some of"),
    ({"randomizer": {"how": 1}}, "Set randomizer to null or to an object with some of"),
    ({"randomizer": {"when": None}}, "Set randomizer.when to [a, b] for a times in b turns"),
    *(({"randomizer": {"when": each}}, "randomizer.when to [a, b]") for each in WHEN),
    ({"randomizer": {"end": [3]}}, "randomizer.end to [a, b]"),
    *(({"randomizer": {"points": each}}, "Set randomizer.points to a list of 4, 5, 6") for each in POINTS),
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
]


def test_R_S21_an_option_that_is_not_offered_is_explained(ann: Caller) -> None:
    for options, said in NOT_OFFERED:
        detail = str(check_problem(corellian(ann, **options), 409, "not-offered")["detail"])
        assert said in detail
        assert len(detail) < 400


INVALID: list[dict[str, Any]] = [
    *({}, {"variant": "pitch"}, {"seats": ["ann", "bot:random"]}),
    *(BOTS | more for more in ({"board": 7}, {"seed": "00"}, {"role": "admin"})),
    *(BOTS | {"seats": seats} for seats in ("ann", [], ["ann"] * 100)),
    *(BOTS | {"seats": ["ann", other]} for other in (3, None, "bot:cheat", "x\r\ny")),
    *(BOTS | {"variant": variant} for variant in (None, 3, ["pitch"])),
    BOTS | {"options": None},
    *(BOTS | more for more in ({"reveal": 3}, {"undo": True})),
    BOTS | {"options": []},
]


def test_an_invalid_description_of_a_game_is_malformed(ann: Caller) -> None:
    for body in INVALID:
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


CHOSEN: dict[str, dict[str, Any]] = {
    "corellian": {"deal": "all", "hold": "verdict"},
    "pitch": {"win": 21},
    "blackout": {"hook": False},
}
CHOSEN |= {"setback": {"stick": "any"}, "ten-point": {"least": 4}, "oh-hell": {"order": "down_up"}}


@pytest.mark.parametrize("name", CHOSEN)
def test_every_game_is_chosen_in_one_way_with_its_named_alternatives(ann: Caller, name: str) -> None:
    def opening(named: str, options: dict[str, Any]) -> dict[str, Any]:
        body = {named: name, "options": options, "seats": ["ann", *["bot:simple"] * 3]}
        data: dict[str, Any] = ann.post("/games", body).get_json()["events"][0]["event"]["data"]
        return data

    made = []
    for named in ("variant", "rulebook"):
        opened = opening(named, CHOSEN[name])
        assert {option: opened["options"][option] for option in CHOSEN[name]} == CHOSEN[name]
        made.append((opened["variant"], opened["options"], opened["rules"]))
    assert made[0] == made[1]
    assert made[0][2] != opening("variant", {})["rules"]
