"""Queued moves: judged when the turn comes, told to their owner alone."""

from collections.abc import Sequence

import pytest
from flask import Flask

from api.play.services.queued_moves import MAX_NEW, MAX_OTHERS, QueueReader, parse_queue
from projections.moves.text_moves import MalformedMove
from tests.api.conftest import Caller, services_of
from tests.command_lines.players import Lines, challenge, in_turn, mover, offered, people, play_queued, seated
from tests.inbox.test_notes import entries_of


@pytest.fixture
def players(app: Flask) -> list[Lines]:
    """Three people."""
    return people(app, 3)


def in_order(players: Sequence[Lines], board: int) -> list[Lines]:
    """Return the players from the one in turn on."""
    first = mover(players, board)
    at = players.index(first)
    return [*players[at:], *players[:at]]


def next_to(players: Sequence[Lines], text: str) -> Lines:
    """Return the player that a board names as the one in turn."""
    found = in_turn(players, text)
    assert found is not None
    return found


def fitting(cards: Sequence[str], suit: str) -> str:
    """Return a card that follows a suit, or any card."""
    return next((card for card in cards if card[-1] == suit), cards[0])


@pytest.mark.both_stores
def test_R_P5_a_queued_move_is_played_when_its_turn_comes(app: Flask, players: list[Lines]) -> None:
    board, services = challenge(players, "pitch"), services_of(app)
    first, second, third = in_order(players, board)
    assert "Queued: 3" in second.done(f"pitch queue {board} 3")["text"]
    assert play_queued(services) == 0
    first.done(f"pitch move {board} 2")
    assert play_queued(services) == 1
    assert "3" in third.done(f"pitch show {board}")["text"]
    assert mover(players, board) == third
    assert "Nothing is queued" in second.done(f"pitch queue {board}")["text"]


def test_R_P5_a_move_that_isn_t_legal_any_more_is_dropped_and_its_owner_alone_hears_of_it(
    app: Flask, players: list[Lines]
) -> None:
    board, services = challenge(players, "pitch"), services_of(app)
    first, second, third = in_order(players, board)
    second.done(f"pitch queue {board} 3")
    first.done(f"pitch move {board} 4")
    assert play_queued(services) + play_queued(services) == 0
    (entry,) = entries_of(app, second.caller, "queue")
    assert (entry["dropped"], entry["game"]) == ("bid-too-low", second.caller.get(f"/games/{board}").get_json()["id"])
    assert entries_of(app, first.caller, "queue") == entries_of(app, third.caller, "queue") == []
    assert third.done(f"pitch show {board}")["notices"] == []
    [notice] = second.done(f"pitch show {board}")["notices"]
    assert f"board {board} was dropped (3)" in notice
    assert second.done(f"pitch show {board}")["notices"] == []
    assert mover(players, board) == second


@pytest.mark.both_stores
def test_a_queue_is_emptied_by_its_owner_and_by_an_undo(app: Flask, players: list[Lines]) -> None:
    board, services = challenge(players, "pitch"), services_of(app)
    first, second, third = in_order(players, board)
    second.done(f"pitch queue {board} 3")
    assert "empty" in second.done(f"pitch queue {board} off")["text"]
    third.done(f"pitch queue {board} 4")
    first.done(f"pitch move {board} 2")
    first.done(f"pitch undo {board}")
    for other in (second, third):
        other.done(f"pitch accept {board}")
    play_queued(services)
    assert "moves were taken back" in third.done(f"pitch show {board}")["notices"][0]


def test_R_P5_a_forced_move_is_played_on_the_same_tick_as_a_free_one(app: Flask, players: list[Lines]) -> None:
    # given the next move queued by each of the others: free in the first trick, forced in the last one
    board, services = challenge(players, "pitch", "--undo=none"), services_of(app)
    players = in_order(players, board)
    for bid in ("2", "pass", "pass"):
        next_one = mover(players, board)
        next_one.done(f"pitch move {board} {bid}")
    for trick in range(6):
        leader = next_to(players, players[0].done(f"pitch show {board}")["text"])
        others = [each for each in players if each is not leader]
        for each in others:
            cards = each.done(f"pitch showas {board}")["data"]["you"]["cards"]
            wanted = " ".join(f"if {suit} led {fitting(cards, suit)}" for suit in "CDHS")
            each.done(f"pitch queue {board} {wanted}")
        # when the leader plays, nothing else happens in the same request
        led = leader.done(f"pitch move {board} {offered(leader.done(f'pitch showas {board}')['text'])[0]}")
        assert len(led["data"]["hand"]["trick"]["plays"]) == 1
        assert len(offered(next_to(players, led["text"]).done(f"pitch showas {board}")["text"])) >= (trick < 5)
        # and both others play on the tick, one after the other
        assert play_queued(services) + play_queued(services) == 2, trick
    assert players[0].done(f"pitch show {board}")["data"]["hand"]["number"] == 2


