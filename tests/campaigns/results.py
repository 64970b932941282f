"""How each campaign prints what its parts found, and how to repeat the run."""

import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from typing import NoReturn

import click

MOST_FAULTS = 20


class Results:
    """Prints a part after the other, and ends the program with exit code 1 if one of them isn't as it should be."""

    def __init__(self, campaign: str, seed: object) -> None:
        self._again = f"python -m tests.campaigns.{campaign} {shlex.join(sys.argv[1:])}".rstrip()
        self._again += "" if "--seed" in self._again else f" --seed {shlex.quote(str(seed))}"
        self._began, self._wrong = time.monotonic(), 0

    def show(self, title: str, lines: Iterable[str], faults: Sequence[str], *, loses: bool = False) -> None:
        """Print a part. If it `loses`, it's a control, in which the checks must find something."""
        took_s, self._began = time.monotonic() - self._began, time.monotonic()
        click.echo(f"{title}, {took_s:.0f} s: {len(faults)} faults")
        for line in filter(None, lines):
            click.echo(f"  {line}")
        for fault in faults[:MOST_FAULTS]:
            click.echo(f"  {'found, as it must be' if loses else 'wrong'}: {fault[:1000]}")
        if loses and not faults:
            click.echo("  wrong: nothing was found in the control; if it's too short to judge, let it run longer")
        self._wrong += bool(faults) is not loses

    def end(self) -> NoReturn:
        """Print the verdict, and how to repeat the run."""
        click.echo(f"{self._wrong} parts are wrong" if self._wrong else "nothing is wrong")
        click.echo(f"to repeat: {self._again}")
        sys.exit(1 if self._wrong else 0)
