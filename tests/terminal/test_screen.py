"""The full screen as prompt_toolkit draws it: in any size, with and without color, safe from what others write."""

import re

import pytest

from api.cli.terminal.fullscreen import FullScreen
from api.cli.terminal.lines import help_text
from api.cli.terminal.model import EntryKind, LineEnd, LinkChange, LogEntry, TerminalNote, ViewArrival
from api.cli.terminal.screen import log_lines, screen_lines
from tests.terminal.drawing import draw, shown_text
from tests.terminal.stored_tables import NOW, chat_message, put_table, stored_model, stored_view

TABLES = [("pitch-won", 83, 0), ("corellian-running", 60, 1), ("blackout-tied", 30, 2), ("setback-running", 20, 1),
          ("pitch-won", 83, None), ("corellian-contested", 12, 0)]  # fmt: skip
ATTACKS = (
    "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x9b2J", "\r\nboard 1", "\u202eevil", "\x1b[6n", "a\x08\x08b", "\u2028",
)  # fmt: skip
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u202e]")


def table(name: str, at: int, seat: int | None, columns: int = 80, rows: int = 24) -> str:
    screen, _ = draw(lambda terminal: put_table(terminal.model, name, at, seat), columns, rows, NOW)
    return shown_text(screen)


def test_the_table_of_the_player_to_move() -> None:
    text = table("pitch-won", 83, 0)
    assert text.startswith(" Board 1 · gamerz Pitch · score 0 of 7\nYour turn, 20 days 23 h left\n")
    assert "> ann" in text
    assert "Trick 4: Dörte 10♦" in text
    assert "Your cards: [6♥] [J♥] [4♠]" in text
    assert text.endswith("Write a move, or help.\n>")


@pytest.mark.parametrize("columns", [40, 60, 132])
@pytest.mark.parametrize(("name", "at", "seat"), TABLES)
def test_every_table_fits_every_width(name: str, at: int, seat: int | None, columns: int) -> None:
    text = table(name, at, seat, columns, 24)
    assert re.match(r" Board \d+ · ", text)
    assert "…" not in text
    assert text.endswith("\n>")


@pytest.mark.parametrize("rows", [5, 8, 12, 60])
def test_own_cards_stay_on_a_screen_of_few_lines(rows: int) -> None:
    model = stored_model("pitch-won", 83, 0)
    lines = screen_lines(model, 40, rows, NOW)
    assert len(lines) == rows
    assert any("Your cards" in "".join(text for _, text in line) for line in lines)


def test_no_color_draws_without_color_and_marks_legal_cards_all_the_same() -> None:
    def prepare(terminal: FullScreen) -> None:
        put_table(terminal.model, "pitch-won", 83, 0)

    _, colored = draw(prepare, 80, 24, NOW)
    screen, bare = draw(prepare, 80, 24, NOW, has_color=False)
    color = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;\d+)*m")
    assert {match[0] for match in color.finditer(colored)} >= {"\x1b[0;31;1m", "\x1b[0;32m", "\x1b[0;94m"}
    assert color.search(bare) is None
    assert "[6♥]" in shown_text(screen)


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_others_write_reaches_the_terminal_as_text_alone(attack: str) -> None:
    def prepare(terminal: FullScreen) -> None:
        view = stored_view("pitch-won", 83, 0)
        view["names"] = {"p0": attack + "ann", "p1": "bob" + attack}
        view["variant"] = "pitch" + attack
        view["hand"]["called"] = attack
        terminal.model.apply(ViewArrival(view))
        terminal.model.apply(chat_message(1, "p0", f"hello {attack}"))
        terminal.model.apply(TerminalNote(attack))
        terminal.model.apply(LineEnd([LogEntry(EntryKind.ANSWER, attack), LogEntry(EntryKind.REFUSAL, attack)]))

    def harmless(terminal: FullScreen) -> None:
        put_table(terminal.model, "pitch-won", 83, 0)

    _, raw = draw(prepare, 80, 30, NOW)
    _, usual = draw(harmless, 80, 30, NOW)
    sequences = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
    kinds = {match[0][-1] for match in sequences.finditer(usual)} | {"m", "C"}
    assert {match[0][-1] for match in sequences.finditer(raw)} <= kinds
    assert CONTROL.search(sequences.sub("", raw).replace("\r", "").replace("\n", "").replace("\x08", "")) is None
    assert attack not in raw


