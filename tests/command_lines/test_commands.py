"""Each command over HTTP."""

import re

import pytest
from flask import Flask

from api.lines.options import PACES
from api.people.stored import roles
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.disputed_table import give_role
from tests.command_lines.logins import lines_with_login
from tests.command_lines.players import Lines, challenge, follow, mover, people, seated, stranger
from tests.conduct.conftest import moderator


def others_of(players: list[Lines], player: Lines) -> list[Lines]:
    """Return everybody else at the table."""
    return [each for each in players if each is not player]


def test_S6_S7_a_line_moves_and_one_out_of_turn_is_refused_with_the_reason(app: Flask) -> None:
    board, (first, second) = seated(app, 2, "-win=7")
    assert f"It's the turn of {first.name}" in second.refused(f"pitch move {board} 2", "out-of-turn")
    moved = first.done(f"PITCH MVOE {board} {first.name} anything 3")
    assert moved["text"].startswith(f"Waiting for: {second.name}")
    assert (moved["board"], moved["data"]["hand"]["bids"].count(3)) == (board, 1)
    refusal = second.refused(f"pitch move {board} 2", "bid-too-low")
    assert "You may: pass, bid 4, 5" in refusal
    assert "By the rules: S13" in refusal


def test_R_P3_a_move_number_refuses_with_what_has_happened_since(app: Flask) -> None:
    board, players = seated(app, 3)
    first = players[0]
    version = first.done(f"pitch show {board}")["version"]
    first.done(f"pitch move {board} 2#{version}")
    second = mover(players, board)
    text = second.refused(f"pitch move {board} 3#{version}", "stale-version")
    assert f"Since move #{version}:" in text
    assert f"{first.name} bids 2" in text
    assert second.done(f"pitch move {board} 3#{version + 1}")
    last = first.done(f"pitch show {board}")["version"]
    beyond = f"Board {board} has the moves #1 to #{last}, and no #999."
    assert first.refused(f"pitch show {board}#999", "malformed") == beyond
    assert "no longer at move #3" in mover(players, board).refused(f"pitch move {board} 4#3", "stale-version")


