"""An opening that contradicts itself, and a salt that stands twice, are found by all three verifiers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.rules.variants import VARIANTS
from replay.audit import CANNOT_TELL, WRONG, audit
from replay.history import History, export_bytes, read_export
from tests.agreement.verdicts import FOUND, RIGHT, Verdicts, in_python, unlike, verdicts
from tests.replay.forging import events_of, forged, in_each, rewritten
from tests.replay.playing import table
from tests.replay.variety import VARIETY, of, randomizer
from tests.stored.test_stored import SINGLE
from tests.verifiers.go import Verifier
from tests.web.engines import Engine

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program

Data = dict[str, Any]


def rules(path: str, value: Any) -> Callable[[Data], object]:
    """Return a change of one value in the rules."""
    *inside, name = path.split(".")

    def change(data: Data) -> None:
        at: Any = data["rules"]
        for step in inside:
            at = at[int(step) if step.isdecimal() else step]
        at[name] = value

    return change


def option(name: str, value: Any, path: str = "") -> Callable[[Data], object]:
    """Return a change of an option, and of the rules if a path is given."""

    def change(data: Data) -> None:
        data["options"][name] = value
        if path:
            rules(path, value)(data)

    return change


def odds(data: Data, pair: list[int]) -> None:
    """Change how often rules change, in the option and in the rules."""
    data["options"]["randomizer"]["when"] = pair
    data["rules"]["changes"]["randomizer"]["when"] = pair


def ends(data: Data, at: str) -> None:
    """Change when the session ends, in the option and in the timing."""
    data["options"]["ends_at"] = data["timing"]["ends_at"] = at


PITCH, WILD, HOST = "gamerz Pitch", "Corellian that changes all the time", "Corellian with a host who changes rules"
BOTS = "Corellian with bots, revealed at the end"
FORGED: dict[str, tuple[str, Callable[[Data], object]]] = {
    "another goal than the option's": (PITCH, rules("goal", 21)),
    "another option than the goal": (PITCH, option("win", 21)),
    "a goal that isn't offered": (PITCH, option("win", 15, "goal")),
    "a goal that is text": (PITCH, option("win", "11")),
    "bids the other way": (PITCH, rules("auction.around", "right")),
    "another fifth point": (PITCH, option("fifth", "bid")),
    "another settling": (PITCH, rules("settle", "points_first")),
    "low as dealt": ("Setback with partners", rules("dirty", False)),
    "a dealer who may raise": ("Setback with partners", option("dealer", "ties_or_raises")),
    "a hook less": ("Blackout", rules("auction.hook", False)),
    "other odds": (WILD, lambda data: data["options"]["randomizer"].update(when=[1, 4])),
    "another menu": (WILD, lambda data: data["options"]["randomizer"]["points"].pop()),
    "points that no version has": (WILD, lambda data: data["options"]["randomizer"]["points"].append("12")),
    "odds above one": (WILD, lambda data: odds(data, [3, 2])),
    "odds of no turns": (WILD, lambda data: odds(data, [0, 0])),
    "a randomizer with one field more": (WILD, lambda data: data["options"]["randomizer"].update(stakes=1)),
    "a randomizer with one field less": (WILD, lambda data: data["options"]["randomizer"].pop("reverse")),
    "an end that is no time": (WILD, lambda data: ends(data, "tomorrow")),
    "an end on a day that doesn't exist": (WILD, lambda data: ends(data, "2030-02-30T00:00:00.000000Z")),
    "an end with fewer decimals": (WILD, lambda data: ends(data, "2030-02-03T00:00:00Z")),
    "no randomizer": (WILD, option("randomizer", None)),
    "a randomizer": ("Corellian without a randomizer", option("randomizer", randomizer()["randomizer"])),
    "a host who may not": (HOST, option("host_changes", False)),
    "another ten": (WILD, option("ten", "game")),
    "all cards dealt": (WILD, option("deal", "all")),
    "a time that isn't the game's": (WILD, option("ends_at", "2026-11-22T00:00:00.000000Z")),
    "the rules of another variant": (PITCH, lambda data: data.update(variant="setback", options={})),
    "bots that are said to be rated": (BOTS, lambda data: data.update(rated=None)),
    "another reason than bots": (BOTS, lambda data: data["rated"].update(reason="guest")),
    "a rating for no reason": (PITCH, lambda data: data.update(rated={"counts": False, "reason": "bots"})),
    "a game that is said to count": (PITCH, lambda data: data.update(rated={"counts": True, "reason": "guest"})),
    "a player of no kind": (PITCH, lambda data: data["players"][1].update(kind="cat")),
    "a person with a strategy": (PITCH, lambda data: data["players"][1].update(bot="simple")),
    "a bot without a strategy": (BOTS, lambda data: data["players"][1].update(bot=None)),
    "seeds that are never revealed": (PITCH, lambda data: data.update(reveal="never")),
    "cuts of no kind": (PITCH, lambda data: data["fairness"].update(cuts="secret")),
    "a wait for no cuts": (PITCH, lambda data: data["fairness"].update(window_s=20)),
    "an autopilot of no kind": (PITCH, lambda data: data.update(autopilot="cat")),
    "a private game that is said to be rated": (PITCH, lambda data: data["watch"].update(public=False)),
}
OTHER_RULES: dict[str, tuple[str, Callable[[Data], object]]] = {
    "another lowest bid": (PITCH, rules("auction.least", 3)),
    "another worth of a point": (PITCH, rules("points.0.worth", 2)),
    "a low trump that stays": ("Setback with partners", rules("keeps", True)),
    "the quirks of old games in part": (PITCH, rules("quirks", ["low_joker"])),
}
"""Rules that the named game can't have, at which only the audit looks."""
UNKNOWN: dict[str, tuple[str, Callable[[Data], object]]] = {
    "an option of a later version": (PITCH, option("stakes", 2)),
    "a variant of a later version": (PITCH, lambda data: (data.update(variant="five"), rules("variant", "five")(data))),
}


