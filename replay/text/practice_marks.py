"""The sheet of a hand in practice as it was after each version: an undo can take whole tricks off it."""

from dataclasses import dataclass, field
from typing import Any

from domain import events as facts
from replay.text.transcript import PASS, Row

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
