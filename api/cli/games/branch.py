"""The command that plays a hand on from an event, in a sandbox; nothing is stored."""

import click

from api.cli.common.histories import require_consistent
from api.cli.common.queries import GameArgs, game_query, parse_move_argument, print_answer
from projections.bots import STRATEGIES
from replay.queries import BranchRequest, branch
from replay.queries.branch import MAX_HANDS


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


commands: list[click.Command] = [branch_command]
