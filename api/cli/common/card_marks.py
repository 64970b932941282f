"""Cards as a terminal shows them: suit symbols, hearts and diamonds in red. Pipes and files get letters."""

import re
from collections.abc import Iterable, Iterator

import click
from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.style import Style

from replay.text import terminal

SYMBOLS = {"C": "\N{BLACK CLUB SUIT}", "D": "\N{BLACK DIAMOND SUIT}"}
SYMBOLS |= {"H": "\N{BLACK HEART SUIT}", "S": "\N{BLACK SPADE SUIT}"}
RED = Style(color="red")
STYLES = {"C": Style(), "D": RED, "H": RED, "S": Style()}
CARD = r"(?<![\w:+/-])(?P<rank>10|[2-9JQKA])(?P<suit>[CDHS])(?![\w:+/-])"
TRUMP = r"(?<=trump )(?P<trump>[CDHS])(?!\w)"
CELL = r"^(?P<cell>[CDHS])(?= *$)"


def is_plain() -> bool:
    """Return whether the user asked for plain text with --plain."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.find_root().params.get("plain", False))


def has_symbols(console: Console) -> bool:
    """Return whether the console is a terminal that can show suits."""
    return console.is_terminal and not console.is_dumb_terminal and console.encoding.startswith("utf")


def print_on_terminal(console: Console, shown: RenderableType, names: Iterable[str] = ()) -> None:
    """Print with suit symbols if the terminal has them; a player's name such as AS stays as it is."""
    if not has_symbols(console):
        console.print(shown)
        return
    pattern = _pattern(names)
    for line in console.render_lines(shown, pad=False):
        marked = [each for segment in line for each in _marked(segment, pattern)]
        console.print(Segments([*marked, Segment.line()]), end="")


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    known = sorted((re.escape(name) for name in names if name), key=len, reverse=True)
    named = [rf"(?<!\w)(?:{'|'.join(known)})(?!\w)"] if known else []
    return re.compile("|".join((*named, CARD, TRUMP, CELL)))


def _marked(segment: Segment, pattern: re.Pattern[str]) -> Iterator[Segment]:
    """Yield the parts of a segment, each card in the color of its suit; the parts are as wide as the segment."""
    text, style, place = segment.text, segment.style or Style(), 0
    for match in pattern.finditer(text):
        suit = match["suit"] or match["trump"] or match["cell"]
        if suit is None:
            continue
        yield Segment(text[place : match.start()], style)
        yield Segment(f"{match['rank'] or ''}{SYMBOLS[suit]}", style + STYLES[suit])
        place = match.end()
    yield Segment(text[place:], style)


def print_plain(shown: RenderableType) -> None:
    """Print plain text, as wide as it is."""
    click.echo(terminal.plain_text(shown), nl=False)
