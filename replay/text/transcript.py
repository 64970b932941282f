"""A hand as text in the style of PBN: tag pairs, [Auction], [Play] with a row per trick from its leader, [Score].

    [Auction "0"]
    pass 2 {seat 2 takes back 2} 3 pass
    [Play "2"]
    2: AH 2H 3C 10H > 2

Bids without a contract are under [Bids], where 0 is a bid and not a pass. Between auction and play, [Exchange] has a
row for each seat: `*H` names trump, `@KH` calls a card, `-` precedes cards discarded face down, `^` cards discarded
openly, `+` cards taken. In a trick, `-` is a skipped seat.

Exports are byte-stable. Import is lenient: either case, `T` for ten, `smudge`, any spacing, `;` and `%` comments,
rows broken anywhere. An export survives a round trip: `format_transcript(parse_transcript(text)) == text`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain.cards import SUITS, Card, NotACard, parse_card
from domain.events import Play

HIDDEN = "??"
PASS = "pass"
NAMED, CALLED = "*", "@"
"""The prefixes of a suit named trump and of a called card."""
THROWN, OPENLY, TAKEN = "-", "^", "+"
"""The words before cards discarded face down, discarded openly, and taken from the stock."""
OVER = "-"
"""The word for a skipped seat, in place of a card."""
_TAG = re.compile(r'\[\s*(\w+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]\s*(?:;.*)?')
_WORD = re.compile(r"\{[^}]*\}|;.*|[^\s{};]+")
"""A note, a comment, or a word."""
_CALLS = {"p": PASS, "pass": PASS, "0": PASS, "smudge": "5"}
_SECTIONS = ("Auction", "Bids", "Exchange", "Play", "Score")


class NotATranscript(ValueError):
    """The text isn't a valid hand; the message quotes the fault."""


@dataclass(frozen=True)
class Row:
    """A trick: its leader, the cards and notes in order, and its taker."""

    leader: int
    words: tuple[str, ...] = ()
    taker: int | None = None


@dataclass(frozen=True)
class Transcript:
    """A hand: tag pairs in order, the auction's calls and notes, the tricks, and rows of the score.

    A note is a word in braces. `first` is the seat of the first call, `led` the seat of the first lead, None without
    play; `contract` says whether the highest bidder becomes the pitcher.
    """

    tags: tuple[tuple[str, str], ...]
    first: int
    auction: tuple[str, ...] = ()
    led: int | None = None
    play: tuple[Row, ...] = ()
    score: tuple[tuple[str, ...], ...] = ()
    exchange: tuple[Row, ...] = ()
    contract: bool = True

    def tag(self, name: str) -> str | None:
        """Return the value of a tag, or None."""
        return dict(self.tags).get(name)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return sum(name.startswith("Player") for name, _ in self.tags)

    @property
    def bids(self) -> list[tuple[int, int | None]]:
        """The calls that weren't taken back, in order: seat and bid, None for a pass."""
        said = [word for word in self.auction if is_move(word)]
        step = -1 if self.tag("Around") == "right" else 1
        return [
            ((self.first + step * turn) % self.seats, None if word == PASS else int(word))
            for turn, word in enumerate(said)
        ]

    @property
    def tricks(self) -> list[list[Play]]:
        """The cards that weren't taken back, trick by trick."""
        return [self._plays(row) for row in self.play]

    def _plays(self, row: Row) -> list[Play]:
        cards = [word for word in row.words if is_move(word) and word[0] != CALLED]
        turns = enumerate(cards)
        return [Play((row.leader + turn) % self.seats, Card(word)) for turn, word in turns if word != OVER]


def is_move(word: str) -> bool:
    """Return whether a word is a call or a card, not a note."""
    return word[0] != "{"


def format_transcript(transcript: Transcript) -> str:
    """Return a hand in the export profile: the same hand gives the same bytes."""
    return "\n".join(_lines(transcript)) + "\n"


def _lines(transcript: Transcript) -> Iterator[str]:
    for name, value in transcript.tags:
        yield _tag(name, value)
    yield _tag("Auction" if transcript.contract else "Bids", str(transcript.first))
    if transcript.auction:
        yield " ".join(transcript.auction)
    if transcript.exchange:
        yield _tag("Exchange", str(transcript.exchange[0].leader))
    yield from map(_row, transcript.exchange)
    if transcript.led is not None:
        yield _tag("Play", str(transcript.led))
    yield from map(_row, transcript.play)
    if transcript.score:
        yield _tag("Score", COLUMNS if len(transcript.score[0]) == len(COLUMNS.split()) else UNCOUNTED)
    for cells in transcript.score:
        yield " ".join(cells)


