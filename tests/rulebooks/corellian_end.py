"""A second implementation of Corellian Pitch, the end of a hand: gathered tricks, their winners and the score.

Written from the rule sheet alone, like tests/rulebooks/corellian.py; it shares no code with domain/.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.rulebooks.corellian import SEATS, Setting, is_trump, jokers_of, kept_plays, point_name, rung, taker
from tests.rulebooks.rulebook import WORTH, Peg, Play, Trick

PEGGING = ["high", "low", "jack", "game", "off_jack", "joker", "ten", "three", "two"]
PEGGING += ["ace", "off_ace", "off_two", "off_three", "off_ten", "five"]


@dataclass(frozen=True)
class Gathered:
    """A gathered trick: its plays, its taker, the plays that stayed with their players, and the setting then."""

    plays: tuple[Play, ...]
    seat: int
    kept: tuple[Play, ...]
    setting: Setting

    def lies_with(self, card: str) -> int | None:
        """Return the seat whose pile holds the card; None if it was not in this trick."""
        if card not in [each for _, each in self.plays]:
            return None
        return next((seat for seat, each in self.kept if each == card), self.seat)


def gather_trick(table: Trick, trump: str, setting: Setting) -> Gathered:
    """R-C19, R-C20, R-C54: the current setting decides."""
    return Gathered(tuple(table), taker(table, trump, setting), tuple(kept_plays(table, trump, setting)), setting)


@dataclass(frozen=True)
class Options:
    """The table's options for scoring; the first value is the ruling.

    `worth` "at_end" or "when_taken" (R-C20: named cards count as the version in force when their trick was gathered
    has it; high, low and game can only be told by the last); `credit` "full", "own" or "half" (R-C34: of an odd number
    the bidder has the larger half); `defenders` "full", "own" or "none" (R-C36); `double` "when_made" or "at_end"
    (R-C37: whether the bid is all there is when made, or as it stands at the end).
    """

    worth: str = "at_end"
    credit: str = "full"
    defenders: str = "full"
    double: str = "when_made"


@dataclass(frozen=True)
class Judged:
    """A hand by the rule sheet; `counts` are each seat's own game counts."""

    pegs: list[Peg]
    counts: list[int]
    made: bool
    changes: list[int]
    scores: list[int]


def owner(tricks: Sequence[Gathered], card: str) -> int:
    """Return the seat whose pile holds the card at the end."""
    return next(seat for trick in tricks if (seat := trick.lies_with(card)) is not None)


def game_counts(tricks: Sequence[Gathered]) -> list[int]:
    """R-C56, R-C58: ace 4, king 3, queen 2, jack 1, ten 10, whatever the suit, where they lie."""
    counts = [0] * SEATS
    for trick in tricks:
        for _, card in trick.plays:
            counts[owner(tricks, card)] += WORTH.get(card[:-1], 0)
    return counts


def low_winner(tricks: Sequence[Gathered], card: str) -> int:
    """R-C56: its player if its trick was gathered clean, otherwise the taker."""
    for trick in tricks:
        for seat, each in trick.plays:
            if each == card:
                return trick.seat if trick.setting.dirty else seat
    raise ValueError(card)


def sides(bidder: int, partner: int | None) -> tuple[list[int], list[int]]:
    """C12, R-C32: the bidder's side and the other; partner None for a lone bidder."""
    own = [bidder] if partner is None else [bidder, partner]
    return own, [seat for seat in range(SEATS) if seat not in own]


def points_won(
    tricks: Sequence[Gathered], trump: str, setting: Setting, own: Sequence[int], worth: str = "at_end"
) -> list[tuple[str, int, int, str | None]]:
    """[(point, worth, seat, card)] in pegging order; `own` is the bidder's side, the bidder first."""
    points = named_points(tricks, trump, setting, worth)
    points += extremes(tricks, trump, setting)
    if "game" in setting.scoring:
        points += game(tricks, setting, own)
    return sorted(points, key=lambda point: (PEGGING.index(point[0]), point[3] or ""))


