"""Hands as text, so that a test of the rules shows only the cards.

"2: AH 3H 9C" is a trick that seat 2 leads: among three players, seats 0 and 1 follow. Each seat was dealt the
cards that it plays, and seat 0 is the eldest hand. `play_hand(bids, *tricks)` is the commit of the hand's last card.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from domain.cards import DECK_52
from domain.commands import Command, PlayCard
from domain.decide.dealer_duties import next_duty
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, CeremonyRevealed, Fact, GameEnded, HandScored, Peg, SeatResigned
from domain.rejections import MustFollow
from domain.rules.model import Rules
from domain.rules.variants import compose_rules
from tests.given import SEED, Given, auction, cards, deal, game_opened, given
from tests.step_limit import steps

F = TypeVar("F")
HANDS = (
    "AH KH 9C 8C 7C 6C",
    "2H 3H 10C KC QC JC",
    "4H 5H AD KD QD JD",
    "6H 7H AS KS QS JS",
    "2C 3C 4C 5C AC 2D",
    "3D 4D 5D 6D 7D 8D",
    "9D 10D 8H 9H 10H JH",
)
"""Six cards for each of up to seven seats."""
SHARED = ("0: AH 3H 5H", "0: 4C 2H 6C", "1: 7D JH 8D", "2: 9S 10S 3S", "0: AC 5C 7C", "0: KC 2D 2S")
"""A hand of three: high and game to seat 0, low to seat 1, who plays it on a club, and jack to seat 2."""
SWEPT = ("0: AH 2H", "0: KH JH", "0: QH 3C", "0: 10H 4C", "0: 9H 5C", "0: 8H 6C")
"""Every trick and every point to seat 0, who leads."""


def plays(tricks: Iterable[str], players: int) -> list[PlayCard]:
    """Return the cards of `tricks` in the order played, each with its seat; "-" is a skipped seat."""
    moves = []
    for trick in tricks:
        leader, _, fell = trick.partition(":")
        for turn, card in enumerate(fell.split()):
            moves += [PlayCard((int(leader) + turn) % players, each) for each in cards(card.strip("-"))]
    return moves


def card(text: str) -> PlayCard:
    """ "2 AH" is the ace played by seat 2."""
    seat, played = text.split()
    return PlayCard(int(seat), *cards(played))


def go_on(table: Given, *commands: Command) -> Given:
    """Return the situation after these commands, one after another."""
    for command in commands:
        table = table.when(command).happens()
    return table


def check_legal_cards(table: Given, seat: int, hand: str, legal: str) -> None:
    """Check that of the cards in a hand exactly these are legal and accepted, and that a refusal names them."""
    allowed = [PlayCard(seat, each) for each in cards(legal)]
    assert list(legal_moves(table.state, seat)) == allowed
    for move in (PlayCard(seat, each) for each in cards(hand)):
        if move in allowed:
            assert only_fact(CardPlayed, table.when(move).facts).card == move.card
        else:
            assert table.when(move).rejected(MustFollow, *legal.split()).code == "must-follow"


def hands_of_plays(moves: Iterable[PlayCard], players: int) -> list[str]:
    """Return the cards that each seat must have been dealt for these plays."""
    each: list[list[str]] = [[] for _ in range(players)]
    for move in moves:
        each[move.seat].append(move.card)
    return [" ".join(own) for own in each]


def earlier_scores(*scores: int) -> tuple[Fact, ...]:
    """Return facts that leave these scores after a hand dealt by each seat; seat 0 is eldest again."""
    seats = len(scores)
    some = [" ".join(DECK_52[6 * seat : 6 * seat + 6]) for seat in range(seats)]
    none = (0,) * seats
    scored = HandScored(seats, (), none, made=True, changes=scores, scores=scores, tricks=none, bids=(None,) * seats)
    return *deal(some, hand=seats, dealer=seats - 2), scored, CeremonyRevealed(seats, SEED)


def with_hand_size(rules: Rules, cards_each: int) -> Rules:
    """Return the same rules with hands of another size."""
    return replace(rules, hand_sizes=(cards_each,))


def playing(
    bids: Sequence[int],
    tricks: Sequence[str],
    scores: Sequence[int] = (),
    left: Iterable[int] = (),
    rules: Rules | None = None,
    **options: Any,
) -> Given:
    """Return the hand before its last card; the seats in `left` resigned right after the deal."""
    players = len(bids)
    play_by = with_hand_size(rules or compose_rules("pitch", options)[0], len(tricks))
    *before, _ = moves = plays(tricks, players)
    earlier = earlier_scores(*scores) if scores else ()
    dealing = deal(hands_of_plays(moves, players), hand=players + 1 if scores else 1)
    table = given(
        game_opened(players, rules=play_by), *earlier, *dealing, *(SeatResigned(seat) for seat in left), *auction(*bids)
    )
    return go_on(table, *before)


def commit(table: Given, command: Command) -> tuple[Fact, ...]:
    """Return the facts of `command` and of the table's duties after it."""
    after, spent = table.when(command).happens(), steps(1000)
    while (due := next_duty(after.state, lambda: bytes(32))) is not None:
        next(spent)
        after = after.when(due).happens()
    return after.facts[len(table.facts) :]


def play_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[Fact, ...]:
    """Return the facts of the commit of the hand's last card; other arguments are those of `playing`."""
    return commit(playing(bids, tricks, **given_), plays(tricks[-1:], len(bids))[-1])


def score_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> HandScored:
    """Return the score of that hand."""
    return only_fact(HandScored, play_hand(bids, *tricks, **given_))


def game_ended(facts: Iterable[Fact]) -> GameEnded | None:
    """Return the end of the game, or None if it isn't among `facts`."""
    return next((fact for fact in facts if isinstance(fact, GameEnded)), None)


def only_fact(kind: type[F], facts: Iterable[object]) -> F:
    """Return the only fact of its kind."""
    (found,) = facts_of_kind(kind, facts)
    return found


def facts_of_kind(kind: type[F], facts: Iterable[object]) -> Iterator[F]:
    """Return the facts of a kind, in order."""
    return (fact for fact in facts if isinstance(fact, kind))


def fact_names(facts: Iterable[object]) -> list[str]:
    """Return the names of the facts, in order."""
    return [type(fact).__name__ for fact in facts]


def pegs_text(pegs: Iterable[Peg]) -> str:
    """Return pegs in words, "high 0 AH, game 1", in order; pegs without a point are in brackets."""
    words = ((" ".join(filter(None, (peg.point, str(peg.seat), peg.card))), peg.credited) for peg in pegs)
    return ", ".join(said if credited else f"({said})" for said, credited in words)
