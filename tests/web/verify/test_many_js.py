"""Files of many games in JavaScript, and the output of verify.mjs for one game and for many."""

import json
import subprocess
from pathlib import Path

from replay.history import export_bytes
from tests.programs import leave_out
from tests.replay.forging import events_of, rewritten
from tests.web.engines import STATIC, Engine, node
from tests.web.example import KEY, PATH, receipt
from tests.web.games import game, views
from tests.web.reading import reports

SMALL = PATH.read_bytes()
SOME = 6


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run verify.mjs. Return its exit code and output."""
    program = node()
    if program is None:
        leave_out("there is no node on this machine")
    command = [str(program), STATIC / "verify.mjs", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def kept(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_a_file_of_many_games_is_not_read_as_one(engine: Engine) -> None:
    (said,) = reports(engine, [SMALL * 3])
    assert said == "Error: it holds 3 games; choose one"


def test_each_game_of_a_file_is_checked_and_counted(tmp_path: Path) -> None:
    exports = list(views().values())[-SOME:]
    code, told = run(kept(tmp_path, "all.ndjson", b"".join(exports)))
    assert (code, told.splitlines()[-1]) == (
        0,
        f"{len(exports)} games: {len(exports)} right, 0 WRONG, 0 undecided",
    )
    assert len(told.splitlines()) == len(exports) + 1


def test_the_exit_code_is_the_worst_one_and_findings_are_listed_with_their_game(tmp_path: Path) -> None:
    events = events_of(game("cuts"))
    events[0]["data"]["board"] = 2
    unread = SMALL.replace(b"trickbook-export/1", b"trickbook-export/9")
    forged = export_bytes(rewritten(game("cuts"), events))
    code, told = run(kept(tmp_path, "forged.ndjson", SMALL + forged + unread))
    assert (code, told.splitlines()[-1]) == (1, "3 games: 1 right, 1 WRONG, 1 undecided")
    assert "  file: the header names another game, board or variant than the events" in told
    assert "game 3 of the file can't be read: its first line doesn't name a format that this program knows" in told
    assert run(kept(tmp_path, "unread.ndjson", SMALL + unread))[0] == 2


def test_two_games_merged_into_one_are_wrong_with_a_clear_finding(tmp_path: Path) -> None:
    lines = SMALL.splitlines(keepends=True)
    for name, data in {"glued": [*lines[:-1], *lines[1:]], "gap": [*lines[:2], *lines[3:]]}.items():
        code, told = run(kept(tmp_path, name, b"".join(data)))
        assert (code, "undefined" in told, "null" in told) == (1, False, False), told


def test_a_receipt_is_checked_against_the_named_game(tmp_path: Path) -> None:
    other = SMALL.replace(game("cuts").header.game.encode(), b"other")
    note, many = kept(tmp_path, "receipt.txt", receipt(game("cuts"))), kept(tmp_path, "all.ndjson", SMALL + other)
    code, told = run(many, note)
    assert (code, "holds 2 games, but a receipt is for one: name it with --game" in told) == (2, True)
    for name, code in {game("cuts").header.game: 0, "other": 1, "999": 2}.items():
        assert run("--game", name, many, note)[0] == code


def test_keys_are_given_as_text_or_in_a_file(tmp_path: Path) -> None:
    published = json.dumps({"keys": [KEY.text], "rotations": []})
    for key in (KEY.text, kept(tmp_path, "k", KEY.text), kept(tmp_path, "keys.json", published)):
        code, told = run("--key", key, PATH)
        assert (code, "receipt (trailer) at 81: its signature is right\n" in told) == (0, True), told


def test_an_unreadable_argument_exits_with_2(tmp_path: Path) -> None:
    published = kept(tmp_path, "keys.json", json.dumps({"keys": [KEY.text], "rotations": []}))
    refused: list[tuple[tuple[str | Path, ...], str]] = [
        ((PATH, published), "keys.json: the receipt can't be read: it holds keys; give it as keys"),
        ((PATH, tmp_path / "gone.txt"), "there is no file "),
        ((tmp_path / "gone.ndjson",), "there is no file "),
        (("--key", tmp_path / "gone.json", PATH), "there is no file "),
        (("--key", KEY.text[:-4], PATH), " is invalid: "),
        ((), "name a file: "),
    ]
    for arguments, says in refused:
        code, told = run(*arguments)
        assert (code, says in told) == (2, True), told
