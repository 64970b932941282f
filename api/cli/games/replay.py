"""`trickbook game list`, `game show`, `game transcript` and `hand replay`: find a game, and look at it."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.evidence_options import read_text
from api.cli.common.files import game_option
from api.cli.common.histories import json_option, load_history, print_json, print_rich, require_consistent
from api.cli.sources.selection import open_source
from domain.events import CardPlayed, CardsDealt, HandDealt, TrickTaken
from domain.rules.variants import KNOWN
from projections.lists.lobby_pages import MAX_PAGE
from replay.fold import HandRead
from replay.history import History, NoSuchHand
from replay.history.steps import NotShown, Step, steps, view_of, visible_hands
from replay.queries import view_bytes
from replay.queries.reading import transitions
from replay.text import terminal
from replay.text.layout import columns
from replay.text.narrate import narrate
from replay.text.transcribe import format_transcripts, transcript_of, transcripts
from replay.text.transcript import HIDDEN, NotATranscript, Transcript, parse_transcripts

HEADINGS = ("board", "variant", "status", "players", "waiting for", "last event", "game")
STATUSES = ("active", "finished")


@click.command("list")
@click.option("--player", metavar="NAME", multiple=True, help="Only games of this player; of all, if you name several.")
@click.option("--variant", type=click.Choice(list(KNOWN)), help="Only games of this variant.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games that are active, or finished.")
@click.option("--limit", type=click.IntRange(1, MAX_PAGE), default=50, show_default=True, help="The most games.")
@data_option
@json_option
def list_games(
    player: tuple[str, ...], variant: str | None, status: str | None, limit: int, data: Path | None, as_json: bool
) -> None:
    """List the games of the store or of --server, the newest first, with their board numbers and players.

    `trickbook table list` lists the tables that still wait for players.
    """
    query = {"player": player or None, "variant": variant, "status": status}
    page = open_source(data).games({name: each for name, each in query.items() if each is not None}, limit)
    names = {each: page["names"].get(each, each) for item in page["items"] for each in _players(item)}
    if as_json:
        return print_json([item | {"names": {each: names[each] for each in _players(item)}} for item in page["items"]])
    table = terminal.make_table(*HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *_cells(item, names))
    print_rich(table if page["items"] else terminal.text_line("There are no such games."))
    if page["next"] is not None:
        click.echo(f"There are more than {limit} such games: name a higher --limit, at most {MAX_PAGE}.", err=True)
    return None


def _players(item: Mapping[str, Any]) -> list[str]:
    return [seat["player"] for seat in item["seats"]]


def _cells(item: Mapping[str, Any], names: Mapping[str, str]) -> tuple[object, ...]:
    players, waiting = (", ".join(names[each] for each in ids) for ids in (_players(item), item["waiting"]))
    return item["board"], item["variant"], item["status"], players, waiting, item["updated"], item["id"]


HINT = ". Their player sees them: `trickbook --server URL login NAME`, and then this command with --server URL."
BACK_KEYS = {"b", "p", "\x1b[D", "\x1b[A"}
QUIT_KEYS = {"q", "\x03", "\x04", "\x1b"}

Lines = list[str]
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
@click.option("--all", "everything", is_flag=True, help="Print each event, and the whole table after it.")
@game_option
@data_option
@json_option
def replay(
    game: str, hand: int | None, seat: int | None, everything: bool, which: str | None, data: Path | None, as_json: bool
) -> None:
    """Go through the hands of GAME trick by trick: the cards that each seat held, and what happened.

    On a terminal, Enter or an arrow goes to the next trick, b to the previous one, and q quits. Otherwise, all of them
    are printed. Cards that aren't revealed are ??. With --seat, they are the cards that this seat saw.
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
    elif everything:
        for step in all_steps:
            _print_step(step, names)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step_through(list(_screens(history, all_steps, seat)), names)
    else:
        for lines in _screens(history, all_steps, seat):
            _print_lines(lines, names)


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
    return narrate(step.event.data, terminal.seat_names(step.view, names), step.view["rules"])


def _step_json(step: Step, names: dict[str, str]) -> dict[str, Any]:
    event, says = step.event, _describe(step, names)
    return {"version": event.version, "at": event.at, "fact": event.fact, "says": says, "view": step.view}


def _print_lines(lines: Lines, names: dict[str, str]) -> None:
    print_rich(*map(terminal.text_line, lines), above=1, names=names.values())


def _print_step(step: Step, names: dict[str, str]) -> None:
    print_rich(
        terminal.text_line(f"{step.event.version}: {_describe(step, names)}"),
        terminal.view_lines(step.view, names),
        above=1,
        names=names.values(),
    )


