"""The program at a pseudo-terminal, against a real server."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from api.client import Server, Table
from tests.api.server_process import start_server
from tests.api.thread_server import ThreadServer
from tests.client.guests import guest_of
from tests.conftest import Database
from tests.ports import free_port
from tests.remote.conftest import command
from tests.terminal.moves import highest_bid, next_move, play_until
from tests.terminal.pty_program import CTRL_C, CTRL_D, ENTER, TAB, UP, start_program

BOTS = ["bot:simple", "bot:simple"]
TURN = "Your turn"


def log_in(home: Path, server: Server) -> None:
    """Keep a player's token where the program looks for it."""
    folder = home / "trickbook"
    folder.mkdir(parents=True)
    (folder / "tokens.json").touch(mode=0o600)
    (folder / "tokens.json").write_text(json.dumps({server.url: server.token}), encoding="utf-8")


def open_table(server: Server, variant: str = "pitch", **settings: Any) -> int:
    """Open a table with bots, and return its board."""
    seats = BOTS if variant == "pitch" else [*BOTS, "bot:simple"]
    board: int = Table.open(server, variant, [server.me()["name"], *seats], **settings).view()["board"]
    return board


@pytest.mark.slow
def test_a_newcomer_plays_a_hand_as_a_guest(serving: ThreadServer, tmp_path: Path) -> None:
    with start_program("play", "--variant", "pitch", "--server", serving.url, home=tmp_path) as program:
        text = program.until("Your turn,")
        assert re.search(r"> guest-\w+ +0 +0 +6", text)
        assert re.search(r"Your turn, 20 days 23 h left", text)
        program.enter("AX")
        program.until("'AX' isn't a move; you can write a number, a card like AD")
        program.enter(highest_bid(program.text))
        program.until(lambda text: re.search(r"\[\w+[♣♦♥♠]\]", text) is not None)  # the cards that may be played
        kept = json.loads((tmp_path / "trickbook" / "tokens.json").read_text(encoding="utf-8"))
        with Server(serving.url, kept[serving.url]) as guest:
            game = next(iter(guest.games(player=guest.me()["name"])))
            play_until(program, Table(guest, game["board"]), lambda view: view["last_hand"] is not None)
        program.until("the bid is ")
        program.type(CTRL_D)
        assert program.ends() == 0
    with Server(serving.url, kept[serving.url]) as guest:
        cuts = [event.data["cuts"] for event in Table(guest, game["board"]).events() if event.fact == "HandDealt"]
    assert all(cuts), "the program cuts for each deal"


def test_it_goes_on_at_another_size_and_after_an_interrupt(serving: ThreadServer, ann: Server, tmp_path: Path) -> None:
    log_in(tmp_path, ann)
    board = open_table(ann)
    with start_program("play", str(board), "--server", serving.url, home=tmp_path, NO_COLOR="1") as program:
        program.until(TURN)
        program.resize(40, 16)
        program.until(lambda text: "pts" in text and max(map(len, text.split("\n"))) <= 40)
        program.type("resign")
        program.until("> resign")
        program.type(CTRL_C)
        program.until("Press Ctrl-C again to quit.")
        program.enter("/chat good luck")
        program.until(": good luck")
        program.enter("move somebody long-enough-1 AX")
        program.until(lambda text: "> move …" in text and "'AX' isn't a move" in text)
        assert "long-enough-1" not in program.text
        program.type(UP)
        program.until("\n> /chat good luck")
        program.type(CTRL_C)
        program.until(lambda text: text.endswith("\n>"))
        program.type(CTRL_C)
        assert program.ends() == 0
        assert re.search(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;\d+)*m", program.raw) is None
        assert program.raw.endswith(b"\x1b[?1049l\x1b[?2004l") or b"\x1b[?1049l" in program.raw
    assert Table(ann, board).view()["status"] == "active"
    assert [item["text"] for item in ann.get(f"/games/{board}/chat")["items"]] == ["good luck"]


@pytest.mark.slow
def test_tab_completes_a_legal_move_and_another_word(serving: ThreadServer, ann: Server, tmp_path: Path) -> None:
    log_in(tmp_path, ann)
    board = open_table(ann)
    with start_program("play", str(board), "--server", serving.url, home=tmp_path) as program:
        program.until("You may: pass")
        program.type("pas")
        program.until("pass    ")
        program.type(TAB)
        program.until("\n> pass")
        program.type(ENTER)
        program.until(" passes")
        program.enter("quit")
        assert program.ends() == 0


@pytest.mark.slow
def test_it_shows_what_others_say_as_text_and_shows_other_boards(
    serving: ThreadServer, ann: Server, bob: Server, tmp_path: Path
) -> None:
    log_in(tmp_path, ann)
    names = [ann.me()["name"], bob.me()["name"]]
    first = Table.open(ann, "pitch", names).view()["board"]
    second = open_table(ann, "blackout")
    with start_program("play", str(first), "--server", serving.url, home=tmp_path) as program:
        program.until(lambda text: "Waiting for" in text or TURN in text)
        Table(bob, first).say("look \u202e here \u2066")
        program.until(f"{names[1]}: look � here �")
        program.until(f"Your turn on board {second}, too: write next")
        program.enter("next")
        text = program.until(f" Board {second} · Blackout")
        assert "look" not in text
        program.enter(f"go {first}")
        program.until(f" Board {first} · gamerz Pitch")
        program.enter("go 99999")
        program.until("99999")
        program.enter("boards")
        program.until(lambda text: re.search(rf"{second}  blackout  waits for you", text) is not None)


