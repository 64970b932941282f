"""Commands that take something away ask first; scripts add `--yes`."""

import click

from api.cli.common.config import CannotAnswer

yes_option = click.option("--yes", is_flag=True, help="Don't ask.")


def ask(question: str, *, yes: bool) -> None:
    """Raise CannotAnswer unless `yes`, or unless the answer to the question is."""
    try:
        agreed = yes or click.confirm(question, err=True)
    except click.Abort:
        agreed = False
    if not agreed:
        raise CannotAnswer("Nothing has changed. Answer y, or add --yes.")