def _screens(history: History, all_steps: Sequence[Step], seat: int | None) -> Iterator[Lines]:
    """Yield the lines of each auction, of each trick, and of what comes after: the cards before it, and sentences.

    The last screen of a deal ends with the table.
    """
    hands = {each.event.version: (each.before.hand, each.after.hand) for each in transitions(history)}
    groups = [*_groups(all_steps), []]
    for group, following in pairwise(groups):
        first = group[0].event
        before, after = hands[first.version]
        if isinstance(first.data, HandDealt):
            dealt = (step.event.version for step in group if not isinstance(step.event.data, HandDealt | CardsDealt))
            before = hands[next(dealt)][0] if len(group) > 1 else after
        names = terminal.seat_names(group[0].view, history.header.players)
        lines = [] if before is None else [_heading(group, before), *_held(history, before, seat, names)]
        lines += [f"{step.event.version}: {_describe(step, history.header.players)}" for step in group]
        if not following or isinstance(following[0].event.data, HandDealt):
            lines += ["", *terminal.view_lines(group[-1].view, history.header.players).plain.split("\n")]
        yield lines


def _groups(all_steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield the steps of each deal with its auction, of each trick, and of what comes after."""
    group = list[Step]()
    for step in all_steps:
        fact = step.event.data
        ends_auction = isinstance(fact, CardPlayed) and bool(group) and isinstance(group[0].event.data, HandDealt)
        if group and (ends_auction or isinstance(fact, HandDealt)):
            yield group
            group = []
        group.append(step)
        if isinstance(fact, TrickTaken):
            yield group
            group = []
    if group:
        yield group


def _heading(group: Sequence[Step], hand: HandRead) -> str:
    again = ", dealt again" if hand.dealt.redeal else ""
    is_trick = any(isinstance(step.event.data, CardPlayed) for step in group)
    return f"Hand {hand.dealt.hand}{again}{f', trick {len(hand.takers) + 1}' if is_trick else ''}"


def _held(history: History, hand: HandRead, seat: int | None, names: dict[int, str]) -> list[str]:
    """Return a line for each seat that holds cards and, if `seat` isn't None, whose cards that seat sees."""
    seats = range(len(hand.counts)) if seat is None else visible_hands(history, seat, hand.dealt)
    held = {each: hand.cards.get(each) or (HIDDEN,) * hand.counts[each] for each in seats if hand.counts[each]}
    return columns([("", names[each], " ".join(cards)) for each, cards in held.items()])


def step_through(screens: Sequence[Lines], names: dict[str, str], key: Callable[[], str] = click.getchar) -> None:
    """Show one screen for each `key`, from the first to the last, until the user quits."""
    place = 0
    while place < len(screens):
        click.clear()
        _print_lines(screens[place], names)
        click.echo(f"\n{place + 1} of {len(screens)}: Enter or an arrow, b for back, q to quit")
        pressed = key()
        if pressed in QUIT_KEYS:
            return
        place = max(0, place - 1) if pressed in BACK_KEYS else place + 1


@click.command()
@click.argument("game")
@click.option("--hand", type=click.IntRange(min=1), help="Only this hand, from 1; by default every deal.")
@click.option(
    "--import-profile", "lenient", is_flag=True, help="GAME is a file of transcripts typed by people; correct it."
)
@game_option
@data_option
def transcript(game: str, hand: int | None, lenient: bool, which: str | None, data: Path | None) -> None:
    """Print hands of GAME as text; `??` stands for hidden cards. The same hand always gives the same bytes.

    With --import-profile, GAME is a file of such text (`-`: standard input), parsed leniently and printed in the
    standard form.
    """
    if lenient:
        written = format_transcripts(
            each for each in _read_typed(game) if hand is None or each.tag("Hand") == str(hand)
        )
        if not written:
            raise CannotAnswer(f"{game}: There is no hand {hand} in it.")
    else:
        history = require_consistent(load_history(game, data, which))
        try:
            written = format_transcripts(transcripts(history) if hand is None else [transcript_of(history, hand)])
        except NoSuchHand as error:
            raise CannotAnswer(str(error)) from None
    click.echo(written, nl=False)


def _read_typed(name: str) -> list[Transcript]:
    try:
        return parse_transcripts(read_text(name))
    except NotATranscript as error:
        raise CannotAnswer(f"{name}: {error}") from None


commands: list[click.Command] = [list_games, show, replay, transcript]
