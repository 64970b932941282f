"""The legal moves at a step and the reasons of refusals: the same from a seat's own cards as from all cards."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from api.evidence.services.questions import with_clauses
from api.problem import clauses_of_variant
from domain.cards import DECK_54, SUITS
from domain.commands import (
    AskUndo,
    CallPartner,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
    SeatCommand,
    VoteDelay,
)
from domain.engine.legal_moves import legal_discards
from domain.state import State, require
from projections.views.seat import ViewFold
from replay.history import History
from replay.history.steps import NotShown, view_of
from replay.queries import legal_at, view_bytes
from replay.queries.legal import refusal
from replay.text.terminal import plain_text
from tests.replay.playing import Table, long, table
from tests.replay.variety import of

KINDS = [
    "gamerz Pitch",
    "Setback with a dealer who may raise",
    "Blackout",
    "Corellian that changes all the time",
    "Corellian that follows suit",
]


def tried(chance: Random, state: State, seat: int) -> Iterator[SeatCommand]:
    """Moves of every kind, some of them legal."""
    cards = (state.hand and state.hand.cards[seat]) or DECK_54[:2]
    yield from (PlayCard(seat, card) for card in (*chance.sample(cards, min(3, len(cards))), chance.choice(DECK_54)))
    yield from (MakeBid(seat, chance.randint(-1, 8)), PassBid(seat), NameTrump(seat, chance.choice(SUITS)))
    yield from (CallPartner(seat, chance.choice(DECK_54)), AskUndo(seat), ProposeDraw(seat), Resign(seat))
    yield from (VoteDelay(seat, guilty=True), Discard(seat, tuple(chance.sample(cards, len(cards) // 2))))
    may = legal_discards(state, seat)
    if may is not None:
        others = [card for card in may.optional if card not in may.required]
        yield Discard(seat, (*may.required, *others[: may.minimum - len(may.required)]))


def steps(made: Table) -> Iterator[tuple[list[ViewFold], ViewFold]]:
    """Yield the game after each commit, as each seat saw it and with all cards."""
    seats, entries = range(len(made.game.state.seats)), made.entries
    seen, everything = [ViewFold(seat) for seat in seats], ViewFold(0, range(1000))
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        for each in (*seen, everything):
            each.add(entry.event)
        if after is None or after.event.command != entry.event.command:
            yield seen, everything


@pytest.mark.parametrize("kind", KINDS)
def test_section_3_2_a_refusal_has_the_same_words_from_a_seat_s_own_cards(kind: str) -> None:
    chance, judged = Random(kind), {True: 0, False: 0}
    for seen, everything in islice(steps(of(kind).hands(1, also=0.1)), 60):
        for seat, own in enumerate(seen):
            for command in tried(chance, everything.state, seat):
                first, second = refusal(own.state, command), refusal(everything.state, command)
                assert (first and (first.code, str(first))) == (second and (second.code, str(second))), command
                judged[first is None] += 1
    assert min(judged.values()) > 40


def asked_at(history: History, fact: str) -> int:
    """Return the first step before a move that made `fact`."""
    return next(event.version for event in history.events if event.fact == fact) - 1


def test_section_3_2_every_legal_move_is_accepted_and_is_in_the_view() -> None:
    history = long(5)
    at = asked_at(history, "CardPlayed") - 1
    view = view_of(history, None, at)
    (seat,) = view["turn"]["seats"]
    told = legal_at(history, seat, at).to_json()
    assert (told["legal"], told["tried"]) == (view_of(history, seat, at)["you"]["legal"], None)
    for move in told["legal"]:
        verdict = {"move": move, "legal": True, "code": None, "says": None}
        assert legal_at(history, seat, at, move).to_json()["tried"] == verdict


def barred(history: History) -> Iterator[tuple[int, int, str]]:
    """Yield each seat, step and card that the seat held in its turn but couldn't play."""
    for at in range(asked_at(history, "CardPlayed") + 1, len(history.lines)):
        for seat in view_of(history, None, at)["turn"]["seats"]:
            you = view_of(history, seat, at)["you"]
            playable = {move["card"] for move in you["legal"] if move["type"] == "play"}
            yield from ((seat, at, card) for card in you["cards"] or () if playable and card not in playable)


