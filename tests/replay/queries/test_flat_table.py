"""Rows of a game for analysis: each bid, card and seat's hand once, and what was taken back is marked."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from domain.events import BidMade, BidPassed, CardPlayed, HandDealt, HandScored, MovesTakenBack, TrickTaken
from replay.history import History, LogLine
from replay.queries.flat_table import BID, CARD, COLUMNS, HAND, FlatRow, flat_rows
from replay.queries.reading import transitions
from tests.replay.sound_games import GAMES
from tests.replay.variety import of

PAGE = Path(__file__).parents[3] / "docs" / "tables.md"


def rows_of(history: History, row: str) -> list[FlatRow]:
    return [each for each in flat_rows(history) if each.row == row]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_each_bid_and_card_of_the_log_is_a_row_and_each_seat_of_a_hand(name: str) -> None:
    history = GAMES[name]()
    facts = [(event.version, event.data) for event in history.events]
    said = [(version, fact) for version, fact in facts if isinstance(fact, BidMade | BidPassed)]
    assert [(row.version, row.seat, row.bid) for row in rows_of(history, BID)] == [
        (version, fact.seat, None if isinstance(fact, BidPassed) else fact.bid) for version, fact in said
    ]
    played = [(version, fact.seat, fact.card) for version, fact in facts if isinstance(fact, CardPlayed)]
    assert [(row.version, row.seat, row.card) for row in rows_of(history, CARD)] == played
    deals = [fact for _, fact in facts if isinstance(fact, HandDealt)]
    hands = [(row.hand, row.redeal, row.seat, row.dealer) for row in rows_of(history, HAND)]
    assert hands == [(each.hand, each.redeal, seat, each.dealer) for each in deals for seat in range(len(each.counts))]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_cards_that_stand_have_the_place_and_the_taker_of_the_log(name: str) -> None:
    history = GAMES[name]()
    at_end = {(n, index): trick for n, index, trick in tricks_at_the_end(history)}
    found = Counter[tuple[int, int]]()
    for row in rows_of(history, CARD):
        deal = next(n for n, version in reversed(list(deals_of(history))) if version < row.version)
        trick = at_end.get((deal, row.trick or 0))
        if row.taken_back or trick is None:
            continue
        found[deal, row.trick or 0] += 1
        assert trick.plays[(row.place or 0) - 1].card == row.card
        assert row.taker == trick.seat
    assert found == Counter({key: len(trick.plays) for key, trick in at_end.items()})


def deals_of(history: History) -> list[tuple[int, int]]:
    return [(event.data.n, event.version) for event in history.events if isinstance(event.data, HandDealt)]


def tricks_at_the_end(history: History) -> list[tuple[int, int, TrickTaken]]:
    """Return ceremony, number and fact of each trick that no undo took back."""
    kept = list[tuple[int, int, int, TrickTaken]]()
    for transition in transitions(history):
        match transition.event.data:
            case TrickTaken() as fact:
                kept.append((transition.event.version, transition.after.live.dealt.n, fact.trick, fact))
            case MovesTakenBack(to_version=to_version):
                kept = [each for each in kept if each[0] <= to_version]
    return [(n, trick, fact) for _, n, trick, fact in kept]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_results_of_a_hand_are_those_that_were_scored(name: str) -> None:
    history = GAMES[name]()
    scored = [event.data for event in history.events if isinstance(event.data, HandScored)]
    rows = [row for row in rows_of(history, HAND) if row.result == "scored"]
    expected = [
        (each.hand, seat, each.bids[seat], each.tricks[seat], each.changes[seat], each.scores[seat])
        for each in scored
        for seat in range(len(each.scores))
    ]
    assert [(row.hand, row.seat, row.bid, row.tricks, row.change, row.score) for row in rows] == expected
    assert {row.result for row in rows_of(history, HAND)} <= results_of_the_page()


def test_the_last_hand_of_a_whole_game_was_scored_and_not_broken_off() -> None:
    assert {row.result for row in rows_of(of("gamerz Pitch", 3).play().history, HAND)} <= {"scored", "thrown in"}


def test_cards_that_are_withheld_are_in_no_row() -> None:
    history = GAMES["Practice"]()
    withheld = replace(history, lines=tuple(map(without_secret, history.lines)))
    assert {row.cards for row in rows_of(withheld, HAND)} == {None}
    assert all(row.cards for row in rows_of(history, HAND))
    assert rows_of(withheld, CARD) == rows_of(history, CARD)


def without_secret(line: LogLine) -> LogLine:
    """Return a line, withheld unless everybody saw its event at once."""
    shown = line.event is None or line.event.seen_by is None
    return line if shown else LogLine(line.version, line.leaf, line.prev)


def results_of_the_page() -> set[str]:
    (item,) = re.findall(r"^\* `result` .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return set(re.findall(r"`([a-z ]+)`", item.partition(": ")[2]))


def test_the_page_has_each_column_in_order_with_its_type() -> None:
    items = re.findall(r"^\* `(\w+)` \(([a-z ]+)[;)]", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    words = {str: "text", int: "whole number", bool: "true or false"}
    shown = {name: "time" if name in ("opened", "at") else words[kind] for name, kind in COLUMNS.items()}
    assert list(shown.items()) == items
