"""Collects a hand's transcript fact by fact: calls, exchanges and tricks, with other facts as notes between them.

A sheet in practice is kept as it was after each version, since an undo can take whole tricks off it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from domain import events as facts
from domain.cards import Card
from domain.events import Event, HandDealt, HandScored
from domain.rules.choices import Trump, Undo
from domain.rules.model import RulesSummary
from replay.fold import HandRead, Position
from replay.text.narrate import DISPUTE_SENTENCES
from replay.text.transcript import CALLED, HIDDEN, NAMED, OPENLY, OVER, PASS, TAKEN, THROWN, Row, is_move

Words = tuple[list[str], list[Row], list[Row], list[str], int | None]
"""The auction, the exchange, the play, the notes that wait for the next trick, and the leader, of a sheet."""


@dataclass
class PracticeMarks:
    """Copies of a sheet's words by version, and the moves that stand and the notes since the deal, each by version."""

    copies: dict[int, Words] = field(default_factory=dict)
    moves: list[tuple[int, str]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)

    def mark(self, version: int, words: Words, fact: object = None) -> None:
        """Keep a copy of the words after `version`, and the move in `fact`, if there is one."""
        self.copies[version] = _copy(words)
        if (said := move_word(fact)) is not None:
            self.moves.append((version, said))

    def go_back(self, version: int) -> tuple[Words, list[str], list[str]]:
        """Return the words as they were after `version`, the moves that have stood since then, and the notes."""
        moves = [word for at, word in self.moves if at > version]
        self.moves = [(at, word) for at, word in self.moves if at <= version]
        shown = max(at for at in self.copies if at <= version)
        return _copy(self.copies[shown]), moves, [note for at, note in self.notes if at > version]


def _copy(words: Words) -> Words:
    auction, exchange, play, notes, led = words
    return [*auction], [*exchange], [*play], [*notes], led


def move_word(fact: Any) -> str | None:
    """Return the bid, card or suit of a move that can be taken back in practice, else None."""
    match fact:
        case facts.BidMade(_, bid):
            return str(bid)
        case facts.BidPassed():
            return PASS
        case facts.TrumpNamed(_, word) | facts.PartnerCalled(_, word) | facts.CardPlayed(_, word):
            return str(word)
        case _:
            return None


NO_BRACES = str.maketrans("{}", "()")


def setting_words(rules: RulesSummary) -> str:
    """Return the changeable rules in a few words: "10 clean upright across"."""
    ways = "dirty" if rules.dirty else "clean", "reverse" if rules.reverse else "upright"
    return " ".join((rules.points, *ways, rules.partners.value))


