"""Commands that answer one query about a stored game or an export each, or play a hand on (docs/replay.md)."""

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
from api.evidence.services.questions import with_clauses
from api.schemas import parse_object
from projections.bots import STRATEGIES
from projections.moves.text_moves import MalformedMove
from replay.audit.log.hash_chain import check_log
from replay.fold import MisplacedFact
from replay.history import History, NoSuchHand
from replay.history.steps import NotShown
from replay.queries import (
    AnotherGame,
    Answer,
    BranchRequest,
    MoveRefused,
    Unbranchable,
    branch,
    choices,
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
from replay.queries.answer import QuestionAnswer
from replay.queries.branch import MAX_HANDS
from replay.rejudge import FOLD_ERRORS
from replay.text.layout import names_by_seat, say_names

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


hand_option = click.option("--hand", type=click.IntRange(min=1), help="Only this hand, counted from 1.")


@click.command(name="legal")
@game_query
@click.option("--at", type=int, help="After this event; by default after the last.")
@click.option("--seat", type=click.IntRange(min=0), required=True, help="For this seat.")
@click.option("--move", metavar="MOVE", help="Try this move: a text such as ad, or JSON like the body of a move.")
def legal_command(args: GameArgs, at: int | None, seat: int, move: str | None) -> None:
    """List the legal moves of a seat of GAME after an event, and why the rules refuse a move tried there.

    For a live hand this needs an export that contains the seat's cards.
    """
    history, tried = require_consistent(args.history()), None if move is None else parse_move_argument(move)
    print_answer(history, lambda read: with_clauses(legal_at(read, seat, at, tried)), as_json=args.as_json)


@click.command(name="revokes")
@game_query
@hand_option
def revokes_command(args: GameArgs, hand: int | None) -> None:
    """List the cards of GAME that didn't follow, and which seats could have followed by the rules in force.

    Only revealed hands are checked. Exit code 1 if a card was a revoke, 2 if a hand isn't revealed yet.
    """
    print_answer(require_readable(args.history()), lambda read: revokes(read, hand), as_json=args.as_json)


@click.command(name="deal")
@game_query
@click.option("--hand", type=click.IntRange(min=1), required=True, help="The hand, counted from 1.")
def deal_command(args: GameArgs, hand: int) -> None:
    """Show how a hand of GAME was dealt: recompute commitment, cuts, seed, key, deck and cards of each seat.

    Exit code 1 if the log differs, 2 if the hand isn't revealed yet.
    """
    print_answer(require_readable(args.history()), lambda read: deal(read, hand), as_json=args.as_json)


@click.command(name="explain")
@game_query
@click.option("--hand", type=click.IntRange(min=1), required=True, help="The hand, counted from 1.")
@click.option("--at", type=click.IntRange(min=1), help="Only the choice that this event records.")
def explain_command(args: GameArgs, hand: int, at: int | None) -> None:
    """Explain each choice of a strong bot in a hand of GAME: work it out again from the log.

    It says in how many of the deals that the bot couldn't rule out a move was best. Exit code 1 if the bot played
    another move than it should have chosen, 2 if the hand isn't revealed yet.
    """
    print_answer(require_readable(args.history()), lambda read: choices(read, hand, at), as_json=args.as_json)


@click.command(name="draws")
@game_query
@hand_option
def draws_command(args: GameArgs, hand: int | None) -> None:
    """List every chance drawn in GAME: seats, first dealer, coin, and the randomizer, even if it had no effect.

    With --hand, only the randomizer's draws of that hand. Exit code 1 if a draw is wrong or missing.
    """
    print_answer(require_readable(args.history()), lambda read: draws(read, hand), as_json=args.as_json)


@click.command(name="score")
@game_query
@hand_option
def score_command(args: GameArgs, hand: int | None) -> None:
    """Compare the recorded points of GAME with those of its cards, and the scores as played and as ruled.

    Exit code 1 if they differ.
    """
    print_answer(require_readable(args.history()), lambda read: score(read, hand), as_json=args.as_json)


@click.command(name="clock")
@game_query
@hand_option
def clock_command(args: GameArgs, hand: int | None) -> None:
    """Show how long each turn of GAME took by the times in its log, and which took too long.

    Includes delay calls, reminders, forfeits and cut windows.
    """
    print_answer(require_readable(args.history()), lambda read: turn_times(read, hand), as_json=args.as_json)


@click.command(name="sight")
@game_query
@hand_option
def sight_command(args: GameArgs, hand: int | None) -> None:
    """Show which events of GAME each seat could see, and since when they are public.

    Exit code 2 if some are still withheld.
    """
    print_answer(require_readable(args.history()), lambda read: event_visibility(read, hand), as_json=args.as_json)


@click.command(name="commits")
@game_query
@click.option("--from", "first", type=click.IntRange(min=1), help="From the commit that holds this event.")
@click.option("--to", "last", type=click.IntRange(min=1), help="To the commit that holds this event.")
def commits_command(args: GameArgs, first: int | None, last: int | None) -> None:
    """List the commits of GAME: player, command, time since the commit before, facts, and the server's moves in answer.

    Exit code 1 if one command took effect twice, or one key was used for two requests.
    """
    print_answer(require_readable(args.history()), lambda read: list_commits(read, first, last), as_json=args.as_json)


@click.command(name="compare")
@click.argument("first")
@click.argument("second")
@data_option
@json_option
def compare_command(first: str, second: str, data: Path | None, as_json: bool) -> None:
    """Check whether FIRST and SECOND, games or exports, are of one history of one game.

    Exit code 0 if they are the same or one continues the other; 1 for two histories, with the first event that differs.
    """
    other = load_history(second, data)
    print_answer(load_history(first, data), lambda read: compare(read, other), as_json=as_json)


@click.command(name="branch")
@game_query
@click.argument("moves", metavar="[MOVE]...", nargs=-1)
@click.option("--at", type=int, required=True, help="Branch after this event.")
@click.option("--seat", type=click.IntRange(min=0), help="Show this seat's view at the end; or the public view.")
@click.option("--bots", type=click.Choice(list(STRATEGIES)), help="The bot that plays on after the given moves.")
@click.option("--hands", type=click.IntRange(1, MAX_HANDS), default=1, help="Stop after this number of hands.")
def branch_command(
    args: GameArgs, moves: tuple[str, ...], at: int, seat: int | None, bots: str | None, hands: int
) -> None:
    """Play a revealed hand of GAME on from an event with other moves and its true cards. Nothing is stored.

    A MOVE is a text such as ad or 3 for the seat to move, or 2:ad for seat 2, or JSON like the body of a move. Cards of
    later hands come from a seed that anybody can repeat and that no server uses.
    """
    request = BranchRequest(at, [parse_move_argument(move) for move in moves], bots, hands, seat)
    print_answer(require_consistent(args.history()), lambda read: branch(read, request), as_json=args.as_json)


commands: list[click.Command] = [
    branch_command,
    legal_command,
    revokes_command,
    deal_command,
    explain_command,
    draws_command,
    score_command,
    clock_command,
    sight_command,
    commits_command,
    compare_command,
]
