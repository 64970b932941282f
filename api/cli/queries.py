"""Commands that ask one thing of a history each (docs/replay.md): of a stored game, or of the file of an export.

Exit codes: 0 answered and in order, 1 something is wrong, 2 it cannot be told, as of a hand that is not revealed.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.game_files import game_option
from api.cli.common.histories import (
    InconsistentHistory,
    json_option,
    load_history,
    print_json,
    print_rich,
    require_consistent,
)
from api.http.clauses import with_clauses
from api.http.problems import Problem
from api.http.strict_json import parse_object
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
    compare,
    deal,
    draws,
    event_visibility,
    legal_at,
    list_commits,
    revokes,
    score,
    turn_times,
)
from replay.rejudge import FOLD_ERRORS

Ask = Callable[[History], Answer]
QUERY_ERRORS = (AnotherGame, MalformedMove, MoveRefused, NoSuchHand, NotShown, Unbranchable)
"""What a question may say instead of an answer."""

hand_option = click.option("--hand", type=click.IntRange(min=1), help="Of this hand alone, counted from 1.")


@dataclass(frozen=True)
class GameArgs:
    """Of which game a question is asked, where it is kept, and whether the answer is to be JSON."""

    game: str
    which: str | None
    data: Path | None
    as_json: bool

    def history(self) -> History:
        """The history, of a stored game as much as everybody may see."""
        return load_history(self.game, self.data, self.which)


def game_query(command: Callable[..., None]) -> Callable[..., None]:
    """What every question takes: GAME, which game of a file of many, where games are kept, whether to print JSON."""

    @wraps(command)
    def asking(game: str, which: str | None, data: Path | None, as_json: bool, **rest: Any) -> None:
        command(GameArgs(game, which, data, as_json), **rest)

    for option in (json_option, data_option, game_option, click.argument("game")):
        asking = option(asking)
    return asking


def require_readable(history: History) -> History:
    """Return `history` if its log is intact and readable; raise InconsistentHistory or CannotAnswer if not."""
    for finding in check_log(history):
        raise InconsistentHistory(f"this history does not verify: {finding}")
    for line in history.lines:
        if line.unread is not None:
            raise CannotAnswer(f"event {line.version}: {line.unread}")
    return history


def print_answer(history: History, ask: Ask, *, as_json: bool) -> None:
    """Print what `ask` makes of the history, and end with its code."""
    try:
        told = ask(history)
    except QUERY_ERRORS as error:
        raise CannotAnswer(str(error)) from None
    except (MisplacedFact, *FOLD_ERRORS):
        require_consistent(history)
        raise
    if as_json:
        print_json(told.to_json())
    else:
        print_rich(told.to_text())
    sys.exit(told.code)


@click.command(name="legal")
@game_query
@click.option("--at", type=int, help="After this event; without, after the last.")
@click.option("--seat", type=click.IntRange(min=0), required=True, help="For this seat.")
@click.option("--move", metavar="MOVE", help="Try this move: a text like ad, or JSON like the body of a move.")
def legal_command(args: GameArgs, at: int | None, seat: int, move: str | None) -> None:
    """What was legal for a seat of GAME after an event, and why a move tried there is refused.

    Of a live hand only from an export that holds that seat's cards.
    """
    history, tried = require_consistent(args.history()), None if move is None else parse_move(move)
    print_answer(history, lambda read: with_clauses(legal_at(read, seat, at, tried)), as_json=args.as_json)


def parse_move(text: str) -> str | dict[str, Any]:
    """A move as it was typed: JSON where it begins with a brace."""
    try:
        return parse_object(text.encode(errors="surrogateescape")) if text.lstrip().startswith("{") else text
    except Problem as error:
        raise CannotAnswer(str(error)) from None


@click.command(name="revokes")
@game_query
@hand_option
def revokes_command(args: GameArgs, hand: int | None) -> None:
    """The cards of GAME that did not follow: who could have followed, with what, under the rules in force then.

    Of revealed hands; exit code 1 where a card was a revoke, 2 where a hand is not revealed yet.
    """
    print_answer(require_readable(args.history()), lambda read: revokes(read, hand), as_json=args.as_json)


@click.command(name="deal")
@game_query
@click.option("--hand", type=click.IntRange(min=1), required=True, help="Which hand, from 1.")
def deal_command(args: GameArgs, hand: int) -> None:
    """How a hand of GAME was dealt: commitment, cuts, seed, key and deck worked out anew, and who got what.

    Exit code 1 where the log has something else, 2 where the hand is not revealed yet.
    """
    print_answer(require_readable(args.history()), lambda read: deal(read, hand), as_json=args.as_json)


@click.command(name="draws")
@game_query
@hand_option
def draws_command(args: GameArgs, hand: int | None) -> None:
    """Every chance drawn in GAME: seats, first dealer, coin, each of the randomizer's, also those that did not fire.

    With --hand, the randomizer's of that hand. Exit code 1 where a draw came wrongly, or did not come.
    """
    print_answer(require_readable(args.history()), lambda read: draws(read, hand), as_json=args.as_json)


@click.command(name="score")
@game_query
@hand_option
def score_command(args: GameArgs, hand: int | None) -> None:
    """The points of GAME as recorded beside what the cards make them, then the scores as played and as ruled.

    Exit code 1 where they differ.
    """
    print_answer(require_readable(args.history()), lambda read: score(read, hand), as_json=args.as_json)


@click.command(name="clock")
@game_query
@hand_option
def clock_command(args: GameArgs, hand: int | None) -> None:
    """How long each turn of GAME took, by the times in its log, and which took longer than they may.

    With delay calls, reminders, forfeits and cut windows.
    """
    print_answer(require_readable(args.history()), lambda read: turn_times(read, hand), as_json=args.as_json)


@click.command(name="sight")
@game_query
@hand_option
def sight_command(args: GameArgs, hand: int | None) -> None:
    """Which events of GAME each seat could see, and since when they are public.

    Exit code 2 where some are still withheld.
    """
    print_answer(require_readable(args.history()), lambda read: event_visibility(read, hand), as_json=args.as_json)


@click.command(name="commits")
@game_query
@click.option("--from", "first", type=click.IntRange(min=1), help="From the commit that holds this event.")
@click.option("--to", "last", type=click.IntRange(min=1), help="To the commit that holds this event.")
def commits_command(args: GameArgs, first: int | None, last: int | None) -> None:
    """What happened in GAME commit by commit: by whom, under which command, after how long, and the house's answers.

    Exit code 1 where one command brought something about twice, or a key was used for two requests.
    """
    print_answer(require_readable(args.history()), lambda read: list_commits(read, first, last), as_json=args.as_json)


@click.command(name="compare")
@click.argument("first")
@click.argument("second")
@data_option
@json_option
def compare_command(first: str, second: str, data: Path | None, as_json: bool) -> None:
    """Whether FIRST and SECOND, games or exports, tell one history of one game.

    They are the same, or one goes on from the other: exit code 0. Two histories are exit code 1, and the first event in
    which they part is named.
    """
    other = load_history(second, data)
    print_answer(load_history(first, data), lambda read: compare(read, other), as_json=as_json)


commands: list[click.Command] = [
    legal_command,
    revokes_command,
    deal_command,
    draws_command,
    score_command,
    clock_command,
    sight_command,
    commits_command,
    compare_command,
]