@dataclass
class HandSheet:
    """The transcript of a hand so far; `notes` wait for the next trick."""

    dealt: Event[HandDealt]
    position: Position
    auction: list[str] = field(default_factory=list)
    exchange: list[Row] = field(default_factory=list)
    play: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    led: int | None = None
    cards: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    stock: tuple[Card, ...] | None = None
    scored: HandScored | None = None
    result: str = "in play"

    def __post_init__(self) -> None:
        self.commit = self.position.ceremonies[self.dealt.data.n].commit
        self.setting = self.position.rules.setting
        self.hand: HandRead = self.position.live
        self.version = self.dealt.version
        self.marks = PracticeMarks() if self.position.opening.undo == Undo.PRACTICE else None
        self._mark()

    def add(self, fact: Any, after: Position) -> None:
        """Add a fact of this hand, or one after it and before the next hand."""
        self.hand, self.version = after.hand or self.hand, after.version
        if not (self._add_play(fact, after) or self._add_exchange(fact) or self._add_result(fact)):
            self._add_note(fact)
        self._mark(fact)

    def _mark(self, fact: Any = None) -> None:
        """Keep the words in practice, for an undo that goes back to this version."""
        if self.marks is not None:
            self.marks.mark(self.version, self._words, fact)

    @property
    def _words(self) -> Words:
        return self.auction, self.exchange, self.play, self.notes, self.led

    def _add_play(self, fact: Any, after: Position) -> bool:
        match fact:
            case facts.BidMade() | facts.BidPassed():
                self.auction.append(str(fact.bid) if isinstance(fact, facts.BidMade) else PASS)
                if len(self.hand.calls) == after.seats and not after.rules.auction.contract:
                    self.led = self.dealt.data.eldest
            case facts.AuctionWon():
                if after.rules.trump is not Trump.NAMED:
                    self.led = fact.seat
            case facts.CardPlayed():
                self._card(fact)
            case facts.TrickTaken():
                self._add_kept(fact)
                self.play[-1] = replace(self.play[-1], taker=fact.seat)
            case _:
                return False
        return True

    def _card(self, fact: facts.CardPlayed) -> None:
        """Add a card to the trick, after a `-` for each seat that was skipped."""
        if len(self.hand.table) == 1:
            if self.led is None or not self._open():
                self.led = fact.seat if self.led is None else self.led
                self.play.append(Row(fact.seat))
            self.play[-1] = replace(self.play[-1], leader=fact.seat, words=(*self.play[-1].words, *self.notes))
            self.notes = []
        over = (fact.seat - self.hand.table[-2].seat - 1) % len(self.hand.counts) if len(self.hand.table) > 1 else 0
        self._write(*[OVER] * over, fact.card)

    def _open(self) -> bool:
        """Return whether the last row waits for its first card, because one was taken back."""
        return bool(self.play) and self.play[-1].taker is None

    def _add_kept(self, fact: facts.TrickTaken) -> None:
        for play in fact.kept:
            self._write(f"{{seat {play.seat} keeps {play.card}}}")

    def _write(self, *words: str) -> None:
        self.play[-1] = replace(self.play[-1], words=(*self.play[-1].words, *words))

    def _add_exchange(self, fact: Any) -> bool:
        match fact:
            case facts.TrumpNamed(seat, suit):
                self._add_to_row(seat, NAMED + suit)
            case facts.PartnerCalled(seat, card) if self.play:
                self._add_word(CALLED + card)
            case facts.PartnerCalled(seat, card):
                self._add_to_row(seat, CALLED + card)
            case facts.CardsDiscarded(seat, count, shown):
                hidden = count - len(shown)
                openly = (OPENLY, *shown) if shown else ()
                self.exchange.append(Row(seat, (*openly, *((THROWN, *[HIDDEN] * hidden) if hidden else ()))))
            case facts.CardsDrawn(seat, count) | facts.StockTaken(seat, count):
                self._add_taken(seat, count)
            case facts.CardsBuried(_, _, cards) | facts.CardsTaken(_, _, cards):
                row = self.exchange[-1]
                self.exchange[-1] = replace(row, words=(*row.words[: len(row.words) - len(cards)], *cards))
            case _:
                return False
        return True

    def _add_to_row(self, seat: int, word: str) -> None:
        """Add a word to the last row if it's the seat's own, otherwise to a new row."""
        if not self.exchange or self.exchange[-1].leader != seat:
            self.exchange.append(Row(seat))
        self.exchange[-1] = replace(self.exchange[-1], words=(*self.exchange[-1].words, word))

    def _add_taken(self, seat: int, count: int) -> None:
        for word in (TAKEN, *[HIDDEN] * count):
            self._add_to_row(seat, word)

    def _add_result(self, fact: Any) -> bool:
        """Add cards, results and scores; return whether the fact needs no note."""
        match fact:
            case facts.CardsDealt(_, seat, cards):
                self.cards[seat] = cards
            case facts.StockLaid(_, cards):
                self.stock = cards
            case facts.HandThrownIn():
                self.result = "thrown in"
            case facts.MisdealDeclared():
                self.result = "misdeal"
            case facts.HandScored():
                self.scored = fact
                self.result = {True: "made", False: "set", None: "scored"}[fact.made]
            case facts.RulingGiven(voids=n) if n == self.dealt.data.n:
                self.result = "void"
                return False
            case facts.GameEnded() if self.result == "in play":
                self.result = f"broken off: {fact.reason}"
            case _:
                return False
        return True

    def _add_note(self, fact: Any) -> None:
        if isinstance(fact, facts.MovesTakenBack):
            said = self._remove_word() if self.marks is None else self._go_back(self.marks, fact.to_version)
            self._write_note(f"seat {fact.seat} takes back {said}")
        elif note := _note_of(fact) or self._dispute_note(fact):
            self._write_note(note)

    def _write_note(self, note: str) -> None:
        self._add_word(f"{{{note}}}")
        if self.marks is not None:
            self.marks.notes.append((self.version, f"{{{note}}}"))

    def _go_back(self, marks: PracticeMarks, version: int) -> str:
        """Restore the words after `version`, with the notes since then, and return the moves since then."""
        words, moves, notes = marks.go_back(version)
        self.auction, self.exchange, self.play, self.notes, self.led = words
        for note in notes:
            self._add_word(note)
        return " ".join(moves)

    def _dispute_note(self, fact: Any) -> str | None:
        tell = DISPUTE_SENTENCES.get(type(fact))
        who = {seat: f"seat {seat}" for seat in range(len(self.dealt.data.counts))}
        return None if tell is None else tell(fact, who).translate(NO_BRACES)

    def _add_word(self, word: str) -> None:
        """Add a word at the current place: the auction, the exchange, the trick, or before the next trick."""
        if self.play and self.play[-1].taker is None:
            self._write(word)
        elif self.led is not None:
            self.notes.append(word)
        elif self.exchange:
            row = self.exchange[-1]
            self.exchange[-1] = replace(row, words=(*row.words, word))
        else:
            self.auction.append(word)

    def _remove_word(self) -> str:
        """Remove the last call or card and return it."""
        if waiting := [place for place, word in enumerate(self.notes) if is_move(word)]:
            return self.notes.pop(waiting[-1]).lstrip(CALLED)
        row = next((rows[-1] for rows in (self.play, self.exchange) if rows), None)
        words = self.auction if row is None else list(row.words)
        said = words.pop(max(place for place, word in enumerate(words) if is_move(word)))
        while words and words[-1] == OVER:
            words.pop()
        if row is not None:
            rows = self.play or self.exchange
            rows[-1] = replace(row, words=tuple(words))
        return said.lstrip(NAMED + CALLED)

    def close(self) -> None:
        """Put notes without a following trick into a row of their own."""
        if self.notes:
            leader = self.hand.leader
            self.play.append(Row(self.dealt.data.eldest if leader is None else leader, tuple(self.notes)))


