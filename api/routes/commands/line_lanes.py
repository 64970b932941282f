"""The lane of a command line: lines that read much or hash a password run where they slow no move.

This runs before anything has checked the request, so any body gets a lane.
"""

import json
from collections.abc import Sequence

from api.commands.catalog import GAME_COMMANDS, SERVER_COMMANDS
from api.commands.grammar import find_command
from api.commands.requests import WHICH
from api.commands.words import NotACommand, parse_board
from api.routes.lanes import Lane
from domain.rules.variants import VARIANTS

COMMANDS_ENDPOINT = "commands.run"
HEAVY = frozenset(
    ("all", "audit", "dispute", "games", "hand", "history", "list", "multiple", "ratings", "standings", "transcript")
)
"""Commands that read whole games or long lists, or carry out several lines."""
BOARD_COMMANDS = ("show", "showas")
HASHES = frozenset(("change", "delete", "signoff", "signup"))
"""Commands that hash a password, whatever comes with the line."""
WITHOUT_PASSWORD = frozenset(("help", "show"))
"""Commands that take no password. The others hash one in a line without a token."""
MOST_WORDS = 64
MOST_PARSED = 8 * 1024
"""How long a body may be that is parsed here, in the one loop that receives requests."""


def lane_of_line(body: bytes, *, has_token: bool) -> Lane:
    """Return `heavy` for a line that reads much, `login` for one that hashes a password, and otherwise `light`.

    A line with a long text below it is heavy, too.
    """
    if len(body) > MOST_PARSED:
        return "heavy"
    return lane_of_text(_first_line(body), has_token=has_token)


def lane_of_text(line: str, *, has_token: bool) -> Lane:
    """Return the lane of a line that has been read."""
    words = line.split(maxsplit=MOST_WORDS)
    variant = words[0].lower() in VARIANTS if words else False
    rest = words[1:] if variant else words
    if not rest:
        return "light"
    try:
        name = find_command(rest[0], GAME_COMMANDS if variant else SERVER_COMMANDS).name
    except NotACommand:
        return "light"
    if name in HEAVY or (name in BOARD_COMMANDS and _shows_much(rest[1:])):
        return "heavy"
    return "login" if name in HASHES or not (has_token or name in WITHOUT_PASSWORD) else "light"


def _shows_much(words: Sequence[str]) -> bool:
    """Return whether a line shows several boards, or one as it was; `showas` may begin with a name and a password."""
    boards = [board for board in map(parse_board, words) if board is not None]
    return len(boards) != 1 or boards[0].at is not None or any(word.lower() in WHICH for word in words)


def _first_line(body: bytes) -> str:
    """Return the line of a JSON object, or the first line of a text."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return body.partition(b"\n")[0].decode(errors="replace")
    line = found.get("line") if isinstance(found, dict) else None
    return line if isinstance(line, str) else ""
