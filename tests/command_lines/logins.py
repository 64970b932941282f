"""Every kind of line that holds a name and a password."""

from collections.abc import Iterator

from api.lines.catalog import GAME_COMMANDS

MOVES = ("AD", "throw 2C 3D", "10c#45")
RESTS: dict[str, tuple[str, ...]] = {
    "signup": ("", "foo@example.org"),
    "add": ("", "foo@example.org"),
    "change password": ("another-one-2", "long-enough-1 another-one-2"),
    "change address": ("", "foo@example.org"),
    "code": ("12345678",),
    "signoff": ("",),
    "delete": ("",),
    "set": ("", "passwords on", "mail turn 12", "night 22:00-07:00"),
    "message": ("", "cat dan: a game tonight?", "cat : hi"),
    "broadcast": ("", "the server moves on Sunday"),
    **dict.fromkeys(("join", "leave", "cancel"), ("",)),
    "move": MOVES,
    "preview": MOVES,
    "submit": MOVES,
    "queue": ("", "off", "AD", "if diamonds led KD if spades led 2S"),
    **dict.fromkeys(("confirm", "undo", "propose", "accept", "reject", "claim", "resign"), ("",)),
    "chat": ("", "good luck"),
    "showas": ("", "12", "12#4 13", "next"),
    "dispute": (
        *("", "2 conduct somebody waited too long", "answer 1 I had no heart", "like 1", "withdraw 1"),
        *("rule 1 none S34 so it was", "rule 1 adjust points=-2,2 so it was"),
    ),
}
"""The words that may follow name and password, by command."""
WITHOUT_BOARD = ("set", "showas")


def lines_with_login(name: str, password: str, game: str = "pitch") -> Iterator[str]:
    """Yield lines that hold this name and password: whole ones, and as a player at a table writes them."""
    for command, rests in RESTS.items():
        for rest in rests:
            line = f"{name} {password} {rest}".strip()
            if command in GAME_COMMANDS and command not in WITHOUT_BOARD:
                yield f"{command} {line}"
                line = f"12 {line}"
            yield f"{command} {line}"
            if command in GAME_COMMANDS:
                yield f"{game.upper()} {command.upper()} {line}"
