"""Reports name players: sentences about seats, with the numbers only where a name could be somebody else's."""

import time

import pytest

from domain.events import GameOpened
from replay.audit import audit
from replay.history import History
from replay.text.audit_text import report_text
from replay.text.layout import names_by_seat, say_names
from replay.text.terminal import plain_text
from tests.handover.games import history_of, lent_and_returned
from tests.replay.forging import forged
from tests.replay.playing import played
from tests.values import replace

WHO = {0: "ann", 1: "bob", 2: "cat"}


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("seat 1 moves, but it is the turn of seat 2", "bob moves, but it is the turn of cat"),
        ("Seat 0 has left the game.", "ann has left the game."),
        ("it is the turn of seat 0, 2", "it is the turn of ann, cat"),
        ("its seats 0 and 1 are tied", "its ann and bob are tied"),
        ("there is no seat 7", "there is no seat 7"),
        ("every seat must bid 2, seats of 3", "every seat must bid 2, seats of 3"),
        ("receipt 2 of 3 seated", "receipt 2 of 3 seated"),
    ],
)
def test_a_name_takes_the_place_of_a_seat(sentence: str, says: str) -> None:
    assert say_names(sentence, WHO) == says


def test_a_seat_is_called_by_its_player() -> None:
    assert names_by_seat(played(3, 4).history) == {0: "ann", 1: "bob", 2: "cat", 3: "Dörte"}


def test_a_seat_that_changed_hands_keeps_its_number() -> None:
    named = names_by_seat(history_of(lent_and_returned()))
    assert [name for name in named.values() if name.startswith("seat ")]
    assert all(name.startswith(f"seat {seat} (") for seat, name in named.items() if name.startswith("seat "))


def test_players_of_one_name_keep_their_numbers() -> None:
    history = played(3, 3).history
    same = replace(history, header=replace(history.header, players=dict.fromkeys(history.header.players, "deleted")))
    assert names_by_seat(same) == {seat: f"seat {seat} (deleted)" for seat in range(3)}


def test_the_seats_of_a_file_with_thousands_of_them_are_named_in_a_moment() -> None:
    def crowded(event: dict[str, object]) -> None:
        data = event["data"]
        if event["fact"] == "GameOpened" and isinstance(data, dict):
            data["players"] *= 3_000

    history = forged(played(3, 3).history, crowded)
    began = time.process_time()
    named = names_by_seat(history)
    assert (len(named), named[99]) == (9_000, "seat 99 (ann)")
    assert time.process_time() - began < 1


def test_the_report_of_an_audit_has_a_column_for_each_player_and_names_who_a_finding_is_about() -> None:
    whole: History = played(3, 3).history

    def other(event: dict[str, object]) -> None:
        data = event["data"]
        if event["fact"] == "CardPlayed" and isinstance(data, dict) and data["seat"] == 1:
            data["card"] = "2C"

    heads = plain_text(report_text(audit(whole))).splitlines()[1].split()
    assert heads[-4:] == ["ann", "bob", "cat", "check"]
    findings = plain_text(report_text(audit(forged(whole, other))))
    assert "bob plays 2C" in findings
    assert "seat 1" not in findings


def test_a_log_that_seats_nobody_has_no_names() -> None:
    whole = played(3, 3).history
    lines = [line for line in whole.lines if not isinstance(line.event and line.event.data, GameOpened)]
    assert names_by_seat(replace(whole, lines=tuple(lines))) == {}
