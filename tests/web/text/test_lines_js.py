"""The lists of commands in the page are those of the table, and the page shows no password."""

import re

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, WHO
from api.people.stored.passwords import PASSWORD_MIN_LENGTH
from domain.rules.variants import HOUSE, VARIANTS
from tests.command_lines.logins import lines_with_login
from tests.docs.markdown import ROOT
from tests.web.engines import Engine

STATIC = ROOT / "api" / "static" / "text"
SCRIPT = (STATIC / "line.js").read_text(encoding="utf-8")


def part(name: str, closing: str) -> str:
    found = re.search(rf"{name} = .(.*?){closing};", SCRIPT, re.DOTALL)
    assert found is not None, name
    return found[1]


def test_the_page_knows_the_commands_of_the_server_and_of_a_game() -> None:
    assert re.findall(r'"(\w+)"', part("ALONE", "]")) == list(SERVER_COMMANDS)
    assert re.findall(r'"([\w-]+)"', part("GAMES", "]")) == [*VARIANTS, HOUSE]
    aliases = {alias: name for name, command in GAME_COMMANDS.items() for alias in command.aliases}
    assert dict(re.findall(r'(\w+): "(\w+)"', part("ALIASES", "}"))) == aliases
    boards = dict(re.findall(r"(\w+): (true|false)", part("OF_GAME", "}")))
    assert boards.keys() == GAME_COMMANDS.keys()
    for name, command in GAME_COMMANDS.items():
        names_board = command.arguments.removeprefix(f"{WHO} ").lstrip("[").startswith("board")
        assert (boards[name] == "true") == names_board, name


def test_the_page_knows_the_commands_that_take_a_password() -> None:
    table = {**SERVER_COMMANDS, **GAME_COMMANDS}
    without = {name for name, command in table.items() if WHO not in command.arguments and name != "signup"}
    assert set(re.findall(r'"(\w+)"', part("WITHOUT_LOGIN", "]"))) == without
    assert f"SHORTEST_PASSWORD = {PASSWORD_MIN_LENGTH};" in SCRIPT


def whole(engine: Engine, line: str, *, own: bool) -> str:
    asked = [{"name": "wholeLine", "args": [line, "pitch", 12, own]}]
    (answer,) = engine.run(STATIC, {"do": "refusals", "module": "line.js", "asked": asked})
    return str(answer)


def test_show_shows_a_player_their_own_cards_and_others_what_everybody_sees(engine: Engine) -> None:
    assert whole(engine, "show", own=True) == "pitch showas 12"
    assert whole(engine, "show 7#3", own=True) == "pitch showas 7#3"
    assert whole(engine, "show foo all", own=True) == "pitch show foo all"
    assert whole(engine, "show", own=False) == "pitch show 12"


def shown(engine: Engine, lines: list[str]) -> list[str]:
    asked = [{"name": "shownLine", "args": [line]} for line in lines]
    answers: list[str] = engine.run(STATIC, {"do": "refusals", "module": "line.js", "asked": asked})
    return answers


def test_the_page_shows_no_line_with_a_password(engine: Engine) -> None:
    slips = ["moev 12 foo long-enough-1 AD", "move 12 foo long-enough-1 AX", "move foo long-enough-1 12 AD"]
    lines = [*lines_with_login("foo", "long-enough-1"), *slips]
    for line, text in zip(lines, shown(engine, lines), strict=True):
        assert text == f"{line.split()[0]} …", line


def test_the_page_shows_other_lines_whole(engine: Engine) -> None:
    lines = [
        "AD", "queue if diamonds led KD", "move 12 AX", "pitch move 12 foo bar AD", "chat 12 well played",
        "help challenge", "message a-long-user-name: hi", "pitch dispute 12 2 conduct somebody delayed", "signup",
        "challenge a-long-user-name another-long-name", "add foo@example.org", "pitch", "show another-long-name",
    ]  # fmt: skip
    assert shown(engine, lines) == lines