@pytest.mark.both_stores
def test_a_password_in_a_line_counts_if_its_player_allows_it(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    line = f"pitch showas ann {PASSWORD} {board}"
    anyone = stranger(app)
    assert "set passwords on" in anyone.refused(line, "forbidden")
    anyone.refused(f"set ann {PASSWORD} passwords on", "forbidden")
    ann.done("set passwords on")
    assert "Your cards:" in anyone.done(line)["text"]
    anyone.refused(f"pitch showas ann wrong-horse {board}", "bad-login")
    anyone.refused(f"pitch showas nobody wrong-horse {board}", "bad-login")
    anyone.refused(f"set ann {PASSWORD} passwords off", "unauthorized")
    assert "name and password" in anyone.refused(f"pitch move {board} AD", "unauthorized")
    bob.refused(line, "forbidden")


def test_S46_one_signs_up_plays_and_leaves_by_lines_alone(app: Flask) -> None:
    anyone = stranger(app)
    for name in ("foo", "bar"):
        assert f"registered as {name}" in anyone.done(f"signup {name} a-long-pass-word")["text"]
    assert "trickbook login" in anyone.refused("pitch challenge foo bar", "unauthorized")
    foo = Lines(anyone.caller, "foo")
    token = anyone.caller.post("/tokens", {"name": "foo", "password": "a-long-pass-word"}).get_json()["token"]
    foo = Lines(Caller(anyone.caller.client, token), "foo")
    board = foo.done("pitch challenge foo bar")["board"]
    for name in ("foo", "bar"):
        assert anyone.done(f"pitch showas {name} a-long-pass-word {board}")
    assert "new token" in anyone.done("change password foo a-long-pass-word another-pass-word")["text"]
    anyone.refused(f"pitch showas foo a-long-pass-word {board}", "bad-login")
    assert anyone.done(f"pitch resign {board} foo another-pass-word")
    assert "will be deleted" in anyone.done("signoff foo another-pass-word")["text"]
    anyone.refused("add bar a-long-pass-word bar@example.org", "no-mail")


def test_a_new_user_gets_their_recovery_codes_even_if_the_address_is_refused(app: Flask) -> None:
    text = stranger(app).done("signup foo a-long-pass-word foo@example.org")["text"]
    assert "registered as foo" in text
    assert "recovery codes" in text
    assert "address isn't set" in text


def test_R_P11_a_comment_that_is_refused_leaves_the_move_made(app: Flask) -> None:
    players = people(app, 4)
    board = challenge(players, "setback", "--chat=between-hands")
    first = mover(players, board, "setback")
    answer = first.done(f"setback move {board} 2", ["I have the ace"])
    assert "Your move is made, but your comment wasn't sent" in answer["text"]
    assert 2 in answer["data"]["hand"]["bids"]


def test_R_P4_a_preview_writes_nothing_and_shows_the_own_view(app: Flask) -> None:
    board, (first, second) = seated(app)
    before = first.done(f"pitch showas {board}")
    shown = first.done(f"pitch preview {board} 3")
    assert "nothing is played" in shown["text"]
    assert 3 in shown["data"]["hand"]["bids"]
    assert ("Waiting for" in before["text"], "Waiting for" in shown["text"]) == (True, False)
    assert first.done(f"pitch showas {board}") == before
    assert "You may:" in first.refused(f"pitch preview {board} AD", "wrong-phase")
    assert "Preview a bid, a card" in first.refused(f"pitch preview {board} propose", "malformed")
    second.refused(f"pitch preview {board} 3", "out-of-turn")


def test_R_P4_a_previewed_card_leaves_the_hand_and_pitches_trump(app: Flask) -> None:
    board, players = seated(app)
    first, second = players
    first.done(f"pitch move {board} 2")
    second.done(f"pitch move {board} pass")
    before = first.done(f"pitch showas {board}")["data"]
    card = before["you"]["cards"][0]
    shown = first.done(f"pitch preview {board} {card}")["data"]
    seat = before["you"]["seat"]
    assert [view["seats"][seat]["count"] for view in (before, shown)] == [6, 5]
    assert (shown["hand"]["trump"], shown["hand"]["marker"]) == (card[-1], card)
    assert [shown[name] for name in ("version", "root")] == [before[name] for name in ("version", "root")]
    assert card not in shown["you"]["cards"]


def test_a_preview_of_what_only_a_commit_can_judge_is_refused(app: Flask) -> None:
    players = people(app, 4)
    board = challenge(players, "corellian")
    for player in players:
        assert "Preview a bid" in player.refused(f"corellian preview {board} delay 2", "malformed")


def test_a_move_whose_phase_is_past_is_neither_submitted_nor_queued(app: Flask) -> None:
    board, (first, second) = seated(app)
    first.done(f"pitch move {board} 2")
    second.done(f"pitch move {board} pass")
    first.refused(f"pitch submit {board} 3", "wrong-phase")
    assert "too late in this hand" in second.refused(f"pitch queue {board} 3", "wrong-phase")
    assert f"It's the turn of {first.name}" in second.refused(f"pitch submit {board} AD", "out-of-turn")
    first.refused(f"pitch submit {board} 3#1", "stale-version")


@pytest.mark.both_stores
def test_submit_holds_a_move_and_confirm_plays_it_once(app: Flask) -> None:
    board, (first, *_) = seated(app)
    first.refused(f"pitch confirm {board}", "not-found")
    assert f"pitch confirm {board}" in first.done(f"pitch submit {board} 4")["text"]
    assert first.done(f"pitch show {board}")["data"]["hand"]["bids"] == [None, None]
    made, again = (first.done(f"pitch confirm {board}", Idempotency_Key="once") for _ in range(2))
    assert made["version"] == again["version"]
    assert 4 in made["data"]["hand"]["bids"]
    assert "submitted no move" in first.refused(f"pitch confirm {board}", "not-found")
    assert first.done(f"pitch show {board}")["notices"] == []


def test_R_P7_R_P8_R_P9_undo_draw_and_resignation(app: Flask) -> None:
    board, players = seated(app, 3)
    first = players[0]
    first.done(f"pitch move {board} 2")
    second, third = others_of(players, first)
    asked = first.done(f"pitch undo {board}")["text"]
    waits = f"You have asked to take back a move: reject withdraws it (waits for {second.name} and {third.name})"
    assert waits in " ".join(asked.split())
    assert "The others answer" in first.refused(f"pitch accept {board}", "no-proposal")
    assert "You have asked" not in first.done(f"pitch reject {board}")["text"]
    first.done(f"pitch undo {board}")
    assert "What you have asked for is open" in first.refused(f"pitch propose {board}", "proposal-open")
    assert (
        f"{first.name} asks to take back a move: accept or reject (waits for"
        in second.done(f"pitch showas {board}")["text"]
    )
    accepted = second.done(f"pitch accept {board}")["text"]
    assert f"{first.name} asks to take back a move (waits for {third.name})" in accepted, "they have answered"
    assert f"{first.name} asks to take back a move (waits" in stranger(app).done(f"pitch show {board}")["text"]
    third.done(f"pitch accept {board}")
    assert mover(players, board) == first
    first.done(f"pitch propose {board}")
    others_of(players, first)[0].done(f"pitch reject {board}")
    assert "resigned" in first.done(f"pitch resign {board}")["text"]


def test_R_P11_chat_goes_to_the_table(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    assert "Nothing was written" in ann.done(f"pitch chat {board}")["text"]
    stranger(app).refused(f"pitch chat {board}", "unauthorized")
    ann.done(f"pitch chat {board} good luck to all")
    bob.done(f"pitch chat {board}", ["thanks,", "you too"])
    first = mover([ann, bob], board)
    first.done(f"pitch move {board} 2", ["here we go"])
    items = bob.caller.get(f"/games/{board}/chat").get_json()["items"]
    assert [each["text"] for each in items] == ["good luck to all", "thanks, you too", "here we go"]
    assert "ann: good luck to all" in ann.done(f"pitch chat {board}")["text"]
    for words in (f"bob {PASSWORD} hi", f"{board} ann {PASSWORD} hi"):  # bob's line with ann's token; the board twice
        assert PASSWORD not in ann.refused(f"pitch chat {board} {words}", "malformed")
    for words in ("bob, beautifully played", "hi beautifully played", "bob well played"):
        ann.done(f"pitch chat {board} {words}")
    gone = bob.done(f"pitch chat {board} oops")["data"]["id"]
    assert bob.caller.delete(f"/games/{board}/chat/{gone}").status_code == 204
    assert ann.done(f"pitch chat {board}")["text"].endswith("bob: (erased)")


def test_no_line_tells_what_somebody_else_has_set(app: Flask) -> None:
    ann, bob, cat = people(app, 3)
    board = challenge([ann, cat], "pitch")
    judge = Lines(moderator(app, "cat"), "cat")
    lines = [line for line in lines_with_login("bob", "long-enough-9") if not line.startswith("signup")]
    lines += [f"pitch chat {board} bob long-enough-9 hi", "broadcast bob long-enough-9 hi", "message bob: hi"]
    answers = []
    for settings in (("passwords off", "broadcasts on"), ("passwords on", "broadcasts off", "weekends on")):
        for setting in settings:
            bob.done(f"set {setting}")
        answers.append([each.answer(line)["text"] for line in lines for each in (ann, judge, stranger(app))])
    assert answers[0] == answers[1]


@pytest.mark.both_stores
def test_lists_of_boards(app: Flask) -> None:
    ann, bob, cat = people(app, 3)
    board = challenge([ann, bob], "pitch")
    table = cat.done("setback challenge cat open open")["board"]
    follow(app)
    first, anyone = mover([ann, bob], board), stranger(app)
    for line in (
        "list",
        "list pitch",
        "pitch games",
        "pitch games ann",
        "pitch games ann all",
        f"pitch games {first.name} next",
        "all show ann",
    ):
        assert f"{board}  pitch" in anyone.done(line)["text"], line
    assert "Tables that wait" in anyone.done("list")["text"]
    assert "ann" in first.done("all show next")["text"]
    assert "no such games" in cat.done("all show")["text"]
    assert f"Board {board}" in ann.done("pitch showas")["text"]
    assert "Your cards" not in ann.done("pitch show ann")["text"]
    assert f"Board {table}, setback, forming" in ann.done(f"setback show {table}")["text"]
    anyone.refused("all show", "unauthorized")


def test_R_P1_R_P2_a_challenge_needs_players_as_many_as_the_game_takes(app: Flask) -> None:
    ann, _, _ = people(app, 3)
    ann.refused("pitch challenge ann nobody", "no-such-player")
    ann.refused("blackout challenge ann bob cat", "wrong-number-of-players")


def test_questions_about_a_game(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    assert '[Variant "pitch"]' in ann.done(f"pitch transcript {board}")["text"]
    assert "verdict" in ann.done(f"pitch audit {board}")["text"]
    assert "No such hand" in ann.done(f"pitch hand {board} 1")["text"]
    assert "no disputes" in ann.done(f"pitch dispute {board}")["text"]
    assert "Dispute 1" in ann.done(f"pitch dispute {board} 1 deal my cards are bad")["text"]
    assert bob.done(f"pitch dispute {board} answer 1 so are mine")["text"] == "Your answer to dispute 1 is saved."
    bob.done(f"pitch dispute {board} ANSWER 1", ["so are", "mine, too"])
    (shown,) = bob.caller.get(f"/games/{board}/disputes").get_json()["items"]
    assert [each["text"] for each in shown["answers"]] == ["so are mine, too"]
    ann.refused(f"pitch dispute {board} answer 1 no", "forbidden")
    bob.refused(f"pitch dispute {board} answer 2 no", "no-such-dispute")
    bob.refused(f"pitch dispute {board} answer 1", "malformed")
    assert "Board" in ann.done(f"pitch show {board}#3")["text"]
    assert "write pitch" in ann.refused(f"blackout show {board}", "conflict")
    ann.refused("pitch show 999", "not-found")


def test_multiple_lines_are_answered_one_by_one(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    answer = ann.done("multiple", [f"pitch showas {board}", "nonsense", "multiple", "help set"])
    assert [each["ok"] for each in answer["data"]["items"]] == [True, False, False, True]
    assert not ann.answer("multiple", ["help"] * 11)["ok"]


def test_a_password_counts_for_its_own_line_of_multiple(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    ann.done("set passwords on")
    answer = stranger(app).done("multiple", [f"pitch showas ann {PASSWORD} {board}", "all show"])
    assert [each["ok"] for each in answer["data"]["items"]] == [True, False]
    assert PASSWORD not in answer["text"]
    assert PASSWORD not in ann.answer("multiple", [f"delete {PASSWORD}x"])["text"]


def test_text_in_and_text_out(app: Flask) -> None:
    board, (first, _) = seated(app)
    headers = {"Authorization": f"Bearer {first.caller.token}", "Accept": "text/plain"}
    client = app.test_client()

    def send(body: bytes) -> tuple[int, str | None, str]:
        answer = client.post("/api/v1/commands", data=body, headers=headers, content_type="text/plain")
        return answer.status_code, answer.mimetype, answer.text

    status, kind, text = send(f"pitch move {board} 3\ngood cards\n".encode())
    assert (status, kind) == (200, "text/plain")
    assert text.startswith("Waiting for: ")
    assert send(b"pitch fly")[2].startswith("There is no command 'fly'")
    assert send(b"\xff")[0] == 400
    assert send(b"help\n" * 200)[0] == 400
    assert send(b"")[2].startswith("The line is empty")


def test_tokens_of_another_scope_write_nothing(app: Flask) -> None:
    board, (first, *_) = seated(app)
    login = {"name": first.name, "password": PASSWORD}
    reader = Lines(
        Caller(app.test_client(), first.caller.post("/tokens", login | {"scope": "read"}).get_json()["token"])
    )
    assert "Your cards" in reader.done(f"pitch showas {board}")["text"]
    for line in (f"pitch move {board} 3", f"pitch queue {board} 3", f"pitch submit {board} 3", "set passwords on"):
        reader.refused(line, "token-scope")
    game = first.done(f"pitch show {board}")["data"]["id"]
    one = first.caller.post("/tokens", login | {"scope": f"play:{game}"}).get_json()["token"]
    check_problem(Caller(app.test_client(), one).post("/commands", {"line": "help"}), 403, "token-scope")


def test_a_store_that_fails_is_a_problem_and_no_answer(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(services_of(app).games, "act", fail)
    first = mover([ann, bob], board)
    check_problem(first.caller.post("/commands", {"line": f"pitch move {board} 3"}), 500, "internal")


def test_R_P15_a_challenge_names_a_pace(app: Flask) -> None:
    players = people(app, 2)
    for number, pace in enumerate(PACES, 1):
        assert challenge(players, "pitch", f"--pace={pace} --autopilot=claim --private --delay=0") == number


def test_standings_and_histories(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    bob.done(f"pitch resign {board}")
    follow(app)
    for line in (
        "pitch standings",
        "pitch standings all",
        "pitch history",
        "pitch history bob",
        "blackout history",
        "pitch ratings",
        "pitch ratings two",
        "pitch rankings",
        "pitch ratings bob",
        "pitch ratings changes",
        "pitch ratings changes two",
    ):
        assert ann.done(line)["text"]
    assert f"{board}" in ann.done("pitch history")["text"]
    assert "no finished games" in ann.done("blackout history")["text"]
    assert "met five opponents" in ann.done("pitch ratings")["text"]
    assert "1400, provisional (1 of 20)" in ann.done("pitch ratings bob")["text"]
    assert "No ruling" in ann.done("pitch ratings changes")["text"]
    assert "no kind of table 'bob'" in ann.refused("pitch ratings changes bob", "malformed")
    ann.refused("pitch ratings nobody", "not-found")
    ann.refused("pitch standings nonsense", "malformed")
    ann.refused("pitch history nobody", "not-found")
    assert ann.refused(f"pitch claim {board}", "game-over")


@pytest.mark.both_stores
def test_players_write_to_each_other_and_read_what_came(app: Flask) -> None:
    ann, bob, cat = people(app, 3)
    assert ann.done("message")["text"] == "You have no messages."
    assert ann.done("message bob cat: a game tonight?")["text"] == "Sent to bob and cat."
    bob.done("message ann", ["yes,", "at nine"])
    assert [line[17:] for line in ann.done("message")["text"].split("\n")] == [
        "ann to bob and cat: a game tonight?",
        "bob to ann: yes, at nine",
    ]
    assert "at nine" not in cat.done("message")["text"]
    ann.refused("message bob", "malformed")
    ann.refused("message nobody: hello", "not-found")
    stranger(app).refused("message ann: hello", "unauthorized")


def test_a_moderator_broadcasts_and_players_may_opt_out(app: Flask) -> None:
    ann, bob, cat = people(app, 3)
    give_role(app, "ann", roles.MODERATOR)
    bob.refused("broadcast hello", "token-scope")
    bob.done("set passwords on")
    stranger(app).refused(f"broadcast bob {PASSWORD} hello", "forbidden")
    ann.refused("broadcast hello", "token-scope")
    ann.done("set passwords on")
    assert stranger(app).done(f"broadcast ann {PASSWORD}", ["the server", "moves"])["text"] == "Sent to everybody."
    cat.done("set broadcasts off")
    assert "ann to everybody: the server moves" in bob.done("message")["text"]
    assert cat.done("message")["text"] == "You have no messages."


def test_R_P15_a_board_shows_the_deadline_and_the_time_left(app: Flask) -> None:
    players = people(app, 2)
    days = challenge(players, "pitch")
    assert ", until 20" in players[0].done(f"pitch show {days}")["text"]
    assert "Time left" not in players[0].done(f"pitch show {days}")["text"]
    bank = challenge(players, "pitch", "--pace=bank")
    text = players[0].done(f"pitch show {bank}")["text"]
    assert re.search("Time left when the turn began: (ann|bob) .* d.*, (ann|bob) .* d", text), text


def test_R_P16_hours_are_set_by_lines(app: Flask) -> None:
    [ann] = people(app, 1)
    assert "night off" in ann.done("set")["text"]
    for line in ("zone Europe/Berlin", "night 22:00-07:00", "weekends on", "vacation off"):
        assert line in ann.done(f"set {line}")["text"]
    shown = ann.done("pitch set")
    assert shown["data"]["hours"] == ann.caller.get("/me/hours").get_json()
    assert "night off" in ann.done("SET ANN x night off".replace("ANN", "ann"))["text"]
    for line in ("zone Moon/Crater", "night 20:00-09:00", "night late", "weekends maybe", "vacation soon", "x on"):
        ann.refused(f"set {line}", "malformed")


def test_show_says_why_a_game_does_not_count(app: Flask) -> None:
    ann, bob = people(app, 2)
    counted, private = challenge([ann, bob], "pitch"), challenge([ann, bob], "pitch", "--private --delay=0")
    assert "doesn't count" not in ann.done(f"pitch show {counted}")["text"]
    for _ in ("before the end", "after it"):
        text = ann.done(f"pitch show {private}")["text"]
        assert "This game doesn't count for ratings: not everybody may watch it." in text
        bob.answer(f"pitch resign {private}")
