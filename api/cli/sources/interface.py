"""The interface between commands and the place that games come from: the store on this machine, or a server over HTTP.

    source = open_source(data)  # sources.selection
    print_answer(source.history("12"), score, as_json=False)

A command that uses nothing but a source needs no second version for `--server`. Files aren't a source:
`histories.load_history` reads a file, or asks the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from api.evidence.services.exports import GameExport
from domain.protocols.signed_notes import Key
from replay.history import History
from replay.history.receipts import ReceiptChecks


@dataclass(frozen=True)
class ExportRun:
    """Exports of many games as of one moment, `position`; a number among `items` says how far the search has come."""

    items: Iterator[GameExport | int]
    position: str
    total: int | None = None
    """The number to which the numbers among `items` grow, if that's known."""


@dataclass(frozen=True)
class DisputeReading:
    """A dispute, as JSON with its texts (`shown`), the game's history, and names by player id."""

    history: History
    shown: Mapping[str, Any]
    names: Mapping[str, str]


@dataclass(frozen=True)
class DecisionRequest:
    """An arbiter's decision: a ruling (none, adjust, void), or an appeal (upheld, reversed).

    `by` is the arbiter's name on the server's own machine; a remote arbiter is the player who has logged in.
    """

    decision: str
    text: str | None
    by: str | None = None
    changes: tuple[int, ...] = ()
    basis: str | None = None
    standard: str = "recorded"


@dataclass(frozen=True)
class DisputeRequest:
    """A player's dispute. `by` is the player's name on the server's own machine; `details` may name the accused."""

    hand: int
    kind: str
    text: str
    by: str | None = None
    at: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class GameSource(Protocol):
    """Reads games by board number or id, and decides disputes. Raises CannotAnswer, or CorruptLog for a corrupt log."""

    def history(self, game: str) -> History:
        """Return a game's history as far as this reader may see it."""

    def games(self, query: Mapping[str, str | Sequence[str]], limit: int) -> Mapping[str, Any]:
        """Return a page of the lobby, the newest game first: `items`, `next` (null if there are no more) and `names`.

        `query` may have `player` (a name), `variant` and `status`.
        """

    def standings(self, variant: str, period: str, limit: int) -> Mapping[str, Any]:
        """Return the first lines of the standings: `items`, `next` (null if there are no more) and `names`."""

    def ratings(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        """Return the first lines of the ratings: `items`, `next` (null if there are no more) and `names`."""

    def rating_changes(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        """Return the players whom the last rulings moved: `items`, `next` (null if there are no more) and `names`."""

    def player_record(self, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
        """Return a player's figures (`standings`), the games `against` another one, and a page of finished games.

        The page has `items`, `next` and `names`. Without another player `against` is None.
        """

    def export(self, game: str) -> bytes:
        """Return a game's export, with the server's keys and its newest receipt."""

    def check_receipts(
        self, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
    ) -> tuple[History, ReceiptChecks]:
        """Return a history, checked against the receipts that the server issued and `given` ones (name, note)."""

    def receipt(self, game: str, size: int | None) -> tuple[History, str]:
        """Return a history and a receipt over its first `size` events, or over all."""

    def add_cosignatures(self, game: str, note: str) -> str:
        """Give the server a copy of its receipt with cosignatures; return the receipt with all that it has."""

    def exports(self, query: Mapping[str, Any]) -> AbstractContextManager[ExportRun]:
        """Open the exports of the games that `GET /exports/games` selects by this query."""

    def waiting_disputes(self, limit: int, kind: str | None, clause: str | None) -> Mapping[str, Any]:
        """Return `items`, the disputes that wait for an arbiter, `next`, not null if there are more, and `names`.

        With a kind or a clause, the items are rulings like these, the newest first.
        """

    def dispute(self, game: str, number: int) -> DisputeReading:
        """Return a dispute with the texts that this reader may see."""

    def erase_dispute(self, game: str, number: int, by: str | None) -> int | None:
        """Erase a dispute's texts for the moderator `by`, and return how many, if that's known."""

    def open_dispute(self, game: str, request: DisputeRequest) -> tuple[int, str]:
        """Open a dispute for a player; return the version and the name of the fact."""

    def withdraw(self, game: str, number: int, by: str | None) -> tuple[int, str]:
        """Withdraw a dispute for the player who opened it; return the version and the name of the fact."""

    def appeal(self, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
        """Appeal against the ruling on a dispute for a player; return the version and the name of the fact."""

    def decide(self, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
        """Rule on a dispute or an appeal; return the version and the name of the fact."""
