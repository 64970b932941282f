"""The model of the terminal: what each message adds, once."""

from typing import Any

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from api.cli.terminal.fullscreen import LineCompleter, legal_moves, line_choices
from api.cli.terminal.model import (
    BoardsArrival,
    EntryKind,
    EventArrival,
    LineEnd,
    LineStart,
    LinkChange,
    LogEntry,
    TableSwitch,
    TerminalModel,
    ViewArrival,
    event_sentence,
    is_own_turn,
    player_name,
)
from tests.terminal.stored_tables import chat_message, stored_lines, stored_model, stored_view


def texts(model: TerminalModel) -> list[str]:
    return [entry.text for entry in model.entries]


def test_an_event_that_comes_again_is_told_once() -> None:
    model = stored_model("pitch-won", 83, 0)
    told = texts(model)
    assert told[-1] == "Dörte plays 10D"
    for line in stored_lines("pitch-won", 83)[-5:]:
        assert model.apply(EventArrival(line)) == []
    assert texts(model) == told


def test_a_view_that_is_older_changes_nothing() -> None:
    model = stored_model("pitch-won", 83, 0)
    model.apply(ViewArrival(stored_view("pitch-won", 40, 0)))
    assert model.view is not None
    assert model.view["version"] == 83


def test_a_message_that_comes_again_is_told_once_and_an_erased_one_never() -> None:
    model = TerminalModel()
    assert [entry.text for entry in model.apply(chat_message(1, "p0", "hello"))] == ["ann: hello"]
    assert model.apply(chat_message(1, "p0", "hello")) == []
    assert [entry.text for entry in model.apply(chat_message(2, "p1", "mine", to="partner"))] == [
        "bob (to their partner): mine"
    ]


def test_a_lost_connection_is_said_once() -> None:
    model = TerminalModel()
    said = [model.apply(LinkChange(each)) for each in (False, False, True, True)]
    assert [len(each) for each in said] == [1, 0, 1, 0]


def test_a_line_is_on_its_way_until_it_is_answered() -> None:
    model = TerminalModel()
    model.apply(LineStart("AD"))
    assert [model.line] == ["AD"]
    model.apply(LineEnd([LogEntry(EntryKind.REFUSAL, "No.")]))
    assert (model.line, texts(model)) == (None, ["AD", "No."])


def test_other_boards_wait_and_this_one_does_not_count() -> None:
    model = stored_model("pitch-won", 83, 0)
    model.apply(BoardsArrival((1, 7)))
    assert list(model.next_boards) == [7]
    model.apply(TableSwitch())
    assert (model.next_boards, texts(model), model.view) == ((), [], None)


def test_a_fact_of_a_newer_server_is_not_told() -> None:
    assert event_sentence({"fact": "MoonTurned", "data": {}}, {}) is None
    assert event_sentence({}, {}) is None


def test_names_are_one_safe_line() -> None:
    names = {"p0": "ann\x1b[2J\n", "p1": "bob"}
    assert [player_name(each, names) for each in ("p0", "p1", "bot:simple:2", "bot:strong:1", None)] == [
        "ann�[2J�", "bob", "bot 2", "strong bot 1", "nobody",
    ]  # fmt: skip


def test_the_prompt_completes_legal_moves_first_and_cards_after_a_command() -> None:
    model = stored_model("pitch-won", 83, 0)
    first: list[Any] = [each for each, _ in line_choices(model, [])]
    assert first[:3] == legal_moves(model.view) == ["6H", "JH", "4S"]
    assert {"chat", "queue", "boards", "quit"} < set(first)
    assert [each for each, _ in line_choices(model, ["queue"])] == ["6H", "JH", "4S"]
    assert [each for each, _ in line_choices(model, ["throw", "6H"])] == ["JH", "4S"]
    model.apply(BoardsArrival((1, 7)))
    assert line_choices(model, ["go"]) == [("7", "your turn")]
    assert "challenge" in [each for each, _ in line_choices(model, ["help"])]
    assert line_choices(model, ["chat"]) == []
    assert is_own_turn(model.view)
    assert not is_own_turn(None)


def test_an_empty_prompt_completes_on_tab_alone() -> None:
    completer = LineCompleter(stored_model("pitch-won", 83, 0))
    typing, tab = CompleteEvent(text_inserted=True), CompleteEvent(completion_requested=True)
    assert not list(completer.get_completions(Document(), typing))
    assert "6H" in {each.text for each in completer.get_completions(Document(), tab)}
    assert "JH" in {each.text for each in completer.get_completions(Document("j"), typing)}
