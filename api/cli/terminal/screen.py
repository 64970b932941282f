"""The whole screen but the prompt, as lines of fragments: a function of the model, the size and the time."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from prompt_toolkit.utils import get_cwidth

from api.cli.common.card_marks import SYMBOLS
from api.cli.terminal.model import FORMING, EntryKind, LogEntry, TerminalModel, is_own_turn, player_name, seat_names
from domain.rules.variants import KNOWN
from projections.moves.text_moves import move_text
from replay.text.board import bid_text, legal_text, question_lines, seat_notes, table_lines
from replay.text.layout import in_words, sanitize

Fragment = tuple[str, str]
"""A style and a text without control characters, as prompt_toolkit takes them."""
Line = list[Fragment]
CARD = re.compile(r"(?<![\w:+/-])(?<!a card like )(10|[2-9JQKA])([CDHS])(?![\w:+/-])")
"""A card in a sentence, unless the sentence says how to write one."""
CARD_STYLES = {suit: f"class:suit-{suit.lower()}" for suit in SYMBOLS}
ELLIPSIS = "…"


def text_fragment(text: str, style: str = "") -> Fragment:
    """Return untrusted text as a fragment: without control characters."""
    return style, sanitize(text)


def card_fragment(card: str, style: str = "") -> Fragment:
    """Return a card with the symbol and the color of its suit; a joker as it is."""
    match = CARD.fullmatch(card)
    if match is None:
        return text_fragment(card, style)
    return f"{style} {CARD_STYLES[match[2]]}".strip(), match[1] + SYMBOLS[match[2]]


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


MINUTE, HOUR, DAY = 60, 3600, 86_400


def time_left(deadline: str, now: datetime) -> str:
    """Return the time until a deadline: `6 days 23 h left`, `3 h 20 min left`, `4:59 left`, or `out of time`."""
    try:
        until = datetime.fromisoformat(deadline)
    except ValueError:
        return "until an unknown time"
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    seconds = int((until - now).total_seconds())
    if seconds < 0:
        return "out of time"
    return f"{_span(seconds)} left"


def _span(seconds: int) -> str:
    if seconds >= DAY:
        days = seconds // DAY
        return f"{days} {'day' if days == 1 else 'days'} {seconds % DAY // HOUR} h"
    if seconds >= HOUR:
        return f"{seconds // HOUR} h {seconds % HOUR // MINUTE} min"
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"


NARROW = 60
"""Below that many columns, headings and notes are short."""
HEADS = ("score", "bid", "tricks", "cards")
SHORT_HEADS = ("pts", "bid", "trk", "crd")
LEAST_NAME, LONGEST_NAME = 4, 24
NOTES_WIDTH = 4
View = Mapping[str, Any]


def seat_rows(view: View, who: Mapping[int, str], width: int) -> Iterator[Line]:
    """Yield the headings and a row for each seat, with > before those for whom the table waits."""
    heads = SHORT_HEADS if width < NARROW else HEADS
    cells = [_cells(view, each) for each in view["seats"]]
    sizes = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    room = width - 2 - line_width([_numbers(heads, sizes)]) - NOTES_WIDTH
    longest = max(line_width([text_fragment(name)]) for name in who.values())
    size = max(min(longest, LONGEST_NAME, room), LEAST_NAME)
    yield [("", "  " + " " * size), _numbers(heads, sizes)]
    own = None if view.get("you") is None else view["you"]["seat"]
    for each, row in zip(view["seats"], cells, strict=True):
        seat = each["seat"]
        style = "class:own" if seat == own else ""
        name = pad_line(cut_line([text_fragment(who[seat], style)], size), size)
        mark = "> " if seat in view["turn"]["seats"] else "  "
        notes = _notes(view, each, is_short=width < NARROW)
        yield [("class:own-turn", mark), *name, _numbers(row, sizes), text_fragment(notes)]


def _cells(view: View, sitting: View) -> list[str]:
    numbers = (sitting["score"], bid_text(view, sitting["seat"]), sitting["tricks"], sitting["count"])
    return ["" if each is None else str(each) for each in numbers]


def _numbers(row: Sequence[str], sizes: Sequence[int]) -> tuple[str, str]:
    return text_fragment("".join(f"  {cell:>{size}}" for cell, size in zip(row, sizes, strict=True)))


def _notes(view: View, sitting: View, *, is_short: bool) -> str:
    """Return "  dealer, pitcher", or in short "  DP"."""
    notes = seat_notes(view, sitting)
    if is_short:
        notes = "".join(note[0].upper() for note in notes.split(", ") if note)
    return f"  {notes}" if notes else ""


LEAST_LOG = 2
BLANKS = re.compile(r"(?<=\S) {3,}")
"""The blanks between two columns of a table."""
AS_WRITTEN = frozenset((EntryKind.CHAT, EntryKind.TYPED, EntryKind.HELP))
"""Entries whose cards stay as they are: people's own words, and how to write a card."""
STYLES = {
    EntryKind.NEWS: "",
    EntryKind.CHAT: "class:chat",
    EntryKind.TYPED: "class:typed",
    EntryKind.ANSWER: "",
    EntryKind.HELP: "",
    EntryKind.REFUSAL: "class:refusal",
    EntryKind.NOTE: "class:note",
}


