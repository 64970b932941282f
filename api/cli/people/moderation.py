"""`trickbook moderation`: the queue of reports, rulings, appeals and the signed log, for moderators and hosts.

The log is printed and checked also without the server's store.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from api.accounts.accounts import open_accounts
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.evidence_options import key_option
from api.cli.common.files import read_file
from api.cli.common.histories import json_option, print_json
from api.cli.common.invalid_input import exit_on_invalid, load_fields
from api.cli.common.stores import require_games, require_moderator, require_store
from api.conduct.services.moderation import AlreadyClaimed, AlreadyJudged, ConductRuling, NoSuchCase, NotClaimed
from api.conduct.services.schemas import (
    NEW_APPEAL_DECISION,
    NEW_CONDUCT_RULING,
    ReportCase,
    parse_until,
    report_json,
    step_json,
)
from api.conduct.stored.conduct_steps import REVERSED, STEP_KINDS, UPHELD, StepDecision
from api.conduct.stored.moderation_log import ModerationEntry, copy_findings, log_findings, moderation_origin
from api.container import Services, open_services
from api.evidence.services.keys import SigningKeys
from api.people.stored.users import User
from domain.protocols.merkle_log import canonical
from domain.protocols.signed_notes import Key
from replay.text.layout import sanitize

WRONG = 1
BLANKS = re.compile(r"[ \t\r\n]+")
MAX_LOG_SIZE = 256 * 1024 * 1024
NO_KEY = "Give the server's keys with --key: it publishes them at /.well-known/trickbook/keys."


@click.command()
@json_option
@data_option
def log(as_json: bool, data: Path | None) -> None:
    """Print the moderation log: a line of JSON for each entry with its signed note, the oldest first.

    With --json, print one object as GET /moderation/log answers. Keep the output: `trickbook moderation verify --copy
    FILE` shows later whether anything in it was changed.
    """
    entries, keys = _read_store(data)
    items = [{"number": each.number, "entry": json.loads(each.entry), "note": each.note} for each in entries]
    if as_json:
        origin = moderation_origin(keys[-1].name) if keys else None  # a store that was never served has no key
        print_json({"origin": origin, "items": items, "more": False})
        return
    for item in items:
        click.echo(json.dumps(item, ensure_ascii=False))


@click.command()
@click.option("--log", "log_file", metavar="FILE",
              help="Check this download of the log instead of the server's: the pages of GET /moderation/log, or an "
              "output of `trickbook moderation log`; - for standard input. Needs --key, and no store.")  # fmt: skip
@click.option("--copy", metavar="FILE", help="An earlier download or output of the log, which it must begin with.")
@key_option
@data_option
def verify(log_file: str | None, copy: str | None, keys: list[Key], data: Path | None) -> None:
    """Check numbers, roots and signatures of the moderation log, and that it begins with an earlier copy.

    Exit code 1 if something is wrong. Anybody can check a log that they downloaded: with --log and --key.

    \b
    Example:
      curl -s $URL/.well-known/trickbook/keys > keys.json
      curl -s "$URL/api/v1/moderation/log?limit=500" > log.json
      trickbook moderation verify --log log.json --key keys.json
    """
    entries, trusted = _read_file(log_file, keys) if log_file is not None else _read_store(data)
    findings = list(log_findings(entries, keys or trusted))
    earlier = None if copy is None else _read_copy(copy)
    findings += copy_findings(entries, earlier or ())
    for finding in findings:
        click.echo(finding)
    if findings:
        click.get_current_context().exit(WRONG)
    signer = "with a key that you gave" if keys else "by this server"
    click.echo(f"The moderation log is right: {len(entries)} entries, each signed {signer}.")
    if earlier is not None:
        click.echo(f"It begins with the {len(earlier)} entries of the copy.")


def _read_store(data: Path | None) -> tuple[list[ModerationEntry], list[Key]]:
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        keys = SigningKeys(accounts.database, accounts.secrets.folder)
        return list(accounts.moderation_log.entries()), keys.public_keys()


def _read_file(name: str, keys: list[Key]) -> tuple[list[ModerationEntry], list[Key]]:
    if not keys:
        raise CannotAnswer(NO_KEY)
    return _parse_log(name), keys


def _read_copy(name: str) -> list[ModerationEntry]:
    entries = _parse_log(name)
    if not entries:
        raise CannotAnswer(f"{name}: There is no entry in this copy of a moderation log, so it proves nothing.")
    return entries


def _parse_log(name: str) -> list[ModerationEntry]:
    """Return the entries in a file: pages as the server answers them, or an entry a line, or both."""
    try:
        values = list(_json_values(read_file(name, MAX_LOG_SIZE).decode("utf-8-sig")))
        items = [item for value in values for item in value.get("items", [value])]
        entries = [ModerationEntry(int(item["number"]), _canonical(item), str(item["note"])) for item in items]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise CannotAnswer(f"{name}: This isn't a moderation log, or a copy of one.") from None
    if not values:
        raise CannotAnswer(f"{name}: This file is empty, and no moderation log.")
    return entries


def _json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values that follow each other in a text."""
    decoder, at = json.JSONDecoder(), 0
    while (at := _skip_blanks(text, at)) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def _skip_blanks(text: str, at: int) -> int:
    found = BLANKS.match(text, at)
    return at if found is None else found.end()