@pytest.mark.slow
def test_a_board_is_chosen_from_a_list(serving: ThreadServer, ann: Server, tmp_path: Path) -> None:
    log_in(tmp_path, ann)
    board = open_table(ann, "setback")
    with start_program("play", "--server", serving.url, home=tmp_path) as program:
        text = program.until(f"Board or game [{board}]:")
        assert f"{board}  setback  waits for" in text
        program.type("nonsense")
        program.type(ENTER)
        program.until("Write the number of one of your boards")
        program.type(f"{board}")
        program.type(ENTER)
        program.until(f" Board {board} · Setback")
        program.until(lambda text: text.rstrip().endswith("\n>"))
        program.type(CTRL_C)
        program.until("Press Ctrl-C again to quit.")
        program.type(CTRL_C)
        assert program.ends() == 0


@pytest.mark.slow
def test_it_reconnects_after_the_server_restarts_and_plays_nothing_twice(tmp_path: Path) -> None:
    database, options = Database(None, tmp_path / "data"), ("--port", str(free_port()))
    with ExitStack() as stack:
        started = stack.enter_context(start_server(database, *options, LOG="error"))
        ann = stack.enter_context(guest_of(started.url))
        log_in(tmp_path, ann)
        board = open_table(ann)
        home = stack.enter_context(start_program("play", str(board), "--server", started.url, home=tmp_path, rows=60))
        home.until(TURN)
        bid = highest_bid(home.until("You may: pass"))
        home.enter(bid)
        home.until(lambda text: "[" in text and "Sending" not in text)
        started.kill()
        home.until("Reconnecting …")
        card = next_move(home.text)
        assert card is not None
        home.enter(card)
        home.until(f"\n> {card}\n")
        stack.enter_context(start_server(database, *options, LOG="error"))
        text = home.until(lambda text: "Connected again." in text and "Trick 2" in text)
        assert text.count(f"> {bid}\n") <= 1
        played = [each for each in Table(ann, board).events() if each.fact == "CardPlayed" and each.data["seat"] == 0]
        assert [event.data["card"] for event in played] == [card]


def test_line_by_line_it_needs_no_terminal(serving: ThreadServer, folder: Path) -> None:
    given = "AX\n5\nhelp\nboards\nquit\nchat not sent\n"
    done = command("--server", serving.url, "play", "--variant", "pitch", given=given)
    assert done.exit_code == 0, done.output
    assert "You play as guest-" in done.output
    assert "refused: 'AX' isn't a move" in done.output
    assert "bids 5" in done.output, "the guest bids five, or a bot has done so before"
    assert "Words of this terminal:" in done.output
    assert re.search(r"\d+  pitch  waits for", done.output)
    assert "\x1b" not in done.output
    assert (folder / "tokens.json").exists()


@pytest.mark.slow
def test_line_by_line_at_a_terminal_an_interrupt_cancels_and_the_second_quits(
    serving: ThreadServer, ann: Server, tmp_path: Path
) -> None:
    log_in(tmp_path, ann)
    board = open_table(ann)
    with start_program("play", str(board), "--plain", "--server", serving.url, home=tmp_path, rows=40) as program:
        program.until("You may: pass")
        program.type("boards\r")
        program.until("pitch  waits for you")  # it reads lines by now
        program.type("resign")
        program.until("resign")
        program.type(CTRL_C)
        program.until("Press Ctrl-C again to quit.")
        program.type(CTRL_C)
        assert program.ends() == 0
        assert b"\x1b[?1049h" not in program.raw
    assert Table(ann, board).view()["status"] == "active"


@pytest.mark.slow
def test_a_table_that_waits_for_players_can_be_joined_by_a_newcomer(
    serving: ThreadServer, ann: Server, tmp_path: Path
) -> None:
    board = Table.open(ann, "pitch", [ann.me()["name"], "open", "open"]).view()["board"]
    with start_program("play", str(board), "--server", serving.url, home=tmp_path) as program:
        program.until("seat 1: free")
        program.enter("join")
        program.until(lambda text: re.search(r"seat 1: guest-\w+", text) is not None)
        Table(ann, board).start("bot:simple")
        program.until(f" Board {board} · gamerz Pitch")
        program.until("bot ")


def test_wrong_calls_say_what_to_do(serving: ThreadServer, folder: Path) -> None:
    del folder
    assert "Name the server: trickbook play --server URL" in command("play").output
    assert (
        "Name either a BOARD or a --variant."
        in command("play", "1", "--variant", "pitch", "--server", serving.url).output
    )
    missing = command("play", "99999", "--server", serving.url, given="")
    assert (missing.exit_code, "99999" in missing.output) == (2, True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tokens in a folder of the test's own, and return it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "trickbook"