def test_section_3_2_a_refusal_has_its_code_its_sentence_and_its_clauses() -> None:
    history = long(5)
    seat, at, card = next(barred(history))
    answer = with_clauses(legal_at(history, seat, at, card.lower()))
    verdict = require(answer.to_json()["tried"])
    assert (verdict["legal"], verdict["code"], verdict["clauses"]) == (False, "must-follow", ["S34", "S35"])
    text = plain_text(answer.to_text())
    assert f"{card}: refused (must-follow): {verdict['says']}" in text
    assert "by the rules: S34, S35" in text
    assert with_clauses(legal_at(history, seat, at)).to_json()["tried"] is None


def test_clauses_are_those_of_the_played_game() -> None:
    assert clauses_of_variant("setback", "must-follow") == ["T20", "T21"]
    assert clauses_of_variant("corellian", "seat-left") == ["R-P9"]
    assert clauses_of_variant("another", "must-follow") == []


def test_section_3_2_out_of_turn_and_in_the_wrong_phase() -> None:
    history = long(5)
    at = asked_at(history, "BidMade")
    (seat,) = view_of(history, None, at)["turn"]["seats"]
    codes = [
        require(legal_at(history, each, at, move).to_json()["tried"])["code"]
        for each, move in ((seat, "ad"), ((seat + 1) % 4, "2"), (seat, {"type": "bid", "bid": 9}), (seat, "undo"))
    ]
    assert codes == ["wrong-phase", "out-of-turn", "not-a-bid", "nothing-to-undo"]
    assert "make no move of the turn" in plain_text(legal_at(history, (seat + 1) % 4, at).to_text())


def test_section_3_2_inside_a_commit_no_move_is_accepted() -> None:
    history = long(5)
    at = asked_at(history, "HandScored")
    verdict = require(legal_at(history, 0, at, "ad").to_json()["tried"])
    assert (verdict["legal"], verdict["code"]) == (False, None)
    assert "inside a commit" in (verdict["says"] or "")
    assert "refused (inside a commit)" in plain_text(legal_at(history, 0, at, "ad").to_text())
    assert "nobody to move" in plain_text(legal_at(history, 0, at).to_text())


def test_section_3_2_a_seat_that_left_and_a_game_that_is_over() -> None:
    made = table(3, 4).play(most=3)
    made.resign(1)
    history = made.history
    assert require(legal_at(history, 1, None, "ad").to_json()["tried"])["code"] == "seat-left"
    over = long(5)
    assert require(legal_at(over, 1, None, "ad").to_json()["tried"])["code"] == "game-over"


def test_section_3_2_a_delay_call_is_tried_as_if_the_turn_had_lasted_long_enough() -> None:
    made = of("Corellian that changes all the time")
    while made.game.state.phase.value != "play":
        made.move()
    (turn,) = made.game.state.turn
    others = (turn, (turn + 2) % 4)
    told = [legal_at(made.history, (turn + 1) % 4, None, f"delay {seat}").to_json()["tried"] for seat in others]
    assert [require(each)["legal"] for each in told] == [True, False]


def test_section_3_2_discards_are_a_choice_and_not_a_list() -> None:
    made = of("Corellian without a randomizer")
    while made.game.state.phase.value != "discarding":
        made.move()
    (seat,) = made.game.state.turn
    answer = legal_at(made.seen_by(seat), seat, None, "throw 2c")
    assert require(answer.to_json()["choose"])["type"] == "discard"
    assert "to choose: throw " in plain_text(answer.to_text())


def test_section_2_a_live_hand_shows_only_one_s_own_moves() -> None:
    made = table(8, 4).play(most=30)
    own = made.seen_by(2)
    assert require(legal_at(own, 2, None, "ad").to_json()["tried"])["move"] == {"type": "play", "card": "AD"}
    for history, seat in ((own, 1), (made.seen_by(None), 2)):
        with pytest.raises(NotShown, match="is not revealed"):
            legal_at(history, seat)
        with pytest.raises(NotShown, match="is not revealed"):
            view_bytes(history, seat)
