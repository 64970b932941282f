"""What must hold after the campaign: for each game, each inbox, each limit, and the receiver of webhooks."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.api.log_reference import Export, check_export
from tests.campaigns.kills.checks import faults_of_game
from tests.campaigns.two_nodes.inboxes import InboxReader, Item
from tests.campaigns.two_nodes.racers import PLAYERS, Ledger
from tests.campaigns.two_nodes.requests import Caller
from tests.inbox.receivers import Receiver

ENDS = ("hand-over", "game-over")


def number_of(item: Item) -> int:
    """Return the number in the id of an entry."""
    return int(item["id"].split(".")[1])


def exports_of(ledger: Ledger, caller: Caller) -> dict[str, Export]:
    """Return the checked export of each game, which both nodes must give alike."""
    found = {}
    for game in ledger.notes:
        texts = {caller.text(url, f"/games/{game}/export") for url in caller.places.urls}
        assert len(texts) == 1, f"the nodes export game {game} differently"
        found[game] = check_export(texts.pop())
    return found


def faults_of_games(ledger: Ledger, exports: dict[str, Export], caller: Caller) -> list[str]:
    """Return what is lost or doubled in a game, and what its audit finds."""
    found = list(ledger.faults)
    for game, notes in ledger.notes.items():
        found += faults_of_game(notes, exports[game])
        found += faults_of_audit(game, caller)
    return found


def faults_of_audit(game: str, caller: Caller) -> list[str]:
    """Return the audit of a game if it found something."""
    audit = caller.ask("GET", f"/games/{game}/audit")
    return [f"the audit of game {game}: {audit.body}"] if audit.body["verdict"]["findings"] else []


def faults_of_inbox(readers: Sequence[InboxReader], caller: Caller) -> list[str]:
    """Return where readers of one inbox differ from the inbox, which both nodes must show alike.

    Each reader has every entry once, in order: the numbers of a player's entries have no gaps.
    """
    (player,) = {each.name for each in readers}
    whole = [caller.entries(url) for url in caller.places.urls]
    found = [] if whole[0] == whole[1] else [f"the nodes show the inbox of {player} differently"]
    for each in readers:
        found += each.faults
        numbers = [number_of(item) for item in each.items]
        if numbers != list(range(1, len(numbers) + 1)):
            odd = [(a, b) for a, b in pairwise(numbers) if b != a + 1]
            found.append(f"{player} by {each.way}: missed or got twice: {odd[:5]}")
        if each.items[-len(whole[0]) :] != whole[0]:
            found.append(f"{player} by {each.way}: {len(each.items)} entries, and the inbox has other ones")
    return found


def expected_entries(seat: int, ledger: Ledger, exports: dict[str, Export]) -> Counter[tuple[Any, ...]]:
    """Return the entries that follow from the games' logs and from the messages, each once."""
    found = Counter[tuple[Any, ...]]()
    for game, export in exports.items():
        for event in export.events:
            if seat in (event["data"].get("next") or ()):
                found["turn", game, event["version"]] += 1
            if event["fact"] == "GameEnded":
                found["game-over", game, event["version"]] += 1
        for writer, message in ledger.messages[game]:
            if writer != PLAYERS[seat]:
                found["chat", game, message] += 1
    return found


def faults_of_entries(seat: int, items: Sequence[Item], expected: Counter[tuple[Any, ...]]) -> list[str]:
    """Return the entries that are missing, and those that nothing explains."""
    got = Counter(
        (item["kind"], item["game"], item["message"] if item["kind"] == "chat" else item["version"])
        for item in items
        if item["kind"] != "hand-over"
    )
    missing, extra = list((expected - got).items()), list((got - expected).items())
    found = [f"{PLAYERS[seat]} never got {missing[:5]}"] if missing else []
    return found + ([f"{PLAYERS[seat]} got, for no reason, {extra[:5]}"] if extra else [])


def faults_of_webhook(receiver: Receiver, items: Sequence[Item]) -> tuple[list[str], int]:
    """Return what is wrong with the messages, and how many came again: with the same id, right after the first one."""
    got = [json.loads(message.body)["data"] for message in receiver.messages]
    names = [message.headers["webhook-id"] for message in receiver.messages]
    again = sum(a == b for a, b in pairwise(names))
    once = [item for at, item in enumerate(got) if at == 0 or names[at] != names[at - 1]]
    return ([] if once == list(items) else [f"the receiver got {len(once)} messages, not {len(items)} in order"]), again
