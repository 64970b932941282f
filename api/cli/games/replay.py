"""Commands that show histories: `show` and `replay`, of a stored game or the file of an export.

Of a live hand, operators see no more than everybody; a file shows what it contains. Exit codes: 0 all is well, 1
something is wrong, 2 not known yet.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import game_option
from api.cli.common.histories import json_option, load_history, print_json, print_rich, require_consistent
from domain.events import HandDealt
from replay.history import History
from replay.history.steps import NotShown, Step, steps, view_of
from replay.queries import view_bytes
from replay.text import terminal
from replay.text.narrate import narrate

HINT = ". Their player sees them: `trickbook --server URL login NAME`, and then this command with --server URL."
BACK_KEYS = {"b", "p", "\x1b[D", "\x1b[A"}
QUIT_KEYS = {"q", "\x03", "\x04", "\x1b"}

seat_option = click.option(
    "--seat", type=click.IntRange(min=0), help="As this seat saw it; by default the public view."
)


@click.command()
@click.argument("game")
@click.option("--at", type=int, help="After this event; by default after the last.")
@seat_option
@click.option("--bytes", "as_bytes", is_flag=True, help="Print the exact bytes that the API returned at that moment.")
@game_option
@data_option
@json_option
def show(
    game: str, at: int | None, seat: int | None, as_bytes: bool, which: str | None, data: Path | None, as_json: bool
) -> None:
    """Show the table of GAME, now or at any earlier moment.

    GAME is a board number, a game's id, or the file of an export.
    """
    history = require_consistent(load_history(game, data, which))
    names = history.header.players
    try:
        view = view_of(history, seat, at)
    except NotShown as error:
        raise CannotAnswer(_with_hint(error)) from None
    if as_bytes:
        click.echo(view_bytes(history, seat, at), nl=False)
    elif as_json:
        print_json(view | {"names": dict(names)})
    else:
        print_rich(terminal.view_lines(view, names), names=names.values())


@click.command()
@click.argument("game")
@click.option("--hand", type=click.IntRange(min=1), help="Only this hand, from 1; by default all, from the first.")
@seat_option
@click.option("--all", "everything", is_flag=True, help="Print every step without waiting for a key.")
@game_option
@data_option
@json_option
def replay(
    game: str, hand: int | None, seat: int | None, everything: bool, which: str | None, data: Path | None, as_json: bool
) -> None:
    """Step through the hands of GAME: Enter or an arrow for the next step, b for the previous one, q to quit.

    Print every step if the output isn't a terminal.
    """
    history = require_consistent(load_history(game, data, which))
    try:
        all_steps = list(_all_steps(history, seat) if hand is None else steps(history, hand, seat))
    except NotShown as error:
        raise CannotAnswer(_with_hint(error)) from None
    names = history.header.players
    if as_json:
        print_json(
            {"hand": hand, "seat": seat, "names": dict(names), "steps": [_step_json(each, names) for each in all_steps]}
        )
    elif everything or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for step in all_steps:
            _print_step(step, names)
    else:
        step_through(all_steps, names)


def _with_hint(error: NotShown) -> str:
    """Return the sentence; for cards that aren't revealed also how their player sees them."""
    return f"{error}{HINT if 'is not revealed' in str(error) else ''}"


def _all_steps(history: History, seat: int | None) -> Iterator[Step]:
    """Yield the steps of each hand; after the first hand, a note ends them where the seat's cards aren't shown yet."""
    hands = sorted({event.data.hand for event in history.events if isinstance(event.data, HandDealt)})
    if not hands:
        raise NotShown("no hand has been dealt yet")
    for hand in hands:
        try:
            yield from steps(history, hand, seat)
        except NotShown as error:
            if hand == hands[0]:
                raise
            click.echo(f"note: {error}", err=True)
            return


def _describe(step: Step, names: dict[str, str]) -> str:
    return narrate(step.event.data, terminal.seat_names(step.view, names))


def _step_json(step: Step, names: dict[str, str]) -> dict[str, Any]:
    event, says = step.event, _describe(step, names)
    return {"version": event.version, "at": event.at, "fact": event.fact, "says": says, "view": step.view}


def _print_step(step: Step, names: dict[str, str]) -> None:
    print_rich(
        terminal.text_line(f"{step.event.version}: {_describe(step, names)}"),
        terminal.view_lines(step.view, names),
        above=1,
        names=names.values(),
    )


def step_through(all_steps: list[Step], names: dict[str, str], key: Callable[[], str] = click.getchar) -> None:
    """Show one step for each `key`, from the first to the last, until the user quits."""
    place = 0
    while place < len(all_steps):
        click.clear()
        _print_step(all_steps[place], names)
        click.echo(f"\n{place + 1} of {len(all_steps)}: Enter or an arrow, b for back, q to quit")
        pressed = key()
        if pressed in QUIT_KEYS:
            return
        place = max(0, place - 1) if pressed in BACK_KEYS else place + 1


commands: list[click.Command] = [show, replay]
