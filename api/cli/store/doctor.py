"""`trickbook doctor` and `trickbook config`: a set-up, its settings, and what is wrong with it."""

import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.stores import require_games
from api.config import Config
from api.config.settings import SETTINGS
from api.container import open_services
from api.ops.doctor import Symptom, look_at_address, look_at_machine, look_at_stores, wrong
from replay.text.layout import sanitize


@click.command()
@click.option(
    "--limits", is_flag=True, help="Print the numbers of the limits, as a file that TRICKBOOK_LIMITS can name."
)
@data_option
def config(limits: bool, data: Path | None) -> None:
    """Print each setting with its meaning, as the environment and --data have it. Secrets are hidden.

    A setting is an environment variable. `trickbook serve` prints only those that aren't the usual ones.
    """
    settings = load_config(data)
    if limits:
        click.echo("\n".join(settings.to_numbers()))
        return
    for line, setting in zip(settings.to_lines(), SETTINGS.values(), strict=True):
        click.echo(f"# {setting.meaning}\n{line}")


FINE, WRONG, UNREADABLE = 0, 1, 2
VERDICTS = {FINE: "all is well", WRONG: "something is wrong", UNREADABLE: "a store can't be read"}


@click.command()
@data_option
@click.option("--url", help="The address that clients use, to look at the proxy in front of the server.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(data: Path | None, url: str | None, as_json: bool) -> None:
    """Say what is wrong with a set-up, and what to do: clock, disk, permissions, versions, proxies, keys, lists.

    Run it as the server's user, with the server's settings; the server may be running. Exit code 0 if all is well, 1
    if something is wrong, 2 if a setting is invalid or a store can't be read.
    """
    config = load_config(data)
    findings, code = _look_around(config, url)
    if as_json:
        shown = {"verdict": VERDICTS[code], "findings": [asdict(each) for each in findings]}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        width = max(len(each.part) for each in findings)
        for each in findings:
            click.echo(sanitize(f"{each.level:5}  {each.part:{width}}  {each.text}"))
        click.echo(f"verdict: {VERDICTS[code]}")
    sys.exit(code)


def _look_around(config: Config, url: str | None) -> tuple[list[Symptom], int]:
    """Return what was found, and the exit code."""
    findings, code = list(look_at_machine(config)), FINE
    try:
        require_games(config)
        with exit_on_store_errors(), closing(open_services(config)) as services:
            findings += look_at_stores(services)
    except CannotAnswer as error:
        findings.append(wrong("stores", str(error)))
        code = UNREADABLE
    if url is not None:
        findings += look_at_address(url, config)
    if code == FINE and any(each.level == "wrong" for each in findings):
        code = WRONG
    return findings, code


commands: list[click.Command] = [config, doctor]
