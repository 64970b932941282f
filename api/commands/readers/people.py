"""Readers of the commands about accounts, and of those about no game."""

from collections.abc import Sequence

from api.accounts.mail.levels import LEVELS
from api.commands import requests
from api.commands.requests import CommandRequest
from api.commands.words import Words, may_be_password


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
