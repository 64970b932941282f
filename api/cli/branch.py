"""The command that plays a hand on from a step, in a sandbox that is never appended."""

import click

from api.cli.common.histories import require_consistent
from api.cli.queries import GameArgs, game_query, parse_move, print_answer
from projections.bots import STRATEGIES
from replay.queries import BranchRequest, branch
from replay.queries.branch import HANDS_AT_MOST


@click.command(name="branch")
@game_query
@click.argument("moves", metavar="[MOVE]...", nargs=-1)
@click.option("--at", type=int, required=True, help="Branch after this event.")
@click.option("--seat", type=click.IntRange(min=0), help="Show this seat's view in the end; without, everybody's.")
@click.option("--bots", type=click.Choice(list(STRATEGIES)), help="Who plays on after the moves that are given.")
@click.option("--hands", type=click.IntRange(1, HANDS_AT_MOST), default=1, help="Stop after so many hands.")
def branch_command(
    args: GameArgs, moves: tuple[str, ...], at: int, seat: int | None, bots: str | None, hands: int
) -> None:
    """What if: play a revealed hand of GAME on from an event, with its true cards, and write nothing anywhere.

    A MOVE is a text like ad or 3, of the seat to move, or 2:ad of seat 2; or JSON like the body of a move. New cards,
    of hands after this one, come from a seed that anybody can repeat and no server has.
    """
    wanted = BranchRequest(at, [parse_move(move) for move in moves], bots, hands, seat)
    print_answer(require_consistent(args.history()), lambda read: branch(read, wanted), as_json=args.as_json)


commands: list[click.Command] = [branch_command]
