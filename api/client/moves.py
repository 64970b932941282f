"""The moves of a table, a method each."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

Answer = dict[str, Any]
"""The server's response to a move: `version`, `root`, `events`, `view`, `names` and `receipt`."""


class Moves(ABC):
    """Every move as a method that returns the server's response. A Refusal says why a move isn't legal.

    table.bid(3)
    table.name_trump("H")
    table.play("AD")
    """

    @abstractmethod
    def move(self, move: Mapping[str, Any], version: int | None = None, key: str | None = None) -> Answer:
        """Post a move as JSON."""

    def write(self, text: str) -> Answer:
        """Move in the words of the command line: `3`, `ad`, `hearts`, `throw 2c 3d`."""
        return self.move({"text": text})

    def bid(self, bid: int) -> Answer:
        """Bid. In gamerz Pitch 5 is a smudge."""
        return self.move({"type": "bid", "bid": bid})

    def pass_(self) -> Answer:
        """Pass in the auction."""
        return self.move({"type": "pass"})

    def name_trump(self, suit: str) -> Answer:
        """Name trump, as the pitcher: `C`, `D`, `H` or `S`."""
        return self.move({"type": "name_trump", "suit": suit})

    def call_partner(self, card: str) -> Answer:
        """Call a card, as the pitcher: its holder becomes your partner."""
        return self.move({"type": "call_partner", "card": card})

    def discard(self, cards: Iterable[str]) -> Answer:
        """Throw cards away, as `you.choose` of the view says."""
        return self.move({"type": "discard", "cards": list(cards)})

    def play(self, card: str) -> Answer:
        """Play a card: `AD`, `10C`, or a joker, `X1` or `X2`."""
        return self.move({"type": "play", "card": card})

    def call_delay(self, accused: int) -> Answer:
        """Call delay of game on a seat that takes too long over a card."""
        return self.move({"type": "call_delay", "accused": accused})

    def vote(self, *, guilty: bool) -> Answer:
        """Vote on the open delay call."""
        return self.move({"type": "vote", "guilty": guilty})

    def undo(self) -> Answer:
        """Ask to take back your last move."""
        return self.move({"type": "undo"})

    def propose_draw(self) -> Answer:
        """Propose to end the game without a winner."""
        return self.move({"type": "propose_draw"})

    def accept(self) -> Answer:
        """Accept the open proposal."""
        return self.move({"type": "accept"})

    def reject(self) -> Answer:
        """Reject the open proposal."""
        return self.move({"type": "reject"})

    def resign(self) -> Answer:
        """Leave the game for good."""
        return self.move({"type": "resign"})

    def cut(self, n: int, commit: str, cut: str, next_seal: str | None = None) -> Answer:
        """Cut the deck of ceremony `n` with its commitment `commit`; `cut` is 32 bytes in hex."""
        return self.move({"type": "cut", "n": n, "commit": commit, "cut": cut, "next_seal": next_seal})

    def beacon(self, n: int, source: str, signature: str) -> Answer:
        """Bring the signature, in hex, of the round `source` that ceremony `n` named."""
        return self.move({"type": "beacon", "n": n, "source": source, "signature": signature})

    def change_rules(self, change: str) -> Answer:
        """Change a rule, as the host: one of `rules.changes` of the view."""
        return self.move({"type": "change_rules", "change": change})

    def answer_handover(self, *, accept: bool) -> Answer:
        """Agree that a seat is handed over, or don't."""
        return self.move({"type": "answer_handover", "accept": accept})

    def return_seat(self) -> Answer:
        """Take back the seat that you handed over."""
        return self.move({"type": "return_seat"})

    def claim_time(self) -> Answer:
        """Claim the time of the player to move, whose deadline has passed (R-P17)."""
        return self.move({"type": "claim_time"})
