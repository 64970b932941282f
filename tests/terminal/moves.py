"""Moves that are read from the screen. The server says when the screen is up to date, so that no test goes by speed."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from api.client import Table
from projections.moves.text_moves import move_text
from tests.terminal.pty_program import PtyProgram
from tests.waiting import wait_for

LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
CARD = re.compile(r"(\[?)(10|[2-9JQKA])([♣♦♥♠])")
View = Mapping[str, Any]


def next_move(text: str) -> str | None:
    """Return a move that the screen offers: the first legal card, a bid of two if nobody has bid, or a pass.

    If everybody passed, no game would end.
    """
    legal = [card for is_legal, card in own_cards(text) if is_legal]
    if legal:
        return legal[0]
    offers = re.search(r"You may: ([^\n]*)", text)
    if offers is None:
        return None
    return "2" if "2" in offers[1].split(", ") else "pass"


def highest_bid(text: str) -> str:
    """Return the highest bid that the screen offers, or pass if somebody has already made it."""
    offers = re.search(r"You may: ([^\n]*)", text)
    assert offers is not None, text
    return offers[1].split(", ")[-1]


def own_cards(text: str) -> list[tuple[bool, str]]:
    """Return the own cards on the screen, each with whether brackets say that it's legal."""
    line = re.search(r"Your cards:([^\n]*)", text)
    return [] if line is None else [(bool(mark), rank + LETTERS[suit]) for mark, rank, suit in CARD.findall(line[1])]


def play_until(program: PtyProgram, table: Table, is_done: Callable[[View], bool]) -> int:
    """Play the first legal move whenever it's the player's turn; return how many there were when the game is done."""
    moves = 0
    view = _own_turn(table, is_done)
    while not is_done(view):
        program.until(partial(_shows, view))
        move = next_move(program.text)
        assert move is not None, program.text
        program.enter(move)
        moves += 1
        view = _own_turn(table, is_done, view["version"])
    return moves


def _own_turn(table: Table, is_done: Callable[[View], bool], after: int = 0) -> View:
    """Return the view once it's newer than version `after` and either the player's turn, or the game is done."""
    return wait_for(
        table.view, lambda view: view["version"] > after and (is_done(view) or view["you"]["legal"]), pause_s=0.05
    )


def _shows(view: View, text: str) -> bool:
    """Return whether the screen shows the cards of a view and the moves it allows."""
    you, cards = view["you"], own_cards(text)
    moves = [move_text(move) for move in you["legal"]]
    if [card for _, card in cards] != you["cards"] or "Sending" in text:
        return False
    legal = [card for is_legal, card in cards if is_legal]
    return sorted(legal) == sorted(moves) if legal else f"You may: {', '.join(moves)}\n" in text
