"""Each check of the audit on facts of the other games that no server could have written there."""

from typing import Any

from domain.cards import Card
from domain.events import (
    CardPlayed,
    CoinFlipped,
    DelayCalled,
    DelayJudged,
    DelayVoted,
    GameEnded,
    MisdealDeclared,
    Play,
    RulesChanged,
    TrumpPitched,
)
from domain.rules.choices import FirstDealer, Partners, Seating
from domain.rules.model import Randomizer
from replay.audit.deals import ceremonies, deal
from replay.audit.log.event_order import due_facts
from replay.audit.play import exchange, openings, table_talk, tricks
from replay.audit.play import rule_changes as changes
from replay.audit.play.rule_changes import randomizer_draws
from replay.audit.scoring import endings as ends
from replay.fold import START, apply_event, positions
from replay.fold.clocks import elapsed_ms
from replay.rejudge.commands import player_command
from tests.given import events, game_opened
from tests.replay.finding import before, find_fact, says
from tests.replay.variety import of
from tests.values import replace

WILD = "Corellian that changes all the time"
KEY = bytes(32)


def test_a_point_card_is_not_discarded_while_others_are_kept() -> None:
    position, fact = before(WILD, "CardsBuried")
    hand = position.live
    assert hand.trump is not None
    points = exchange.point_cards(replace(position.rules, reverse=False), hand.trump) or {Card("X1")}
    ace = min(points)
    held = replace(hand, cards={**hand.cards, fact.seat: (*fact.cards, ace)})
    says(
        exchange.check_cards_buried(replace(position, hand=held), replace(fact, cards=(ace,))),
        "scores and could be kept",
    )
    won = replace(hand, won=replace(hand.won, seat=fact.seat)) if hand.won else hand
    trump = Card(f"4{hand.trump}")
    says(
        exchange.check_cards_buried(replace(position, hand=won), replace(fact, cards=(trump,))),
        "must be discarded face up",
    )


def test_only_trumps_and_the_called_card_first() -> None:
    position, fact = before(WILD, "CardPlayed")
    hand = position.live
    plain = Card(f"4{ {'H': 'C', 'D': 'C', 'C': 'H', 'S': 'H'}[hand.trump or 'H'] }")
    says(tricks.check_card_played(position, CardPlayed(fact.seat, plain, ())), "only trumps may be played")
    seat = next(seat for seat in range(4) if hand.won and seat != hand.won.seat)
    king, ace = Card(f"K{hand.trump}"), Card(f"A{hand.trump}")
    called = replace(hand, called=king, called_from=1, cards={**hand.cards, seat: (king, ace)})
    says(
        tricks.check_card_played(replace(position, hand=called), CardPlayed(seat, ace, ())),
        f"must play {king}, the called card",
    )
    says(
        tricks.check_trump_pitched(position, TrumpPitched(seat, "H", Card("AH"))), "the rules make trump in another way"
    )


def test_delay_of_game_has_its_time_and_its_voters() -> None:
    position, fact = before(WILD, "DelayCalled")
    assert isinstance(fact, DelayCalled)
    says(table_talk.check_delay_called(position, replace(fact, waited_ms=9), position.since), "is called after 9 ms")
    assert elapsed_ms("", "") is None
    position, _ = before(WILD, "DelayVoted")
    call = position.delay_call
    assert call is not None
    other = next(seat for seat in range(4) if seat not in dict(call.votes) and seat != call.seat)
    says(
        table_talk.check_delay_voted(replace(position, left=(other,)), DelayVoted(other, guilty=True)),
        "votes not guilty for it",
    )
    says(
        table_talk.check_delay_judged(replace(position, delay_call=None), DelayJudged(0, True, (0,) * 4)),
        "no delay call is open",
    )


def test_a_coin_is_flipped_in_a_ceremony_of_its_own() -> None:
    position, _ = before("Blackout", "SeatsDrawn")
    coin = CoinFlipped(0, (0, 1), 0)
    says(ceremonies.check_coin_flipped(replace(position, ceremonies={}), coin, None), "isn't open for a coin")


