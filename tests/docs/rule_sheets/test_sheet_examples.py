"""The tables and the worked examples of the rule sheets agree with the rules."""

import re
from itertools import chain
from typing import Any

from domain.cards import RANK, SUIT, Card, parse_exact_card
from domain.commands import Command, MakeBid, PassBid, PlayCard
from domain.engine.auction import minimum_bid, scale
from domain.engine.rule_menu import apply_change
from domain.engine.scoring import HandResult, score_points
from domain.engine.tricks import trumps
from domain.events import HandScored, Peg, TrumpTurnedUp
from domain.rejections import Hooked
from domain.rules.choices import Award
from domain.rules.model import Rules
from domain.rules.variants import BLACKOUT, PITCH, SETBACK, compose_rules
from domain.rules.variants.corellian_versions import TEN, VERSIONS, with_game
from domain.state import Hand
from tests.docs.markdown import ROOT
from tests.docs.rule_sheets.sheets import lines, numbers, rows
from tests.games.hands import (
    commit,
    earlier_scores,
    game_ended,
    hands_of_plays,
    only_fact,
    pegs_text,
    plays,
    with_hand_size,
)
from tests.given import Given, cards, deal, game_opened, given, state_of
from tests.values import replace

PITCH_PAGE, SETBACK_PAGE, BLACKOUT_PAGE, CORELLIAN_PAGE = (
    ROOT / "docs" / "rules" / f"{name}.md" for name in ("pitch", "setback", "blackout", "corellian")
)
PITCH_TEXT, SETBACK_TEXT, BLACKOUT_TEXT, CORELLIAN_TEXT = (
    page.read_text(encoding="utf-8") for page in (PITCH_PAGE, SETBACK_PAGE, BLACKOUT_PAGE, CORELLIAN_PAGE)
)
CORELLIAN, DEFAULTS = compose_rules("corellian", {})
ALL = (0, 1, 2, 3)


def versions() -> dict[str, list[str]]:
    """Return the rows of the table of versions, by version."""
    text = CORELLIAN_TEXT.partition("These are all the versions")[2].partition("* <a id")[0]
    return {row[0].strip("`"): row[1:] for row in rows(text)[1:]}


def points_of(version: str) -> list[tuple[str, int]]:
    """Return the (point, worth) pairs that the sheet gives a version; a cell can refer to another version."""
    names = versions()[version][0].split(", ")
    base = points_of(names.pop(0).removeprefix("as ").strip("`")) if names[0].startswith("as ") else []
    own = [re.fullmatch(r"([a-z ]+?)(?: \((\d)\))?", name) for name in names]
    return base + [(match[1].replace(" ", "_"), int(match[2] or 1)) for match in own if match]


def test_each_version_has_the_points_and_bids_the_sheet_lists() -> None:
    assert list(versions()) == list(VERSIONS)
    for name, version in VERSIONS.items():
        named = [
            ("first_joker" if each.award is Award.FIRST_JOKER else each.name, each.worth) for each in version.points
        ]
        twice = [("joker", 1) for each in version.points if each.award is Award.JOKERS]
        assert sorted(named + twice) == sorted(points_of(name)), name
        rules = in_version(name)
        _, offers, off, jokers, lowest = versions()[name]
        assert (rules.total, minimum_bid(rules.auction, rules.total)) == (int(offers), int(lowest))
        assert int(offers) == int(name.strip("b"))
        assert set(rules.off) == (set() if off == "none" else set(off.split(", ")))
        awards = {each.award for each in rules.points}
        assert jokers == ("both" if Award.JOKERS in awards else "the first" if Award.FIRST_JOKER in awards else "no")


def in_version(name: str) -> Rules:
    """Return the rules of Corellian Pitch after a change to a version."""
    rules, _ = compose_rules("corellian", {"randomizer": {"points": list(VERSIONS)}})
    return apply_change(rules, f"points:{name}")


def test_the_other_ten_changes_the_versions_the_sheet_says_and_no_others() -> None:
    text = " ".join(lines(CORELLIAN_PAGE)["R-C1"].split())
    changes = re.search(r"It changes (.*?); in (.*?) the ten goes on scoring", text)
    assert changes
    others = re.findall(r"`(\w+)`", changes[1])
    assert others == [name for name, version in VERSIONS.items() if with_game(version) != version]
    still = [name for name, version in VERSIONS.items() if TEN in version.points and name not in others]
    assert re.findall(r"`(\w+)`", changes[2]) == still


def called(card: Card) -> str:
    """Return the sheet's name for a trump if hearts are trump."""
    if SUIT[card] is None:
        return "1st joker" if card == "X1" else "2nd joker"
    return RANK[card] if SUIT[card] == "H" else f"off {RANK[card]}"


