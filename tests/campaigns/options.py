"""The options of the campaign programs: a parser whose help shows each default, and ends with examples."""

import argparse
from collections.abc import Callable, Mapping

DEFAULT = "(default: %(default)s)"
"""What the help text of an option with a value ends with."""
EXIT_CODES = "The exit code is 0 if all is as it should be, 1 if something is wrong, and 2 if an option is unknown."


def campaign_parser(
    module: str, description: str | None, examples: Mapping[str, str], more: str = ""
) -> argparse.ArgumentParser:
    """Return the parser of `python -m MODULE`. `examples` has options, and what a run with them does.

    `more` comes before the examples.
    """
    command = f"python -m {module}"
    shown = "\n".join(f"  {command} {options}\n      {does}" for options, does in examples.items())
    return argparse.ArgumentParser(
        prog=command,
        description=description,
        epilog="\n\n".join(part for part in (more, f"examples:\n{shown}", EXIT_CODES) if part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_seed(parser: argparse.ArgumentParser, default: int) -> None:
    """Add `--seed` with a number."""
    what = f"a number that decides what the run draws; the same one draws the same again {DEFAULT}"
    parser.add_argument("--seed", type=int, default=default, metavar="N", help=what)


def at_least(least: int) -> Callable[[str], int]:
    """Return a type for options: a whole number that isn't below `least`."""

    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return int(text)

    return number
