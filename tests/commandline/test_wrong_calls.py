"""Calls that can't work: each is answered with a sentence that says what is wrong and what to do, and exit code 2."""

from pathlib import Path

import pytest

from tests.commands import run

GAME = str(Path(__file__).parents[1] / "stored" / "v1" / "pitch-contested.ndjson")
WON = str(Path(__file__).parents[1] / "stored" / "v1" / "pitch-won.ndjson")
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
MEANT = "Did you mean `trickbook"
WRONG_CALLS = [
    ("shwo", "There is no command `trickbook shwo`.", f"{MEANT} game show`"),
    ("xyzzy", "There is no command `trickbook xyzzy`.", "`trickbook --help` lists the commands."),
    ("reciept print 1", "There is no command `trickbook reciept`.", f"{MEANT} receipt`?"),
    ("game", "Commands:", "trickbook game audit 1"),
    ("game replay 1", "There is no command `trickbook game replay`.", f"{MEANT} hand replay`?"),
    ("game audti 1", "There is no command `trickbook game audti`.", f"{MEANT} game audit`?"),
    ("game xyzzy", "There is no command `trickbook game xyzzy`.", "`trickbook game --help` lists the commands."),
    ("access tkens ann", "No such command 'tkens'.", "Did you mean 'tokens'?"),
    ("user xyzzy", "No such command 'xyzzy'.", "`trickbook user --help` lists the commands."),
    ("game show", "GAME is missing.", "For example: `trickbook game show 1 --at 14 --seat 0`."),
    ("game show 1 2", "Got unexpected extra argument (2).", "For example: `trickbook game show 1"),
    ("game show 1 --saet 2", "No such option '--saet'.", "'--seat'"),
    ("game show 1 --seat two", "--seat: 'two' isn't a whole number.", "For example: `trickbook game show 1"),
    ("game show 1 --seat -1", "--seat: -1 is not in the range x>=0.", "For example: `trickbook game show 1"),
    ("game show 1 --plain", "The option --plain comes before the command:", "`trickbook --plain ... game show ...`"),
    ("game show nothing.ndjson", "nothing.ndjson: There is no board, game or file of this name.", ""),
    ("game show 1 --data nowhere", "There is no store in nowhere.", "Name the server's folder with --data"),
    ("game show GAME --at 999", "there are events 1 to 106, no event 999", ""),
    ("ask legal GAME", "--seat is missing.", "For example: `trickbook ask legal 1"),
    ("ask legal WON --at 20 --seat 0 --move xyz", "'xyz' isn't a move;", "you can write a number, a card"),
    ("game export", "Name a GAME, or select games with", "--all, --player"),
    ("game export 1 --all", "Give either a GAME, or --all or filters, but not both.", ""),
    ("game export --variant pich", "--variant: Must be one of: pitch, setback", "Did you mean pitch?"),
    ("game export --since yesterday", "--since: Must be a time in UTC, such as 2026-11-21T08:00:00Z.", ""),
    ("game verify 5", "There is no file 5, and verify needs the FILE of an export.", "`trickbook game audit 5`"),
    ("game verify WON --root 12", "--root: '12' isn't 64 lower-case hex digits, like the root in a view.", ""),
    ("hand deal 1", "--hand is missing.", "For example: `trickbook hand deal 1 --hand 1`."),
    ("hand replay WON --hand 99", "there is no hand 99; hands dealt: 12", ""),
    ("hand branch GAME --at 60", "event 60 is inside a commit", "the next good step is event 67"),
    ("hand branch GAME --at 104", "event 101 is withheld", "the last good step is event 95"),
    (
        "hand branch GAME --at 67 --bots simpel",
        "--bots: 'simpel' isn't one of: random, simple.",
        "Did you mean simple?",
    ),
    ("hand seal 12 0", "GAME: The id of a game is a UUID in lower case, not a board number.", UUID),
    ("dispute rule 1 1 adjst --by x", "DECISION: 'adjst' isn't one of: none, adjust", "Did you mean adjust?"),
    ("user list --role judge", "--role: 'judge' isn't one of: arbiter, moderator, operator.", "trickbook user list"),
    ("dispute show GAME 1", "Give the board number or id of a stored game.", ""),
    ("receipt compare one.txt", "one.txt: There is no file of this name.", ""),
    ("receipt proof GAME", "Say what to prove: --version N or --first N.", ""),
    ("shards count 0", "SHARDS: 0 is not in the range", "For example: `trickbook shards count 2`."),
    ("store restore nowhere --data new", "nowhere: There is no such folder.", ""),
    ("user role ann arbter", "ROLE: 'arbter' isn't one of: arbiter, moderator, operator.", "Did you mean arbiter?"),
    ("user role ann", "ROLE is missing. It's one of: arbiter, moderator, operator.", "trickbook user role ann arbiter"),
    ("serve --port 99999", "--port: 99999 is not in the range 0<=x<=65535.", "For example: `trickbook serve"),
    ("--plian game show 1", "No such option '--plian'.", "Did you mean '--plain'?"),
]


@pytest.mark.parametrize(("typed", "wrong", "do"), WRONG_CALLS, ids=[typed for typed, _, _ in WRONG_CALLS])
def test_a_wrong_call_is_answered_with_what_is_wrong_and_what_to_do(
    typed: str, wrong: str, do: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run(*(each.replace("GAME", GAME).replace("WON", WON) for each in typed.split()))
    assert (said.exit_code, said.stdout, "Traceback" in said.stderr) == (2, "", False), said.output
    assert wrong in said.stderr, said.stderr
    assert do in said.stderr, said.stderr
    assert list(tmp_path.iterdir()) == [], "a wrong call creates nothing"


def test_a_wrong_name_of_a_user_or_board_is_answered_with_a_near_one(tmp_path: Path) -> None:
    place = ("--data", str(tmp_path))
    assert run("store", "init", *place).exit_code == 0
    assert run("user", "add", "moira", "--password", "a-long-password", *place).exit_code == 0
    for typed, says in (
        ("access tokens moria", "There is no user moria. Did you mean moira?"),
        ("user disable ann", "There is no user ann. `trickbook user list` lists them."),
        ("game show 7", "There is no board 7."),
    ):
        said = run(*typed.split(), *place)
        assert (said.exit_code, said.stderr) == (2, f"Error: {says}\n")