@dataclass(frozen=True)
class ScreenParts:
    """The lines above the log and those below it, and how many are left for the log."""

    above: list[Line]
    below: list[Line]
    log_height: int


def screen_parts(model: TerminalModel, width: int, height: int, now: datetime) -> ScreenParts:
    """Divide a screen of this size: own cards come first, then some log, then the table."""
    top, own, below = (
        [*_head(model.view, width, now), *_table(model.view, width)],
        _own(model.view, width),
        [_status(model)],
    )
    top = top[: max(height - len(own) - len(below) - LEAST_LOG, 1)]
    rest = height - len(top) - len(own) - len(below)
    rule: list[Line] = [[("class:rule", "─" * width)]] if rest > LEAST_LOG else []
    return ScreenParts([*top, *own, *rule], below, max(rest - len(rule), 0))


def screen_lines(model: TerminalModel, width: int, height: int, now: datetime, back: int = 0) -> list[Line]:
    """Return exactly `height` lines of at most `width` columns; the log is scrolled back by `back` lines."""
    parts = screen_parts(model, width, height, now)
    lines = [*parts.above, *_log_page(model, width, parts.log_height, back), *parts.below]
    return [cut_line(line, width) for line in lines[:height]]


def log_lines(entries: Iterable[LogEntry], width: int, names: Collection[str] = ()) -> list[Line]:
    """Return entries of the log in lines of at most `width` columns; `names` of people never become cards."""
    return [line for entry in entries for line in _entry_lines(entry, width, names)]


def _log_page(model: TerminalModel, width: int, height: int, back: int) -> list[Line]:
    names = () if model.view is None else tuple(model.view.get("names", {}).values())
    lines = log_lines(model.entries, width, names)
    end = max(len(lines) - back, min(height, len(lines)))
    shown = lines[max(end - height, 0) : end] if height else []
    empty: list[Line] = [[] for _ in range(height - len(shown))]
    return [*shown, *empty]


def _entry_lines(entry: LogEntry, width: int, names: Collection[str]) -> Iterator[Line]:
    style = STYLES[entry.kind]
    before = "> " if entry.kind is EntryKind.TYPED else ""
    for text in entry.text.split("\n"):
        if entry.kind in AS_WRITTEN:
            line: Line = [text_fragment(before + text, style)]
        else:
            is_wide = line_width([text_fragment(text)]) > width
            line = with_cards(BLANKS.sub("  ", text) if is_wide else text, style, names)
        yield from wrap_line(line, width, "  ")


def _head(view: View | None, width: int, now: datetime) -> list[Line]:
    """Return the board, the game, the score, and whose turn it is until when."""
    if view is None:
        return [pad_line([("class:head", "trickbook")], width), [("", "Loading the table …")]]
    variant = KNOWN.get(view["variant"])
    title = text_fragment(view["variant"] if variant is None else variant.title)[1]
    head = cut_line([("class:head", f" {_title_that_fits(view, title, width)} ")], width)
    filler = ("class:head", " " * max(width - line_width(head), 0))
    return [[*head, filler], *wrap_line(_turn(view, now), width, "  ")]


def _title_that_fits(view: View, title: str, width: int) -> str:
    """Return the board, the game and the score in the longest words that fit."""
    board, score = view["board"], _score(view)
    short = [each.removeprefix("score ") for each in score]
    titles = [" · ".join(parts) for parts in ([f"Board {board}", title, *score], [f"Board {board}", title, *short],
                                              [str(board), title, *short], [str(board), *short])]  # fmt: skip
    return next((each for each in titles if get_cwidth(each) + 2 <= width), titles[-1])


