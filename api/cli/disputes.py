"""Disputes from the command line, for operators: the queue, a dispute with its evidence, and rulings."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from marshmallow import ValidationError

from api.accounts import roles
from api.accounts.accounts import Accounts
from api.accounts.dispute_texts import note_of
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.histories import is_stored, json_option, print_json, print_rich
from api.cli.common.store_files import require_games
from api.cli.common.stored_games import open_stores, resolve_game
from api.http.preconditions import command_id
from api.http.problems import Problem
from api.http.schemas_disputes import APPEAL, MAX_TEXT_LENGTH
from api.http.strict_json import parse_object
from api.services.container import open_services
from api.services.dispute_records import DisputeRecord, dispute_records, records_with_texts
from domain.commands import DecideAppeal, DisputeCommand, GiveRuling
from domain.events import Evidence, RulingGiven
from domain.events.dispute_codes import AppealOutcome, Ruling, StandardOfProof
from domain.rejections import Rejected
from domain.store import Games, NoSuchGame, RaceLost
from domain.store.aggregate import Entry
from projections.lists.arbiter_queue import MAX_PAGE, waiting_disputes
from replay.text import terminal
from replay.text.narrate import narrate
from replay.text.sanitize import sanitize

TABLE_HEADINGS = ("board", "dispute", "hand", "about", "state", "waiting since", "game")
TABLE_FIELDS = ("board", "dispute", "hand", "kind", "status", "since", "game")
DECISIONS = [each.value for each in (*Ruling, *AppealOutcome)]
STANDARDS = [each.value for each in StandardOfProof]
WRONG = 1


@click.command(name="list")
@data_option
@json_option
def list_disputes(data: Path | None, as_json: bool) -> None:
    """List the disputes of all games that wait for an arbiter, oldest first; at most 500."""
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        with services.rows.snapshot("disputes") as reading:
            page = waiting_disputes(reading, None, MAX_PAGE)
    if as_json:
        return print_json(page["items"])
    table = terminal.make_table(*TABLE_HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *(item[name] for name in TABLE_FIELDS))
    print_rich(table if page["items"] else terminal.text_line("No dispute waits for an arbiter."))
    if page["next"] is not None:
        click.echo(f"There are more: these are the {MAX_PAGE} oldest.", err=True)
    return None


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--erase", is_flag=True, help="Erase the dispute's texts; the facts stay.")
@data_option
@json_option
def show(game: str, number: int, erase: bool, data: Path | None, as_json: bool) -> None:
    """Show dispute NUMBER of GAME: its facts and texts, and whether the evidence of its ruling is this log.

    GAME is a stored game, by board number or id: texts are stored beside the log and in no export. Exit code 1 if the
    evidence is of another log, or if a text doesn't match its note.
    """
    with open_stores(load_config(data), _require_stored(game)) as (accounts, games):
        entries = games.entries(game_id := resolve_game(accounts, game))
        record = _find_dispute(entries, number)
        if erase:
            click.echo(f"{accounts.dispute_texts.erase(record.commands)} texts erased")
            return
        shown = records_with_texts(accounts.dispute_texts, [record])[0]
        players = [seat.player for seat in games.state(game_id).seats]
        names = accounts.users.names_of((*players, *(event.by for event in record.parts.values())))
    checks = _check_evidence(entries, shown)
    if as_json:
        print_json(shown | {"checks": checks})
    else:
        who = {seat: names.get(player, player) for seat, player in enumerate(players)}
        for line in _lines(record, shown, checks, who, names):
            click.echo(sanitize(line))
    if not all(checks.values()):
        click.get_current_context().exit(WRONG)


def _find_dispute(entries: list[Entry], number: int) -> DisputeRecord:
    records = dispute_records(entries)
    if number > len(records):
        raise CannotAnswer(f"There is no dispute {number} in this game.")
    return records[number - 1]


def _check_evidence(entries: list[Entry], shown: dict[str, Any]) -> dict[str, bool]:
    """Return whether the evidence is this log, and whether each stored text matches its note."""
    checks: dict[str, bool] = {}
    ruling = shown["ruling"]
    if ruling is not None:
        size, root = ruling["evidence"]["size"], ruling["evidence"]["root"]
        checks["evidence is this log"] = size < len(entries) and entries[size].prev.hex() == root
    for part in ("opened", "ruling"):
        part_json = shown[part]
        if part_json is not None and part_json["text"] is not None:
            checks[f"text of the {part} part"] = note_of(part_json["salt"], part_json["text"]) == part_json["note"]
    return checks


def _lines(
    record: DisputeRecord, shown: dict[str, Any], checks: dict[str, bool], who: dict[int, str], names: dict[str, str]
) -> Iterator[str]:
    """Yield the dispute part by part; `who` has the names by seat, `names` those of users by id."""
    opened, *_ = record.parts.values()
    yield f"dispute {record.number} on hand {opened.data.hand}, {opened.data.kind}: {record.status}"
    for part, event in record.parts.items():
        yield f"{part}: event {event.version}, {event.at}, by {names.get(event.by, event.by)}"
        yield f"  {narrate(event.data, who)}"
        if isinstance(event.data, RulingGiven):
            evidence = event.data.evidence
            yield f"  based on a log of {evidence.size} events, root {evidence.root}"
        if shown[part]["erased"]:
            yield "  text: erased"
        elif shown[part]["text"] is not None:
            yield f"  text: {shown[part]['text']}"
    yield from (f"{what}: {'ok' if right else 'WRONG'}" for what, right in checks.items())


def _require_stored(game: str) -> str:
    """Return `game` if it names a game of the store; raise CannotAnswer if not."""
    if not is_stored(game):
        raise CannotAnswer(
            f"{game}: Give the board number or id of a stored game. Exports don't contain the texts of disputes."
        )
    return game


def _parse_text(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return the text if the HTTP API would accept it too."""
    if text is not None:
        try:
            APPEAL.load(parse_object(json.dumps({"text": text}).encode()))
        except (Problem, ValidationError):
            raise click.BadParameter(f"A text is one paragraph of 1 to {MAX_TEXT_LENGTH} characters.") from None
    return text


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.argument("decision", type=click.Choice(DECISIONS))
@click.option("--by", required=True, help="The name of the arbiter who decides.")
@click.option("--changes", help="With adjust: points for each seat, such as --changes=-1,2,-1.")
@click.option("--basis", help="A clause of the rules, such as S34 or R-C13; not checked.")
@click.option("--standard", type=click.Choice(STANDARDS), default=StandardOfProof.RECORDED.value, show_default=True)
@click.option("--text", callback=_parse_text, help="The reasons, stored beside the log. A ruling needs them.")
@data_option
def rule(game: str, number: int, decision: str, by: str, text: str | None, data: Path | None, **ruling: Any) -> None:
    """Rule on dispute NUMBER of GAME for an arbiter: none, adjust or void; or decide an appeal: upheld or reversed.

    A ruling (none, adjust or void) needs its reasons in --text. For the decision on an appeal, --text is optional.
    """
    config, game = load_config(data), _require_stored(game)
    require_games(config)
    if text is None and decision in tuple(Ruling):
        raise click.UsageError("A ruling needs its reasons: give them with --text.")
    changes = _parse_changes(ruling["changes"])
    if decision in tuple(AppealOutcome) and (changes or ruling["basis"]):
        raise click.UsageError("--changes and --basis are only for rulings: an appeal has neither.")
    with exit_on_store_errors(), closing(open_services(config)) as services:
        try:
            state, root = services.games.snapshot(game_id := resolve_game(services.accounts, game))
        except NoSuchGame as error:
            raise CannotAnswer(f"{game}: {error}") from None
        arbiter, evidence = _find_arbiter(services.accounts, by), Evidence(state.version, root)
        request_id = str(command_id(services.secret, arbiter, None, "", {}))
        note = "" if text is None else services.accounts.dispute_texts.save(game_id, request_id, text, arbiter)
        if decision in tuple(AppealOutcome):
            command: DisputeCommand = DecideAppeal(arbiter, number, decision)
        else:
            words = (ruling["basis"], ruling["standard"], evidence, note)
            command = GiveRuling(arbiter, number, decision, changes, *words)
        click.echo(_act(services.games, services.accounts, game_id, command, arbiter, request_id))


def _act(games: Games, accounts: Accounts, game: str, command: DisputeCommand, by: str, request_id: str) -> str:
    try:
        commit = games.act(game, command, by=by, command_id=request_id)
    except (Rejected, RaceLost) as refusal:
        accounts.dispute_texts.discard(request_id)
        raise CannotAnswer(str(refusal)) from None
    return f"event {commit.entries[0].event.version}: {commit.entries[0].event.fact}"


def _find_arbiter(accounts: Accounts, name: str) -> str:
    player = accounts.users.by_name(name)
    if player is None or not accounts.roles.has_any(player.id, roles.ARBITER):
        raise CannotAnswer(f"{name} isn't an arbiter. `trickbook user role {name} arbiter` gives a user this role.")
    return player.id


def _parse_changes(text: str | None) -> tuple[int, ...]:
    try:
        return () if text is None else tuple(int(each) for each in text.split(","))
    except ValueError:
        raise CannotAnswer("--changes needs whole numbers with commas, one for each seat, such as -1,2,-1.") from None


commands: list[click.Command] = [list_disputes, show, rule]
