"""Reads a line: the first word is a game or a command, and the command reads the rest into a request."""

from collections.abc import Mapping, Sequence

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, Command, usage
from api.lines.requests import CommandRequest
from api.lines.words import NotACommand, Words, split_line
from domain.rules.variants import KNOWN, VARIANTS


def parse_line(line: str, caller: str | None = None) -> tuple[Command, CommandRequest]:
    """Return the command that a line names, and its request. Raise NotACommand, which says what you can write.

    `caller` is the name of the user whose token comes with the line; with it the line needs no name and password.
    """
    words = split_line(line)
    if not words:
        raise NotACommand("The line is empty. Write help for a list of commands.")
    variant = words[0].lower() if words[0].lower() in KNOWN else None
    if variant is None:
        return _parse(words, "", None, SERVER_COMMANDS, caller)
    if len(words) == 1:
        raise NotACommand(f"Write a command after {variant}: {', '.join(GAME_COMMANDS)}.")
    return _parse(words[1:], variant + " ", variant, GAME_COMMANDS, caller)


def _parse(
    words: Sequence[str], prefix: str, variant: str | None, commands: Mapping[str, Command], caller: str | None
) -> tuple[Command, CommandRequest]:
    command = find_command(words[0], commands)
    rest = list(words[1:])
    if command.two_words:
        rest = _second_word(command, prefix, rest)
    if not command.takes_options and (option := next((word for word in rest if _is_option(word)), None)):
        raise NotACommand(f"{prefix}{command.name} takes no option {option[:40]!r}. Write: {usage(command, variant)}")
    taken = Words(rest, usage(command, variant), caller)
    request = command.read(taken, variant)
    taken.end()
    return command, request


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and not word[1:].isdigit()


def _second_word(command: Command, prefix: str, rest: Sequence[str]) -> list[str]:
    """Return the words after `show` of `all show`; the second word of `change` stays."""
    if not rest or rest[0].lower() not in command.two_words:
        raise NotACommand(f"Write {' or '.join(f'{prefix}{command.name} {word}' for word in command.two_words)}.")
    return list(rest) if len(command.two_words) > 1 else list(rest[1:])


def find_command(word: str, commands: Mapping[str, Command]) -> Command:
    """Return the command with this name or alias. Raise NotACommand with the list of commands."""
    name = word.lower() if word.isascii() else word
    for command in commands.values():
        if name == command.name or name in command.aliases:
            return command
    if commands is SERVER_COMMANDS and any(name in (each.name, *each.aliases) for each in GAME_COMMANDS.values()):
        raise NotACommand(f"Write the game first: {', '.join(f'{variant} {name}' for variant in VARIANTS)}.")
    if commands is GAME_COMMANDS and name in SERVER_COMMANDS:
        whole = usage(SERVER_COMMANDS[name], None)
        raise NotACommand(f"{name} takes no game. Write: {whole}; in a terminal, trickbook line {name} ...")
    known = [*commands, *(() if commands is GAME_COMMANDS else VARIANTS)]
    raise NotACommand(f"There is no command {word[:40]!a}. Write one of: {', '.join(known)}.")
