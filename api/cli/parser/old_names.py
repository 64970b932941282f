"""The names that commands had before version 0.2. They still work in this version, with a note on standard error."""

import re
from collections.abc import Sequence
from pathlib import Path

from api.cli.parser.catalog import commands_of

OLD_NAMES = {
    "show": "game show",
    "replay": "hand replay",
    "audit": "game audit",
    "rejudge": "game rejudge",
    "legal": "game legal",
    "revokes": "hand revokes",
    "deal": "hand deal",
    "draws": "game draws",
    "score": "game score",
    "clock": "game clock",
    "sight": "game sight",
    "commits": "game commits",
    "compare": "game compare",
    "branch": "hand branch",
    "export": "game export",
    "transcript": "game transcript",
    "verify": "game verify",
    "receipts": "receipt compare",
    "proof": "receipt proof",
    "check": "store check",
    "backup": "store backup",
    "restore": "store restore",
    "seal": "hand seal",
    "disputes": "dispute list",
    "rule": "dispute rule",
    "init": "store init",
    "migrate": "store migrate",
    "rebuild": "store rebuild",
    "reshard": "store reshard",
    "quarantine": "store quarantine",
    "server-clock": "store clock",
}
"""The new name of each command that had another one."""
NOW_GROUPS = {"receipt": "receipt print", "dispute": "dispute show"}
"""Commands whose old name is now the name of a group."""
NOTE = "note: `trickbook {old}` is `trickbook {new}` now. The old name goes in the next version."
GAME = re.compile(r"\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A board or an id."""
HELP = ("-h", "--help")


def current_name(arguments: Sequence[str]) -> str | None:
    """Return the new name of the command that `arguments` call by its old one; None if they don't."""
    if not arguments:
        return None
    name, first = arguments[0], arguments[1] if len(arguments) > 1 else None
    if name not in NOW_GROUPS:
        return OLD_NAMES.get(name)
    if first is None or first in commands_of(name):
        return None
    return NOW_GROUPS[name] if _belongs_to_old_name(first) else None


def _belongs_to_old_name(first: str) -> bool:
    """Tell whether an argument is a board, an id, a path, standard input, or an option of the command."""
    is_option = first.startswith("-") and first not in HELP
    return is_option or "." in first or "/" in first or bool(GAME.fullmatch(first)) or Path(first).exists()
