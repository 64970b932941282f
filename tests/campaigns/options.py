"""The options of the campaign programs: a parser whose help shows each default, and ends with examples."""

import argparse
from collections.abc import Callable, Mapping

DEFAULT = "(default: %(default)s)"
"""The end of the help text of an option with a value."""
EXIT_CODES = "The exit code is 0 if all is as it should be, 1 if something is wrong, and 2 if an option is unknown."


def campaign_parser(
    module: str,
    description: str | None,
    examples: Mapping[str, str],
    more: str = "",
    seed: int | str | None = None,
    numbers: Mapping[str, tuple[float, str]] = {},
) -> argparse.ArgumentParser:
    """Return the parser of `python -m MODULE`. `examples` has options, and what a run with them does.

    `more` comes before the examples. `numbers` are options by name, with the default and the help of each.
    """
    command = f"python -m {module}"
    shown = "\n".join(f"  {command} {options}\n      {does}" for options, does in examples.items())
    parser = argparse.ArgumentParser(
        prog=command,
        description=description,
        epilog="\n\n".join(part for part in (more, f"examples:\n{shown}", EXIT_CODES) if part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if seed is not None:
        what = f"decides what the run draws; the same one draws the same again {DEFAULT}"
        parser.add_argument("--seed", type=type(seed), default=seed, metavar="N", help=what)
    for name, (default, what) in numbers.items():
        option, kind = f"--{name.replace('_', '-')}", at_least_0(type(default))
        parser.add_argument(option, type=kind, default=default, metavar="N", help=f"{what} {DEFAULT}")
    return parser


def at_least_0(kind: Callable[[str], float]) -> Callable[[str], float]:
    """Return a type for options: a number that isn't below 0."""

    def number(text: str) -> float:
        if kind(text) < 0:
            raise argparse.ArgumentTypeError(f"{text} is less than 0")
        return kind(text)

    return number
