"""The commands that read histories: their output and their exit codes 0, 1 and 2."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.games.replay import step_through
from replay.history import History, export_bytes
from replay.history.steps import steps
from tests.commands import run
from tests.replay.forging import forged
from tests.replay.signing import SERVER, cut
from tests.replay.terminal import terminal

SEATS = 4


@pytest.fixture
def file(tmp_path: Path, whole: History) -> str:
    return written(tmp_path / "whole.ndjson", export_bytes(SERVER.sealed(whole)))


@pytest.fixture
def running(tmp_path: Path, live: History) -> str:
    """The export of a running game with public facts only."""
    return written(tmp_path / "live.ndjson", export_bytes(SERVER.sealed(live)))


@pytest.fixture
def broken(tmp_path: Path, whole: History) -> str:
    """An export with one changed score."""
    data = export_bytes(whole).replace(b'"scores":[', b'"scores":[1', 1)
    return written(tmp_path / "broken.ndjson", data)


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_verify_exits_with_0_for_a_sound_game_over_or_running(file: str, running: str) -> None:
    for each in (file, running):
        result = run("game", "verify", each)
        assert (result.exit_code, "verdict: all green" in result.output) == (0, True)
    told = json.loads(run("game", "verify", running, "--json").output)
    assert (told["audit"], told["verdict"]["code"], told["log"]["withheld"] > 0) == ("trickbook-audit/1", 0, True)


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_a_file_that_was_cut_before_its_end_and_has_no_receipt_isn_t_green(
    tmp_path: Path, whole: History, command: str
) -> None:
    """Somebody cuts a finished game before its disputes, and leaves its receipt out."""
    events = whole.events
    short = cut(whole, max(at for at in range(1, len(events)) if events[at].command != events[at - 1].command))
    file, root = written(tmp_path / "cut.ndjson", export_bytes(short)), short.lines[-1].prev.hex()
    said = run("game", command, file)
    assert (said.exit_code, "the file is unsigned, and its end can be missing" in said.output) == (2, True)
    assert "cannot decide" in said.output
    for evidence, have in ((("--key", SERVER.key.text), "key"), (("--root", root), "root")):
        said = run("game", command, file, *evidence)
        assert (said.exit_code, f"it holds no receipt, though you have a {have}" in said.output) == (1, True)
    note = written(tmp_path / "note.txt", SERVER.receipt(whole).encode())
    said = run("game", command, file, "--receipt", note, "--key", SERVER.key.text)
    assert (said.exit_code, "it is missing" in said.output) == (1, True)


def test_a_receipt_of_a_part_says_so_and_a_receipt_with_other_line_ends_is_read(tmp_path: Path, whole: History) -> None:
    file = written(tmp_path / "whole.ndjson", export_bytes(whole))
    windows = b"\xef\xbb\xbf" + SERVER.receipt(whole, 20).replace("\n", "\r\n").encode()
    said = run("game", "verify", file, "--receipt", written(tmp_path / "note.txt", windows), "--key", SERVER.key.text)
    assert said.exit_code == 0
    assert "signed up to event 20: no receipt covers what follows" in said.output


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_an_invalid_root_is_a_usage_error_and_not_a_finding(file: str, command: str) -> None:
    kept = json.loads(run("game", "show", file, "--json").output)["root"]
    for root in ("zz", "", "ab" * 31, "ab" * 33, "AB" * 32, "ab" * 32 + "\n", " " + "ab" * 32):
        result = run("game", command, file, "--root", kept, "--root", root)
        assert (result.exit_code, "isn't 64 lower-case hex digits" in result.output) == (2, True), root
        assert "never had the root" not in result.output


def test_verify_exits_with_1_and_names_the_event(broken: str, whole: History) -> None:
    result = run("game", "verify", broken)
    ended = next(event.version for event in whole.events if event.fact == "HandScored")
    assert result.exit_code == 1
    assert f"event {ended}: its bytes were changed" in result.output
    told = json.loads(run("game", "verify", broken, "--json").output)
    assert told["log"]["findings"][0]["version"] == ended


def test_verify_reads_standard_input(whole: History) -> None:
    data = export_bytes(SERVER.sealed(whole))
    for given, code in ((data, 0), (data[:-2], 1), (b"", 2)):
        assert run("game", "verify", "-", given=given).exit_code == code


@pytest.mark.parametrize("command", ["game verify", "game audit", "ask rejudge", "game show", "game export"])
def test_an_unreadable_file_exits_with_2(command: str, tmp_path: Path) -> None:
    result = run(*command.split(), str(tmp_path / "nothing.ndjson"))
    assert (result.exit_code, "no board, game or file" in result.output) == (2, True)
    result = run(*command.split(), written(tmp_path / "text.ndjson", b"hello\n"))
    assert (result.exit_code, "isn't the header of an export" in result.output) == (2, True)
    result = run(*command.split(), str(tmp_path))
    assert (result.exit_code, "directory" in result.output) == (2, True)
    result = run(*command.split(), "a\0b")
    assert result.exit_code == 2


def test_verify_reads_a_number_as_the_name_of_a_file(
    tmp_path: Path, whole: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "7", export_bytes(SERVER.sealed(whole)))
    monkeypatch.chdir(tmp_path)
    result = run("game", "verify", "7")
    assert (result.exit_code, "all green" in result.output) == (0, True)


def test_audit_exits_with_2_if_a_hand_is_not_revealed(file: str, running: str, broken: str) -> None:
    assert run("game", "audit", file).exit_code == 0
    result = run("game", "audit", running)
    assert (result.exit_code, "not revealed yet" in result.output) == (2, True)
    assert run("game", "audit", broken).exit_code == 1
    told = json.loads(run("game", "audit", running, "--json").output)
    assert (told["verdict"]["says"], len(told["unrevealed"])) == ("cannot decide", 1)


def test_events_of_a_later_format_exit_with_2(tmp_path: Path, whole: History) -> None:
    later = written(tmp_path / "later.ndjson", export_bytes(forged(whole, lambda event: event.update(v=9))))
    assert run("game", "verify", later).exit_code == 2
    result = run("game", "show", later)
    assert (result.exit_code, "nothing was checked" in result.output) == (2, True)


def test_rejudge_prints_each_difference(tmp_path: Path, file: str, running: str, whole: History) -> None:
    result = run("ask", "rejudge", file)
    assert (result.exit_code, "0 differences" in result.output) == (0, True)
    result = run("ask", "rejudge", running)
    assert (result.exit_code, "not everything was judged: event" in result.output) == (2, True)
    scored = next(event.version for event in whole.events if event.fact == "HandScored")
    forgery = forged(whole, lambda event: event["data"].update(made=None) if event["version"] == scored else None)
    path = written(tmp_path / "forged.ndjson", export_bytes(forgery))
    result = run("ask", "rejudge", path)
    assert (result.exit_code, f"event {scored}: its made is recorded as None" in result.output) == (1, True)
    assert json.loads(run("ask", "rejudge", path, "--json").output)["ok"] is False


def test_show_prints_the_table_at_any_moment(file: str, whole: History) -> None:
    assert "Over (goal)" in run("game", "show", file).output
    result = run("game", "show", file, "--at", "40", "--seat", "2")
    assert "hand 1, play, move #40" in result.output
    assert "Your cards:" in result.output
    told = json.loads(run("game", "show", file, "--at", "40", "--seat", "2", "--json").output)
    assert (told["version"], told["you"]["seat"], told["names"]) == (40, 2, dict(whole.header.players))


def test_show_refuses_a_missing_event_and_a_hidden_seat(file: str, running: str, broken: str) -> None:
    for arguments in ((file, "--at", "0"), (file, "--at", "9999"), (file, "--seat", "9"), (running, "--seat", "1")):
        assert run("game", "show", *arguments).exit_code == 2
    result = run("game", "show", broken)
    assert (result.exit_code, "doesn't verify: event" in result.output) == (1, True)


def test_replay_prints_each_trick_with_the_cards_before_it_and_the_table_at_the_end(file: str, whole: History) -> None:
    auction, *tricks, last, table = run("hand", "replay", file, "--hand", "2").stdout.lstrip("\n").split("\n\n")[:9]
    played = [step for step in steps(whole, 2, None) if step.event.fact == "TrickTaken"]
    assert [each.split("\n")[0] for each in (auction, last)] == ["Hand 2", "Hand 2"]
    assert [each.split("\n")[0] for each in tricks] == [f"Hand 2, trick {each + 1}" for each in range(len(played))]
    held = tricks[1].split("\n")[1 : 1 + SEATS]
    assert [len(line.split()) - 1 for line in held] == [5] * SEATS
    assert table.startswith("Over") or ", hand 2, " in table
    own = run("hand", "replay", file, "--hand", "2", "--seat", "1").stdout.lstrip("\n").split("\n\n")[2].split("\n")
    assert own[1].split() == held[1].split()
    assert own[2:] == tricks[1].split("\n")[1 + SEATS :]


def test_replay_hides_the_cards_of_a_running_hand(running: str, live: History) -> None:
    hand = max(event.data.hand for event in live.events if event.fact == "HandDealt")
    auction = run("hand", "replay", running, "--hand", str(hand)).stdout.lstrip("\n").split("\n\n")[0]
    assert [line.split()[1:] for line in auction.split("\n")[1 : 1 + SEATS]] == [["??"] * 6] * SEATS


def test_replay_of_all_prints_the_table_after_every_event(file: str, whole: History) -> None:
    result = run("hand", "replay", file, "--hand", "2", "--seat", "1", "--all")
    made = list(steps(whole, 2, 1))
    assert result.exit_code == 0
    assert result.output.count(", hand 2, ") == len(made)
    told = json.loads(run("hand", "replay", file, "--hand", "2", "--seat", "1", "--json").output)
    assert [step["version"] for step in told["steps"]] == [step.event.version for step in made]
    assert told["steps"][0]["view"] == made[0].view


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "arguments",
    [("game", "show"), ("hand", "replay", "--hand", "1"), ("game", "audit"), ("game", "verify"), ("ask", "rejudge")],
)
def test_piped_output_is_not_wrapped_and_not_padded(
    file: str, broken: str, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    group, command, *rest = arguments
    monkeypatch.setenv("COLUMNS", "300")
    wide = run(group, command, file, *rest).output
    monkeypatch.setenv("COLUMNS", "30")
    assert run(group, command, file, *rest).output == wide
    for lines in (wide.splitlines(), run(group, command, broken, *rest).output.splitlines()):
        assert [line for line in lines if line != line.rstrip()] == []
    assert max(map(len, wide.splitlines())) > 50


def test_replay_refuses_a_missing_hand_and_a_hidden_seat(file: str, running: str) -> None:
    assert run("hand", "replay", file, "--hand", "99").exit_code == 2
    assert run("hand", "replay", running, "--hand", "1").exit_code == 0


def test_replay_without_a_hand_starts_at_the_first_one(tmp_path: Path, running: str, small: History) -> None:
    file = written(tmp_path / "small.ndjson", export_bytes(small))
    every = run("hand", "replay", file)
    assert every.stdout.startswith(run("hand", "replay", file, "--hand", "1").stdout)
    told = json.loads(run("hand", "replay", file, "--json").stdout)
    assert (told["hand"], {step["view"]["hand"]["number"] for step in told["steps"][:3]}) == (None, {1})
    dealt = {event.data.hand for event in small.events if event.fact == "HandDealt"}
    assert {step["view"]["hand"]["number"] for step in told["steps"] if step["view"]["hand"]} == dealt
    assert run("hand", "replay", running).exit_code == 0
    live = run("hand", "replay", running, "--seat", "1")
    assert (live.exit_code, "note: hand " in live.stderr, "is not revealed" in live.stderr) == (0, True, True)


def test_replay_waits_for_keys_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    made = [["first"], ["second"], ["third"]]
    keys: Iterator[str] = iter(["\r", "b", "b", "\x1b[C", " ", "n"])
    step_through(made, {}, lambda: next(keys))
    places = [line.split(" of ")[0] for line in capsys.readouterr().out.splitlines() if " of 3: " in line]
    assert places == ["1", "2", "1", "1", "2", "3"]
    assert list(keys) == []
    step_through(made, {}, lambda: "q")
    assert capsys.readouterr().out.count(" of 3: ") == 1


@pytest.mark.process
def test_replay_reads_keys_from_a_real_terminal(file: str) -> None:
    """Run the real program on a pseudo-terminal: one Enter, then q."""
    program = [sys.executable, "-m", "api.cli", "hand", "replay", file, "--hand", "1"]
    env = {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", "PATH": os.environ["PATH"]}
    with terminal(program, env) as shown:
        assert b"1 of " in shown.shows(b"q to quit")
        assert b"2 of " in shown.shows(b"2 of ", b"\r")
        assert shown.leave(b"q") == 0
