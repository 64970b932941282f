"""The rule sheets: every number once, every refusal and choice exists, and the example's score is right."""

import re

from domain import rejections
from domain.engine.scoring import score_points
from domain.rules.choices import Award, BiddingDirection, Settle
from domain.rules.model import Auction
from domain.rules.variants import PITCH
from domain.state import Hand
from tests.clauses import SHEETS
from tests.docs.markdown import ROOT, anchors
from tests.given import cards, deal, game_opened, state_of
from tests.values import replace

SHEET = ROOT / "docs" / "rules" / "pitch.md"
COMMON = ROOT / "docs" / "rules" / "common.md"


def clauses(text: str) -> dict[str, str]:
    """Return each clause's lines."""
    parts = re.split(r'<a id="((?:R-)?[SP]\d+)"></a>', text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_each_clause_and_ruling_has_its_number_once() -> None:
    there = [name for name in anchors(SHEET) if re.fullmatch(r"(R-)?S\d+", name)]
    assert sorted(there) == sorted(SHEETS[0].numbers())
    assert sorted(name for name in anchors(COMMON) if name.startswith("R-P")) == sorted(f"R-P{n}" for n in range(1, 19))


def test_each_clause_begins_with_its_number_and_every_code_in_brackets_is_a_refusal() -> None:
    codes = {each.code for each in vars(rejections).values() if isinstance(each, type) and hasattr(each, "code")}
    for page in (SHEET, COMMON):
        for number, text in clauses(page.read_text()).items():
            assert text.startswith(f"**{number}** ")
        named = set(re.findall(r"\(`([a-z-]{3,})`[;)]", page.read_text()))
        assert named
        assert named <= codes


def test_the_contested_rulings_name_the_choice_that_carries_the_other_answer() -> None:
    named = {number for number, text in clauses(SHEET.read_text()).items() if "*(contested)*" in text}
    assert named == {"R-S1", "R-S12", "R-S13"}
    sheet = dict(re.findall(r"^\| \[(R-S\d+)\]\(#\1\) \| (.+) \|$", SHEET.read_text(), re.MULTILINE))
    other = replace(
        PITCH, auction=Auction(bids=PITCH.auction.bids, around=BiddingDirection.RIGHT), settle=Settle.POINTS_FIRST
    )
    assert "`Auction(around=BiddingDirection.RIGHT)`" in sheet["R-S1"]
    assert "`settle=Settle.POINTS_FIRST`" in sheet["R-S13"]
    assert "`Award.SWEEP_BID`" in sheet["R-S12"]
    assert other != PITCH
    assert (PITCH.auction.around, PITCH.settle, PITCH.points[-1].award) == (
        BiddingDirection.LEFT,
        Settle.BID_FIRST,
        Award.SWEEP,
    )


def played(taken: dict[int, str]) -> Hand:
    """Return the sheet's hand: hearts, pitched by seat 2 with a bid of 3. `taken` are the cards that matter."""
    dealt = state_of([game_opened(4), *deal(["AH", "KH", "QH", "JH"])]).hand
    assert dealt is not None
    won = tuple(cards(taken[seat]) for seat in range(4))
    sides = ((2,), (0,), (1,), (3,))
    return replace(dealt, trump="H", pitcher=2, bid=3, sides=sides, taken=won, tricks=(1, 1, 4, 0))


def test_the_worked_example_is_scored_as_the_sheet_says() -> None:
    result = score_points(PITCH, played({0: "2H 5S", 1: "JH 3C", 2: "AH 10C KS", 3: ""}), (9, 4, 9, 0), (0, 1, 2, 3))
    assert [(peg.point, peg.seat, peg.credited) for peg in result.pegs] == [
        ("high", 2, False),
        ("low", 0, True),
        ("jack", 1, True),
        ("game", 2, False),
    ]
    row = next(line for line in SHEET.read_text().splitlines() if line.startswith("| score after"))
    assert result.scores == tuple(int(cell) for cell in row.split("|")[2:6])


def test_with_the_jack_the_worked_example_is_won_before_game() -> None:
    result = score_points(PITCH, played({0: "2H 5S", 1: "3C", 2: "AH 10C KS JH", 3: ""}), (9, 4, 9, 0), (0, 1, 2, 3))
    assert result.scores == (10, 4, 11, 0)
    assert [(peg.point, peg.credited) for peg in result.pegs][-1] == ("game", False)
