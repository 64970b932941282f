"""Parts of the JavaScript: canonical JSON, the check of a single deal, the command line."""

import json
from pathlib import Path
from random import Random
from typing import Any

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from domain.protocols.merkle_log import canonical
from tests.docs.markdown import ROOT, blocks
from tests.web.engines import STATIC, Engine
from tests.web.example import PATH, receipt
from tests.web.games import game
from tests.web.verify.test_many_js import kept, run
from tests.web.verify.test_receipts_js import OTHER

SESSION = blocks(ROOT / "docs" / "verify-a-hand.md", "text")[0].text
TEXTS = ["", "a", 'q"\\/', "\u0000\u001f\b\t\n\f\r\u007f", "\u2028\u2029", "D\u00f6rte", "\U0001f0a1", "\ufffd"]


def value(chosen: Random, deep: int = 3) -> Any:
    """Return any value that has canonical bytes."""
    kinds = ["null", "number", "text", "flag"] + ["list", "object"] * (deep > 0)
    match chosen.choice(kinds):
        case "null":
            return None
        case "number":
            return chosen.choice([0, -1, 2**53 - 1, 1 - 2**53, chosen.randrange(-(10**9), 10**9)])
        case "text":
            return "".join(chosen.choices(TEXTS, k=chosen.randrange(4)))
        case "flag":
            return chosen.random() < 0.5
        case "list":
            return [value(chosen, deep - 1) for _ in range(chosen.randrange(4))]
        case _:
            keys = ["a", "Z", "_", "10", "9", "__proto__", "constructor", "", "~"]
            return {key: value(chosen, deep - 1) for key in chosen.sample(keys, chosen.randrange(5))}


def test_canonical_json_is_spelled_as_in_python(engine: Engine) -> None:
    chosen = Random(3)
    values = [value(chosen) for _ in range(300)]
    asked = [json.dumps(each) for each in values]
    answers = engine.run(STATIC, {"do": "canonical", "module": "verify.js", "asked": asked})
    assert answers == [canonical(each).decode() for each in values]


def test_a_value_without_a_canonical_spelling_is_refused(engine: Engine) -> None:
    refused = {
        "1.5": "a number isn't a whole number below 2^53",
        "9007199254740992": "a number isn't a whole number below 2^53",
        "-0": "a number isn't a whole number below 2^53",
        '"\\ud800"': "a text holds half a surrogate pair",
        '{"\u00e9":1}': "the keys of an object must be ASCII text",
        "[" * 101 + "]" * 101: "lists and objects nest deeper than 100",
    }
    deep = "[" * 100 + "]" * 100
    answers = engine.run(STATIC, {"do": "canonical", "module": "verify.js", "asked": [*refused, deep]})
    assert answers == [*(f"RangeError: {says}" for says in refused.values()), deep]


def deal_of(n: int) -> dict[str, Any]:
    data = [event.data for event in game("cuts").events]
    of = {type(each).__name__: each for each in data if getattr(each, "n", None) == n}
    hands = {str(each.seat): list(each.cards) for each in data if type(each).__name__ == "CardsDealt" and each.n == n}
    opened, dealt = of["CeremonyOpened"], of["HandDealt"]
    return {
        "game": game("cuts").header.game,
        "n": n,
        "subject": opened.subject,
        "commit": opened.commit,
        "seals": dict(opened.seals),
        "seed": of["CeremonyRevealed"].seed,
        "cuts": [list(cut) for cut in dealt.cuts],
        "canonical": list(data[0].deck),
        "eldest": dealt.eldest,
        "counts": list(dealt.counts),
        "cards": hands,
        "stock": list(of["StockLaid"].cards),
    }


def test_a_single_deal_is_checked(engine: Engine) -> None:
    right = deal_of(2)
    cases: list[tuple[dict[str, Any], list[str]]] = [
        (right, []),
        ({**right, "seals": None}, []),
        ({**right, "cards": {"0": right["cards"]["0"]}, "stock": None}, []),
        ({**right, "upcard": right["stock"][0]}, []),
        (
            {**right, "upcard": right["stock"][1]},
            [f"{right['stock'][1]} is turned up, but it isn't the first card of the stock"],
        ),
        ({**right, "seed": "00" * 32}, ["the seed doesn't match the commitment of ceremony 2"]),
        ({**right, "seed": "00"}, ["the seed doesn't match the commitment of ceremony 2"]),
        ({**right, "stock": right["stock"][1:]}, ["the stock isn't the one that the seed of ceremony 2 leaves"]),
        (
            {**right, "cards": {"0": right["cards"]["1"]}},
            ["seat 0 gets other cards than the seed of ceremony 2 deals"],
        ),
    ]
    answers = engine.run(STATIC, {"do": "deals", "module": "verify.js", "asked": [asked for asked, _ in cases]})
    assert [answer["findings"] for answer in answers] == [says for _, says in cases]
    assert [answer["ok"] for answer in answers] == [not says for _, says in cases]
    assert sorted(answers[0]["deck"]) == sorted(right["canonical"])
    # another cut makes another deck, and doesn't match its seal
    asked = [{**right, "cuts": [["0", "00" * 32], right["cuts"][1]]}]
    (answer,) = engine.run(STATIC, {"do": "deals", "module": "verify.js", "asked": asked})
    assert answer["findings"][0] == "the cut of seat 0 doesn't match its seal"
    assert "seat 0 gets other cards than the seed of ceremony 2 deals" in answer["findings"]


def test_the_wheel_and_the_source_archive_hold_the_page_and_its_files() -> None:
    due = {f"api/static/verify/{path.name}" for path in STATIC.iterdir()}
    for builder in (WheelBuilder, SdistBuilder):
        assert due <= {each.path.removeprefix(f"{ROOT}/") for each in builder(str(ROOT)).recurse_included_files()}


def test_the_command_line_prints_its_findings_and_exits_with_their_code(tmp_path: Path) -> None:
    assert run(PATH) == (0, "".join(f"{line}\n" for line in SESSION.splitlines()[1:]))
    code, told = run(PATH, kept(tmp_path, "receipt", receipt(game("cuts"), 80)))
    assert code == 1
    assert "event 80: a receipt that was kept isn't valid: the log had another root after event 80" in told
    later = PATH.read_bytes().replace(b'"format":"trickbook-export/1"', b'"format":"x"')
    says = "Error: its first line doesn't name a format that this program knows\n"
    assert run(kept(tmp_path, "later", later)) == (2, says)
    assert run("--key", OTHER.text, PATH)[0] == 1
