"""Readers of the commands about tables, moves and messages, about boards and lists of them, and about accounts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from api.lines import requests
from api.lines.options import parse_challenge
from api.lines.requests import WHICH, Board, CommandRequest, Which
from api.lines.words import Words, may_be_password, parse_board, split_move_number
from api.mail.stored.levels import LEVELS
from api.play.services.queued_moves import parse_queue
from domain.events.disputes import AppealOutcome, DisputeKind, Ruling
from domain.rules.model import Rules
from domain.rules.variants import KNOWN
from projections.moves.text_moves import MalformedMove, parse_text_move
from projections.ratings.places import EVERY_KIND, KINDS

POINTS = re.compile("points=[+-]?[0-9]{1,4}(,[+-]?[0-9]{1,4})+", re.ASCII)
"""The points that a ruling gives each seat; a word that began with a minus would be an option."""
CLAUSE = re.compile("(R-)?[A-Z][0-9]{1,3}", re.ASCII)


def challenge(words: Words, variant: str | None) -> CommandRequest:
    """Read the options and the players of a challenge."""
    named = words.rest()
    body = parse_challenge(variant or "", named)
    if not body["seats"]:
        raise words.refuse("The players are missing.")
    return requests.Challenge(variant=variant, body=body)


def of_board(make: Callable[..., CommandRequest]) -> Callable[[Words, str | None], CommandRequest]:
    """Return the reader of a command that takes a board alone; `make` is given the variant, the board and the login."""

    def read(words: Words, variant: str | None) -> CommandRequest:
        board = words.board()
        return make(variant=variant, board=board, login=words.login_before())

    return read


def move(words: Words, variant: str | None) -> CommandRequest:
    """Read `move`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Move(variant=variant, board=board, login=login, move=text)


def preview(words: Words, variant: str | None) -> CommandRequest:
    """Read `preview`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Preview(variant=variant, board=board, login=login, move=text)


def submit(words: Words, variant: str | None) -> CommandRequest:
    """Read `submit`."""
    board, login, text = _board_and_move(words, variant)
    return requests.Submit(variant=variant, board=board, login=login, move=text)


def _board_and_move(words: Words, variant: str | None) -> tuple[Board, requests.LineLogin | None, str]:
    """Return the board, name and password if they're there, and the move; #moveno may follow board or move."""
    board = words.board()
    login = words.login(_is_move)
    if not len(words):
        raise words.refuse("The move is missing.")
    text, at = split_move_number(" ".join(words.rest()))
    if at is not None and board.at is not None:
        raise words.refuse("The move number is there twice.")
    _require_move(words, text, variant)
    return Board(board.number, board.at if at is None else at), login, text


def _is_move(words: Sequence[str]) -> bool:
    try:
        parse_text_move(split_move_number(" ".join(words))[0])
    except MalformedMove:
        return False
    return True


def _require_move(words: Words, text: str, variant: str | None) -> None:
    """Refuse what isn't a move of any game, with a list of the moves of this one."""
    try:
        parse_text_move(text)
    except MalformedMove as error:
        why = str(error) if variant is None else _reason(text, KNOWN[variant].rules) or str(error)
        raise words.refuse(f"{why[:300]}.") from None


def _reason(text: str, rules: Rules) -> str | None:
    try:
        parse_text_move(text, rules)
    except MalformedMove as error:
        return str(error)
    return None


def queue(words: Words, variant: str | None) -> CommandRequest:
    """Read `queue`: a move, lines with if, `off`, or nothing to see what is queued."""
    board = words.board()
    login = words.login(_is_queue)
    lines = _queue_lines(words.rest())
    try:
        parse_queue(lines if lines != ("off",) else ())
    except MalformedMove as error:
        raise words.refuse(f"{str(error)[:200]}.") from None
    return requests.Queue(variant=variant, board=board, login=login, moves=lines)


def _is_queue(words: Sequence[str]) -> bool:
    lines = _queue_lines(words)
    try:
        parse_queue(lines if lines != ("off",) else ())
    except MalformedMove:
        return False
    return True