def spread(cell: str) -> list[str]:
    """Return the ranks of a cell such as "9 ... 4"."""
    first, dots, last = cell.partition(" ... ")
    if not dots:
        return [cell]
    step = 1 if int(first) < int(last) else -1
    return [str(rank) for rank in range(int(first), int(last) + step, step)]


def test_the_trumps_rank_as_the_sheet_s_table_has_them() -> None:
    for head, reverse in (("upright", False), ("**reversed**", True)):
        (shown,) = (row[1:] for row in rows(CORELLIAN_TEXT) if row[0] == head)
        order = reversed(trumps(replace(in_version("16"), reverse=reverse), "H", Card("X1")))
        assert list(chain.from_iterable(map(spread, shown))) == [called(card) for card in order]


def test_the_scaling_table_agrees_with_the_rules() -> None:
    table = rows(lines(CORELLIAN_PAGE)["R-C24"])
    bids = [int(cell) for cell in table[0][1:]]
    assert len(table) > 5
    for row in table[1:]:
        old, new = map(int, row[0].split(" to "))
        assert [int(cell) for cell in row[1:] if cell] == [scale(bid, old, new) for bid in bids if bid <= old]


def test_the_default_odds_are_those_of_the_sheet() -> None:
    assert DEFAULTS["randomizer"]["when"] == [1, 16]
    assert DEFAULTS["randomizer"]["end"] == [1, 240]
    assert "once in sixteen turns and its end once in 240" in " ".join(CORELLIAN_TEXT.split())
    assert len(CORELLIAN.changes.menu) == 16
    assert "8 + 2 + 2 + 4 = 16 entries" in " ".join(CORELLIAN_TEXT.split())


# Corellian Pitch: the cards of each seat, and the score.


def pitched(taken: list[list[Card]], bid: int, sides: tuple[tuple[int, ...], ...]) -> Hand:
    """Return a finished hand with hearts as trump, pitched by seat 1. `taken` are the cards that each seat took."""
    dealt = state_of([game_opened(4, variant="corellian"), *deal(["AH", "KH", "QH", "JH"], jokers=True)]).hand
    assert dealt is not None
    won = tuple(map(tuple, taken))
    return replace(dealt, trump="H", pitcher=1, bid=bid, sides=sides, taken=won)


def corellian_scored(version: str, bid: int, before: list[int]) -> HandResult:
    """Return the sheet's hand, scored in a version."""
    has = next(row[1:] for row in rows(CORELLIAN_TEXT) if row[0] == "has, of what counts")
    taken = [[parse_exact_card(card) for card in re.findall(r"\b(?:\d+|[AKQJ])[CDHS]\b|X[12]", cell)] for cell in has]
    assert sum(map(len, taken)) == 8
    return score_points(in_version(version), pitched(taken, bid, ((1, 3), (0, 2))), before, ALL)


def test_the_hand_of_corellian_pitch_is_scored_as_the_sheet_says() -> None:
    table = rows(CORELLIAN_TEXT.partition("## A hand, scored")[2])
    before, change, after = (numbers(table, head)[0] for head in ("score before", "change", "score after"))
    result = corellian_scored("7", scale(6, 10, 7), before)
    assert list(result.scores) == after
    assert [new - old for old, new in zip(before, after, strict=True)] == change
    (own,) = numbers(table, "points in `7`")
    assert own == [sum(peg.worth for peg in result.pegs if peg.seat == seat) for seat in ALL]
    assert numbers(table, "its side's points")[0] == [own[seat] + own[(seat + 2) % 4] for seat in ALL]


def test_the_hand_of_corellian_pitch_is_pegged_in_the_order_the_sheet_says() -> None:
    said = re.search(r"Pegged, in order: ([a-z, ]+)\.", CORELLIAN_TEXT.replace("\n", " "))
    assert said
    assert [peg.point.replace("_", " ") for peg in corellian_scored("7", 5, [0] * 4).pegs] == said[1].split(", ")


# gamerz Pitch: the hand of the sheet.


def finished(taken: dict[int, str]) -> Hand:
    """Return the sheet's hand: hearts, pitched by seat 2 with a bid of 3. `taken` are the cards that matter."""
    dealt = state_of([game_opened(4), *deal(["AH", "KH", "QH", "JH"])]).hand
    assert dealt is not None
    won = tuple(cards(taken[seat]) for seat in range(4))
    sides = ((2,), (0,), (1,), (3,))
    return replace(dealt, trump="H", pitcher=2, bid=3, sides=sides, taken=won, tricks=(1, 1, 4, 0))


def test_the_hand_of_pitch_is_scored_as_the_sheet_says() -> None:
    result = score_points(PITCH, finished({0: "2H 5S", 1: "JH 3C", 2: "AH 10C KS", 3: ""}), (9, 4, 9, 0), (0, 1, 2, 3))
    assert [(peg.point, peg.seat, peg.credited) for peg in result.pegs] == [
        ("high", 2, False),
        ("low", 0, True),
        ("jack", 1, True),
        ("game", 2, False),
    ]
    row = next(line for line in PITCH_TEXT.splitlines() if line.startswith("| score after"))
    assert result.scores == tuple(int(cell) for cell in row.split("|")[2:6])


