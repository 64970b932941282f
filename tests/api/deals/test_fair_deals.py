"""Cards, seats, dealer, coin and draws of games without cuts, recomputed from docs/fairness.md."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api import fairdeal_reference as fair
from tests.api.live_server import PEOPLE, GameServer, data_of, open_server, versions_of
from tests.api.log_reference import check_export

TIED = Path(__file__).parents[2] / "stored" / "v5" / "blackout-tied.ndjson"
"""A game of Blackout whose winner a coin drew."""
VECTORS = Path(__file__).parents[2] / "domain" / "fairdeal-vectors.json"
TURNS = {"BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "CardPlayed"}


GAMES: list[tuple[str, int, dict[str, object]]] = [
    ("pitch", 4, {"win": 7}),
    ("setback", 3, {}),
    ("setback", 4, {"low": 2}),
    ("blackout", 4, {"inorder": True}),
    ("corellian", 4, {"randomizer": None}),
    ("corellian", 4, {"randomizer": {"when": [1, 5], "end": [1, 60]}}),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("ceremonies")) as found:
        yield found


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_reference_implementation_computes_the_test_vectors(number: int) -> None:
    told = json.loads(VECTORS.read_text(encoding="ascii"))["vectors"][number]
    seed, cuts = bytes.fromhex(told["seed"]), [(source, bytes.fromhex(cut)) for source, cut in told["cuts"]]
    named = told["game"], told["n"], told["subject"], seed
    assert fair.commitment(*named) == told["commit"]
    assert fair.ceremony_key(*named, cuts).hex() == told["key"]
    key = bytes.fromhex(told["key"])
    for draw in told["draws"]:
        made = fair.shuffle(key, draw["label"], draw["n"]) if draw["op"] == "shuffle" else None
        assert draw["result"] == (made or fair.pick(key, draw["label"], draw.get("m", 1)))


def check_order(facts: fair.Facts, n: int) -> None:
    """Check that the seed is stored with its commitment and revealed before the next commitment."""
    (opened,), (kept,) = versions_of(facts, "CeremonyOpened", n), versions_of(facts, "SeedKept", n)
    assert kept == opened + 1
    (dealt,), (shown,) = versions_of(facts, "HandDealt", n), versions_of(facts, "CeremonyRevealed", n)
    bids = [e["version"] for e in facts if e["fact"] in {"BidMade", "BidPassed"} and e["version"] > dealt]
    assert all(opened < dealt < bid for bid in bids)
    assert dealt < shown < min(versions_of(facts, "CeremonyOpened", n + 1), default=len(facts))


@pytest.mark.parametrize(("variant", "people", "options"), GAMES)
def test_every_card_of_a_game_follows_from_its_seeds(
    server: GameServer, variant: str, people: int, options: dict[str, object]
) -> None:
    game = server.open(PEOPLE[:people], variant, options=options)
    game.play(lambda view: view["status"] == "finished" or (view["last_hand"] or {"hand": 0})["hand"] > 1)
    game.finish()
    facts = game.facts
    opened = [each["n"] for each in data_of(facts, "CeremonyOpened")]
    drawn = [each["n"] for each in data_of(facts, "SeatsDrawn") + data_of(facts, "DealerDrawn")]
    assert opened == list(range(0 if drawn else 1, opened[-1] + 1))
    assert drawn == [n for n in opened if n == 0]
    for dealt in data_of(facts, "HandDealt"):
        assert fair.check_deal(facts, dealt["n"])["grade"] == "F0"
        check_order(facts, dealt["n"])
        (subject, _, _), again = fair.revealed_secret(facts, dealt["n"]), dealt["redeal"]
        assert subject == f"deal hand {dealt['hand']}" + (f" redeal {again}" if again else "")


@pytest.mark.parametrize("variant", ["setback", "corellian", "blackout"])
def test_ceremony_0_draws_seats_and_dealer_and_is_revealed_in_the_same_commit(server: GameServer, variant: str) -> None:
    facts = server.open(PEOPLE, variant, options={"randomizer": None} if variant == "corellian" else {}).read().events
    (subject, _, _) = fair.revealed_secret(facts[:5], 0) if variant == "blackout" else fair.revealed_secret(facts, 0)
    assert subject == "game"
    fair.check_commitment(facts, 0)
    key = fair.key_of(facts, 0)
    zero = [each for each in facts if each["data"].get("n") == 0]
    assert [e["fact"] for e in zero[:2] + zero[-1:]] == ["CeremonyOpened", "SeedKept", "CeremonyRevealed"]
    assert len({(each["at"], each["command"]) for each in zero}) == 1
    for data in data_of(facts, "SeatsDrawn"):
        assert data["order"] == fair.shuffle(key, "seats", 4)
    for data in data_of(facts, "DealerDrawn"):
        assert data["seat"] == fair.pick(key, "dealer", 4)
    assert len(data_of(facts, "SeatsDrawn")) == (variant == "blackout")
    assert len(data_of(facts, "DealerDrawn")) == (variant != "blackout")


def test_games_without_a_draw_of_seats_or_dealer_have_no_ceremony_0(server: GameServer) -> None:
    for variant, options in (("pitch", {}), ("blackout", {"inorder": True})):
        facts = server.open(PEOPLE, variant, options=options).read().events
        assert [each["n"] for each in data_of(facts, "CeremonyOpened")] == [1]


def test_the_coin_of_a_tie_is_a_ceremony_of_its_own() -> None:
    facts = check_export(TIED.read_bytes()).events
    (coin,) = data_of(facts, "CoinFlipped")
    assert fair.revealed_secret(facts, coin["n"])[0] == "coin"
    fair.check_commitment(facts, coin["n"])
    drawn = fair.pick(fair.key_of(facts, coin["n"]), "coin", len(coin["seats"]))
    assert coin["winner"] == coin["seats"][drawn]
    assert coin["seats"] == sorted(coin["seats"])
    scored = [each["version"] for each in facts if each["fact"] == "HandScored"]
    told = [each for each in facts if each["data"].get("n") == coin["n"]]
    assert [e["fact"] for e in told] == ["CeremonyOpened", "SeedKept", "CoinFlipped", "CeremonyRevealed"]
    assert scored[-1] < told[0]["version"]
    assert len({each["at"] for each in told}) == 1
    assert data_of(facts, "GameEnded")[0]["winners"] == [coin["winner"]]


def turns_and_changes(facts: fair.Facts, n: int) -> tuple[int, list[dict[str, Any]]]:
    """Return the number of turns in the hand of a ceremony, and the rule changes of the randomizer in it."""
    (dealt,), (shown,) = versions_of(facts, "HandDealt", n), versions_of(facts, "CeremonyRevealed", n)
    hand = facts[dealt:shown]
    brought = [each["data"] for each in hand if each["data"].get("cause") == "randomizer"]
    return sum(each["fact"] in TURNS for each in hand), brought


def check_randomizer(facts: fair.Facts, n: int, menu: list[str], force: dict[str, str], when: tuple[int, int]) -> int:
    """Check each rule change of the randomizer in a hand against the seed; return how many there were.

    `force` holds the current rules. The last draw may be before a turn that was never taken, since the game ended.
    """
    turns, told = turns_and_changes(facts, n)
    (dealt,) = fair.ceremony_data(facts, n, "HandDealt")
    key, brought = fair.key_of(facts, n, fair.cuts_of(dealt)), list(told)
    for t in range(turns + 1):
        others = [entry for entry in menu if entry not in {f"{name}:{value}" for name, value in force.items()}]
        if fair.pick(key, f"randomizer {t} when", when[1]) < when[0] and (brought or t < turns):
            fact, pick = brought.pop(0), fair.pick(key, f"randomizer {t} what", len(others))
            assert (fact["label"], fact["pick"], fact["of"]) == (f"randomizer {t} what", pick, len(others))
            name, value = others[pick].split(":")
            force[name] = value
            assert _setting(fact["summary"]) == force
    assert not brought, "nothing more was to come"
    return len(told)


def _setting(summary: dict[str, Any]) -> dict[str, str]:
    flag = {True: "on", False: "off"}
    dirty, reverse = flag[summary["dirty"]], flag[summary["reverse"]]
    return {"points": summary["points"], "dirty": dirty, "reverse": reverse, "partners": summary["partners"]}


def test_every_rule_change_by_the_randomizer_follows_from_the_seed(server: GameServer) -> None:
    options = {"randomizer": {"when": [1, 3], "end": None}}
    game = server.open(PEOPLE, "corellian", options=options)
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.finish()
    facts = game.facts
    rules = facts[0]["data"]["rules"]
    force = {"points": "10", "dirty": "off", "reverse": "off", "partners": "across"}
    drawn = 0
    for dealt in data_of(facts, "HandDealt"):
        drawn += check_randomizer(facts, dealt["n"], rules["changes"]["menu"], force, (1, 3))
    assert drawn == len([each for each in data_of(facts, "RulesChanged") if each["cause"] == "randomizer"]) > 0


def test_an_end_by_the_randomizer_names_its_ceremony_and_label(server: GameServer) -> None:
    options = {"randomizer": {"when": [1, 240], "end": [1, 4]}}
    game = server.open(PEOPLE, "corellian", options=options)
    game.play(lambda view: view["status"] == "finished")
    facts = game.facts
    (ended,) = data_of(facts, "GameEnded")
    turns, _ = turns_and_changes(facts, ended["n"])
    key = fair.key_of(facts, ended["n"])
    came = [t for t in range(turns + 1) if fair.pick(key, f"randomizer {t} end", 4) < 1]
    assert (ended["reason"], ended["label"]) == ("randomizer", f"randomizer {turns} end")
    assert came == [turns]
