"""Arguments and output of commands that answer one query about a history."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import game_option
from api.cli.common.histories import (
    InconsistentHistory,
    json_option,
    load_history,
    print_json,
    print_rich,
    require_consistent,
)
from api.cli.common.invalid_input import exit_on_invalid
from api.web.strict_json import parse_object
from replay.audit.log.hash_chain import check_log
from replay.fold import MisplacedFact
from replay.history import History, NoSuchHand
from replay.history.steps import NotShown
from replay.queries import (
    AnotherGame,
    Answer,
    MalformedMove,
    MoveRefused,
    Unbranchable,
)
from replay.queries.answer import QuestionAnswer
from replay.rejudge import FOLD_ERRORS
from replay.text.seat_names import names_by_seat, say_names

Query = Callable[[History], Answer[QuestionAnswer]]
QUERY_ERRORS = (AnotherGame, MalformedMove, MoveRefused, NoSuchHand, NotShown, Unbranchable)
"""Exceptions of queries that have no answer."""


@dataclass(frozen=True)
class GameArgs:
    """The arguments that all queries share: the game, where it's stored, and whether to print JSON."""

    game: str
    which: str | None
    data: Path | None
    as_json: bool

    def history(self) -> History:
        """Return the game's history; of a stored game as much as everybody may see."""
        return load_history(self.game, self.data, self.which)


def game_query(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments that all queries share: GAME, --game, --data and --json."""

    @wraps(command)
    def wrapper(game: str, which: str | None, data: Path | None, as_json: bool, **rest: Any) -> None:
        command(GameArgs(game, which, data, as_json), **rest)

    for option in (json_option, data_option, game_option, click.argument("game")):
        wrapper = option(wrapper)
    return wrapper


def require_readable(history: History) -> History:
    """Return `history` if its log is intact and readable; raise InconsistentHistory or CannotAnswer if not."""
    for finding in check_log(history):
        raise InconsistentHistory(f"This history doesn't verify: {finding}")
    for line in history.lines:
        if why := line.unread or line.fault:
            raise CannotAnswer(f"event {line.version}: {why}")
    return history


def print_answer(history: History, ask: Query, *, as_json: bool) -> None:
    """Print the query's answer for the history, and exit with its code."""
    try:
        result = ask(history)
    except QUERY_ERRORS as error:
        raise CannotAnswer(say_names(str(error), names_by_seat(history))) from None
    except (MisplacedFact, *FOLD_ERRORS):
        require_consistent(history)
        raise
    if as_json:
        print_json(result.to_json())
    else:
        print_rich(result.to_text(), names=history.header.players.values())
    sys.exit(result.code)


def parse_move_argument(text: str) -> str | dict[str, Any]:
    """Return a move as typed: JSON if it begins with a brace, otherwise text."""
    with exit_on_invalid():
        return parse_object(text.encode(errors="surrogateescape")) if text.lstrip().startswith("{") else text
