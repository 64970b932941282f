"""Pieces of text with the name of a style, and lines of them: cut, wrapped and padded by columns of a terminal."""

import re
from collections.abc import Collection, Iterable, Iterator

from prompt_toolkit.utils import get_cwidth

from api.cli.common.card_marks import SYMBOLS
from replay.text.layout import sanitize

Fragment = tuple[str, str]
"""A style and a text without control characters, as prompt_toolkit takes them."""
Line = list[Fragment]
CARD = re.compile(r"(?<![\w:+/-])(?<!a card like )(10|[2-9JQKA])([CDHS])(?![\w:+/-])")
"""A card in a sentence, unless the sentence says how to write one."""
STYLES = {suit: f"class:suit-{suit.lower()}" for suit in SYMBOLS}
ELLIPSIS = "…"


def text_fragment(text: str, style: str = "") -> Fragment:
    """Return untrusted text as a fragment: without control characters."""
    return style, sanitize(text)


def card_fragment(card: str, style: str = "") -> Fragment:
    """Return a card with the symbol and the color of its suit; a joker as it is."""
    match = CARD.fullmatch(card)
    if match is None:
        return text_fragment(card, style)
    return f"{style} {STYLES[match[2]]}".strip(), match[1] + SYMBOLS[match[2]]


def with_cards(text: str, style: str = "", names: Collection[str] = ()) -> Line:
    """Return a sentence of the server or of this program with its cards as symbols; a name such as AS stays."""
    line, place = list[Fragment](), 0
    for match in CARD.finditer(text):
        if match[0] in names:
            continue
        line += [text_fragment(text[place : match.start()], style), card_fragment(match[0], style)]
        place = match.end()
    return [each for each in (*line, text_fragment(text[place:], style)) if each[1]]


def line_width(line: Iterable[Fragment]) -> int:
    """Return the columns that a line takes."""
    return sum(get_cwidth(text) for _, text in line)


def cut_text(text: str, width: int) -> str:
    """Return a text in at most `width` columns, with … at the end of one that was cut."""
    if get_cwidth(text) <= width:
        return text
    kept = ""
    for each in text:
        if get_cwidth(kept) + get_cwidth(each) >= width:
            break
        kept += each
    return (kept + ELLIPSIS)[:width] if width > 0 else ""


def cut_line(line: Line, width: int) -> Line:
    """Return a line in at most `width` columns."""
    kept, left = list[Fragment](), width
    for style, text in line:
        if left <= 0:
            break
        part = cut_text(text, left)
        kept.append((style, part))
        left -= get_cwidth(part)
    return kept


def pad_line(line: Line, width: int) -> Line:
    """Return a line with blanks up to `width` columns."""
    return [*line, ("", " " * max(width - line_width(line), 0))]


def wrap_line(line: Line, width: int, indent: str = "") -> list[Line]:
    """Return a line as lines of at most `width` columns, broken at blanks; all but the first begin with `indent`."""
    rows, row = list[Line](), Line()
    for word in _words(line, max(width - get_cwidth(indent), 1)):
        is_blank = all(text == " " for _, text in word)
        if row and not is_blank and line_width(row) + line_width(word) > width:
            rows.append(row)
            row = [("", indent)] if indent else []
        row += word
    return [*rows, row]


def _words(line: Line, widest: int) -> Iterator[Line]:
    """Yield the blanks and the words of a line, which may have several styles; one that is too wide comes in parts."""
    word = Line()
    for style, text in line:
        for part in re.findall(r" |[^ ]+", text):
            if part == " ":
                yield from _parts(word, widest)
                yield [(style, part)]
                word = Line()
            else:
                word.append((style, part))
    yield from _parts(word, widest)


def _parts(word: Line, widest: int) -> Iterator[Line]:
    if line_width(word) <= widest:
        yield from [word] if word else []
        return
    part = Line()
    for style, text in word:
        for each in text:
            if part and line_width(part) + get_cwidth(each) > widest:
                yield part
                part = Line()
            part.append((style, each))
    yield part
