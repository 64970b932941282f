"""A newcomer plays from the seed's help text alone: every refusal says what to write."""

import dataclasses
import re

import pytest
from flask import Flask

from api.config import Config
from api.lines.catalog import parse_line
from api.lines.words import NotACommand
from tests.api.conftest import MakeApp
from tests.command_lines.players import Lines, challenge, mover, people, seated, stranger


def test_a_line_with_a_slip_is_refused_with_the_right_one() -> None:
    for line, says in {
        "move 123 foo bar AD": "Write the game first: pitch move, setback move",
        "mvoe 123 foo bar AD": "Write the game first: pitch mvoe",
        "pitch challenge win=7 foo bar": "An option begins with a dash: write -win=7",
        "pitch dispute 123 score something is wrong": "'score' isn't the number of a hand.",
        "pitch signup foo long-enough-1": "signup takes no game. Write: signup userid password [email]; in a terminal",
        "pitch queue 123 foo bar if led hearts KH": "A condition is like: if hearts led KH. Write: pitch queue",
        "signup foo": "The password is missing. Write: signup userid password [email]",
    }.items():
        with pytest.raises(NotACommand, match=re.escape(says)):
            parse_line(line, "ann" if line.startswith("pitch dispute") else None)


def asked_table(make_app: MakeApp, config: Config) -> tuple[list[Lines], int]:
    """Return ann, bob and cat, and a table at which bob and cat are asked to sit."""
    players = people(make_app(dataclasses.replace(config, seating="asked")), 3)
    return players, challenge(players, "pitch")


@pytest.mark.both_stores
def test_a_table_that_forms_says_how_to_agree(make_app: MakeApp, config: Config) -> None:
    players, board = asked_table(make_app, config)
    ann, bob, cat = players
    anyone = stranger(ann.caller.client.application)
    assert "your name and password" in anyone.refused(f"pitch join {board}", "unauthorized")
    says = f"To agree to sit here, write: pitch join {board}"
    assert says not in ann.done(f"pitch show {board}")["text"]
    assert says in bob.done(f"pitch show {board}")["text"]
    for line in (f"pitch accept {board}", f"pitch move {board} 2"):
        assert says in bob.refused(line, "forming")
    assert "starts when every seat has a player" in ann.refused(f"pitch move {board} 2", "forming")
    assert says not in bob.done(f"pitch join {board}")["text"]
    assert "has started, on board" in cat.done(f"pitch join {board}")["text"]
    assert mover(players, board) in players


def test_a_stranger_is_told_whose_games_to_list(app: Flask) -> None:
    anyone = stranger(app)
    for line, example in (
        ("pitch games next", "pitch games foo next"),
        ("all show", "all show foo"),
        ("pitch history", "pitch history foo"),
    ):
        assert f"Write whose games, as in {example}" in " ".join(anyone.refused(line, "unauthorized").split())


def test_a_new_user_is_told_how_to_open_a_game(app: Flask) -> None:
    anyone = stranger(app)
    assert "Choose one of 8 to 256 characters" in anyone.refused("signup foo bar", "malformed")
    assert "To open games, log in" in anyone.done("signup foo long-enough-1")["text"]
    assert "choose another one" in anyone.refused("signup foo long-enough-1", "name-taken")
    text = " ".join(anyone.refused("pitch challenge foo bar", "unauthorized").split())
    assert "by POST /api/v1/tokens with your name and password" in text


@pytest.mark.both_stores
def test_a_table_that_forms_is_in_the_lists_of_those_who_sit_there(make_app: MakeApp, config: Config) -> None:
    players, board = asked_table(make_app, config)
    ann, bob, _ = players
    listed = "Tables that wait for players:"
    for line in ("pitch showas", "pitch show ann", "pitch games bob", "all show all"):
        text = bob.done(line)["text"]
        assert listed in text, line
        assert f"{board}  pitch  ann bob (asked) cat (asked)" in text
    assert listed in bob.done("pitch showas next")["text"]
    assert listed in bob.done("list pitch")["text"]
    for line in ("pitch showas next", "pitch games ann inactive", "blackout showas"):
        assert listed not in ann.done(line)["text"]


def test_showas_shows_the_moves_that_its_player_holds(app: Flask) -> None:
    board, players = seated(app)
    first = players[0]
    other = next(each for each in players if each is not first)
    first.done(f"pitch submit {board} 2")
    other.done(f"pitch queue {board} pass")
    says = f"Submitted, and not yet played: 2. To play it, write: pitch confirm {board}"
    assert says in first.done(f"pitch showas {board}")["text"]
    assert "Queued: pass" in other.done(f"pitch showas {board}")["text"]
    assert says not in other.done(f"pitch showas {board}")["text"]
    assert says not in first.done(f"pitch show {board}")["text"]
    first.done(f"pitch confirm {board}")
    assert "Submitted" not in first.done(f"pitch showas {board}")["text"]


def test_an_open_question_names_those_who_have_not_answered(app: Flask) -> None:
    players = people(app, 3)
    board = challenge(players, "pitch")
    ann, bob, cat = players
    assert "(waits for bob and cat)" in ann.done(f"pitch propose {board}")["text"]
    assert "(waits for cat)" in bob.done(f"pitch accept {board}")["text"]
    assert "nobody won" in cat.done(f"pitch accept {board}")["text"]


def test_S16_the_board_says_that_a_hand_was_thrown_in_until_the_next_trick_is_taken(app: Flask) -> None:
    players = people(app, 3)
    board = challenge(players, "pitch")
    says = "Everybody passed in hand 1: it's thrown in, and the cards are dealt again"
    answers = [mover(players, board).done(f"pitch move {board} 0")["text"] for _ in range(3)]
    assert [says in text for text in answers] == [False, False, True]
    mover(players, board).done(f"pitch move {board} 2")
    while says in (text := mover(players, board).done(f"pitch showas {board}")["text"]):
        assert "Last trick" not in text
        legal = re.search(r"You may: ([^,\n]+)", text)
        assert legal is not None, text
        mover(players, board).done(f"pitch move {board} {legal[1]}")
    assert "hand 2" in text
    assert "Last trick" in text