def _queue_lines(words: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a queue: each `if` begins one."""
    lines: list[list[str]] = []
    for word in words:
        if word.lower() == "if" or not lines:
            lines.append([])
        lines[-1].append(word)
    return tuple(" ".join(line).rstrip(",;") for line in lines)


def chat(words: Words, variant: str | None) -> CommandRequest:
    """Read `chat`; the text may stand in the line or below it."""
    board = words.board()
    login = words.login(lambda _: True)
    text = " ".join(words.rest())
    return requests.ChatLine(variant=variant, board=board, login=login, text=text or None)


def list_(words: Words, variant: str | None) -> CommandRequest:
    """Read `list [game ...]`."""
    named = tuple(word.lower() for word in words.rest())
    if unknown := next((word for word in named if word not in KNOWN), None):
        raise words.refuse(f"There is no game {unknown[:40]!a}; there are {', '.join(KNOWN)}.")
    return requests.ListGames(variants=named)


def show(words: Words, variant: str | None) -> CommandRequest:
    """Read `show`: boards, or users."""
    boards, names, which = _boards_and_names(words.rest())
    if boards and names:
        raise words.refuse("Name boards or users, not both.")
    if not boards and not names:
        raise words.refuse("The number of the board is missing.")
    return requests.Show(variant=variant, boards=boards, names=names, which=which or "active")


def show_as(words: Words, variant: str | None) -> CommandRequest:
    """Read `showas`: one's own boards, or some of them."""
    login = words.login(lambda rest: not _boards_and_names(rest)[1])
    boards, names, which = _boards_and_names(words.rest())
    if names:
        raise words.refuse(f"{names[0][:40]!a} isn't the number of a board.")
    return requests.Show(variant=variant, login=login, boards=boards, which=which or "active", own=True)


def games(words: Words, variant: str | None) -> CommandRequest:
    """Read `games`: users, and which of their boards."""
    named = words.rest()
    which = _which(named.pop()) if named and _which(named[-1]) else None
    return requests.ListBoards(variant=variant, names=tuple(named), which=which or "active")


def all_show(words: Words, variant: str | None) -> CommandRequest:
    """Read `all show`."""
    return games(words, variant)


def _which(word: str) -> Which | None:
    return next((each for each in WHICH if each == word.lower()), None)


def _boards_and_names(words: Sequence[str]) -> tuple[tuple[Board, ...], tuple[str, ...], Which | None]:
    which = _which(words[-1]) if words else None
    named = words[:-1] if which else words
    boards = [(word, parse_board(word)) for word in named]
    return (
        tuple(board for _, board in boards if board is not None),
        tuple(word for word, board in boards if board is None),
        which,
    )


def standings(words: Words, variant: str | None) -> CommandRequest:
    """Read `standings [period]`."""
    return requests.PrintStandings(variant=variant, period=words.take("period").lower() if len(words) else "all")


def ratings(words: Words, variant: str | None) -> CommandRequest:
    """Read `ratings [kind | userid]` or `ratings changes [kind]`."""
    word = words.take("kind of table or userid") if len(words) else EVERY_KIND
    if word.lower() == "changes":
        kind = words.take("kind of table").lower() if len(words) else EVERY_KIND
        if kind not in (EVERY_KIND, *KINDS):
            raise words.refuse(f"There is no kind of table {kind[:40]!a}; there are {', '.join((EVERY_KIND, *KINDS))}.")
        return requests.PrintRatings(variant=variant, kind=kind, changes=True)
    if word.lower() in (EVERY_KIND, *KINDS):
        return requests.PrintRatings(variant=variant, kind=word.lower())
    return requests.PrintRatings(variant=variant, name=word)


def history(words: Words, variant: str | None) -> CommandRequest:
    """Read `history [userid]`."""
    return requests.PrintHistory(variant=variant, name=words.take("userid") if len(words) else None)


def hand(words: Words, variant: str | None) -> CommandRequest:
    """Read `hand board [hand]`."""
    board = words.board()
    return requests.ShowHand(
        variant=variant, board=board, hand=words.number("number of a hand") if len(words) else None
    )


def transcript(words: Words, variant: str | None) -> CommandRequest:
    """Read `transcript board [hand]`."""
    board = words.board()
    number = words.number("number of a hand") if len(words) else None
    return requests.PrintTranscript(variant=variant, board=board, hand=number)


def audit(words: Words, variant: str | None) -> CommandRequest:
    """Read `audit board`."""
    return requests.Audit(variant=variant, board=words.board())


def _is_dispute(words: Sequence[str]) -> bool:
    """Return whether words may be a dispute: none, a hand and more, an answer, or a kind alone, which is refused."""
    if not words or words[0].lower() in ("answer", "withdraw", "rule", "like", *DisputeKind):
        return True
    return len(words) > 2 and words[0].isdigit()


def dispute(words: Words, variant: str | None) -> CommandRequest:
    """Read `dispute board [hand kind text | answer dispute text | withdraw dispute | like dispute | rule ...]`."""
    board = words.board()
    login = words.login(_is_dispute)
    if not len(words):
        return requests.DisputeHand(variant=variant, board=board, login=login)
    if words.next_is("answer"):
        words.take("answer")
        number, text = words.number("number of a dispute"), " ".join(words.rest())
        return requests.DisputeHand(variant=variant, board=board, login=login, answers=number, text=text or None)
    for word in ("withdraw", "like"):
        if words.next_is(word):
            words.take(word)
            number = words.number("number of a dispute")
            words.end()
            whole = requests.DisputeHand(variant=variant, board=board, login=login)
            return replace(whole, withdraws=number) if word == "withdraw" else replace(whole, like=number)
    if words.next_is("rule"):
        words.take("rule")
        return _ruling(words, requests.RuleOnDispute(variant=variant, board=board, login=login, dispute=0, decision=""))
    number, kind, text = words.number("number of a hand"), words.take("kind").lower(), " ".join(words.rest())
    if kind not in tuple(DisputeKind):
        raise words.refuse(f"The kind is one of {', '.join(DisputeKind)}.")
    return requests.DisputeHand(variant=variant, board=board, login=login, hand=number, kind=kind, text=text or None)


def _ruling(words: Words, asked: requests.RuleOnDispute) -> CommandRequest:
    """Read `dispute decision [points] [clause] text`: points for an adjustment alone, such as points=-2,0,2."""
    number, decision = words.number("number of a dispute"), words.take("decision").lower()
    if decision not in (*Ruling, *AppealOutcome):
        raise words.refuse(f"The decision is one of {', '.join((*Ruling, *AppealOutcome))}.")
    changes: tuple[int, ...] = ()
    if decision == Ruling.ADJUST:
        points = words.take("points of each seat").lower()
        if not POINTS.fullmatch(points):
            raise words.refuse("The points of an adjustment are one number for each seat, such as points=-2,0,2.")
        changes = tuple(map(int, points.removeprefix("points=").split(",")))
    rest = words.rest()
    basis = rest.pop(0).upper() if rest and decision in tuple(Ruling) and CLAUSE.fullmatch(rest[0].upper()) else None
    text = " ".join(rest) or None
    return replace(asked, dispute=number, decision=decision, changes=changes, basis=basis, text=text)


def help_(words: Words, variant: str | None) -> CommandRequest:
    """Read `help` and its subjects."""
    return requests.Help(variant=variant, subjects=tuple(word.lower() for word in words.rest()))


def signup(words: Words, variant: str | None) -> CommandRequest:
    """Read `signup userid password [email]`."""
    login = requests.LineLogin(words.take("userid"), words.take("password"))
    return requests.Signup(login=login, address=words.take("address") if len(words) else None)


def address(words: Words, variant: str | None) -> CommandRequest:
    """Read the e-mail address of `add` and of `change address`."""
    login = words.login(lambda rest: len(rest) <= 1)
    return requests.SetAddress(login=login, address=words.take("address") if len(words) else None)


def confirm_address(words: Words, variant: str | None) -> CommandRequest:
    """Read the code of an address."""
    login = words.login(lambda rest: len(rest) == 1)
    return requests.ConfirmAddress(login=login, code=words.take("code"))


def change(words: Words, variant: str | None) -> CommandRequest:
    """Read `change password` and `change address`."""
    if words.take("subject").lower() == "address":
        return address(words, variant)
    login = words.login(lambda rest: len(rest) == 2)
    current = words.take("current password")
    if login is not None and not len(words):  # as in the seed: userid current new
        return requests.ChangePassword(login=login, current=login.password, new=current)
    return requests.ChangePassword(login=login, current=current, new=words.take("new password"))


def delete(words: Words, variant: str | None) -> CommandRequest:
    """Read `signoff` and `delete`."""
    login = words.login(lambda rest: len(rest) <= 1)
    return requests.Delete(login=login, password=words.take("password") if len(words) else None)


def message(words: Words, variant: str | None) -> CommandRequest:
    """Read `message [userid password] userid1 userid2 ...: text`; the text may stand below the line."""
    login = words.login(lambda _: True)
    named = words.rest()
    names, text = named, ""
    last = next((at for at, word in enumerate(named) if word.endswith(":")), None)
    if last is not None:
        names = [*named[:last], *([named[last][:-1]] if named[last] != ":" else [])]
        text = " ".join(named[last + 1 :])
        if not names:
            raise words.refuse("The players are missing.")
    return requests.Message(login=login, names=tuple(names), text=text or None)


def broadcast(words: Words, variant: str | None) -> CommandRequest:
    """Read `broadcast [userid password] [text]`."""
    login = words.login(lambda _: True)
    return requests.Broadcast(login=login, text=" ".join(words.rest()) or None)


def multiple(words: Words, variant: str | None) -> CommandRequest:
    """Read `multiple`."""
    return requests.Multiple()


def set_(words: Words, variant: str | None) -> CommandRequest:
    """Read `set [userid password] [name value]`."""
    login = words.login(_is_setting)
    if not len(words):
        return requests.ChangeSetting(login=login, variant=variant)
    name = words.take("name of a setting").lower()
    value = words.take("value")
    board = words.board() if name == "mail" and len(words) else None
    return requests.ChangeSetting(login=login, variant=variant, name=name, value=value, board=board)


def _is_setting(words: Sequence[str]) -> bool:
    if not words:
        return True
    name = words[0].lower()
    if len(words) == 2:
        return name in requests.SETTING_NAMES or not may_be_password(words[1])
    return len(words) == 3 and name == "mail" and words[1].lower() in LEVELS
