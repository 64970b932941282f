"""Promises that must hold at the end, whatever was killed: for each game, each stream, each inbox, and the store."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from tests.api.log_reference import Export, check_export
from tests.api.server_process import run_program
from tests.campaigns.traffic.caller import Caller
from tests.campaigns.traffic.racers import PLAYERS, Ledger, Notes
from tests.campaigns.traffic.readers import Item, Reader
from tests.conftest import Database


def exports_of(games: Iterable[str], caller: Caller) -> tuple[dict[str, Export], list[str]]:
    """Return the checked export of each game, and what is wrong with those that not all servers give alike."""
    found, faults = dict[str, Export](), list[str]()
    for game in games:
        answers = [caller.ask("GET", f"/games/{game}/export", url=url) for url in caller.urls]
        if {each.status for each in answers} != {200} or len({each.content for each in answers}) != 1:
            faults.append(f"the exports of game {game}: {[(each.status, len(each.content)) for each in answers]}")
        else:
            found[game] = check_export(answers[0].content)
    return found, faults


def faults_of_audit(game: str, caller: Caller) -> list[str]:
    """Return the audit of a game if it found something."""
    audit = caller.ask("GET", f"/games/{game}/audit")
    is_green = audit.status == 200 and not audit.body["verdict"]["findings"]
    return [] if is_green else [f"the audit of game {game}: {audit.content[:300]!r}"]


def faults_of_game(game: str, notes: Notes, export: Export) -> list[str]:
    """Return what is wrong: each acknowledged command is there once, and there is no other."""
    leaves = {line["version"]: line["leaf"] for line in export.lines}
    commands = [command for command, _ in groupby(event["command"] for event in export.events)]
    named = (
        ("events were lost or changed", [at for at, leaf in notes.leaves.items() if leaves.get(at) != leaf]),
        ("commands are there twice", _doubled(commands)),
        ("commands were refused or never sent", sorted(set(commands) - set(notes.commands))),
        ("commands are missing", sorted(set(notes.commands) - set(commands))),
    )
    return [f"game {game}: {what}: {which[:5]}" for what, which in named if which]


def faults_of_count(game: str, acknowledged: int, people: set[str], export: Export) -> list[str]:
    """Return what is wrong: each command is there once, and the people's are as many as were acknowledged."""
    doubled = _doubled([command for command, _ in groupby(event["command"] for event in export.events)])
    own = {event["command"] for event in export.events if event["by"] in people}
    found = [f"game {game}: commands are there twice: {doubled[:5]}"] if doubled else []
    right = len(own) == acknowledged
    return found + ([] if right else [f"game {game}: {acknowledged} commands acknowledged, {len(own)} in the log"])


def _doubled(commands: Sequence[str]) -> list[str]:
    return [command for command, times in Counter(commands).items() if times > 1]


def faults_of_stream(reader: Reader, export: Export) -> list[str]:
    """Return what is wrong with the events of a game as they came: each version is there once, in order."""
    told = [(line["version"], line["leaf"]) for line in reader.items]
    stored = [(line["version"], line["leaf"]) for line in export.lines]
    return [] if told == stored else [f"{reader.name} had {len(told)} of {len(stored)} events, or others"]


def number_of(items: Sequence[Item]) -> int:
    """Return the number of the last entry of an inbox, or 0."""
    return int(items[-1]["id"].split(".")[1]) if items else 0


def faults_of_inbox(player: str, readers: Sequence[Reader], caller: Caller) -> list[str]:
    """Return where readers of one inbox differ from the inbox, which all servers must show alike.

    Each reader has every entry once, in order: the numbers of a player's entries have no gaps.
    """
    whole = [caller.whole_inbox(url) for url in caller.urls]
    found = [] if all(each == whole[0] for each in whole) else [f"the servers show the inbox of {player} differently"]
    for each in readers:
        numbers = [number_of([item]) for item in each.items]
        if numbers != list(range(1, len(numbers) + 1)):
            odd = [(a, b) for a, b in pairwise(numbers) if b != a + 1]
            found.append(f"{player} by a {type(each).__name__}: missed or got twice: {odd[:5]}")
        if each.items[-len(whole[0]) :] != whole[0]:
            found.append(f"{player} by a {type(each).__name__}: {len(each.items)} entries, and the inbox has others")
    return found


def expected_entries(player: str, ledger: Ledger, exports: dict[str, Export]) -> Counter[tuple[Any, ...]]:
    """Return the entries that follow from the games' logs and from the messages, each once."""
    found, seat = Counter[tuple[Any, ...]](), PLAYERS.index(player)
    for game, export in exports.items():
        for event in export.events:
            if seat in (event["data"].get("next") or ()):
                found["turn", game, event["version"]] += 1
            if event["fact"] == "GameEnded":
                found["game-over", game, event["version"]] += 1
        for writer, message in ledger.messages[game]:
            if writer != player:
                found["chat", game, message] += 1
    return found


def faults_of_entries(player: str, items: Sequence[Item], expected: Counter[tuple[Any, ...]]) -> list[str]:
    """Return the entries that are missing, and those that nothing explains."""
    got = Counter(
        (item["kind"], item["game"], item["message"] if item["kind"] == "chat" else item["version"])
        for item in items
        if item["kind"] != "hand-over"
    )
    missing, extra = list((expected - got).items()), list((got - expected).items())
    found = [f"{player} never got {missing[:5]}"] if missing else []
    return found + ([f"{player} got, for no reason, {extra[:5]}"] if extra else [])


def faults_of_store(database: Database) -> list[str]:
    """Return what `trickbook store check` finds."""
    checked = run_program("store", "check", "--data", str(database.data), url=database.url)
    return [] if checked.returncode == 0 else [f"trickbook store check: {checked.stdout}{checked.stderr}"]


def traces_in(log: Path) -> list[str]:
    """Return the lines of the servers' log that have a trace or aren't JSON: a process that is killed is no reason."""
    return [f"a server's log: {line[:3000]}" for line in log.read_text().splitlines() if not _is_sentence(line)]


def _is_sentence(line: str) -> bool:
    try:
        return "trace" not in json.loads(line)
    except ValueError:
        return False
