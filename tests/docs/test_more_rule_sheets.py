"""The sheets of Setback, Blackout and Corellian Pitch: numbers, refusals, contested rulings, tables and sums."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from domain import choices, rejections
from tests.docs.markdown import ROOT, anchors, blocks

RULES = ROOT / "docs" / "rules"
RECORDS = ROOT / "docs" / "decisions"
OVERVIEW = RULES / "README.md"
CORELLIAN = RULES / "corellian.md"

CONTESTED = {
    "pitch": {"R-S1": ("around", ["right"]), "R-S12": ("fifth", ["bid"]), "R-S13": ("settle", ["points_first"])},
    "setback": {"R-T2": ("dealer", ["ties_or_raises"]), "R-T3": ("stick", ["any"])},
    "blackout": {},
    "corellian": {
        "R-C1": ("ten", ["game"]),
        "R-C2": ("deal", ["all"]),
        "R-C9": ("follow", ["suit_or_trump"]),
        "R-C15": ("jokers", ["first_low"]),
        "R-C20": ("worth", ["when_taken"]),
        "R-C24": ("scaling", ["original"]),
        "R-C29": ("call", ["secret"]),
        "R-C34": ("credit", ["own", "half"]),
        "R-C36": ("defenders", ["own", "none"]),
        "R-C37": ("double", ["at_end"]),
        "R-C41": ("hold", ["verdict"]),
        "R-C42": ("stop", ["after_hand"]),
    },
}
PLAIN = {
    "pitch": {"win"},
    "setback": {"low"},
    "blackout": {"hook", "inorder"},
    "corellian": {"randomizer", "host_changes", "ends_at"},
}


@dataclass(frozen=True)
class Sheet:
    """A page of rules: clauses letter1..letterN and rulings R-letter1..R-letterM."""

    name: str
    letter: str
    clauses: int
    rulings: int

    @property
    def page(self) -> Path:
        return RULES / f"{self.name}.md"

    def numbers(self) -> list[str]:
        plain = [f"{self.letter}{n}" for n in range(1, self.clauses + 1)]
        return plain + [f"R-{self.letter}{n}" for n in range(1, self.rulings + 1)]


SHEETS = (Sheet("setback", "T", 43, 14), Sheet("blackout", "B", 27, 14), Sheet("corellian", "C", 37, 66))
EACH = [pytest.param(sheet, id=sheet.name) for sheet in SHEETS]
RULINGS = [
    pytest.param(game, number, *option, id=f"{game} {option[0]}")
    for game, rulings in CONTESTED.items()
    for number, option in rulings.items()
]


def clauses(page: Path) -> dict[str, str]:
    """Each clause's own words, on one line."""
    parts = re.split(r'<a id="((?:R-)?[STBC]\d+)"></a>', page.read_text(encoding="utf-8"))
    return {number: " ".join(text.split()) for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def rows(text: str) -> list[list[str]]:
    """The cells of every table row in `text`, heads included and rulers left out."""
    found = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in row] for row in found if not set("".join(row)) <= set("-")]