def exports(changes: Mapping[str, tuple[str, Callable[[Data], object]]]) -> dict[str, bytes]:
    """Return the export of a hand of each table, with its opening changed and all hashes recomputed."""

    return {name: export_of(of(kind, 2).play(most=9).history, change) for name, (kind, change) in changes.items()}


def export_of(history: History, change: Callable[[Data], object]) -> bytes:
    """Return an export of a game with another opening; its first line names the variant of that."""
    made = forged(history, in_each("GameOpened", lambda event: change(event["data"])))
    header = msgspec.structs.replace(made.header, variant=made.events[0].data.variant)
    return export_bytes(replace(made, header=header, trailer=None))


def test_every_kind_of_table_opens_right(engine: Engine, verifier: Verifier) -> None:
    sound = {name: (name, lambda _: None) for name in VARIETY}
    assert unlike(verdicts(exports(sound), engine, verifier), RIGHT) == {}


def test_an_opening_that_contradicts_itself_is_found(engine: Engine, verifier: Verifier) -> None:
    assert unlike(verdicts(exports(FORGED), engine, verifier), FOUND) == {}


def test_rules_that_the_named_game_cannot_have_are_found_by_the_audit_alone(engine: Engine, verifier: Verifier) -> None:
    found = Verdicts(WRONG, CANNOT_TELL, CANNOT_TELL)
    assert unlike(verdicts(exports(OTHER_RULES), engine, verifier), found) == {}


def test_a_game_may_have_the_rules_of_an_earlier_release(monkeypatch: pytest.MonkeyPatch) -> None:
    (data,) = exports({"": OTHER_RULES["another lowest bid"]}).values()
    assert in_python(data) == WRONG
    now = VARIANTS["pitch"]
    then = replace(now, rules=replace(now.rules, auction=replace(now.rules.auction, least=3)))
    monkeypatch.setitem(VARIANTS, "pitch", replace(now, earlier=(then,)))
    assert "in pitch" not in str(audit(read_export(data)).findings)


HANDS: dict[str, Callable[[Data], object]] = {
    "another order": option("order", "down_up"),
    "a larger hand": option("largest", "most"),
    "an order that is a list": option("order", ["up_down"]),
    "a larger hand than any that is offered": option("largest", 11),
    "one hand more": lambda data: data["rules"]["hand_sizes"].append(1),
}