def test_a_queue_that_fails_blocks_no_other(app: Flask, players: list[Lines]) -> None:
    # given queues at two boards, the older of which this server can't read
    boards, services = [challenge(players, "pitch") for _ in range(2)], services_of(app)
    held = services.accounts.held_moves
    turns = [in_order(players, board) for board in boards]
    turns[0][1].done(f"pitch queue {boards[0]} 3")
    [broken] = held.find_queued(10)
    held.keep(broken.player, broken.game, "queued", ["a move of a later release"], broken.version)
    turns[1][1].done(f"pitch queue {boards[1]} 3")
    for board, (first, *_) in zip(boards, turns, strict=True):
        first.done(f"pitch move {board} 2")
    assert [each.game == broken.game for each in held.find_queued(10)] == [True, False]
    # when the turn of both has come, the other one is played
    play_queued(services)
    assert [each.game for each in held.find_queued(10)] == [broken.game]


@pytest.mark.both_stores
def test_attack_155_queues_that_never_come_due_delay_no_other(app: Flask, players: list[Lines]) -> None:
    # given more queues than a tick looks at, of games in which nothing happens, and a younger one
    services = services_of(app)
    held, reader = services.accounts.held_moves, QueueReader(services)
    for number in range(MAX_NEW + MAX_OTHERS):
        held.keep("p_flood", f"{number:08}-0000-4000-8000-000000000000", "queued", ["3"], 1)
    board = challenge(players, "pitch")
    first, second, _ = in_order(players, board)
    second.done(f"pitch queue {board} 3")
    looks = [set(reader.next_by_game()) for _ in range(9)]
    # when all have been looked at once, then each tick looks at few of them, and at each of them in time
    assert len(looks[0]) == MAX_NEW
    assert max(map(len, looks[2:])) == MAX_OTHERS
    assert len(set[str]().union(*looks[2:])) == MAX_NEW + MAX_OTHERS + 1
    # and the one whose turn has come is looked at in the next tick, the first of all
    first.done(f"pitch move {board} 2")
    game = first.caller.get(f"/games/{board}").get_json()["id"]
    assert next(iter(reader.next_by_game())) == game


def test_conditions_choose_by_the_suit_led(app: Flask, players: list[Lines]) -> None:
    board, services = challenge(players, "pitch"), services_of(app)
    first, second, third = in_order(players, board)
    for player, bid in ((first, "2"), (second, "pass"), (third, "pass")):
        player.done(f"pitch move {board} {bid}")
    card = offered(first.done(f"pitch showas {board}")["text"])[0]
    cards = second.done(f"pitch showas {board}")["data"]["you"]["cards"]
    follows = [each for each in cards if each[-1] == card[-1]] or cards
    others = " ".join(f"if {suit} led {cards[0]}" for suit in "CDHS" if suit != card[-1])
    second.done(f"pitch queue {board} {others} if {card[-1]} led {follows[0]}")
    third.done(f"pitch queue {board} {' '.join(others.split()[:1])} {'C' if card[-1] != 'C' else 'D'} led "
               f"{third.done(f'pitch showas {board}')['data']['you']['cards'][0]}")  # fmt: skip
    first.done(f"pitch move {board} {card}")
    assert play_queued(services) == 1
    shown = third.done(f"pitch show {board}")
    assert [play["card"] for play in shown["data"]["hand"]["trick"]["plays"]] == [card, follows[0]]
    assert "none of its lines fits" in shown["notices"][0]


def test_R_P5_nobody_else_can_tell_that_a_move_is_queued_submitted_or_previewed(
    app: Flask, players: list[Lines]
) -> None:
    board = challenge(players, "pitch")
    first, second, third = in_order(players, board)

    def seen_by_others() -> list[object]:
        reads = [f"/games/{board}", f"/games/{board}/events", f"/games/{board}/chat"]
        callers = [first.caller, third.caller, Caller(app.test_client())]
        return [caller.get(path).data for caller in callers for path in reads]

    before = seen_by_others()
    own = second.done(f"pitch showas {board}")["data"]["you"]["cards"]
    for line in ("queue {} 3", "queue {} if hearts led " + own[0], "queue {} off"):
        second.done(f"pitch {line.format(board)}")
    first.done(f"pitch submit {board} 4")
    first.done(f"pitch preview {board} 2")
    assert seen_by_others() == before


def test_R_B8_a_queue_says_nothing_about_the_own_card_of_hand_1_of_blackout(app: Flask) -> None:
    players = people(app, 4)
    board = challenge(players, "blackout", "-inorder")
    answers = [players[2].done(f"blackout queue {board} {card}")["text"] for card in ("AD", "2C", "KH")]
    assert len({answer.replace(card, "") for answer, card in zip(answers, ("AD", "2C", "KH"), strict=True)}) == 1


def test_what_can_t_be_queued_is_refused(app: Flask, players: list[Lines]) -> None:
    board = challenge(players, "pitch")
    held = players[0].done(f"pitch showas {board}")["data"]["you"]["cards"]
    other = next(f"{rank}{suit}" for rank in "AKQJ" for suit in "CDHS" if f"{rank}{suit}" not in held)
    assert f"don't hold {other}" in players[0].refused(f"pitch queue {board} {other}", "not-in-hand")
    for lines in (("resign",), ("3", "4"), ("if x led 2C",), ("if hearts led",), tuple(["if hearts led 2C"] * 5)):
        with pytest.raises(MalformedMove):
            parse_queue(lines)


def test_a_queue_of_a_game_that_is_over_is_dropped(app: Flask) -> None:
    board, (_, second) = seated(app)
    second.done(f"pitch queue {board} 3")
    second.done(f"pitch resign {board}")
    play_queued(services_of(app))
    assert second.done(f"pitch show {board}")["notices"]