def _score(view: View) -> list[str]:
    you, goal = view.get("you"), view.get("rules", {}).get("goal")
    if you is None:
        return [] if goal is None else [f"to {goal}"]
    score = view["seats"][you["seat"]]["score"]
    return [f"score {score}" if goal is None else f"score {score} of {goal}"]


def _turn(view: View, now: datetime) -> Line:
    """Return the line about whose turn it is, and how much time is left."""
    if "turn" not in view:
        return [
            text_fragment("The table waits for players." if view["status"] in FORMING else "This table was closed.")
        ]
    who = seat_names(view)
    if view["result"] is not None:
        won = in_words([who[seat] for seat in view["result"]["winners"]]) or "nobody"
        return [text_fragment(f"Over ({view['result']['reason']}): {won} won", "class:own-turn")]
    ceremony, turn = view["ceremony"], view["turn"]
    if ceremony is not None:
        awaited = "cuts" if ceremony["waits_for"] else "the beacon"
        return [text_fragment(f"Waiting for {awaited}{_left(ceremony['deadline'], now)}")]
    if is_own_turn(view):
        return [text_fragment(f"Your turn{_left(turn['deadline'], now)}", "class:own-turn")]
    waiting = in_words([who[seat] for seat in turn["seats"]]) or "the server"
    return [text_fragment(f"Waiting for {waiting}{_left(turn['deadline'], now)}")]


def _left(deadline: str | None, now: datetime) -> str:
    return "" if deadline is None else f", {time_left(deadline, now)}"


def _table(view: View | None, width: int) -> list[Line]:
    if view is None:
        return []
    if "turn" not in view:
        return [[text_fragment(text)] for text in _free_seats(view)]
    who, names = seat_names(view), tuple(view["names"].values())
    texts = [*table_lines(view, who), *question_lines(view, who)]
    lines = [line for text in texts for line in wrap_line(with_cards(text, names=names), width, "  ")]
    return [*seat_rows(view, who, width), *lines]


def _free_seats(view: View) -> Iterator[str]:
    for each in view["seats"]:
        player = player_name(each["player"], view["names"]) if each["player"] else "free"
        yield f"  seat {each['seat']}: {player}{'' if each['state'] != 'asked' else ', asked'}"
    yield "Write join to sit down, or start to fill the free seats with bots."


def _own(view: View | None, width: int) -> list[Line]:
    """Return the player's own cards with the legal ones in brackets, and what else they may do."""
    you = None if view is None else view.get("you")
    if view is None or you is None:
        return []
    lines, who = list[Line](), seat_names(view)
    for seat, cards in sorted(you["sees"].items()):
        lines += wrap_line(with_cards(f"{who[int(seat)]} holds: {' '.join(cards or ()) or 'nothing'}"), width, "  ")
    if you["cards"] is None and view["hand"] is not None:
        lines.append([text_fragment("You don't see your own card in this hand.")])
    elif you["cards"]:
        lines += wrap_line(_hand(you), width, "  ")
    moves = [move for move in you["legal"] if move["type"] != "play"]
    asks = legal_text({"legal": moves, "choose": you["choose"]}, view["rules"].get("moon"))
    return [*lines, *(line for text in asks for line in wrap_line(with_cards(text, "class:own-turn"), width, "  "))]


def _hand(you: View) -> Line:
    legal = {move_text(move) for move in you["legal"] if move["type"] == "play"}
    line: Line = [("", "Your cards:")]
    for card in you["cards"]:
        if card in legal:
            line += [("", " "), ("class:legal", "["), card_fragment(card, "class:legal"), ("class:legal", "]")]
        else:
            line += [("", " "), card_fragment(card)]
    return line


def _status(model: TerminalModel) -> Line:
    """Return the line above the prompt: the connection, a line on its way, or other boards that wait."""
    if not model.is_live:
        return [("class:refusal", "Reconnecting …")]
    if model.line is not None:
        return [text_fragment(f"Sending: {model.line}", "class:dim")]
    if model.next_boards:
        boards = in_words([str(board) for board in model.next_boards[:3]])
        return [text_fragment(f"Your turn on board {boards}, too: write next", "class:note")]
    if model.view is not None and model.view.get("result") is not None:
        return [("class:note", "The game is over. Write new to play another one, or boards, or quit.")]
    return [("class:dim", "Write a move, or help.")]


def utc_now() -> datetime:
    """Return the time by this machine's clock."""
    return datetime.now(UTC)