def test_hands_of_other_sizes_than_the_options_and_the_players_make_are_found(
    engine: Engine, verifier: Verifier
) -> None:
    made: dict[str, bytes] = {}
    sound: dict[str, bytes] = {}
    tables: tuple[tuple[int, Data], ...] = (
        (3, {}), (7, {"order": "down_up"}), (4, {"largest": "most", "order": "down_up"})
    )  # fmt: skip
    for players, options in tables:
        history = table(2, players, variant="oh-hell", **options).play(most=9).history
        sound[f"{players} players"] = export_of(history, lambda _: None)
        if not options:
            made |= {name: export_of(history, change) for name, change in HANDS.items()}
    assert unlike(verdicts(sound, engine, verifier), RIGHT) == {}
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def test_attack_178_an_order_of_hands_that_is_no_text_is_found(engine: Engine, verifier: Verifier) -> None:
    history = table(2, 3, variant="oh-hell").play(most=9).history
    orders: tuple[object, ...] = ([], {}, None, True, 0, "toString", "__proto__")
    made = {f"order {order}": export_of(history, option("order", order)) for order in orders}
    tops: tuple[object, ...] = ([10], {}, None, True, "10", -1)
    made |= {f"largest {top}": export_of(history, option("largest", top)) for top in tops}
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def test_attack_179_another_number_of_cards_than_the_rules_deal_is_found(engine: Engine, verifier: Verifier) -> None:
    """The opening is sound in itself: it's of another table, whose first hand has more cards."""
    history = table(2, 3, variant="oh-hell").play(most=60).history
    first = [*range(10, 1, -1), *range(1, 11)]

    def down_up(data: Data) -> None:
        option("order", "down_up")(data)
        rules("hand_sizes", first)(data)

    assert unlike(verdicts({"hands of one card": export_of(history, down_up)}, engine, verifier), FOUND) == {}


def by_rulebook(**options: object) -> Callable[[Data], object]:
    """Return a change to a game by house rules, with these options."""
    return lambda data: (data.update(variant="house", options=options), rules("variant", "house")(data))


def test_a_game_by_house_rules_names_its_rulebook(engine: Engine, verifier: Verifier) -> None:
    named = {"an address": (PITCH, by_rulebook(rulebook="0a" * 32))}
    wrong = {
        "no rulebook": (PITCH, by_rulebook()),
        "a rulebook of null": (PITCH, by_rulebook(rulebook=None)),
        "too few digits": (PITCH, by_rulebook(rulebook="0a" * 31)),
        "upper case": (PITCH, by_rulebook(rulebook="0A" * 32)),
    }
    assert unlike(verdicts(exports(named), engine, verifier), RIGHT) == {}
    assert unlike(verdicts(exports(wrong), engine, verifier), FOUND) == {}


def test_choices_that_only_a_later_program_knows_are_not_judged(engine: Engine, verifier: Verifier) -> None:
    undecided = Verdicts(CANNOT_TELL, CANNOT_TELL, CANNOT_TELL)
    assert unlike(verdicts(exports(UNKNOWN), engine, verifier), undecided) == {}


def test_that_a_guest_played_is_not_in_the_log(engine: Engine, verifier: Verifier) -> None:
    """The one reason that an opening doesn't show otherwise: docs/verify-a-hand.md names it."""
    guests = {"a guest": (PITCH, lambda data: data.update(rated={"counts": False, "reason": "guest"}))}
    assert unlike(verdicts(exports(guests), engine, verifier), RIGHT) == {}


def test_a_salt_that_stands_twice_is_found(engine: Engine, verifier: Verifier) -> None:
    history = table(1, 3).play(most=9).history
    events = events_of(history)
    events[-1]["salt"] = events[4]["salt"]
    twice = {"a salt used twice": export_bytes(rewritten(history, events))}
    assert unlike(verdicts(twice, engine, verifier), FOUND) == {}


def test_an_opener_without_a_seat_is_right(engine: Engine, verifier: Verifier) -> None:
    """As a game that a club opens for its members."""
    club = in_each("GameOpened", lambda event: event.update(by="p_club"))
    opened = export_bytes(forged(table(1, 3).play(most=9).history, club))
    assert unlike(verdicts({"an opener without a seat": opened}, engine, verifier), RIGHT) == {}


@pytest.mark.parametrize("path", SINGLE, ids=[path.stem for path in SINGLE])
def test_a_log_of_an_old_behavior_is_right_in_all_verifiers(path: Path, engine: Engine, verifier: Verifier) -> None:
    assert unlike(verdicts({path.stem: path.read_bytes()}, engine, verifier), RIGHT) == {}