def test_both_seats_and_dealer_may_be_drawn() -> None:
    first = game_opened(4)
    both = replace(first.rules, seating=Seating.DRAWN, first_dealer=FirstDealer.DRAWN)
    (position,) = positions(events([replace(first, rules=both)]))
    assert due_facts(position, "GameOpened", 0) == {"CeremonyOpened"}
    assert due_facts(position, "SeatsDrawn", 0) == {"DealerDrawn"}


def test_invalid_odds_never_come_true() -> None:
    position, _ = before(WILD, "CardPlayed")
    none = replace(position.rules.changes, randomizer=Randomizer((1, 0), (1, 0)))
    broken = replace(position, in_force=replace(position.rules, changes=none))
    assert randomizer_draws(broken, KEY) == (False, False)
    assert changes.pick(KEY, "randomizer 0 what", 0) is None
    assert changes.rules_after(position.rules, "colour:blue") is None
    assert changes.rules_after(position.rules, "points:99") is None


def test_a_session_that_plays_its_hand_out_is_not_known_to_end_without_the_seed() -> None:
    position, _ = before("Corellian ended by a draw after the hand", "HandScored")
    assert changes.session_end_labels(position, position.live, None) is None
    over = replace(position, hand=replace(position.live, over=True, deferred=()), ceremonies={})
    assert {"GameEnded", "CeremonyOpened"} <= due_facts(over, "CeremonyRevealed", 0)


def test_a_session_has_the_odds_and_the_end_of_its_options() -> None:
    _, fact = before(WILD, "GameOpened")
    rarer, end = {**fact.options["randomizer"], "when": [1, 4]}, "2026-11-22T00:00:00.000000Z"
    for name, value, what in (("randomizer", rarer, "the odds or the menu"), ("ends_at", end, "but the game ends at")):
        says(openings.check_game_opened(START, replace(fact, options=fact.options | {name: value})), what)


def test_an_end_without_a_cause_is_found() -> None:
    position, fact = before("Corellian ended by a draw", "GameEnded")
    assert isinstance(fact, GameEnded)
    none = replace(position, in_force=replace(position.rules, changes=replace(position.rules.changes, randomizer=None)))
    says(ends.check_game_ended(none, fact, "", None), "a game that has no randomizer")
    late, _ = before("Corellian ended by a draw after the hand", "CardPlayed")
    ended = GameEnded("time", (), late.scores)
    says(ends.check_game_ended(late, ended, "", None), "in the middle of a hand, but the rules play the hand out")


def test_a_misdeal_with_an_honor_is_found_from_the_known_cards() -> None:
    position, fact = before(WILD, "MisdealDeclared")
    assert isinstance(fact, MisdealDeclared)
    sound = next(seat for seat in range(4) if seat not in fact.seats)
    seen = replace(position, hand=replace(position.live, cards={sound: position.live.cards[sound]}))
    says(
        deal.check_misdeal_declared(seen, replace(fact, seats=(*fact.seats, sound)), None),
        "some of which have an honor",
    )
    assert list(deal.check_misdeal_declared(seen, fact, None)) == []


def test_an_undo_of_another_call_than_the_last_is_refused() -> None:
    position, _ = before(WILD, "TrumpNamed")
    then = position.live
    assert position.past is not None
    now = replace(then, calls=(*then.calls[:-1], (0, 99)), turns=then.turns + 1)
    assert table_talk.moving_seat(then, now) is None


def test_rules_may_change_before_the_first_deal() -> None:
    first = game_opened(4)
    (position,) = positions(events([first]))
    other = replace(first.rules, partners=Partners.ACROSS)
    change = RulesChanged(other, other.setting, "host", None, None, None, None, ())
    event = replace(find_fact(WILD, "RulesChanged")[0].events[0], data=change, fact="RulesChanged", version=2)
    assert apply_event(position, event).rules == other
    assert changes.facts_due_after_change(position, change) == []
    assert [play.seat for play in (Play(0, Card("2C")),)] == [0]


def test_a_change_that_was_not_requested_is_not_a_command() -> None:
    history, version = find_fact(WILD, "RulesChanged", lambda data: data["cause"] == "randomizer")
    state: Any = of(WILD).game.state
    assert player_command(state, history.events[version - 1 :]) is None
