"""Writing down a hand of a history as a transcript; cards that are not shown stand as `??`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDealt,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    HandDealt,
    HandScored,
    HandThrownIn,
    MovesTakenBack,
    Peg,
    SeatResigned,
    StockLaid,
    TrickTaken,
)
from replay.fold import START, HandRead, Position, follow, pass_over
from replay.history import History, NoSuchHand
from replay.transcript import HIDDEN, PASS, Row, Transcript, write


@dataclass
class _Sheet:
    """A hand being written down."""

    dealt: Event[HandDealt]
    commit: str
    auction: list[str] = field(default_factory=list)
    play: list[Row] = field(default_factory=list)
    led: int | None = None
    cards: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    stock: tuple[Card, ...] | None = None
    hand: HandRead | None = None
    scored: HandScored | None = None
    result: str = "in play"

    def add(self, fact: Any) -> None:
        """Write a fact down where it belongs."""
        match fact:
            case BidMade():
                self._word(str(fact.bid))
            case BidPassed():
                self._word(PASS)
            case AuctionWon():
                self.led = fact.seat
                self.play.append(Row(fact.seat))
            case CardPlayed():
                self._word(fact.card)
            case TrickTaken():
                self.play[-1] = replace(self.play[-1], taker=fact.seat)
                self.play += [Row(fact.next[0])] if fact.next else []
            case _:
                self._around(fact)
                self._note(fact)

    def _around(self, fact: Any) -> None:
        """What comes before the calls and after the cards."""
        match fact:
            case CardsDealt():
                self.cards[fact.seat] = fact.cards
            case StockLaid():
                self.stock = fact.cards
            case HandThrownIn():
                self.result = "thrown in"
            case HandScored():
                self.scored = fact
                self.result = "made" if fact.made else "set"
            case GameEnded() if self.result == "in play":
                self.result = f"broken off: {fact.reason}"
            case _:
                pass

    def _note(self, fact: Any) -> None:
        match fact:
            case MovesTakenBack():
                self._word(f"{{seat {fact.seat} takes back {self._unsay()}}}")
            case SeatResigned():
                self._word(f"{{seat {fact.seat} resigns}}")
            case DrawProposed():
                self._word(f"{{seat {fact.seat} proposes a draw}}")
            case DrawAnswered():
                self._word(f"{{seat {fact.seat} {'accepts' if fact.accept else 'refuses'} the draw}}")
            case _:
                pass

    def _word(self, word: str) -> None:
        if self.play:
            self.play[-1] = replace(self.play[-1], words=(*self.play[-1].words, word))
        else:
            self.auction.append(word)

    def _unsay(self) -> str:
        """Strike the last call or card, and say what it was."""
        words = list(self.play[-1].words) if self.play else self.auction
        place = max(place for place, word in enumerate(words) if word[0] != "{")
        said = words.pop(place)
        if self.play:
            self.play[-1] = replace(self.play[-1], words=tuple(words))
        return said


def transcripts(history: History) -> list[Transcript]:
    """Every hand of `history` that has been dealt, in order; Misplaced where its facts cannot stand as they do."""
    position, sheets = START, list[_Sheet]()
    for line in history.lines:
        if line.event is None:
            position = pass_over(position, line.version)
            continue
        position = follow(position, line.event)
        fact = line.event.data
        if isinstance(fact, HandDealt):
            sheets.append(_Sheet(line.event, position.promises[fact.n].commit))
        elif sheets:
            sheets[-1].add(fact)
            sheets[-1].hand = position.hand
    return [_transcript(history, sheet, position) for sheet in sheets]


def transcript_of(history: History, hand: int) -> Transcript:
    """The transcript of hand `hand`, the last of its deals; NoSuchHand where it was not dealt."""
    named = [each for each in transcripts(history) if each.tag("Hand") == str(hand)]
    if not named:
        raise NoSuchHand(f"there is no hand {hand} in this history")
    return named[-1]


def _transcript(history: History, sheet: _Sheet, end: Position) -> Transcript:
    fact = sheet.dealt.data
    return Transcript(
        tags=(*_table_tags(history, end), *_hand_tags(sheet, end)),
        first=fact.eldest,
        auction=tuple(sheet.auction),
        led=sheet.led,
        play=tuple(row for row in sheet.play if row.words),
        score=_score(sheet.scored),
    )


def _table_tags(history: History, end: Position) -> list[tuple[str, str]]:
    names, opening = history.header.players, end.opening
    players = [(f"Player{seat}", names.get(each.player, each.player)) for seat, each in enumerate(opening.players)]
    table = [("Game", history.header.game), ("Board", str(opening.board)), ("Variant", opening.variant)]
    return [*table, ("Goal", str(opening.rules.goal)), *players]


def _hand_tags(sheet: _Sheet, end: Position) -> list[tuple[str, str]]:
    fact, hand = sheet.dealt.data, sheet.hand
    tags = [("Hand", str(fact.hand)), ("Redeal", str(fact.redeal)), ("Date", sheet.dealt.at[:10].replace("-", "."))]
    tags += [("Dealer", str(fact.dealer)), ("Deal", _deal(sheet)), ("Stock", _cards(sheet.stock, fact.stock))]
    tags += [("Commit", sheet.commit), ("Seed", end.promises[fact.n].seed or HIDDEN), ("Grade", fact.grade)]
    if hand is not None and hand.won is not None:
        tags += [("Pitcher", str(hand.won.seat)), ("Bid", str(hand.won.bid))]
    if hand is not None and hand.trump is not None:
        tags.append(("Trump", hand.trump))
    return [*tags, ("Result", sheet.result)]


def _deal(sheet: _Sheet) -> str:
    """The eldest hand's seat, then each seat's cards from it on, in the order dealt."""
    fact, seats = sheet.dealt.data, len(sheet.dealt.data.counts)
    order = [(fact.eldest + turn) % seats for turn in range(seats)]
    return f"{fact.eldest}:" + " / ".join(_cards(sheet.cards.get(seat), fact.counts[seat]) for seat in order)


def _cards(cards: tuple[Card, ...] | None, count: int) -> str:
    return " ".join([HIDDEN] * count if cards is None else cards)


def _score(scored: HandScored | None) -> tuple[tuple[str, ...], ...]:
    """A row for each seat; points that were won and not credited stand in parentheses."""
    if scored is None:
        return ()
    rows = zip(scored.bids, scored.tricks, scored.counts, scored.changes, scored.scores, strict=True)
    cells = [
        (seat, PASS if bid is None else bid, tricks, count, f"{change:+}", score, _points(scored.pegs, seat))
        for seat, (bid, tricks, count, change, score) in enumerate(rows)
    ]
    return tuple(tuple(map(str, row)) for row in cells)


def _points(pegs: tuple[Peg, ...], seat: int) -> str:
    own = [peg.point if peg.credited else f"({peg.point})" for peg in pegs if peg.seat == seat]
    return ",".join(own) or "-"


def text(transcribed: Iterable[Transcript]) -> str:
    """Hands one below the other, an empty line between."""
    return "\n".join(map(write, transcribed))