def _canonical(item: Any) -> str:
    return canonical(item["entry"]).decode()


by_option = click.option("--by", required=True, metavar="NAME", help="The name of the moderator who acts.")
reason_option = click.option("--reason", required=True, help="One paragraph for the player; it can be erased.")


@click.group()
def moderation() -> None:
    """Judge reports of conduct and appeals, and check the moderation log. Each act needs a moderator: --by NAME."""


@contextmanager
def _acting(data: Path | None, name: str) -> Iterator[tuple[Services, User]]:
    """Yield the services and the moderator; raise CannotAnswer if an act is refused."""
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        try:
            yield services, require_moderator(services.accounts, name)
        except (NoSuchCase, AlreadyClaimed, NotClaimed, AlreadyJudged) as error:
            raise CannotAnswer(str(error)) from None


@moderation.command()
@by_option
@json_option
@data_option
def reports(by: str, as_json: bool, data: Path | None) -> None:
    """List the reports that wait for a ruling that this moderator may give, the oldest first."""
    with _acting(data, by) as (services, moderator):
        at = services.clock.now_us()
        found = [report_json(each, at) for each in services.conduct.moderation.queue(moderator.id)]
        names = _names(services, found)
    if as_json:
        print_json(found)
        return
    for each in found:
        click.echo(_report_line(each, names))


def _names(services: Services, found: list[ReportCase]) -> dict[str, str]:
    return services.accounts.users.names_of(player for each in found for player in (each["reporter"], each["about"]))


def _report_line(report: ReportCase, names: Mapping[str, str]) -> str:
    about, reporter = (names.get(player, player) for player in (report["about"], report["reporter"]))
    quoted = "" if report["quoted"] is None else f" (about the message: {report['quoted']})"
    words = (report["report"], report["at"], report["status"], f"{about}: {report['kind']}", f"by {reporter}")
    return _line(*words, f"{report['text'] or '(erased)'}{quoted}")


def _line(*parts: str) -> str:
    return "\t".join(map(sanitize, parts))


@moderation.command()
@click.argument("report")
@by_option
@data_option
def claim(report: str, by: str, data: Path | None) -> None:
    """Claim REPORT, so that no other moderator judges it for a day."""
    with _acting(data, by) as (services, moderator):
        services.conduct.moderation.claim(moderator.id, report)
    click.echo(f"{by} has claimed {report}")


@moderation.command()
@click.argument("report")
@click.argument("step", type=click.Choice(STEP_KINDS))
@click.option("--until", metavar="TIME", help="In UTC, such as 2026-12-24T00:00:00Z; for mute and suspend.")
@reason_option
@by_option
@data_option
def rule(report: str, step: str, until: str | None, reason: str, by: str, data: Path | None) -> None:
    """Rule on REPORT, which the moderator has claimed: none, warn, mute, suspend or ban."""
    fields = load_fields(NEW_CONDUCT_RULING, {"step": step, "until": until, "reason": reason})
    with _acting(data, by) as (services, moderator):
        with exit_on_invalid():
            end = None if until is None else parse_until(until, services.clock.now_us())
        ruling = ConductRuling(fields["step"], end, fields["reason"])
        made = services.conduct.moderation.rule(moderator.id, report, ruling)
    click.echo(f"{report}: {step}" + ("" if made is None else f", step {made}"))


@moderation.command()
@by_option
@json_option
@data_option
def appeals(by: str, as_json: bool, data: Path | None) -> None:
    """List the appeals that this moderator may decide, the oldest first: not those against their own rulings."""
    with _acting(data, by) as (services, moderator):
        steps = services.conduct.moderation.appeals(moderator.id)
        names = services.accounts.users.names_of(each.player for each in steps)
    if as_json:
        print_json([step_json(each) | {"player": each.player} for each in steps])
        return
    for each in steps:
        ruled = f"{each.kind}: {each.reason or '(erased)'}"
        click.echo(_line(each.id, names.get(each.player, each.player), ruled, each.appeal_text or "(erased)"))


@moderation.command()
@click.argument("step")
@click.argument("decision", type=click.Choice((UPHELD, REVERSED)))
@reason_option
@by_option
@data_option
def decide(step: str, decision: StepDecision, reason: str, by: str, data: Path | None) -> None:
    """Decide the appeal against STEP, as another moderator than the one who ruled."""
    load_fields(NEW_APPEAL_DECISION, {"decision": decision, "reason": reason})
    with _acting(data, by) as (services, moderator):
        services.conduct.moderation.decide(moderator.id, step, decision, reason)
    click.echo(f"{step}: {decision}")


moderation.add_command(log)
moderation.add_command(verify)
commands: list[click.Command] = [moderation]
