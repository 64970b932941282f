"""Disputes from the command line, for who runs the server: the queue, a dispute with its evidence, rulings."""

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
from api.cli.common.store_files import check_games
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


@click.command()
@data_option
@json_option
def disputes(data: Path | None, as_json: bool) -> None:
    """List the disputes of all games that wait for an arbiter, the longest waiting first; 500 at most."""
    config = load_config(data)
    check_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        with services.rows.snapshot("disputes") as reading:
            page = waiting_disputes(reading, None, MAX_PAGE)
    if as_json:
        return print_json(page["items"])
    table = terminal.make_table(*TABLE_HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *(item[name] for name in TABLE_FIELDS))
    print_rich(table if page["items"] else terminal.text_line("no dispute waits for an arbiter"))
    if page["next"] is not None:
        click.echo(f"and more: these are the {MAX_PAGE} that have waited longest", err=True)
    return None


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--erase", is_flag=True, help="Erase what was said in it; the facts stay.")
@data_option
@json_option
def dispute(game: str, number: int, erase: bool, data: Path | None, as_json: bool) -> None:
    """Show dispute NUMBER of GAME: facts, what was said, and whether the evidence of its ruling is this log.

    GAME is one of the store, by board number or id: what was said is kept beside the log, and in no export. Exit code 1
    where the evidence is of another log, or where a text is not the one its note was made of.
    """
    with open_stores(load_config(data), _require_stored(game)) as (accounts, games):
        entries = games.entries(game_id := resolve_game(accounts, game))
        contest = _find_dispute(entries, number)
        if erase:
            click.echo(f"{accounts.dispute_texts.erase(contest.commands)} texts erased")
            return
        shown = records_with_texts(accounts.dispute_texts, [contest])[0]
        players = [seat.player for seat in games.state(game_id).seats]
        names = accounts.users.names_of((*players, *(event.by for event in contest.parts.values())))
    checks = _check_evidence(entries, shown)
    if as_json:
        print_json(shown | {"checks": checks})
    else:
        who = {seat: names.get(player, player) for seat, player in enumerate(players)}
        for line in _lines(contest, shown, checks, who, names):
            click.echo(sanitize(line))
    if not all(checks.values()):
        click.get_current_context().exit(WRONG)


def _find_dispute(entries: list[Entry], number: int) -> DisputeRecord:
    all_of_them = dispute_records(entries)
    if number > len(all_of_them):
        raise CannotAnswer(f"there is no dispute {number} in this game")
    return all_of_them[number - 1]


def _check_evidence(entries: list[Entry], shown: dict[str, Any]) -> dict[str, bool]:
    """Whether the evidence is this log, and whether each text that is kept is the one its note was made of."""
    said: dict[str, bool] = {}
    ruling = shown["ruling"]
    if ruling is not None:
        size, root = ruling["evidence"]["size"], ruling["evidence"]["root"]
        said["evidence is this log"] = size < len(entries) and entries[size].prev.hex() == root
    for part in ("opened", "ruling"):
        told = shown[part]
        if told is not None and told["text"] is not None:
            said[f"text of the {part} part"] = note_of(told["salt"], told["text"]) == told["note"]
    return said


def _lines(
    contest: DisputeRecord, shown: dict[str, Any], checks: dict[str, bool], who: dict[int, str], names: dict[str, str]
) -> Iterator[str]:
    """The dispute part by part; `who` sits at the table, `names` are those of users."""
    opened, *_ = contest.parts.values()
    yield f"dispute {contest.number} on hand {opened.data.hand}, {opened.data.kind}: {contest.status}"
    for part, event in contest.parts.items():
        yield f"{part}: event {event.version}, {event.at}, by {names.get(event.by, event.by)}"
        yield f"  {narrate(event.data, who)}"
        if isinstance(event.data, RulingGiven):
            evidence = event.data.evidence
            yield f"  judged by a log of {evidence.size} events, root {evidence.root}"
        if shown[part]["erased"]:
            yield "  what was said has been erased"
        elif shown[part]["text"] is not None:
            yield f"  said: {shown[part]['text']}"
    yield from (f"{what}: {'ok' if right else 'WRONG'}" for what, right in checks.items())


def _require_stored(game: str) -> str:
    """Return `game` if it names a game of the store; raise CannotAnswer if not."""
    if not is_stored(game):
        raise CannotAnswer(
            f"{game}: give the board number or id of a stored game. Files don't hold the texts of disputes."
        )
    return game


def _parse_text(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """What HTTP would take as a text, too."""
    if text is not None:
        try:
            APPEAL.load(parse_object(json.dumps({"text": text}).encode()))
        except (Problem, ValidationError):
            raise click.BadParameter(f"a text is one paragraph of 1 to {MAX_TEXT_LENGTH} characters") from None
    return text


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.argument("decision", type=click.Choice(DECISIONS))
@click.option("--by", required=True, help="The name of the arbiter whose word it is.")
@click.option("--changes", help="With adjust: points for each seat, like --changes=-1,2,-1.")
@click.option("--basis", help="A clause of the rules, such as S34 or R-C13; it is taken as given.")
@click.option("--standard", type=click.Choice(STANDARDS), default=StandardOfProof.RECORDED.value, show_default=True)
@click.option("--text", callback=_parse_text, help="The reasons, stored beside the log. A ruling needs them.")
@data_option
def rule(game: str, number: int, decision: str, by: str, text: str | None, data: Path | None, **ruling: Any) -> None:
    """Rule on dispute NUMBER of GAME for an arbiter: none, adjust or void; or on an appeal: upheld or reversed.

    A ruling is given with its grounds: none, adjust and void take --text. The word on an appeal may have one.
    """
    config, game = load_config(data), _require_stored(game)
    check_games(config)
    if text is None and decision in tuple(Ruling):
        raise click.UsageError("a ruling is given with its grounds: say them with --text")
    changes = _parse_changes(ruling["changes"])
    if decision in tuple(AppealOutcome) and (changes or ruling["basis"]):
        raise click.UsageError("--changes and --basis are for rulings: an appeal is upheld or reversed as a whole")
    with exit_on_store_errors(), closing(open_services(config)) as services:
        try:
            state, root = services.games.snapshot(game_id := resolve_game(services.accounts, game))
        except NoSuchGame as error:
            raise CannotAnswer(f"{game}: {error}") from None
        arbiter, evidence = _find_arbiter(services.accounts, by), Evidence(state.version, root)
        request_id = str(command_id(services.secret, arbiter, None, "", {}))
        note = "" if text is None else services.accounts.dispute_texts.save(game_id, request_id, text)
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
        raise CannotAnswer(f"{name} is no arbiter here; `trickbook user role {name} arbiter` makes one of a user")
    return player.id


def _parse_changes(text: str | None) -> tuple[int, ...]:
    try:
        return () if text is None else tuple(int(each) for each in text.split(","))
    except ValueError:
        raise CannotAnswer("--changes are whole numbers with commas between, one for each seat, like -1,2,-1") from None


commands: list[click.Command] = [disputes, dispute, rule]