COLUMNS = "seat bid tricks count change score points"
UNCOUNTED = "seat bid tricks change score"
"""The columns of a score with points, and without."""


def _row(row: Row) -> str:
    taken = () if row.taker is None else (">", str(row.taker))
    return " ".join((f"{row.leader}:", *row.words, *taken))


def _tag(name: str, value: str) -> str:
    escaped = "".join(_escaped(each) for each in value)
    return f'[{name} "{escaped}"]'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\u{ord(character):x};"


def _unescaped(text: str) -> str:
    return re.sub(r"\\(?:u([0-9a-f]{1,6});|(.))", lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)


def parse_transcript(text: str) -> Transcript:
    """Read a hand in the import profile. Raise NotATranscript for a missing part, or an invalid card or call."""
    tags, sections = _split(text)
    contract = "Bids" not in sections
    if not {"Auction", "Bids"} & sections.keys() or not any(name.startswith("Player") for name, _ in tags):
        raise NotATranscript("it needs a Player tag for each seat and an Auction section")
    first, said = sections["Auction" if contract else "Bids"]
    led, played = sections.get("Play", ("", []))
    return Transcript(
        tags=tuple(tags),
        first=_number(first),
        auction=tuple(_call(word, passing=contract) for word in said if word != "\n"),
        led=_number(led) if "Play" in sections else None,
        play=tuple(_rows(played)),
        score=tuple(_score_rows(sections.get("Score", ("", []))[1])),
        exchange=tuple(_rows(sections.get("Exchange", ("", []))[1])),
        contract=contract,
    )


def parse_transcripts(text: str) -> list[Transcript]:
    """Return the hands of a text. A hand begins at the first tag pair after a section of another hand."""
    return [parse_transcript(each) for each in _hands(text)]


def _hands(text: str) -> Iterator[str]:
    held, inside = list[str](), False
    for line in text.removeprefix("\ufeff").splitlines():
        tag = _TAG.fullmatch(line.strip())
        heads = tag is not None and tag[1].capitalize() in _SECTIONS
        if inside and tag is not None and not heads:
            yield "\n".join(held)
            held, inside = [], False
        inside = inside or heads
        held.append(line)
    yield "\n".join(held)


def _split(text: str) -> tuple[list[tuple[str, str]], dict[str, tuple[str, list[str]]]]:
    """Return the tags outside sections, and each section's value with its words; line ends are words, too."""
    tags: list[tuple[str, str]] = []
    sections: dict[str, tuple[str, list[str]]] = {}
    words: list[str] = []
    for line in text.splitlines():
        tag = _TAG.fullmatch(line.strip())
        if tag is None:
            said = _WORD.findall("" if line.startswith("%") else line)
            words += [*(word for word in said if word[0] != ";"), "\n"]
        elif tag[1].capitalize() in _SECTIONS:
            words = []
            sections[tag[1].capitalize()] = (tag[2] or "", words)
        else:
            tags.append((tag[1], _unescaped(tag[2] or "")))
    return tags, sections


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise NotATranscript(f"{text!r} is not a seat")
    return int(text)


def _call(word: str, *, passing: bool) -> str:
    if not is_move(word):
        return word
    call = _CALLS.get(word.lower(), word) if passing else word
    if call != PASS and not re.fullmatch(r"[0-9]{1,3}", call):
        raise NotATranscript(f"{word!r} is not a call")
    return call


def _rows(words: Iterable[str]) -> Iterator[Row]:
    """Yield the rows; each begins with its leader and a colon, and ends at the next row."""
    leader, own, taker = None, list[str](), None
    rest = iter(word for word in words if word != "\n")
    for word in rest:
        if word.endswith(":"):
            if leader is not None:
                yield Row(leader, tuple(own), taker)
            leader, own, taker = _number(word[:-1]), [], None
        elif word == ">":
            taker = _number(next(rest, ""))
        elif leader is None:
            raise NotATranscript(f"{word!r} stands before the leader of the first trick")
        else:
            own.append(_card(word))
    if leader is not None:
        yield Row(leader, tuple(own), taker)


def _card(word: str) -> str:
    if not is_move(word) or word in {HIDDEN, OVER, OPENLY, TAKEN}:
        return word
    if word[0] == NAMED and word[1:].upper() in SUITS:
        return word.upper()
    if word[0] == CALLED:
        return CALLED + _card(word[1:])
    try:
        return parse_card(word)
    except NotACard as error:
        raise NotATranscript(str(error)) from error


def _score_rows(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    row: list[str] = []
    for word in words:
        if word != "\n":
            row.append(word)
        elif row:
            yield tuple(row)
            row = []
