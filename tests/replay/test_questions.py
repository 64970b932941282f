"""The questions of trust.md section 3: what each answers of sound games, of forged ones and of hands not revealed."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import msgspec
import pytest

from domain.events import Timing
from replay.audit import audit
from replay.history import History, NoSuchHand, export, from_entries, read
from replay.questions import AnotherGame, Answer, clock, commits, compare, deal, draws, revokes, score, sight
from replay.screen import plain_text
from replay.steps import NotShown, view_of
from tests.disputes import appeal, contest, decide, rule
from tests.replay.finding import found
from tests.replay.forging import events_of, forged, rewritten
from tests.replay.playing import long, table
from tests.replay.variety import VARIETY, of
from tests.tables import Table

WILD = "Corellian that changes all the time"
ENDED, AFTER = "Corellian ended by a draw", "Corellian ended by a draw after the hand"
KINDS = [
    "Pitch to the right",
    "Setback with sealed cuts",
    "Blackout in order without a hook, revealed at the end",
    WILD,
    "Corellian held back until a verdict",
    "Corellian that follows suit",
    AFTER,
]
OF_A_GAME: list[Callable[[History], Answer]] = [revokes, draws, score, clock, sight, commits]
Event = dict[str, Any]


def says(answer: Answer) -> str:
    """The answer as text, which says no less than the JSON has rows; both can be written down."""
    assert json.loads(json.dumps(answer.json()))["code"] == answer.code
    return plain_text(answer.shown())


@pytest.mark.parametrize("kind", KINDS)
def test_section_3_nothing_is_wrong_with_sound_games_whoever_asks(kind: str) -> None:
    made = of(kind).hands(1, also=0.1, often=0.1)
    for viewer in (None, 1):
        history = made.seen_by(viewer)
        for ask in OF_A_GAME:
            answer = ask(history)
            assert (answer.findings, says(answer) != "") == ((), True)
            assert answer.json()["question"] == ask.__name__
        assert deal(history, 1).findings == ()
        assert compare(history, made.history).code == 0


@pytest.mark.parametrize("ask", [revokes, draws, score, clock])
def test_a_hand_that_was_not_dealt_is_refused(whole: History, ask: Callable[[History, int], Answer]) -> None:
    for each in (ask, deal):
        with pytest.raises(NoSuchHand, match="no hand 99"):
            each(whole, 99)
    with pytest.raises(NotShown, match="no hand 99"):
        sight(whole, 99)


def test_a_deal_that_waits_for_cuts_is_told_from_one_that_is_not_there() -> None:
    waiting = of("Pitch with open cuts", 3).seen_by(None)
    promise = next(event.data for event in waiting.events if event.fact == "CeremonyOpened")
    with pytest.raises(NoSuchHand, match=f"deal hand 1 waits for cuts and is not dealt yet.*{promise.commit}"):
        deal(waiting, 1)
    with pytest.raises(NoSuchHand, match="no hand 2"):
        deal(waiting, 2)
    (hand,) = audit(waiting).json()["hands"]
    assert (hand["ended"], hand["deck"]) == ("not dealt", "unrevealed")


def test_a_hand_in_which_nobody_has_bid_says_so() -> None:
    assert "nobody has bid" in says(deal(table(8, 4).seen_by(None), 1))


def test_a_game_in_which_nothing_is_drawn_says_so() -> None:
    answer = draws(of("Blackout in order without a hook, revealed at the end").history)
    assert (answer.code, "no draws: nothing here was left to chance but the cards" in says(answer)) == (0, True)


# 3: who could have followed


def following(history: History) -> tuple[Event, Event]:
    """Two cards of one seat in one hand, the first following suit, the second a card of another suit played later."""
    events = events_of(history)
    for place, event in enumerate(events):
        if event["fact"] != "TrickTaken" or event["data"]["trick"] != 1:
            continue
        led, *others = event["data"]["plays"]
        for first in others:
            for after in events[place:]:
                if after["fact"] == "HandScored":
                    break
                other = after["data"]
                own = after["fact"] == "CardPlayed" and other["seat"] == first["seat"]
                follows = first["card"][-1] == led["card"][-1]
                if own and follows and led["card"][-1] not in other["card"] and not _trump(events, other):
                    return first, other
    raise LookupError("nobody follows")


def _trump(events: list[Event], data: Event) -> bool:
    pitched = next(event["data"]["suit"] for event in events if event["fact"] == "TrumpPitched")
    return bool(data["card"][-1] == pitched)


def exchanged(event: Event, first: Event, other: Event) -> None:
    """The two cards exchanged, as they were played and as they were gathered."""
    cards = {first["card"]: other["card"], other["card"]: first["card"]}
    for play in [event["data"], *event["data"].get("plays", ())]:
        if play.get("seat") == first["seat"] and event["fact"] in {"CardPlayed", "TrickTaken"} and "card" in play:
            play["card"] = cards.get(play["card"], play["card"])


def test_section_3_3_a_revoke_is_found_with_what_its_player_held() -> None:
    history = long(11)
    sound = revokes(history)
    assert sound.code == 0
    first, other = following(history)
    kept = dict(first), dict(other)
    answer = revokes(forged(history, lambda event: exchanged(event, *kept)))
    (revoke,) = [card for card in answer.json()["cards"] if not card["allowed"]]
    assert (revoke["seat"], revoke["card"], answer.code) == (first["seat"], other["card"], 1)
    assert first["card"] in revoke["following"]
    assert revoke["could_follow"]
    assert f"and could have played {' or '.join(revoke['following'])}" in str(answer.findings[0])
    assert "revoke" in says(answer)


def test_section_3_3_a_trump_on_a_plain_suit_is_no_revoke_and_who_has_none_plays_anything() -> None:
    cards = revokes(long(5)).json()["cards"]
    trumped = [card for card in cards if card["following"]]
    assert trumped
    assert all(card["allowed"] and card["card"][-1] == card["trump"] for card in trumped)
    assert any(not card["could_follow"] for card in cards)
    assert {card["rules"]["follow"] for card in cards} == {"suit_or_trump"}


def test_section_3_3_the_rules_are_those_in_force_when_the_card_fell() -> None:
    history = of("Corellian that follows suit").hands(2).history
    told = revokes(history).json()["cards"]
    assert {card["rules"]["points"] for card in told} - {told[0]["rules"]["points"]}
    assert "points" in says(revokes(history))


def test_section_3_3_where_only_trumps_are_played_any_other_card_is_a_revoke() -> None:
    history, version = found(WILD, "CardPlayed", lambda data: data["card"] == "AC")
    events = {event["version"]: event for event in events_of(history)}
    trick = next(events[later] for later in range(version, len(events)) if events[later]["fact"] == "TrickTaken")
    follower = trick["data"]["plays"][-1]
    played_at = next(
        number
        for number in range(trick["version"], 0, -1)
        if events[number]["fact"] == "CardPlayed" and events[number]["data"]["card"] == follower["card"]
    )

    def plays_another(event: Event) -> None:
        if event["version"] == played_at:
            event["data"]["card"] = next(card for card in PLAIN if not _is_trump(card, trick))

    answer = revokes(forged(history, plays_another))
    assert "only trumps are played" in str(answer.findings[0])


PLAIN = ["9D", "9S", "9H", "9C"]


def _is_trump(card: str, trick: Event) -> bool:
    return any(card[-1] == play["card"][-1] for play in trick["data"]["plays"])


def test_section_3_3_cards_taken_back_are_marked() -> None:
    made = table(5, 4).hands(2, often=0.5)
    told = revokes(made.history).json()["cards"]
    assert {card["taken_back"] for card in told} == {True, False}
    assert "taken back" in says(revokes(made.history))


def test_section_3_3_of_a_live_hand_nothing_is_told(live: History) -> None:
    last = max(event.data.hand for event in live.events if event.fact == "HandDealt")
    answer = revokes(live, last)
    assert (answer.code, answer.json()["cards"]) == (2, [])
    assert f"hand {last} is not revealed yet" in says(answer)


# 4: the deal


def test_section_3_4_a_deal_is_worked_out_anew_and_is_the_one_recorded(whole: History) -> None:
    (told,) = deal(whole, 2).json()["deals"]
    assert told["commit"] == told["commit_recomputed"]
    assert told["recorded"]["stock"] == told["stock"]
    assert [told["recorded"][str(seat)] for seat in range(4)] == told["hands"]
    assert sorted(chain(*told["hands"], told["stock"])) == sorted(told["deck"])
    order = told["order"]
    assert order["opened"] < order["dealt"] < order["first_bid"] < order["revealed"]
    assert (told["check"], told["grade"]) == ("right", "F0")
    assert told["seed"] in says(deal(whole, 2))


def test_section_3_4_cuts_stand_with_the_seals_they_fit() -> None:
    history = of("Setback with sealed cuts").hands(3).history
    told = [each for hand in (1, 2, 3) for each in deal(history, hand).json()["deals"]]
    cuts = [cut for each in told for cut in each["cuts"]]
    assert {cut["sealed"] for cut in cuts} == {True, False}
    assert all(cut["fits"] for cut in cuts)
    assert all(len(each["order"]["cuts"]) >= len(each["cuts"]) for each in told)
    text = "".join(says(deal(history, hand)) for hand in (1, 2, 3))
    assert "as it was sealed" in text
    assert "open" in text


def test_section_3_4_a_cut_that_is_not_the_one_sealed_is_named() -> None:
    history = of("Setback with sealed cuts").hands(3).history
    at = next(
        event["version"]
        for event in events_of(history)
        if event["fact"] == "HandDealt" and event["data"]["hand"] == 2 and event["data"]["cuts"]
    )

    def other_cut(event: Event) -> None:
        if event["version"] == at:
            event["data"]["cuts"][0][1] = "ab" * 32

    answer = deal(forged(history, other_cut), 2)
    assert (answer.code, "NOT as it was sealed" in says(answer)) == (1, True)


def test_section_3_4_another_card_than_the_seed_deals_is_found(whole: History) -> None:
    first = next(event["version"] for event in events_of(whole) if event["fact"] == "CardsDealt")

    def other_order(event: Event) -> None:
        if event["version"] == first:
            event["data"]["cards"].reverse()

    answer = deal(forged(whole, other_order), 1)
    assert (answer.code, answer.json()["deals"][0]["check"]) == (1, "wrong")
    assert "; the log has " in says(answer)
    assert deal(forged(whole, other_order), 2).code == 0


def test_section_3_4_another_seed_is_found(whole: History) -> None:
    def other_seed(event: Event) -> None:
        if event["fact"] in {"SeedKept", "CeremonyRevealed"} and event["data"]["n"] == 1:
            event["data"]["seed"] = "ab" * 32

    answer = deal(forged(whole, other_seed), 1)
    assert (answer.code, answer.json()["deals"][0]["hands"]) == (1, None)


def test_section_3_4_of_a_live_hand_the_promise_is_told_and_no_card(live: History) -> None:
    last = max(event.data.hand for event in live.events if event.fact == "HandDealt")
    answer = deal(live, last)
    (told,) = answer.json()["deals"]
    assert (answer.code, told["seed"], told["key"], told["deck"], told["recorded"]) == (2, None, None, None, {})
    assert (told["revealed"], told["check"]) == (False, "unrevealed")
    assert told["commit"] in says(answer)


def test_section_3_4_a_ceremony_that_was_overtaken_by_the_end_is_told() -> None:
    made = of("Pitch with open cuts").hands(1)
    made.resign(0)
    made.resign(1)
    voided = deal(made.history, 1).json()["voided"]
    assert [each["reason"] for each in voided] == ["ended"]


def test_section_3_4_who_keeps_a_sealed_cut_back_is_named() -> None:
    history, version = found("Setback with sealed cuts", "HandDealt", lambda data: bool(data["missing"]))
    hand = history.lines[version - 1].event
    assert hand is not None
    assert "had sealed a cut and kept it back" in says(deal(history, hand.data.hand))


# 5: draws


def test_section_3_5_every_chance_stands_there_also_those_that_did_not_come_true() -> None:
    told = draws(of(WILD).hands(2).history).json()["draws"]
    assert {"dealer"} <= {draw["label"] for draw in told}
    chances = [draw for draw in told if draw["label"].endswith("when")]
    assert {draw["fired"] for draw in chances} == {True, False}
    assert all(draw["right"] for draw in told)
    assert all(draw["odds"] == (1, 3) and (draw["drawn"] < 1) == draw["fired"] for draw in chances)
    turns = [int(draw["label"].split()[1]) for draw in chances if draw["n"] == 1]
    assert turns == list(range(len(turns)))


def test_section_3_5_seats_and_coin_are_drawn_again() -> None:
    history, _ = found("Blackout to its end", "CoinFlipped")
    told = {draw["label"]: draw for draw in draws(history).json()["draws"]}
    assert told["coin"]["drawn"] == told["coin"]["recorded"]
    history = of("Blackout").history
    assert [draw["label"] for draw in draws(history).json()["draws"]] == ["seats"]


@pytest.mark.parametrize(
    ("kind", "fact", "field"), [(WILD, "DealerDrawn", "seat"), ("Blackout", "SeatsDrawn", "order")]
)
def test_section_3_5_another_draw_than_the_seed_makes_is_found(kind: str, fact: str, field: str) -> None:
    history = of(kind).hands(1).history

    def other(event: Event) -> None:
        if event["fact"] == fact:
            value = event["data"][field]
            event["data"][field] = (value + 1) % 4 if isinstance(value, int) else value[::-1]

    answer = draws(forged(history, other))
    assert (answer.code, "and the log has" in str(answer.findings[0])) == (1, True)


def test_section_3_5_another_change_than_the_seed_picks_is_found() -> None:
    history, version = found(WILD, "RulesChanged")

    def other(event: Event) -> None:
        if event["version"] == version:
            event["data"]["pick"] = 999

    answer = draws(forged(history, other))
    assert (answer.code, answer.findings[0].version) == (1, version)
    assert answer.json()["draws"][-1]["label"]


def test_section_3_5_a_change_that_should_have_come_and_did_not_is_found() -> None:
    events = events_of(of(WILD).hands(2).history)
    change = next(
        event
        for before, event in pairwise(events)
        if event["fact"] == "RulesChanged" and event["data"]["next"] and before["data"].get("next") == []
    )
    left = [event for event in events if event["version"] < change["version"]]
    left[-1]["data"]["next"] = change["data"]["next"]
    more = {**left[-1], "fact": "DrawProposed", "data": {"seat": 0}, "by": "p0", "command": "c"}
    answer = draws(rewritten(of(WILD).history, [*left, more]))
    assert "draws it to come, and it did not come" in str(answer.findings)


@pytest.mark.parametrize("kind", [ENDED, AFTER])
def test_section_3_5_the_end_of_a_session_is_one_of_its_draws(kind: str) -> None:
    history, version = found(kind, "GameEnded", lambda data: data["reason"] == "randomizer")
    ends = [draw for draw in draws(history).json()["draws"] if draw["fired"] and draw["label"].endswith("end")]
    assert [(draw["came"], draw["right"]) for draw in ends][:1] == [(version, True)]
    assert draws(history).code == 0


def test_section_3_5_a_session_that_goes_on_after_the_hand_that_ends_it_is_found() -> None:
    history, version = found(AFTER, "GameEnded", lambda data: data["reason"] == "randomizer")
    events = [event for event in events_of(history) if event["version"] < version]
    opened = next(event for event in events[::-1] if event["fact"] == "CeremonyOpened")
    data = {**opened["data"], "n": opened["data"]["n"] + 1}
    answer = draws(rewritten(history, [*events, {**events[-1], "fact": "CeremonyOpened", "data": data}]))
    assert "draws it to come, and it did not come" in str(answer.findings)


def test_section_3_5_without_a_seed_only_what_the_log_has_is_told() -> None:
    made = of(WILD).hands(1).play(most=20)
    while made.game.state.hand is None or made.game.state.hand.drawn is None:
        made.move()
    hand = made.game.state.hand.number
    answer = draws(made.seen_by(None), hand)
    told = answer.json()["draws"]
    assert told
    assert {draw["right"] for draw in told} == {None}
    assert (answer.code, f"hand {hand}" in says(answer)) == (2, True)


# 6: score


def test_section_3_6_points_recorded_stand_beside_those_recomputed(whole: History) -> None:
    told = score(whole).json()
    assert all(hand["recorded"] == hand["recomputed"] for hand in told["hands"])
    last = view_of(whole, None)
    assert told["as_played"] == {"scores": last["result"]["scores"], "winners": last["result"]["winners"]}
    assert told["as_ruled"] is None
    assert "won by" in says(score(whole))


def test_section_3_6_a_score_that_does_not_add_up_is_found(whole: History) -> None:
    at = next(event["version"] for event in events_of(whole) if event["fact"] == "HandScored")

    def more(event: Event) -> None:
        if event["version"] == at:
            event["data"]["changes"][0] += 1

    false = forged(whole, more)
    hand = next(event.data.hand for event in whole.events if event.version == at)
    assert (score(false, hand).code, score(false, hand + 1).code) == (1, 0)
    told = score(false, hand).json()["hands"][0]
    assert told["recorded"]["changes"] != told["recomputed"]["changes"]


def history_of(made: Table) -> History:
    """All of it."""
    return from_entries([entry for commit in made.commits for entry in commit], {})


def contested() -> Table:
    """Two hands scored, and the first of them contested."""
    made = Table(4, seed=3).plays_out(hands=2)
    contest(made, 1, 1)
    return made


def test_section_5_an_adjusted_score_stands_beside_the_one_as_played() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    answer = score(history_of(made))
    told = answer.json()
    played_to = told["as_played"]["scores"]
    assert told["as_ruled"]["scores"] == [played_to[0] - 1, played_to[1] + 1, *played_to[2:]]
    assert [each["decision"] for each in told["rulings"]] == ["adjust"]
    assert (answer.code, "as ruled: " in says(answer)) == (0, True)
    assert score(history_of(made), 2).json()["rulings"] == []


def test_section_5_a_voided_hand_counts_for_nothing() -> None:
    made = contested()
    rule(made, "void", 0, 0, 0, 0)
    told = score(history_of(made)).json()
    first, second = made.hands_scored[:2]
    assert told["as_ruled"]["scores"] == list(second.changes)
    assert told["as_played"]["scores"] == list(second.scores)
    assert told["hands"][0]["recorded"]["changes"] == list(first.changes)


def test_section_5_a_reversed_ruling_is_in_force_no_more() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    appeal(made, 0)
    decide(made, "reversed")
    answer = score(history_of(made))
    told = answer.json()
    assert (told["as_ruled"], answer.code) == (None, 0)
    assert [each["decision"] for each in told["rulings"]] == ["adjust", "reversed"]


def test_section_5_an_upheld_ruling_stays_and_the_end_tells_who_won_by_it() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    appeal(made, 0)
    decide(made, "upheld")
    made.plays_out()
    told = score(history_of(made)).json()
    ended = made.events[-1].data
    assert told["as_ruled"] == {"scores": list(ended.ruled.scores), "winners": list(ended.ruled.winners)}


def test_section_5_a_ruling_after_the_end_may_change_who_won() -> None:
    made = Table(4, seed=3).plays_out()
    winner = made.state.result.winners[0] if made.state.result else 0
    contest(made, (winner + 1) % 4, 1)
    changes = [-9 if seat == winner else 9 if seat == (winner + 1) % 4 else 0 for seat in range(4)]
    given = rule(made, "adjust", *changes)
    told = score(history_of(made)).json()
    assert given.ruled is not None
    assert told["as_ruled"]["winners"] == list(given.ruled.winners)
    assert told["as_played"]["winners"] == [winner]


def test_section_5_a_ruling_that_tells_other_scores_than_it_makes_is_found() -> None:
    made = contested()
    rule(made, "adjust", -1, 1, 0, 0)
    at = made.events[-1].version

    def other(event: Event) -> None:
        if event["version"] == at:
            event["data"]["ruled"]["scores"][0] += 5

    answer = score(forged(history_of(made), other))
    assert (answer.code, answer.findings[0].version) == (1, at)
    assert "the rulings in force make it" in says(answer)


# 7: the clock


def test_section_3_7_each_turn_is_timed_by_the_log(whole: History) -> None:
    told = clock(whole).json()
    moved = [event for event in whole.events if event.fact in {"BidMade", "BidPassed", "CardPlayed"}]
    assert [turn["version"] for turn in told["turns"]] == [event.version for event in moved]
    assert sum(seat["turns"] for seat in told["seats"]) == len(moved)
    assert all(turn["took_ms"] >= 1000 and turn["over_ms"] is None for turn in told["turns"])
    assert told["waiting"] is None
    assert told["limits"]["forfeit_days"] == 21


def test_section_3_7_who_took_longer_than_he_may_is_late_by_so_much() -> None:
    made = of(WILD)
    while made.game.state.phase.value != "play":
        made.move()
    made.delay()
    made.move()
    told = clock(made.history).json()
    (call,) = told["delay_calls"]
    assert call["told_ms"] == call["waited_ms"] > call["limit_ms"]
    assert [turn["over_ms"] for turn in told["turns"] if turn["seat"] == call["accused"]][-1] is not None
    text = says(clock(made.history))
    assert "calls delay of game on" in text
    assert "too long" in text
    assert "to move since event" in text


def test_section_3_7_a_delay_call_that_tells_another_time_is_found() -> None:
    history, version = found(WILD, "DelayCalled")

    def longer(event: Event) -> None:
        if event["version"] == version:
            event["data"]["waited_ms"] += 1

    answer = clock(forged(history, longer))
    assert (answer.code, answer.findings[0].version) == (1, version)


def test_section_3_7_cut_windows_tell_who_cut_when() -> None:
    history = of("Setback with sealed cuts").hands(2).history
    told = clock(history).json()["cuts"]
    assert {each["hand"] for each in told} >= {1, 2}
    assert all(cut["after_ms"] >= 0 for each in told for cut in each["cuts"])
    assert all(each["dealt_after_ms"] is not None for each in told)
    assert "cut by" in says(clock(history))
    assert {each["hand"] for each in clock(history, 2).json()["cuts"]} == {2}


def test_section_3_7_reminders_and_forfeits_are_told() -> None:
    made = table(3, 3, timing=Timing(nag_days=1, forfeit_days=2))
    for _ in range(2):
        made.clock += 90_000
        made.stop()
    told = clock(made.history).json()["reminded"]
    assert [each["fact"] for each in told] == ["TurnReminded", "SeatForfeited"]
    assert "TurnReminded" in says(clock(made.history))


def test_a_table_without_limits_has_no_late_turn() -> None:
    made = table(3, 3, timing=Timing(nag_days=None, forfeit_days=None)).play(most=3)
    assert {turn["limit_ms"] for turn in clock(made.history).json()["turns"]} == {None}


# 10: sight


def test_section_3_10_a_seat_s_cards_are_its_own_until_the_reveal(whole: History) -> None:
    told = sight(whole, 1).json()["events"]
    revealed = next(event for event in whole.events if event.fact == "CeremonyRevealed" and event.data.n == 1)
    for each in told:
        if each["fact"] == "CardsDealt":
            (seat,) = each["seen_by"]
            since = [moment["version"] for moment in each["seats"]]
            assert since == [each["version"] if other == seat else revealed.version for other in range(4)]
            assert each["public"] == {"version": revealed.version, "at": revealed.at}
    assert {each["public"]["version"] for each in told if each["fact"] == "StockLaid"} == {revealed.version}
    assert "nobody" in says(sight(whole, 1))


def test_section_3_10_what_is_withheld_is_not_told() -> None:
    made = table(8, 4).play(0.1, most=40)
    for history, seat in ((made.seen_by(None), None), (made.seen_by(1), 1)):
        answer = sight(history)
        hidden = [each for each in answer.json()["events"] if each["withheld"]]
        assert len(hidden) == history.withheld
        assert {each["fact"] for each in hidden} == {None}
        assert answer.code == 2
        own = [each for each in answer.json()["events"] if each["seen_by"] == [seat] and each["public"] is None]
        assert len(own) == (seat is not None)
    assert "not yet" in says(sight(made.seen_by(1)))


# 11: commits


def test_section_3_11_commits_stand_in_order_with_what_each_brought() -> None:
    made = table(8, 4).play(most=40)
    told = commits(made.history).json()["commits"]
    assert told[0]["facts"][0] == "GameOpened"
    assert [each["first"] for each in told[1:]] == [each["last"] + 1 for each in told[:-1]]
    assert told[-1]["last"] == len(made.entries)
    assert len({each["command"] for each in told}) == len(told)
    public = commits(made.seen_by(None)).json()["commits"]
    assert [(each["first"], each["last"]) for each in public] == [(each["first"], each["last"]) for each in told]
    assert None in [fact for each in public for fact in each["facts"]]


def test_section_3_11_a_range_holds_the_commits_it_touches(whole: History) -> None:
    every = commits(whole).json()["commits"]
    middle = next(each for each in every if each["last"] > each["first"] and each["first"] > 20)
    asked = commits(whole, middle["last"], middle["last"])
    assert asked.json()["commits"] == [middle]
    assert "from " not in says(asked)
    assert len(commits(whole, 1, 40).json()["commits"]) > 1
    assert "from " in says(commits(whole, 1, 40))


def test_section_3_11_the_house_answers_under_the_command_it_follows() -> None:
    made = table(2, 3, bots=(1, 2))
    events = events_of(made.play(most=6).history)
    person = next(event["command"] for event in events if event["by"] == "p0" and event["version"] > 1)
    after = next(event["version"] for event in events if event["command"] == person)

    def answered(event: Event) -> None:
        if event["version"] > after and event["by"].startswith("bot:"):
            event["command"] = person

    history = forged(made.history, answered)
    told = commits(history)
    assert told.code == 0
    assert any(each["follows"] for each in told.json()["commits"])
    assert "in answer" in says(told)


@pytest.mark.parametrize(("half", "said"), [("same", "the same command"), ("other", "another request")])
def test_section_3_11_a_command_of_a_person_s_stands_once(whole: History, half: str, said: str) -> None:
    own = [event for event in events_of(whole) if event["by"] == "p0" and event["fact"] == "CardPlayed"]
    first, again = own[0], own[1]
    other = first["command"] if half == "same" else first["command"].partition("-")[0] + "-" + "f" * 16

    def repeats(event: Event) -> None:
        if event["command"] == again["command"]:
            event["command"] = other

    answer = commits(forged(whole, repeats))
    assert (answer.code, answer.findings[0].version) == (1, again["version"])
    assert said in says(answer)
    assert commits(forged(whole, repeats), 1, first["version"]).code == 0


# 9: two histories


def test_section_3_9_exports_for_different_viewers_are_one_history() -> None:
    made = table(8, 4).play(0.1, most=40)
    answer = compare(made.seen_by(1), made.seen_by(2))
    assert (answer.code, answer.json()["became"], answer.json()["root"]) == (0, "same", made.game.root)
    assert "one history of" in says(answer)


def test_section_3_9_a_game_that_went_on_goes_on_from_what_was_kept() -> None:
    made = table(8, 4).play(most=20)
    kept = made.seen_by(1)
    later = made.play(most=20).seen_by(None)
    assert [compare(later, kept).json()["became"], compare(kept, later).json()["became"]] == ["longer", "shorter"]
    assert "the first, " in says(compare(later, kept))
    assert "the second, " in says(compare(kept, later))


def test_section_3_9_two_histories_part_at_a_named_event(whole: History) -> None:
    def other(event: Event) -> None:
        if event["version"] == 12:
            event["salt"] = "ab" * 16

    answer = compare(whole, forged(whole, other))
    assert (answer.code, answer.json()["first_difference"]["version"], answer.json()["common"]) == (1, 12, 11)
    assert "two histories begin here: its salt is" in says(answer)


def test_section_3_9_what_differs_in_a_fact_is_said(whole: History) -> None:
    def other(event: Event) -> None:
        if event["version"] == 1:
            event["data"]["rules"]["goal"] = 9
            event["data"]["board"] = 8

    said = str(compare(forged(whole, other), whole).findings)
    assert "its board is 8 and 7" in said
    assert "..." in said


def test_section_3_9_another_fact_and_what_is_withheld_are_told_too() -> None:
    made = table(8, 4).play(most=40)
    events = events_of(made.history)
    last = next(event for event in events[::-1] if event["fact"] == "CardPlayed")

    def resigns(event: Event) -> None:
        if event["version"] == last["version"]:
            event |= {"fact": "SeatResigned", "data": {"seat": last["data"]["seat"]}}

    parted = compare(made.history, forged(made.history, resigns))
    assert "its fact is CardPlayed and SeatResigned" in str(parted.findings)

    def salted(event: Event) -> None:
        if event["fact"] == "SeedKept" and event["version"] > 60:
            event["salt"] = "ab" * 16

    hidden = compare(made.seen_by(None), forged(made.history, salted))
    assert "the leaf is " in str(hidden.findings)


def test_section_3_9_a_leaf_that_is_not_its_event_s_is_found_first(whole: History) -> None:
    data = export(whole).replace(whole.lines[20].leaf.hex().encode(), b"ab" * 32)
    answer = compare(whole, read(data))
    assert "the second does not verify" in str(answer.findings[0])
    assert "one of the leaves is not theirs" in str(answer.findings)


def test_histories_of_two_games_are_not_compared(whole: History) -> None:
    other = replace(whole, header=msgspec.structs.replace(whole.header, game="11111111-d9cb-469f-a165-70867728950e"))
    with pytest.raises(AnotherGame, match="two games"):
        compare(whole, other)


def test_a_history_of_nothing_is_answered_for(whole: History) -> None:
    nothing = replace(whole, lines=())
    for ask in OF_A_GAME:
        assert ask(nothing).code == 0
    assert set(VARIETY) >= set(KINDS)


def test_section_5_a_live_hand_that_is_voided_is_asked_about_like_any_other() -> None:
    made = Table(4, seed=3).plays_out(hands=1)
    for _ in range(6):
        made.moves(1)
    number = made.state.hand.number if made.state.hand else 0
    contest(made, 1, number)
    rule(made, "void", 0, 0, 0, 0)
    history = from_entries(
        [entry for commit in made.commits for entry in commit], {}, lambda entry: entry.event.seen_by != ()
    )
    again = deal(history_of(made), number)
    assert [each["redeal"] for each in again.json()["deals"]] == [0, 1]
    assert again.json()["deals"][0]["check"] == "right"
    for ask in OF_A_GAME:
        assert ask(history).findings == ()
        assert ask(history_of(made)).findings == ()
    assert score(history_of(made)).json()["as_ruled"] is None
    assert {card["hand"] for card in revokes(history_of(made)).json()["cards"]} >= {1}
