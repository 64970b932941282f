"""The rules in plain words: every choice has them, and a summary says what its value says."""

from typing import Any

import msgspec
import pytest

from api.tables.services.rulebook_document import rulebook_choices
from domain.rules.variants import VARIANTS, compose_rules
from tests.docs.markdown import ROOT
from tests.web.engines import Engine

STATIC = ROOT / "api" / "static"
FOLDER = "house-rules"
NUMBERS: dict[str, list[Any]] = {"goal": [None, 1, 52], "most_thrown": [None, 0, 3], "kept_cards": [0, 1, 6]}
LISTS: dict[str, list[Any]] = {
    "seats": [[], [4], [3, 4, 5], [2, 4, 6]],
    "hand_sizes": [[6], [1, 2, 3, 2, 1]],
    "auction.bids": [[], [2, 3, 4], [0, 2, 5]],
    "sights": [["own"], ["others"], ["others", "own"]],
    "removed": [[], ["X2"], ["2C", "2D", "2H", "2S", "3C"]],
}
MOON = (
    "A player can bid the moon, one above all points. Made, it wins the game, or lifts a score below 0 to 0. "
    "Failed, it loses the game."
)


def rules_of(name: str) -> dict[str, Any]:
    rules: dict[str, Any] = msgspec.to_builtins(compose_rules(name, {})[0])
    return rules


def with_value(rules: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    first, _, rest = path.partition(".")
    return rules | {first: with_value(rules[first], rest, value) if rest else value}


def call(engine: Engine, module: str, name: str, *all_args: list[Any]) -> list[Any]:
    """Return what a function of a module returns for each list of arguments."""
    asked = [{"name": name, "args": args} for args in all_args]
    found: list[Any] = engine.run(STATIC, {"do": "refusals", "module": f"{FOLDER}/{module}", "asked": asked})
    return found


def summary(engine: Engine, rules: dict[str, Any]) -> dict[str, list[str]]:
    (parts,) = call(engine, "summary.js", "summaryOf", [rules])
    return {part["title"]: [line["text"] for line in part["lines"]] for part in parts}


def choices() -> list[tuple[str, list[Any]]]:
    """Return each choice that stands by itself, with values of it."""
    found = list[tuple[str, list[Any]]]()
    for each in rulebook_choices()["items"]:
        name = each["name"]
        if "[]" in name or each["kind"] == "object" or name.startswith(("changes.menu", "changes.randomizer", "delay")):
            continue
        of_kind: dict[str, list[Any]] = {"flag": [True, False], "number": [1, 6], "word": ["", "10"]}
        usual = of_kind.get(each["kind"], each["values"])
        values = [[], usual[:1], usual[:3]] if each["list"] and each["kind"] == "choice" else usual
        found.append((name, LISTS.get(name) or NUMBERS.get(name) or [*values, *([None] if each["null"] else [])]))
    return found


@pytest.mark.parametrize("variant", ["setback", "corellian"])
def test_every_value_of_every_choice_has_a_sentence_of_its_own_and_a_word(engine: Engine, variant: str) -> None:
    rules = rules_of(variant)
    for name, values in choices():
        told = call(engine, "sentences.js", "sentenceOf", *([name, with_value(rules, name, value)] for value in values))
        assert all(isinstance(each, str) and each.endswith(".") for each in told), (name, told)
        if name != "opening_lead" or rules["follow"] != "trumps_only":
            assert len(set(told)) == len(told), (name, told)
        (label,) = call(engine, "sentences.js", "labelOf", [name])
        assert label != name.replace(".", " ").replace("_", " "), name


def test_every_value_of_a_list_to_choose_from_has_a_word(engine: Engine) -> None:
    for each in rulebook_choices()["items"]:
        name = each["name"]
        if each["kind"] == "choice" and not each["list"] and not name.startswith(("changes.versions", "points[].rank")):
            words = call(engine, "sentences.js", "wordOf", *([each["name"], value] for value in each["values"]))
            same = {word for word, value in zip(words, each["values"], strict=True) if word == value}
            assert same <= {"never", "nothing"}, (each["name"], words)
            assert not any("_" in word for word in words), (each["name"], words)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_summary_of_every_game_has_a_sentence_for_each_point(engine: Engine, variant: str) -> None:
    rules = rules_of(variant)
    told = summary(engine, rules)
    assert all(text.endswith(".") for texts in told.values() for text in texts)
    assert "Players" in told
    assert "The end of the game" in told
    assert len(told.get("Points of a hand", [])) >= len(rules["points"])


def test_a_summary_of_ten_point_pitch_says_what_is_played(engine: Engine) -> None:
    told = summary(engine, rules_of("ten-point"))
    assert told["Bidding"] == [
        "Each player bids once, and the highest bidder is the pitcher.",
        "A bid is a number of points, up to all 10.",
        "The lowest bid is 5.",
        MOON,
        "If everybody passes, the dealer has the hand for the lowest bid.",
    ]
    assert "Three of trump: 3 points." in told["Points of a hand"]
    assert told["The end of the game"] == [
        "Only the pitcher's side can win: at 52 points, with a bid made in that hand."
    ]


def test_an_example_shows_cards_of_the_rules_own_deck(engine: Engine) -> None:
    for variant in VARIANTS:
        rules = rules_of(variant)
        (deck,) = call(engine, "sentences.js", "deckOf", [rules])
        for name, _ in choices():
            (parts,) = call(engine, "examples.js", "exampleOf", [name, rules])
            shown = {card for part in parts for card in part["cards"]}
            assert name == "joker_order" or shown <= set(deck), (variant, name)
            assert all(set(part.get("lit") or []) <= set(part["cards"]) for part in parts), (variant, name)


def test_an_example_follows_the_choice(engine: Engine) -> None:
    rules = rules_of("ten-point")
    lit = {
        order: call(engine, "examples.js", "exampleOf", ["joker_order", rules | {"joker_order": order}])[0][0]["lit"]
        for order in ("first_high", "marked", "second_high")
    }
    assert lit == {"first_high": ["X2"], "marked": ["X1"], "second_high": ["X1"]}
    (parts,) = call(engine, "examples.js", "exampleOf", ["throw", rules])
    assert [part["cards"] for part in parts] == [["AH", "JH", "10H", "9H", "8H", "7H"], ["4H", "KS", "2C"]]
