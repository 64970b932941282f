"""Every command over every way in, from one table: a command without a line here fails, and so does another answer."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping

import pytest

from api.cli.remote import lines
from api.client import ClientError
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from replay.text.layout import fold_text
from tests.docs.markdown import ROOT
from tests.games.whole_games import FIRST
from tests.remote.conftest import FINISHED, PASSWORD, Place

LINES: Mapping[str, tuple[str, str]] = {
    "help": ("help", "Commands of the server:"),
    "signup": (f"signup ann {PASSWORD}", "name"),
    "add": ("add ann@example.org", "mail"),
    "change": ("change address ann@example.org", "mail"),
    "code": ("code 00000000", "doesn't confirm your address"),
    "signoff": ("signoff", "Send your password"),
    "delete": ("delete", "Send your password"),
    "list": ("list", "setback"),
    "all": ("all show", "setback"),
    "set": ("set", "passwords off"),
    "message": ("message nobody: hello", "There is no player nobody."),
    "broadcast": ("broadcast hello", "can't moderate"),
    "multiple": ("multiple", "There are no lines."),
}
"""A line of each command of the server as ann writes it, and a part of the answer. No line changes anything."""
GAME_LINES: Mapping[str, tuple[str, str, str]] = {
    "help": ("help", "help", "gamerz Pitch"),
    "challenge": ("challenge ann nobody", "challenge ann nobody", "nobody"),
    "join": ("join", "join {}", "has started"),
    "leave": ("leave", "leave {}", "has started"),
    "cancel": ("cancel", "cancel {}", "has started"),
    "move": ("AD", "move {} AD", "The game is over"),
    "preview": ("preview AD", "preview {} AD", "The game is over"),
    "queue": ("queue if hearts led KH", "queue {} if hearts led KH", "The game is over"),
    "submit": ("submit 3", "submit {} 3", "The game is over"),
    "confirm": ("confirm", "confirm {}", "You have submitted no move"),
    **{
        word: (word, f"{word} {{}}", "The game is over")
        for word in ("undo", "propose", "accept", "reject", "claim", "resign")
    },
    "chat": ("chat", "chat {}", "Nothing was written"),
    "show": ("show", "show {}", "Over"),
    "showas": ("showas", "showas {}", "Over"),
    "games": ("games ann all", "games ann all", "ann"),
    "standings": ("standings", "standings", ""),
    "ratings": ("ratings", "ratings", "Nobody has met five opponents yet."),
    "set": ("pitch set", "set", "passwords off"),
    "history": ("history ann", "history ann", ""),
    "hand": ("hand", "hand {}", "Hand "),
    "transcript": ("transcript 1", "transcript {} 1", '[Hand "1"]'),
    "audit": ("audit", "audit {}", "verdict: "),
    "dispute": ("dispute", "dispute {}", "Dispute 1 on hand 1"),
}
"""For each command of a game: what ann writes in the box of the page, the rest of the line, a part of the answer.

The game is over, so that no line changes anything.
"""


def game_cases() -> dict[str, tuple[str, str, str]]:
    """Return the cases of the commands that there are, with the board in their lines."""
    return {name: (box, rest.format(FINISHED), says) for name, (box, rest, says) in GAME_LINES.items()
            if name in GAME_COMMANDS}  # fmt: skip


def test_every_command_has_a_line() -> None:
    assert set(SERVER_COMMANDS) == set(LINES)
    assert set(GAME_COMMANDS) <= set(GAME_LINES)


def over_http(place: Place, line: str) -> str:
    """Return the text of the answer to a line."""
    try:
        answer = place.ann.connection.post_once("/commands", {"line": line, "text": []})
    except ClientError as error:
        return str(error)
    return fold_text(answer["text"]) + "\n"


def by_program(name: str, words: list[str], place: Place, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the program of a game prints."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name, "--server", place.url, *words])
        with pytest.raises(SystemExit):
            getattr(lines, name)()
    return capsys.readouterr().out


def test_each_command_has_the_same_answer_over_every_way_in(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.remote("login", "ann", given=PASSWORD).exit_code == 0
    try:
        for line, says in LINES.values():
            answer = over_http(place, line)
            assert says in answer, (line, answer)
            assert place.remote("line", *line.split()).stdout == answer, line
        for name, (_, rest, says) in game_cases().items():
            answer = over_http(place, f"pitch {rest}")
            assert says in answer, (name, answer)
            assert place.remote("pitch", *rest.split()).stdout == answer, name
            assert by_program("pitch", rest.split(), place, capsys) == answer, name
        for variant in FIRST:
            answer = over_http(place, f"{variant} help")
            assert by_program(variant, ["help"], place, capsys) == answer
    finally:
        place.remote("logout")


SCRIPT = """
const { wholeLine } = await import(process.argv[1]);
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((box) => wholeLine(box, "pitch", Number(process.argv[3])))));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_box_of_the_page_makes_the_same_lines() -> None:
    boxes = {box: f"pitch {rest}" for box, rest, _ in game_cases().values()}
    boxes |= {line: line for name, (line, _) in LINES.items() if name != "help"}
    module = (ROOT / "api" / "static" / "text" / "line.js").as_uri()
    program = ["node", "--input-type=module", "-e", SCRIPT, module, json.dumps(list(boxes)), FINISHED]
    made = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert json.loads(made) == list(boxes.values())
