"""Bounded reading of the files that users name: no device, pipe or endless line fills the memory."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from api.cli.common.config import CannotAnswer
from replay.history.bundle import is_header

MIB = 1024 * 1024
MAX_LINE_BYTES = MIB
MAX_GAME_MIB = 256
"""The default for `--max-game-mib`."""
NO_FILE = "There is no file of this name."
STANDARD_INPUT = "standard input"
KINDS = {
    stat.S_IFIFO: "a pipe; to read from a pipe, name the file -",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@contextmanager
def open_file(name: str, missing: str = NO_FILE) -> Iterator[BinaryIO]:
    """Open a regular file, or standard input for `-`; raise CannotAnswer if it can't be read."""
    try:
        if name == "-":
            yield sys.stdin.buffer
            return
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # without waiting for a writer
            kind = KINDS.get(stat.S_IFMT(os.fstat(file.fileno()).st_mode))
            if kind is not None:
                raise CannotAnswer(f"{name}: This is {kind}.")
            yield file
    except FileNotFoundError:
        raise CannotAnswer(f"{name}: {missing}") from None
    except OSError as error:
        raise CannotAnswer(f"{name}: {error.strerror}") from None
    except ValueError as error:
        raise CannotAnswer(f"{_shown(name)}: {error}") from None


def read_file(name: str, max_bytes: int) -> bytes:
    """Return a file of at most `max_bytes`, or standard input for `-`; raise CannotAnswer for a longer one."""
    with open_file(name) as file:
        read = file.read(max_bytes + 1)
    if len(read) > max_bytes:
        raise CannotAnswer(f"{_shown(name)}: This is longer than the {max_bytes // MIB} MiB that the command reads.")
    return read


def bounded_lines(name: str, file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file of games. Raise CannotAnswer for a line or a game that is too long."""
    context = click.get_current_context(silent=True)
    max_mib = MAX_GAME_MIB if context is None else context.find_root().params.get("max_game_mib", MAX_GAME_MIB)
    held = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise CannotAnswer(f"{_shown(name)}: This isn't an export: it has a line of more than 1 MiB.")
        held = len(line) if is_header(line) else held + len(line)
        if held > max_mib * MIB:
            hint = f"`trickbook --max-game-mib {2 * max_mib} ...` reads larger ones"
            raise CannotAnswer(f"{_shown(name)}: A game in it is larger than {max_mib} MiB; {hint}.")
        yield line


def _shown(name: str) -> str:
    return STANDARD_INPUT if name == "-" else name
