"""`trickbook rulebook`: write house rules down, check and show them without a server; and the list of the host."""

import json
from pathlib import Path
from typing import Any

import click
import msgspec
from marshmallow import ValidationError

from api.accounts.accounts import Accounts
from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.files import read_file
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.common.processes import progress
from api.cli.common.stores import open_stored_accounts
from api.tables.services.rulebook_document import Document, read_document, settled_rules
from api.tables.services.rulebooks import show as rulebook_json
from api.tables.stored.rulebooks import RulebookStatus
from domain.rejections import NotOffered
from domain.rules.rulebook import Rulebook
from domain.rules.variants import VARIANTS
from domain.state import require
from replay.rulebook_check import GAMES, FaultyGame, check_by_playing
from replay.text import terminal
from replay.text.layout import sanitize

MAX_BYTES = 100_000
MOST_LISTED = 1000
CHECK_AGAIN = "Correct it, and post it again. To check a file without a server: trickbook rulebook check FILE"
NOT_CHECKED = "It isn't checked yet. Tables can play by it once `trickbook rulebook list` says that it's green."


@click.group()
def rulebook() -> None:
    """Write house rules down, check them by playing, and choose those that tables of a server can play by."""


@rulebook.command()
@click.option("--from", "origin", type=click.Choice(list(VARIANTS)), required=True, help="The game to begin with.")
@click.option("--whole", is_flag=True, help="With every field of the rules, to see what can be changed.")
def new(origin: str, whole: bool) -> None:
    """Print a rulebook that plays like a game of the catalogue, to change it.

    Save it in a file, and check it with: trickbook rulebook check FILE
    """
    rules = settled_rules(origin) if whole else {}
    print_json({"name": f"Our {VARIANTS[origin].title}", "text": "", "from": origin, "options": {}, "rules": rules})


@rulebook.command()
@click.argument("file")
@click.option("--games", type=click.IntRange(1, 100_000), default=GAMES, show_default=True, help="How many to play.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the first faulty game here.")
@json_option
def check(file: str, games: int, save: Path | None, as_json: bool) -> None:
    """Check the rulebook in FILE: its fields, whether they fit together, and games by it, each audited.

    The games draw from the rules alone: a repeat plays the same ones.

    Exit code 0 if all is right, 1 if a game goes wrong, 2 if the rulebook can't be read or played.
    """
    book = _read(file).rulebook
    fault, played, hands = _play(book, games)
    if fault is not None and save is not None:
        save.write_bytes(fault.export)
    if as_json:
        print_json(
            {"rulebook": book.address, "games": played, "hands": hands, "green": fault is None,
             "says": None if fault is None else fault.says}
        )  # fmt: skip
    elif fault is None:
        click.echo(f"{played} games with {hands} hands are right. The address is {book.address}")
    else:
        saved = "" if save is None else f" The game is in {save}."
        click.echo(f"Game {fault.game + 1}, with {fault.players} players, went wrong. {fault.says}{saved}")
    if fault is not None:
        raise SystemExit(1)


def _play(book: Rulebook, games: int) -> tuple[FaultyGame | None, int, int]:
    fault, played, hands = None, 0, 0
    with progress("games", games) as show_progress:
        for each in check_by_playing(book, games):
            fault, played, hands = each.fault, each.games, each.hands
            show_progress(played)
    return fault, played, hands


@rulebook.command()
@click.argument("file")
@json_option
def show(file: str, as_json: bool) -> None:
    """Show the rulebook in FILE: its address, and every field of its rules."""
    document = _read(file)
    written = msgspec.json.decode(document.rulebook.canonical)
    if as_json:
        return print_json({"rulebook": document.rulebook.address, "name": document.name, **written})
    rows = terminal.make_table("field", "value")
    for name, value in written["rules"].items():
        terminal.add_row(rows, name, json.dumps(value, ensure_ascii=False))
    for players, fields in written["by_players"].items():
        for name, value in fields.items():
            terminal.add_row(rows, f"{name}, {players} players", json.dumps(value, ensure_ascii=False))
    click.echo(f"{sanitize(document.name)}\n{document.rulebook.address}")
    return print_rich(rows)


