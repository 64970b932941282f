"""Readers of the commands that show boards and lists of them."""

from collections.abc import Sequence

from api.commands import requests
from api.commands.requests import WHICH, Board, CommandRequest, Which
from api.commands.words import Words, parse_board
from domain.events.dispute_codes import DisputeKind
from domain.rules.variants import VARIANTS
from projections.ratings.places import EVERY_KIND, KINDS


def list_(words: Words, variant: str | None) -> CommandRequest:
    """Read `list [game ...]`."""
    named = tuple(word.lower() for word in words.rest())
    if unknown := next((word for word in named if word not in VARIANTS), None):
        raise words.refuse(f"There is no game {unknown[:40]!a}; there are {', '.join(VARIANTS)}.")
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
    if not words or words[0].lower() in ("answer", *DisputeKind):
        return True
    return len(words) > 2 and words[0].isdigit()


def dispute(words: Words, variant: str | None) -> CommandRequest:
    """Read `dispute board [hand kind text | answer dispute text]`."""
    board = words.board()
    login = words.login(_is_dispute)
    if not len(words):
        return requests.DisputeHand(variant=variant, board=board, login=login)
    if words.next_is("answer"):
        words.take("answer")
        number, text = words.number("number of a dispute"), " ".join(words.rest())
        return requests.DisputeHand(variant=variant, board=board, login=login, answers=number, text=text or None)
    number, kind, text = words.number("number of a hand"), words.take("kind").lower(), " ".join(words.rest())
    if kind not in tuple(DisputeKind):
        raise words.refuse(f"The kind is one of {', '.join(DisputeKind)}.")
    return requests.DisputeHand(variant=variant, board=board, login=login, hand=number, kind=kind, text=text or None)
