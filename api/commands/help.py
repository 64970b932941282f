"""Help, made from the table of commands."""

from collections.abc import Mapping, Sequence

from api.commands.catalog import GAME_COMMANDS, SERVER_COMMANDS, Command, usage
from api.commands.options import option_lines
from api.commands.text.layout import columns
from domain.rules.variants import VARIANTS

MOVES = (
    "A move is a bid (3, bid 3, pass, smudge in Pitch), a card (AD, 10c, A♦, play AD), hearts, throw 2C 3D, call KH,"
    " delay 2, guilty, not guilty, or change dirty:on."
)
MOVE_WORDS = frozenset(
    ("moves", "bid", "pass", "smudge", "card", "cards", "play", "suit", "throw", "call", "delay", "guilty", "not")
)
SIGNED_IN = "With a token, leave out userid and password. Case matters in names and passwords alone."


def help_text(variant: str | None, subjects: Sequence[str]) -> str:
    """Return help about subjects: commands, games, or nothing for all commands."""
    if variant is not None and not subjects:
        return _game_help(variant)
    if not subjects or tuple(subjects) == ("commands",):
        return _all_commands()
    return "\n\n".join(_subject(subject, variant) for subject in subjects[:4])


def _all_commands() -> str:
    lines = ["Commands of the server:", *_listed(SERVER_COMMANDS, None)]
    lines += [f"Commands of each game ({', '.join(VARIANTS)}), after its name:", *_listed(GAME_COMMANDS, "game")]
    return "\n".join([*lines, "", MOVES, SIGNED_IN, "help challenge explains one command, help pitch a game."])


def _listed(commands: Mapping[str, Command], variant: str | None) -> list[str]:
    return [f"  {usage(command, variant)}" for command in commands.values()]


def _subject(subject: str, variant: str | None) -> str:
    if subject in VARIANTS:
        return _game_help(subject)
    if subject in MOVE_WORDS:
        return MOVES
    found = [
        _command_help(command, game)
        for commands, game in ((SERVER_COMMANDS, None), (GAME_COMMANDS, variant or "pitch"))
        for command in commands.values()
        if subject in (command.name, *command.aliases)
    ]
    return "\n\n".join(found) or f"There is no help about {subject[:40]!a}. Write help for a list of commands."


def _command_help(command: Command, variant: str | None) -> str:
    lines = [usage(command, variant), f"  {command.help}"]
    lines += [f"  It can also be written {' or '.join(command.aliases)}."] if command.aliases else []
    lines.append(f"  Example: {command.example.format(game=variant or 'pitch')}")
    if command.takes_options and variant is not None:
        lines += ["  Options:", *(f"    {line}" for line in columns(option_lines(variant)))]
    return "\n".join(lines)


def _game_help(variant: str) -> str:
    found = VARIANTS[variant]
    lines = [found.title, found.summary, f"The rules are on the page /rules/{variant}.", "", "Commands:"]
    lines += _listed(GAME_COMMANDS, variant)
    lines += ["", f"Options of {variant} challenge:", *(f"  {line}" for line in columns(option_lines(variant)))]
    return "\n".join([*lines, "", MOVES, SIGNED_IN])
