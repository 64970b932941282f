"""A second implementation of the rules of Corellian Pitch, from the rule sheet alone; it shares no code with domain/.

Slow and simple on purpose: cards are texts like "10C", "X1", seats 0..3, 0 is a pass. Here are the versions, the
cards and the play; corellian_deal.py has auction and deal. The audit in `replay` is the second reading of scores.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.rulebooks.rulebook import Play, Trick, height, suit

SEATS = 4
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
NAMES = {"A": "ace", "J": "jack", "10": "ten", "5": "five", "3": "three", "2": "two"}
LADDER = ["A", "K", "Q", "J", "X", "10", "9", "8", "7", "6", "5", "4", "3", "2"]

FOUR = dict.fromkeys(("high", "low", "jack", "game"), 1)
TEN = dict.fromkeys(("ace", "jack", "off_jack", "joker", "ten", "two"), 1) | {"three": 3}
VERSIONS: dict[str, dict[str, int]] = {
    "4": FOUR,
    "5": {**FOUR, "off_jack": 1},
    "6": {**FOUR, "off_jack": 1, "joker": 1},
    "7": dict.fromkeys(("ace", "jack", "off_jack", "joker", "ten", "two"), 1),
    "8": dict.fromkeys(("ace", "jack", "off_jack", "ten", "two"), 1) | {"three": 3},
    "9": {**FOUR, "five": 5},
    "10": TEN,
    "11": {**TEN, "off_ace": 1},
    "11b": {**TEN, "off_two": 1},
    "13": {**TEN, "off_three": 3},
    "14": {**TEN, "off_three": 3, "off_two": 1},
    "16": {**TEN, "off_three": 3, "off_two": 1, "off_ace": 1, "off_ten": 1},
}


@dataclass(frozen=True)
class Setting:
    """The settings that the randomizer can change, and the table's options for the play.

    `ten` "card" or "game" (R-C1: in the versions made of the ten points), `follow` "trumps" or "suit_or_trump"
    (R-C9), `jokers` "first_high" or "first_low" (R-C15, under reverse only).
    """

    points: str = "10"
    dirty: bool = False
    reverse: bool = False
    ten: str = "card"
    follow: str = "trumps"
    jokers: str = "first_high"

    @property
    def scoring(self) -> dict[str, int]:
        """Return {point: worth}; both jokers score, but in version 6 only one (R-C59)."""
        scored = VERSIONS[self.points]
        if self.ten == "card" or TEN.items() - scored.items():
            return scored
        return {"game" if point == "ten" else point: worth for point, worth in scored.items()}

    @property
    def total(self) -> int:
        """C32, R-C7: all the points, and so the highest bid."""
        return sum(self.scoring.values()) + (self.scoring.get("joker", 0) if self.points != "6" else 0)

    @property
    def least(self) -> int:
        """R-C6: the lowest bid."""
        return 4 if self.total >= 10 else -(-4 * self.total // 10)


def point_name(card: str, trump: str) -> str | None:
    """Return the point that the card is in versions where it scores; None for a card that never scores by name."""
    if is_joker(card):
        return "joker"
    name = NAMES.get(card[:-1])
    if name is None or suit(card) == trump:
        return name
    return f"off_{name}" if suit(card) == SAME_COLOUR[trump] else None


def is_joker(card: str) -> bool:
    """R-C14: X1 or X2."""
    return card[0] == "X"


def is_trump(card: str, trump: str, setting: Setting) -> bool:
    """R-C11, R-C12, R-C52: the suit, the jokers, and an off card if it scores."""
    if is_joker(card) or suit(card) == trump:
        return True
    return suit(card) == SAME_COLOUR[trump] and point_name(card, trump) in setting.scoring


def is_point_card(card: str, trump: str, setting: Setting) -> bool:
    """R-C48: whether it scores by name; high, low and game name no card."""
    return point_name(card, trump) in setting.scoring


def rung(card: str, trump: str, setting: Setting, jokers: Sequence[str]) -> tuple[int, int]:
    """R-C11 to R-C15: the distance of a trump from the top, (0, 0) for the highest; `jokers` in the order played."""
    ladder = LADDER[::-1] if setting.reverse else LADDER
    if not is_joker(card):
        return ladder.index(card[:-1]), int(suit(card) != trump)
    later = jokers.index(card)
    return ladder.index("X"), -later if setting.reverse and setting.jokers == "first_low" else later


def jokers_of(plays: Iterable[Play]) -> list[str]:
    """Return the jokers in the order they were played."""
    return [card for _, card in plays if is_joker(card)]


def playable_cards(
    cards: Sequence[str], table: Trick, trump: str, setting: Setting, first: bool = False, must: str | None = None
) -> list[str]:
    """R-C9, R-C10, R-C12, R-C29, R-C52; [] for a seat that is skipped.

    `table` is the open trick, `first` is true for the hand's first, which must be led with a trump if held;
    `must` is the called card, which its holder has to play at the first legal chance.
    """
    trumps = [card for card in cards if is_trump(card, trump, setting)]
    if setting.follow == "trumps" or (first and not table and trumps):
        legal = trumps
    elif not table:
        legal = list(cards)
    else:
        legal = following(cards, table[0][1], trump, setting)
    return [must] if must in legal else legal


def following(cards: Sequence[str], led: str, trump: str, setting: Setting) -> list[str]:
    """R-C9's other answer, as in T20-T23: trump to a trump, the suit or a trump to a suit, otherwise any card."""
    trumps = [card for card in cards if is_trump(card, trump, setting)]
    if is_trump(led, trump, setting):
        return trumps or list(cards)
    able = [card for card in cards if card not in trumps and suit(card) == suit(led)]
    return [card for card in cards if card in able or card in trumps] if able else list(cards)


def next_up(
    hands: Sequence[Sequence[str]], table: Trick, start: int, trump: str, setting: Setting, first: bool = False
) -> int | None:
    """R-C10, R-C53, R-C54: the seat whose turn it is, or None if no seat can play.

    `start` is the seat that would lead: the bidder (`first`) or the last taker. If cards are on the table, `start` is
    ignored: the next seat after the last card, up to the leader, is tried first.
    """
    after = table[-1][0] + 1 if table else start
    for seat in [seat % SEATS for seat in range(after, after + SEATS)]:
        if table and seat == table[0][0]:
            return None
        if playable_cards(hands[seat], table, trump, setting, first):
            return seat
    return None


def taker(table: Trick, trump: str, setting: Setting) -> int:
    """C35, R-C11 to R-C16, R-C55, under the setting in force when the trick is gathered."""
    jokers = jokers_of(table)
    trumps = [(rung(card, trump, setting, jokers), seat) for seat, card in table if is_trump(card, trump, setting)]
    if trumps:
        return min(trumps)[1]
    led = [(height(card), seat) for seat, card in table if suit(card) == suit(table[0][1])]
    return min(led)[1] if setting.reverse else max(led)[1]


def kept_plays(table: Trick, trump: str, setting: Setting) -> list[Play]:
    """C23-C26, R-C18, R-C56: the plays that stay with their players, in the order played."""
    low = "A" if setting.reverse else "2"
    if setting.dirty:
        return []
    return [(seat, card) for seat, card in table if card[:-1] == low and is_trump(card, trump, setting)]