def _note_of(fact: Any) -> str | None:
    return _talk_note(fact) or _seat_note(fact) or _change_note(fact)


def _talk_note(fact: Any) -> str | None:
    match fact:
        case facts.SeatResigned(seat):
            return f"seat {seat} resigns"
        case facts.SeatForfeited(seat) | facts.TurnReminded(seat):
            return f"seat {seat} is {'reminded' if isinstance(fact, facts.TurnReminded) else 'out of time'}"
        case facts.DrawProposed(seat):
            return f"seat {seat} proposes a draw"
        case facts.DrawAnswered(seat, accept):
            return f"seat {seat} {'accepts' if accept else 'refuses'} the draw"
        case _:
            return _delay_note(fact)


def _seat_note(fact: Any) -> str | None:
    match fact:
        case facts.HandoverAsked(seat, _, kind):
            return f"seat {seat} asks to go over to a {'bot' if kind == 'bot' else 'person'}"
        case facts.HandoverAnswered(seat, accept):
            return f"seat {seat} {'accepts' if accept else 'refuses'} the hand-over"
        case facts.SeatHandedOver(seat, _, _, kind):
            return f"seat {seat} goes over to a {'bot' if kind == 'bot' else 'person'}"
        case facts.SeatReturned(seat):
            return f"seat {seat} is returned"
        case facts.TimeClaimed(seat, late):
            return f"seat {seat} claims the time of seat {late}"
        case _:
            return None


def _delay_note(fact: Any) -> str | None:
    match fact:
        case facts.DelayCalled(seat, accused, waited):
            return f"seat {seat} calls delay of game on seat {accused} after {waited} ms"
        case facts.DelayVoted(seat, guilty):
            return f"seat {seat} votes {'guilty' if guilty else 'not guilty'}"
        case facts.DelayDropped(seat, accused):
            return f"the call of seat {seat} on seat {accused} is dropped"
        case facts.DelayJudged(accused, guilty):
            return f"seat {accused} is {'guilty' if guilty else 'not guilty'}"
        case _:
            return None


def _change_note(fact: Any) -> str | None:
    match fact:
        case facts.RulesChanged(_, summary, cause):
            return f"{cause}: {setting_words(summary)}"
        case facts.RulesChangeDeferred(_, summary, cause):
            return f"{cause}, to wait: {setting_words(summary)}"
        case facts.BidScaled(seat, before, after):
            return f"seat {seat} bids {after} for {before}"
        case facts.PartnersChanged(_, _, sides):
            return f"sides {_sides(sides)}"
        case facts.PartnerRevealed(_, seat, card, sides):
            return f"{card} is with {'nobody else' if seat is None else f'seat {seat}'}: sides {_sides(sides)}"
        case _:
            return None


def _sides(sides: Sequence[Sequence[int]]) -> str:
    return " / ".join(" ".join(map(str, side)) for side in sides)
