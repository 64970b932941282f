"""docs/events.md agrees with the code and is complete."""

from dataclasses import fields
from functools import cache

from domain.commands import Command
from domain.events import FACT_VERSIONS, FACTS
from domain.rules.choices import Phase
from domain.rules.model import Auction, Changes, Delay, Point, Randomizer, Rules, RulesSummary, Version
from tests.generators.events_page import CHOICES, PAGE, page


@cache
def sections() -> dict[str, str]:
    """Return the page's sections by their headings."""
    return {part.split("\n", 1)[0]: part for part in page().split("\n### ")}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/events.md is not up to date: run make events"


def test_every_fact_and_every_choice_has_a_section() -> None:
    headings = [line.removeprefix("### ") for line in page().splitlines() if line.startswith("### ")]
    for name in (*FACTS, *(choice.__name__ for choice in CHOICES if choice is not Phase)):
        assert headings.count(name) == 1, name


def test_every_command_has_a_row_with_the_phases_that_allow_it() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `") and "yes |" in line]
    for command in Command.__args__:
        assert sum(row.startswith(f"| `{command.__name__}`") for row in rows) == 1, command


def test_secrets_are_described_as_seen_by_nobody() -> None:
    assert "Seen by nobody, until" in sections()["SeedKept"]
    assert "Seen by nobody, until" in sections()["StockLaid"]
    assert "Seen by everybody." in sections()["HandDealt"]
    assert "Seen by everybody." in sections()["CardsDiscarded"]


def test_cards_are_described_as_seen_by_their_seat_until_the_reveal() -> None:
    seat = "that seat; by all seats but that one if the rules' sight is `others`"
    for name in ("CardsDealt", "CardsBuried", "CardsTaken"):
        assert f"Seen by {seat}, until ceremony `n` is revealed." in sections()[name]


def test_each_fact_names_its_author() -> None:
    for name, by in {
        "GameOpened": "the player who opened the game",
        "CardsTaken": "its seat's player, or `server` if the table plays the seat",
        "PartnerRevealed": "`server`",
        "RulesChanged": "the host if they changed the rules, otherwise `server`",
    }.items():
        assert f"\nVersion {FACT_VERSIONS[name]}. By {by}.\n" in sections()[name]


def test_there_are_58_facts_and_each_names_its_author_and_audience() -> None:
    assert len(FACTS) == 58
    for name in FACTS:
        assert f"\nVersion {FACT_VERSIONS[name]}. By " in sections()[name]
        assert "\nSeen by " in sections()[name]


def test_the_sentences_about_choices_and_fields_are_those_of_the_code() -> None:
    assert "| `ties` | pass, or take the auction with an equal bid (T9) |" in sections()["DealerBids"]
    assert (
        ", by default `false` | whether the last bid must not make the bids add up to the tricks (B14) |"
        in sections()["Auction"]
    )
    for choice in CHOICES:
        if choice is not Phase:
            assert [value for value in choice if f"| `{value}` |" not in sections()[choice.__name__]] == []


def test_each_part_of_the_rules_has_a_table() -> None:
    for kind in (Rules, Auction, Point, Changes, Randomizer, Version, RulesSummary, Delay):
        assert [each.name for each in fields(kind) if f"| `{each.name}` |" not in sections()[kind.__name__]] == []
