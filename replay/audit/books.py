"""Bookkeeping: a history is read fact by fact, and each is held against where the game stood before it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    HandThrownIn,
    MovesTakenBack,
    SeatResigned,
    SeedKept,
    TrickTaken,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)
from replay.audit import consent, deal, score, table
from replay.audit.dealbook import RIGHT, UNREVEALED, WRONG, DealBook
from replay.audit.envelope import around
from replay.audit.order import FREE, MOVES, SECRET, due
from replay.findings import Finding
from replay.fold import START, Misplaced, Position, follow, pass_over
from replay.history import History, Line


@dataclass
class Books:
    """The books of one history: deals in order, and what was found outside of any of them.

    `unjudged` is the version from which on nothing could be judged, and why.
    """

    position: Position = START
    deals: list[DealBook] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unjudged: Finding | None = None
    seeds: dict[int, list[str]] = field(default_factory=dict, repr=False)
    last: str = ""
    laid: int = 0
    before: Event[Any] | None = None
    hidden: list[tuple[int, int]] = field(default_factory=list)

    def enter(self, line: Line) -> None:
        """Read one line on."""
        if line.event is None:
            self._pass_over(line.version)
        else:
            self._enter(line.event)

    def _pass_over(self, version: int) -> None:
        awaited = due(self.position, self.last, self.laid)
        if len(awaited) == 1 and awaited <= SECRET:
            self.hidden.append((version, max(self.position.promises)))
            (self.last,) = awaited
            self.laid += self.last == "CardsDealt"
        else:
            self._found(None, version, f"it is withheld where {_either(awaited)} must stand, which everybody may see")
        self.position = pass_over(self.position, version)

    def _enter(self, event: Event[Any]) -> None:
        awaited = due(self.position, self.last, self.laid)
        if event.fact not in awaited:
            self._found(event, event.version, f"{event.fact} stands where {_either(awaited)} must stand")
        try:
            after = follow(self.position, event)
            said = [*around(self.position, event, self.before), *self._judge(event), *self._cards_lost(event, after)]
        except Misplaced as error:
            after, said = pass_over(self.position, event.version), [str(error)]
        else:
            self._write(event, after)
        for sentence in said:
            self._found(event, event.version, sentence)
        self.position, self.before, self.last = after, event, event.fact
        self.laid = self.laid + 1 if event.fact == "CardsDealt" else 0

    def _judge(self, event: Event[Any]) -> Iterator[str]:
        fact, position = event.data, self.position
        if type(fact) in _PLAIN:
            yield from _PLAIN[type(fact)](position, fact)
        elif type(fact) in _OF_GAME:
            yield from _OF_GAME[type(fact)](position, fact, event.game)
        elif isinstance(fact, CardsDealt):
            yield from deal.cards_dealt(position, fact, self.laid, self._recomputed(fact.n))
        else:
            yield from deal.stock_laid(position, fact, self._recomputed(fact.n))

    def _recomputed(self, n: int) -> deal.Recomputed | None:
        return next((each.recomputed for each in self.deals if each.opened.n == n), None)

    def _write(self, event: Event[Any], after: Position) -> None:
        """Note in the books what belongs there."""
        fact = event.data
        if isinstance(fact, CeremonyOpened):
            self.deals.append(DealBook(fact, event.version))
        if self.deals:
            self.deals[-1].last = event.version
        book = self._book(fact)
        if book is None or after.hand is None:
            return
        book.moves += event.fact in MOVES and not isinstance(fact, TrumpPitched)
        match fact:
            case HandDealt():
                book.dealt = fact
                self._reshuffle(book, fact, event.game, after)
            case CeremonyRevealed() | CeremonyVoided():
                book.closed = fact
            case HandScored():
                book.scored, book.added_up = fact, score.added_up(after, after.hand, fact)
            case HandThrownIn():
                book.thrown_in = True
            case MovesTakenBack():
                book.taken_back += 1
            case _:
                pass

    def _book(self, fact: Any) -> DealBook | None:
        """The deal a fact is about: the one it names, else the last."""
        n = getattr(fact, "n", None)
        named = [each for each in self.deals if each.opened.n == n]
        of = named or self.deals
        return of[-1] if of else None

    def _reshuffle(self, book: DealBook, dealt: HandDealt, game: str, after: Position) -> None:
        """Work the deal out from its seed, where one that was promised is known."""
        n = book.opened.n
        seeds = self.seeds.get(n, [])
        kept = [seed for seed in seeds if deal.keeps(game, n, after.promises[n], seed)]
        book.deck = RIGHT if kept else WRONG if seeds else UNREVEALED
        try:
            if kept:
                book.recomputed = deal.recomputed(game, after.promises[n], dealt, kept[0], after.opening.deck)
        except ValueError:
            book.deck = WRONG

    def _cards_lost(self, event: Event[Any], after: Position) -> Iterator[str]:
        """Cards are counted after every fact that moves some, until they fail to add up in this hand."""
        book = self._book(event.data)
        if book is None or book.cards_lost or event.fact not in _MOVE_CARDS:
            return
        for sentence in table.conserved(after.live, after.opening.deck):
            book.cards_lost = True
            yield sentence

    def _found(self, event: Event[Any] | None, version: int, says: str) -> None:
        book = self._book(event and event.data)
        (self.findings if book is None else book.findings).append(Finding(version, says))
        if book is not None and event is not None and event.fact in {"CardsDealt", "StockLaid"}:
            book.deck = WRONG

    def close(self) -> None:
        """The end of the history: nothing withheld that has been revealed, and no commit left half."""
        for version, n in self.hidden:
            promise = self.position.promises.get(n)
            if promise is not None and promise.closed:
                self.findings.append(Finding(version, f"it is withheld although ceremony {n} has been revealed"))
        awaited = due(self.position, self.last, self.laid)
        if self.unjudged is None and awaited and not awaited >= FREE:
            says = f"the log breaks off after it, where {_either(awaited)} must follow"
            self.findings.append(Finding(self.position.version, says))


def _either(facts: frozenset[str]) -> str:
    return " or ".join(sorted(facts)) or "nothing more"


_MOVE_CARDS = {"CardsDealt", "StockLaid", "CardPlayed", "TrickTaken", "MovesTakenBack"}
_PLAIN: dict[type[Any], Callable[[Position, Any], Iterator[str]]] = {
    GameOpened: table.opened,
    CeremonyOpened: deal.opened,
    HandDealt: deal.dealt,
    BidMade: table.said,
    BidPassed: table.said,
    HandThrownIn: table.thrown_in,
    AuctionWon: table.won,
    TrumpPitched: table.pitched,
    CardPlayed: table.played,
    TrickTaken: table.gathered,
    HandScored: score.scored,
    UndoAsked: consent.undo_asked,
    UndoAnswered: consent.answered,
    MovesTakenBack: consent.taken_back,
    DrawProposed: consent.draw_proposed,
    DrawAnswered: consent.answered,
    SeatResigned: consent.resigned,
    GameEnded: score.ended,
}
_OF_GAME: dict[type[Any], Callable[[Position, Any, str], Iterator[str]]] = {
    SeedKept: deal.kept,
    CeremonyRevealed: deal.revealed,
    CeremonyVoided: deal.voided,
}


def keep_books(history: History) -> Books:
    """The books of `history`, as far as its events stand in order and can be read."""
    books = Books(seeds=_seeds(history))
    for place, line in enumerate(history.lines, 1):
        if line.version != place:
            books.unjudged = Finding(line.version, "from here on the events are out of order and were not judged")
            break
        if line.unread is not None:
            books.unjudged = Finding(line.version, f"{line.unread}; from here on nothing was judged")
            break
        books.enter(line)
    books.close()
    return books


def _seeds(history: History) -> dict[int, list[str]]:
    """The seeds the history tells, by ceremony: those kept and those revealed."""
    seeds: dict[int, list[str]] = {}
    for event in history.events:
        if isinstance(event.data, SeedKept | CeremonyRevealed | CeremonyVoided):
            seeds.setdefault(event.data.n, []).append(event.data.seed)
    return seeds
