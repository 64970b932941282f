"""`trickbook moderation`: the queue of reports, rulings, appeals and the signed log, for moderators and hosts."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from api.accounts.conduct.conduct_steps import REVERSED, STEP_KINDS, UPHELD
from api.accounts.users import User
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.histories import json_option, print_json
from api.cli.common.invalid_input import exit_on_invalid, load_fields
from api.cli.common.store_files import require_games
from api.cli.common.stored_accounts import require_moderator
from api.cli.conduct.log import log, verify
from api.http.conduct.json import report_json, step_json
from api.http.conduct.schemas import NEW_APPEAL_DECISION, NEW_CONDUCT_RULING, parse_until
from api.services.conduct.moderation import AlreadyClaimed, AlreadyJudged, ConductRuling, NoSuchCase, NotClaimed
from api.services.container import Services, open_services
from replay.text.sanitize import sanitize

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


def _names(services: Services, found: list[dict[str, Any]]) -> dict[str, str]:
    return services.accounts.users.names_of(each[part] for each in found for part in ("reporter", "about"))


def _report_line(report: dict[str, Any], names: Mapping[str, str]) -> str:
    about, reporter = (names.get(report[part], report[part]) for part in ("about", "reporter"))
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
def decide(step: str, decision: str, reason: str, by: str, data: Path | None) -> None:
    """Decide the appeal against STEP, as another moderator than the one who ruled."""
    load_fields(NEW_APPEAL_DECISION, {"decision": decision, "reason": reason})
    with _acting(data, by) as (services, moderator):
        services.conduct.moderation.decide(moderator.id, step, decision, reason)
    click.echo(f"{step}: {decision}")


moderation.add_command(log)
moderation.add_command(verify)
commands: list[click.Command] = [moderation]