@rulebook.command("list")
@json_option
@data_option
def list_rulebooks(as_json: bool, data: Path | None) -> None:
    """List the rulebooks that are green or on your list, the newest first.

    Tables play by those that are green and allowed. Without a list of yours, all are allowed.
    """
    with open_stored_accounts(data) as accounts:
        found = accounts.rulebooks.for_host(MOST_LISTED)
        names = accounts.users.names_of(each.author for each in found if each.author)
    if as_json:
        return print_json([rulebook_json(each) for each in found])
    rows = terminal.make_table("address", "name", "author", "check", "allowed")
    for each in found:
        allowed, author = "yes" if each.allowed else "no", names.get(each.author or "", "")
        terminal.add_row(rows, each.address, each.name or "", author, str(each.status), allowed)
    return print_rich(rows if found else terminal.text_line("There are no rulebooks yet."))


@rulebook.command()
@click.argument("address")
@data_option
def allow(address: str, data: Path | None) -> None:
    """Put a rulebook on the host's list. Once there is one, tables play by games and by rulebooks of the list alone.

    ADDRESS can be its first digits. Tables that form or play go on. A rulebook whose check found a fault is refused.
    """
    with open_stored_accounts(data) as accounts:
        found = _require_address(accounts, address)
        stored = require(accounts.rulebooks.find(found))
        if stored.status is RulebookStatus.REFUSED:
            raise CannotAnswer(f"{found} isn't allowed: its check found a fault. {stored.says} {CHECK_AGAIN}")
        accounts.rulebooks.allow(found)
        _say_list(accounts, f"{found} is allowed.")
        if stored.status is RulebookStatus.WAITING:
            click.echo(NOT_CHECKED, err=True)


@rulebook.command()
@click.argument("address")
@data_option
def forbid(address: str, data: Path | None) -> None:
    """Take a rulebook off the host's list. Without any on it, tables can play by each rulebook that is green."""
    with open_stored_accounts(data) as accounts:
        found = _require_address(accounts, address)
        was_there = accounts.rulebooks.forbid(found)
        _say_list(accounts, f"{found} is off the list." if was_there else f"{found} isn't on the list.")


def _require_address(accounts: Accounts, digits: str) -> str:
    """Return the address of the rulebook that begins with these digits. Raise CannotAnswer unless there is one."""
    found = accounts.rulebooks.beginning_with(digits)
    if not found:
        raise CannotAnswer(f"No rulebook has an address that begins with {digits}. Copy it from the rulebook's link.")
    if len(found) > 1:
        raise CannotAnswer(f"Several rulebooks have an address that begins with {digits}. Write more of its digits.")
    return found[0]


def _say_list(accounts: Accounts, done: str) -> None:
    many = accounts.rulebooks.count_allowed()
    listed = f"The list has {many} now." if many else "The list is empty: tables can play by any that is green."
    click.echo(f"{done} {listed}")


def _read(file: str) -> Document:
    """Return the document in a file. Raise CannotAnswer with a line for each field that is wrong."""
    try:
        written = json.loads(read_file(file, MAX_BYTES))
    except ValueError as error:
        raise CannotAnswer(f"{file} isn't JSON: {error}") from error
    try:
        document = read_document(written)
        document.rulebook.require_playable()
    except ValidationError as error:
        raise CannotAnswer("\n".join(_lines(error.messages))) from error
    except NotOffered as error:
        raise CannotAnswer(str(error)) from error
    return document


def _lines(errors: Any, path: str = "") -> list[str]:
    if isinstance(errors, dict):
        return [line for name, each in errors.items() for line in _lines(each, f"{path}.{name}" if path else str(name))]
    return [f"{path}: {' '.join(map(str, errors))}"]


commands: list[click.Command] = [rulebook]
