"""Completions of the prompt: legal moves, the cards of a choice, commands, and boards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from api.cli.terminal.help import LOCAL_WORDS
from api.cli.terminal.lines import OF_GAME
from api.cli.terminal.model import TerminalModel
from api.commands.catalog import GAME_COMMANDS, SERVER_COMMANDS
from api.commands.text.moves import move_text

BEFORE_MOVES = frozenset(("play", "bid", "queue", "submit", "preview", "move", "throw"))
"""Words that a move or a card follows."""


class LineCompleter(Completer):
    """Completes what is typed at a table."""

    def __init__(self, model: TerminalModel) -> None:
        self._model = model

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield moves first, then words. For an empty prompt, only Tab asks for them."""
        typed = document.text_before_cursor.lstrip().removeprefix("/")
        if not typed and not complete_event.completion_requested:
            return  # the line was entered while its completions were being looked for
        words = typed.split()
        current = words.pop() if words and not typed.endswith(" ") else ""
        for each, meaning in line_choices(self._model, words):
            if each.lower().startswith(current.lower()):
                yield Completion(each, start_position=-len(current), display_meta=meaning)


def line_choices(model: TerminalModel, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return what may follow these words, each with what it means."""
    if not words:
        return [*((move, "") for move in legal_moves(model.view)), *_commands()]
    word = words[0].lower()
    if word == "go":
        return [(str(board), "your turn") for board in model.next_boards] if len(words) == 1 else []
    if word == "help":
        return [(name, "") for name in (*SERVER_COMMANDS, *GAME_COMMANDS)] if len(words) == 1 else []
    if word in BEFORE_MOVES:
        return [(card, "") for card in _cards(model.view) if card not in words]
    return []


def legal_moves(view: Mapping[str, Any] | None) -> list[str]:
    """Return the moves that the player can make now, as they would write them."""
    you = None if view is None else view.get("you")
    if not you:
        return []
    moves = [move_text(move) for move in you["legal"]]
    return [*moves, "throw"] if you["choose"] and you["choose"]["type"] == "discard" else moves


def _cards(view: Mapping[str, Any] | None) -> list[str]:
    you = None if view is None else view.get("you")
    return list(you["cards"] or ()) if you else []


def _commands() -> list[tuple[str, str]]:
    local = [(name.split()[0], meaning) for name, meaning in LOCAL_WORDS.items()]
    known = {word for word, _ in local}
    of_game = [(name, GAME_COMMANDS[name].help) for name in OF_GAME if name in GAME_COMMANDS and name not in known]
    return [*local, *of_game]