def test_with_the_jack_the_hand_of_pitch_is_won_before_game() -> None:
    result = score_points(PITCH, finished({0: "2H 5S", 1: "3C", 2: "AH 10C KS JH", 3: ""}), (9, 4, 9, 0), (0, 1, 2, 3))
    assert result.scores == (10, 4, 11, 0)
    assert [(peg.point, peg.credited) for peg in result.pegs][-1] == ("game", False)


# Setback: played out card by card, so that it ends as the sheet says.

MADE = ("0: AC 4C JC 5C", "0: QH 6H 2H 7H", "0: 2S 10C 3S 3C", "1: KD 2D 4D 3D")
SET = ("0: AC 4C 6C 5C", "0: QH 6H 2H 7H", "0: 2S 10C 3S 3C", "1: JC 2D 4D 3D", "1: KD 5D 6D 7D")


def through(table: Given, *commands: Command) -> Given:
    for command in commands:
        table = table.when(command).happens()
    return table


def setback(*tricks: str) -> tuple[Any, ...]:
    """Return the commit of the last card; seat 0 has bid 2."""
    moves, rules = plays(tricks, 4), with_hand_size(SETBACK, len(tricks))
    start = (
        game_opened(4, variant="setback", rules=rules),
        *earlier_scores(9, 10, 9, 10),
        *deal(hands_of_plays(moves, 4), hand=5),
    )
    table = through(given(*start), MakeBid(0, 2), *map(PassBid, (1, 2, 3)), *moves[:-1])
    return commit(table, moves[-1])


def test_the_hand_of_setback_ends_as_the_sheet_says() -> None:
    facts = setback(*MADE)
    table = rows(SETBACK_TEXT.partition("## A hand, scored")[2])
    (after,) = numbers(table, "score after")
    assert only_fact(HandScored, facts).scores == (*after, *after)
    assert pegs_text(only_fact(HandScored, facts).pegs) == "high 0 AC, low 1 3C, jack 0 JC, game 1"
    counts = only_fact(HandScored, facts).counts
    shown = next(row[1:] for row in table if row[0] == "game count")
    assert [int(cell.rpartition("= ")[2]) for cell in shown] == [counts[0] + counts[2], counts[1] + counts[3]]
    end = game_ended(facts)
    assert end is not None
    assert (end.reason, end.winners) == ("goal", (0, 2))


def test_with_the_jack_lost_the_hand_of_setback_ends_as_the_sheet_says() -> None:
    facts = setback(*SET)
    assert (only_fact(HandScored, facts).made, only_fact(HandScored, facts).scores) == (False, (7, 13, 7, 13))
    assert "falls to 9 - 2 = 7, the others come to 10 + 3 = 13" in " ".join(SETBACK_TEXT.split())
    end = game_ended(facts)
    assert end is not None
    assert end.winners == (1, 3)


# Blackout: the hand of the sheet.


def blackout_moves() -> list[PlayCard]:
    """Return the cards in the order of play: the bold one is led."""
    moves = []
    for row in rows(BLACKOUT_TEXT.partition("## A hand, scored")[2])[1:4]:
        leader = next(seat for seat in ALL if row[1 + seat].startswith("**"))
        moves += [
            PlayCard(seat % 4, parse_exact_card(row[1 + seat % 4].strip("*"))) for seat in range(leader, leader + 4)
        ]
    return moves


def test_the_hand_of_blackout_is_bid_played_and_scored_as_the_sheet_says() -> None:
    moves = blackout_moves()
    rules = replace(with_hand_size(BLACKOUT, 3), seating=compose_rules("blackout", {"inorder": True})[0].seating)
    table = rows(BLACKOUT_TEXT.partition("## A hand, scored")[2])
    before, bids, tricks, changes, after = (
        numbers(table, head)[0] for head in ("score before", "bid", "tricks taken", "change", "score after")
    )
    start = (game_opened(4, variant="blackout", rules=rules), *earlier_scores(*before))
    dealt = (*deal(hands_of_plays(moves, 4), hand=5, dealer=1, stock="9D"), TrumpTurnedUp(5, Card("9D"), "D"))
    spoken = through(given(*start, *dealt), *(MakeBid(seat, bids[seat]) for seat in (2, 3, 0)))
    spoken.when(MakeBid(1, 1)).rejected(Hooked)
    facts = through(spoken, MakeBid(1, bids[1]), *moves).facts
    scored = [fact for fact in facts if isinstance(fact, HandScored)][-1]
    assert (list(scored.tricks), list(scored.changes), list(scored.scores)) == (tricks, changes, after)
    assert scored.pegs == tuple[Peg, ...]()