def named_points(
    tricks: Sequence[Gathered], trump: str, setting: Setting, worth: str
) -> list[tuple[str, int, int, str | None]]:
    """Return the cards that score by name (R-C17, R-C20, R-C59)."""
    jokers = jokers_of(play for trick in tricks for play in trick.plays)
    points: list[tuple[str, int, int, str | None]] = []
    for trick in tricks:
        by = setting if worth == "at_end" else trick.setting
        for _, card in trick.plays:
            name = point_name(card, trump)
            if name in by.scoring and not (by.points == "6" and card in jokers[1:]):
                points.append((str(name), by.scoring[str(name)], owner(tricks, card), card))
    return points


def extremes(tricks: Sequence[Gathered], trump: str, setting: Setting) -> list[tuple[str, int, int, str | None]]:
    """R-C17, R-C56, R-C57: high and low, of the trumps played."""
    plays = [play for trick in tricks for play in trick.plays]
    jokers = jokers_of(plays)
    ranked = sorted(
        (card for _, card in plays if is_trump(card, trump, setting)),
        key=lambda card: rung(card, trump, setting, jokers),
    )
    if not ranked or "high" not in setting.scoring:
        return []
    high, low = ranked[0], ranked[-1]
    return [("high", 1, owner(tricks, high), high), ("low", 1, low_winner(tricks, low), low)]


def game(tricks: Sequence[Gathered], setting: Setting, own: Sequence[int]) -> list[tuple[str, int, int, str | None]]:
    """R-C58."""
    counts = game_counts(tricks)
    ours = sum(counts[seat] for seat in own)
    theirs = sum(counts) - ours
    if ours == theirs:
        return []
    winner = own[0] if ours > theirs else min(seat for seat in range(SEATS) if seat not in own)
    return [("game", setting.scoring["game"], winner, None)]


def judge_hand(
    tricks: Sequence[Gathered],
    trump: str,
    setting: Setting,
    side: tuple[int, int | None],
    bid: tuple[int, bool],
    scores: Sequence[int],
    options: Options = Options(),
) -> Judged:
    """R-C33 to R-C38, R-C58; all arguments as at the end of the hand.

    `setting` is the one then in force, `side` (bidder, partner or None), `bid` (as it stands, whether it was all there
    was when it was made), `scores` those before the hand.
    """
    own, other = sides(*side)
    points = points_won(tricks, trump, setting, own, options.worth)
    each = [sum(worth for _, worth, seat, _ in points if seat == mine) for mine in range(SEATS)]
    made = sum(each[seat] for seat in own) >= bid[0]
    changes = [0] * SEATS
    for seat in own:
        changes[seat] = credit(own, each, seat, options.credit) if made else -penalty(bid, setting, options.double)
    for seat in other:
        changes[seat] = {"full": sum(each[one] for one in other), "own": each[seat], "none": 0}[options.defenders]
    pegs = [(*point, made if point[2] in own else options.defenders != "none") for point in points]
    after = [old + new for old, new in zip(scores, changes, strict=True)]
    return Judged(pegs, game_counts(tricks), made, changes, after)


def credit(own: Sequence[int], each: Sequence[int], seat: int, how: str) -> int:
    """R-C34, C21: the score of a seat of the bidder's side for a bid that was made."""
    total = sum(each[one] for one in own)
    if how == "full" or len(own) == 1:
        return total
    if how == "own":
        return each[seat]
    return total - total // 2 if seat == own[0] else total // 2


def penalty(bid: tuple[int, bool], setting: Setting, how: str) -> int:
    """C22, C33, R-C35, R-C37, R-C50: the loss of each seat of a side that was set."""
    number, all_there_was = bid
    double = all_there_was if how == "when_made" else number == setting.total
    return 2 * number if double else number