def fallen(points: int, bid: int, of: int) -> int:
    """`bid` of `of` points as one of `points`, fractions rounded up."""
    return -(-bid * points // of)


@pytest.mark.parametrize("sheet", EACH)
def test_each_clause_and_ruling_has_its_number_once(sheet: Sheet) -> None:
    there = [name for name in anchors(sheet.page) if re.fullmatch(r"(R-)?[A-Z]\d+", name)]
    assert sorted(there) == sorted(sheet.numbers())


@pytest.mark.parametrize("sheet", EACH)
def test_each_clause_begins_a_line_of_its_own_with_its_number(sheet: Sheet) -> None:
    text = sheet.page.read_text(encoding="utf-8")
    heads = re.findall(r'^\* <a id="([^"]+)"></a>\*\*([^*]+)\*\* \S', text, re.MULTILINE)
    assert [anchor for anchor, _ in heads] == [number for _, number in heads]
    assert sorted(number for _, number in heads) == sorted(sheet.numbers())


@pytest.mark.parametrize("sheet", EACH)
def test_every_code_in_brackets_is_a_refusal(sheet: Sheet) -> None:
    known = {each.code for each in vars(rejections).values() if isinstance(each, type) and hasattr(each, "code")}
    named = set(re.findall(r"\(`([a-z]+(?:-[a-z]+)+)`[ ;)]", sheet.page.read_text(encoding="utf-8")))
    assert named
    assert named <= known


def test_the_refusals_of_the_new_games_are_each_said_in_a_sheet() -> None:
    text = "".join(sheet.page.read_text(encoding="utf-8") for sheet in SHEETS)
    codes = ["bid-too-high", "hooked", "must-bid", "not-a-trump", "must-play-called", "cannot-discard", "no-call"]
    codes += ["too-soon", "delay-open", "no-delay", "not-host", "no-change", "out-of-turn", "not-in-hand"]
    assert [code for code in codes if f"`{code}`" not in text] == []


@pytest.mark.parametrize("game", CONTESTED)
def test_the_contested_rulings_are_these_and_no_others(game: str) -> None:
    marked = {number for number, text in clauses(RULES / f"{game}.md").items() if "*(contested)*" in text}
    assert marked == set(CONTESTED[game])


@pytest.mark.parametrize(("game", "number", "option", "others"), RULINGS)
def test_a_contested_ruling_names_its_option_and_links_its_record(
    game: str, number: str, option: str, others: list[str]
) -> None:
    text = clauses(RULES / f"{game}.md")[number]
    link = re.search(r"\[decision (\d{4})\]\(\.\./decisions/(\1-[a-z-]+\.md)\)", text)
    assert link
    record = (RECORDS / link.group(2)).read_text(encoding="utf-8")
    assert f"({number})" in record.splitlines()[0]
    assert f"(../rules/{game}.md#{number})" in record
    for other in others:
        assert f'`"{option}": "{other}"`' in text
        assert f'`"{option}": "{other}"`' in record


def test_each_contested_ruling_has_a_record_of_its_own() -> None:
    text = "".join((RULES / f"{game}.md").read_text(encoding="utf-8") for game in CONTESTED)
    linked = re.findall(r"\[decision\s+(\d{4})\]", text)
    assert len(linked) == len(set(linked)) == len(RULINGS)


def test_the_choices_that_decision_records_name_are_there() -> None:
    families = [each for each in vars(choices).values() if isinstance(each, type)]
    known = {f"{each.__name__}.{value}" for each in families for value in getattr(each, "__members__", ())}
    named = {
        name
        for record in RECORDS.glob("*.md")
        for name in re.findall(r"\b([A-Z][A-Za-z]+\.[A-Z_]{2,})\b", record.read_text(encoding="utf-8"))
    }
    assert len(named) > len(RULINGS)
    assert named <= known


def test_the_overview_lists_every_option_with_its_other_values() -> None:
    game, listed = "", set()
    for row in rows(OVERVIEW.read_text(encoding="utf-8").partition("## Options")[2])[1:]:
        game = row[0].strip("`") or game
        option = row[1].strip("`")
        listed.add((game, option))
        number = row[3].partition("](")[0].strip("[")
        if row[3].endswith("contested"):
            assert CONTESTED[game][number] == (option, re.findall(r'"(\w+)"', row[2])[1:])
    contested = {(game, option) for game, each in CONTESTED.items() for option, _ in each.values()}
    assert listed == contested | {(game, option) for game, options in PLAIN.items() for option in options}


@pytest.mark.parametrize("page", [OVERVIEW, *(sheet.page for sheet in SHEETS)], ids=lambda page: page.stem)
def test_bodies_shown_name_options_that_there_are(page: Path) -> None:
    bodies = [json.loads(block.text) for block in blocks(page, "json")]
    assert bodies
    for body in bodies:
        contested = {option for option, _ in CONTESTED[body["variant"]].values()}
        assert set(body["options"]) <= contested | PLAIN[body["variant"]]
        assert set(body) == {"variant", "options", "seats"}


def versions() -> dict[str, list[str]]:
    """The rows of the table of versions, by version."""
    text = CORELLIAN.read_text(encoding="utf-8").partition("These are all the versions")[2].partition("* <a id")[0]
    return {row[0].strip("`"): row[1:] for row in rows(text)[1:]}


def worth(version: str) -> int:
    """The points of a version added up: one each, or what stands in brackets; `as` another's, and more."""
    points = versions()[version][0].split(", ")
    base = points[0].removeprefix("as ").strip("`") if points[0].startswith("as ") else None
    own = [re.search(r"\((\d+)\)", point) for point in (points[1:] if base else points)]
    return sum(int(match.group(1)) if match else 1 for match in own) + (worth(base) if base else 0)


@pytest.mark.parametrize("version", ["4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16"])
def test_a_version_offers_what_it_is_called_by_and_has_its_lowest_bid(version: str) -> None:
    _, offers, off, jokers, least = versions()[version]
    assert worth(version) == int(offers) == int(version.strip("b"))
    assert int(least) == (4 if int(offers) >= 10 else fallen(int(offers), 4, 10))
    assert (off == "none") == (version in ("4", "9"))
    assert jokers == {"6": "the first"}.get(version, "no" if version in ("4", "5", "8", "9") else "both")


def test_there_are_twelve_versions() -> None:
    assert len(versions()) == 12


def test_the_off_cards_of_a_version_are_those_that_score_in_it() -> None:
    ranks = {"jack": "J", "ace": "A", "ten": "10", "three": "3", "two": "2"}
    scoring: dict[str, set[str]] = {}
    for version, (points, _, off, *_) in versions().items():
        base = re.search(r"as `(\w+)`", points)
        scoring[version] = {ranks[name] for name in re.findall(r"off (\w+)", points)}
        scoring[version] |= scoring[base.group(1)] if base else set()
        assert scoring[version] == (set() if off == "none" else set(off.split(", ")))


def test_reversed_the_ranks_stand_the_other_way_round_and_each_pair_as_it_was() -> None:
    text = CORELLIAN.read_text(encoding="utf-8")
    upright, turned = (next(row[1:] for row in rows(text) if row[0] == head) for head in ("upright", "**reversed**"))
    pairs = [[each] for each in upright if not each.startswith(("off", "2nd"))]
    for first in pairs:
        after = upright[upright.index(first[0]) + 1 :][:1]
        first += [each for each in after if each.startswith(("off", "2nd"))]
    expected = [card for pair in reversed(pairs) for card in pair]
    assert [" ... ".join(reversed(card.split(" ... "))) for card in expected] == turned


def test_the_scaling_table_is_the_bid_times_new_over_old_rounded_up() -> None:
    table = rows(clauses_text("R-C24"))
    bids = [int(cell) for cell in table[0][1:]]
    assert len(table) > 5
    for row in table[1:]:
        old, new = map(int, row[0].split(" to "))
        assert [int(cell) for cell in row[1:] if cell] == [fallen(new, bid, old) for bid in bids if bid <= old]


def clauses_text(number: str) -> str:
    """The lines of a clause of Corellian Pitch as they stand, to the next clause."""
    text = CORELLIAN.read_text(encoding="utf-8")
    return text.partition(f'<a id="{number}"></a>')[2].partition("* <a id")[0]


@pytest.mark.parametrize("sheet", EACH)
def test_in_a_hand_scored_before_and_change_make_after(sheet: Sheet) -> None:
    table = rows(sheet.page.read_text(encoding="utf-8").partition("## A hand, scored")[2])
    befores, changes, afters = (
        [list(map(int, row[1:])) for row in table if row[0] == head]
        for head in ("score before", "change", "score after")
    )
    assert befores
    for before, change, after in zip(befores, changes, afters, strict=True):
        assert [was + more for was, more in zip(before, change, strict=True)] == after