def test_a_table_that_forms_shows_its_seats() -> None:
    seats = [{"seat": 0, "player": "p0", "state": "claimed"}, {"seat": 1, "player": None, "state": "open"}]
    view = {"id": "x", "board": 3, "version": 0, "status": "forming", "variant": "pitch", "seats": seats}
    view["names"] = {"p0": "ann"}
    screen, _ = draw(lambda terminal: terminal.model.apply(ViewArrival(view)), 60, 12, NOW)
    text = shown_text(screen)
    assert "The table waits for players." in text
    assert "seat 1: free" in text
    assert "Write join to sit down" in text


def test_a_lost_connection_stands_above_the_prompt() -> None:
    screen, _ = draw(lambda terminal: terminal.model.apply(LinkChange(is_live=False)), 60, 12, NOW)
    assert shown_text(screen).endswith("Reconnecting …\n>")


def test_a_long_answer_begins_on_the_screen_and_page_down_shows_the_rest() -> None:
    def show_help(terminal: FullScreen) -> None:
        put_table(terminal.model, "pitch-won", 83, 0)
        terminal.control.create_content(80, 23)
        terminal.tell(LineEnd([LogEntry(EntryKind.ANSWER, help_text("pitch"))]))
        terminal.take_messages()

    def scroll(terminal: FullScreen) -> None:
        show_help(terminal)
        for _ in range(9):
            terminal.control.scroll(-1)

    assert "Write a line, then Enter." in shown_text(draw(show_help, 80, 24, NOW)[0])
    assert "Write help pitch for the commands" in shown_text(draw(scroll, 80, 24, NOW)[0])


def test_a_game_that_is_over_says_how_to_go_on() -> None:
    screen, _ = draw(lambda terminal: terminal.model.apply(ViewArrival(stored_view("pitch-won", None, 0))), 80, 24, NOW)
    assert "Over (" in shown_text(screen)
    assert "Write new to play another one" in shown_text(screen)


def test_the_score_stays_whole_in_a_narrow_head() -> None:
    def prepare(terminal: FullScreen) -> None:
        view = stored_view("pitch-won", 83, 0)
        view["seats"][0]["score"] = -11
        view["board"] = 123_456
        terminal.model.apply(ViewArrival(view))

    assert shown_text(draw(prepare, 40, 24, NOW)[0]).startswith(" Board 123456 · gamerz Pitch · -11 of 7\n")
    assert shown_text(draw(prepare, 20, 24, NOW)[0]).startswith(" 123456 · -11 of 7\n")


def test_help_shows_cards_as_they_are_typed_and_a_refusal_does_too() -> None:
    help_line, refusal = "  AD, 10c, A♦  play a card", "You can write a number, a card like AD. You hold 2C."
    entries = [LogEntry(EntryKind.HELP, help_line), LogEntry(EntryKind.REFUSAL, refusal)]
    rows = ["".join(text for _, text in line) for line in log_lines(entries, 80)]
    assert rows == [help_line, refusal.replace("2C", "2♣")]


def test_a_wide_table_in_an_answer_keeps_each_row_on_a_line() -> None:
    (line,) = log_lines([LogEntry(EntryKind.ANSWER, "  guest-q2mfk67t" + " " * 30 + "-3" + " " * 20 + "10")], 40)
    assert "".join(text for _, text in line) == "  guest-q2mfk67t  -3  10"
