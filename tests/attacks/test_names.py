"""Attacks with names: lookalikes of other people and of the staff."""

from werkzeug.test import TestResponse

from tests.api.conftest import PASSWORD, Caller
from tests.api.live_server import GameServer

RESERVED = [
    "admin", "ADMIN", "Admln", "adm1n", "moderator", "M0DERAT0R", "rnoderator", "arb1ter", "Operator", "0perat0r",
    "support", "supp0rt", "system", "systern", "server", "SERVER2", "server-x",
    "bot.x", "b0t-simple", "BOT.", "table", "h0use", "p_0123", "P_FF",
    "arbiter.", "admin1", "1.admin", "a-d-m-i-n", "aclrnin", "Hosts", "h0st_2", "0perator9", "tr1ckbook", "bot_x",
    "guest.ab23cdef", "staff--",
]  # fmt: skip
ALIKE = [
    ["anna", "anna.", "an.na", "Anna--", "a_n-n.a"], ["ann-q", "ann_q", "annq", "ANN.Q"],
    ["wave", "vvave", "v-vave", "VVAVE"], ["dark", "clark", "c1ark", "c.Iark", "ciark"], ["turn", "tum", "tu-m"],
    ["wvw", "vvvw", "vvwv"],
]  # fmt: skip
APART = ["annaa", "wane", "darks", "tun", "host-of-ants", "robot", "openmike"]


def register(attacked: GameServer, name: str) -> TestResponse:
    return attacked.nobody.post("/users", {"name": name, "password": PASSWORD})


def refusal(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"]


def test_attack_89_names_that_look_like_the_staff_or_the_server_are_reserved(attacked: GameServer) -> None:
    for name in RESERVED:
        answer = register(attacked, name)
        assert (refusal(answer), "reserved" in answer.text) == ((400, "/problems/malformed"), True), name


def test_attack_89_names_that_look_like_an_existing_one_are_taken(attacked: GameServer) -> None:
    assert register(attacked, "Linda.Born").status_code == 201
    for name in ("linda.born", "1inda.Born", "Llnda.Born", "Linda.B0rn", "Linda.Bom", "LINDA.BORN"):
        answer = register(attacked, name)
        assert refusal(answer) == (409, "/problems/name-taken"), name
        assert "Linda.Born is taken" in answer.get_json()["detail"]
    for first, *others in ALIKE:
        assert register(attacked, first).status_code == 201, first
        for name in others:
            answer = register(attacked, name)
            assert refusal(answer) == (409, "/problems/name-taken"), name
            detail = f"the name {first} is taken, and {name} looks like it; choose another one"
            assert answer.get_json()["detail"] == detail
    guest = attacked.nobody.post("/guests", {}).get_json()["token"]
    taken = Caller(attacked.app.test_client(), guest).post("/me/account", {"name": "c1ark", "password": PASSWORD})
    assert refusal(taken) == (409, "/problems/name-taken")
    assert [register(attacked, name).status_code for name in APART] == [201] * len(APART)
    assert attacked.nobody.post("/tokens", {"name": "linda.born", "password": PASSWORD}).status_code == 401
