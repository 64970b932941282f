"""What `help` says in the terminal, and the words that only the terminal knows."""

from collections.abc import Mapping

LOCAL_WORDS: Mapping[str, str] = {
    "help chat": "explain a command; help alone is this",
    "boards": "list your boards",
    "go 12": "go to board 12",
    "next": "go to the next board that waits for you",
    "new [game]": "take a free seat, or open a table with bots",
    "start": "fill the free seats of your table with bots",
    "quit": "leave the terminal; the game goes on",
}
USUAL_LINES: Mapping[str, str] = {
    "AD, 10c, A♦": "play a card: C D H S are the suits, [ ] marks legal cards",
    "3, pass, smudge": "bid",
    "undo": "take back your last move",
    "chat good luck": "write to the table",
    "queue AD": "keep a move until your turn comes",
    "hand": "how the last hand was scored",
    "show 123": "show another board",
    "resign": "leave the game for good",
}
KEYS: Mapping[str, str] = {
    "Tab": "complete a move or a word",
    "Up, Down": "earlier lines",
    "PageUp, PageDown": "earlier news",
    "Ctrl-C": "cancel the line; twice: quit",
    "Ctrl-D": "quit",
}


def help_text(variant: str) -> str:
    """Return how to play in the terminal."""
    width = max(map(len, (*LOCAL_WORDS, *USUAL_LINES, *KEYS)))
    parts = [("Write a line, then Enter. A slash before it does no harm.", USUAL_LINES)]
    parts += [("Words of this terminal:", LOCAL_WORDS), ("Keys:", KEYS)]
    lines = [line for title, rows in parts for line in (title, *_rows(rows, width))]
    return "\n".join([*lines, f"Write help {variant or 'pitch'} for the commands of this game."])


def _rows(rows: Mapping[str, str], width: int) -> list[str]:
    return [f"  {name.ljust(width)}  {text}" for name, text in rows.items()]
