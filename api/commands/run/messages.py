"""Messages between players, and broadcasts of moderators."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.commands.answer import CommandAnswer
from api.commands.edge import Edge, ask, refusal
from api.commands.requests import Broadcast, Message
from api.commands.run.moves_for_later import require_caller
from api.commands.text.layout import in_words, minute_of
from api.commands.words import name_of_login

MOST_SHOWN = 20
"""How many messages a command shows."""
LOGIN_IN_TEXT = (
    "Everybody would read this: it begins with the name of a user, and a word that may be a password. If it isn't one,"
    " write a comma after the name."
)


def message(edge: Edge, request: Message, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Write to players, or show the newest messages."""
    require_caller(edge)
    if not request.names:
        body = ask(edge, "GET", f"/messages?limit={MOST_SHOWN}").body
        shown = [_line(each, body["names"]) for each in body["items"]]
        return CommandAnswer("message", "\n".join(shown) or "You have no messages.", body)
    words = _require_text(request.text or " ".join(text), "write it after a colon, or below the line")
    sent = ask(edge, "POST", "/messages", {"to": list(request.names), "text": words}, headers).body
    return CommandAnswer("message", f"Sent to {in_words(list(request.names))}.", sent)


def broadcast(edge: Edge, request: Broadcast, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Write to everybody, as a moderator."""
    require_caller(edge)
    words = _require_text(request.text or " ".join(text), "write it in the line, or below it")
    refuse_login_in(edge, words)
    sent = ask(edge, "POST", "/broadcasts", {"text": words}, headers).body
    return CommandAnswer("broadcast", "Sent to everybody.", sent)


def refuse_login_in(edge: Edge, text: str) -> None:
    """Refuse a text for everybody that begins like a user's name and password.

    That the name is taken, everybody may know; whether its owner writes such lines, nobody may, so that isn't asked.
    """
    name = name_of_login(text.split())
    if name is not None and edge.services.accounts.users.by_name(name) is not None:
        raise refusal("malformed", 400, "A password in a text", LOGIN_IN_TEXT)


def _require_text(words: str, how: str) -> str:
    if not words.strip():
        raise refusal("malformed", 400, "Malformed request", f"The text is missing: {how}.")
    return words


def _line(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    to = "everybody" if item["to"] is None else in_words([names.get(each, each) for each in item["to"]])
    return f"{minute_of(item['at'])} {names.get(item['by'], item['by'])} to {to}: {item['text']}"
