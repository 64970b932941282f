"""What must hold at the end of a soak for the games of tables that count what was acknowledged."""

from collections import Counter
from collections.abc import Set as AbstractSet
from itertools import groupby

from tests.api.log_reference import Export, check_export
from tests.campaigns.soak.tables import Table
from tests.campaigns.two_nodes.checks import faults_of_audit
from tests.campaigns.two_nodes.requests import Caller


def faults_of_table(table: Table, caller: Caller) -> list[str]:
    """Return what is wrong with the games of a table, which both nodes must export alike."""
    found = list[str]()
    for game, acknowledged in table.games.acknowledged.items():
        texts = {caller.text(url, f"/games/{game}/export") for url in caller.places.urls}
        if len(texts) != 1:
            found.append(f"the nodes export game {game} differently")
            continue
        found += faults_of_game(game, check_export(texts.pop()), table.people, acknowledged)
        found += faults_of_audit(game, caller)
    return found


def faults_of_game(game: str, export: Export, people: AbstractSet[str], acknowledged: int) -> list[str]:
    """Return what is wrong: each command is there once, and the people's are as many as were acknowledged."""
    commands = [command for command, _ in groupby(event["command"] for event in export.events)]
    doubled = [command for command, times in Counter(commands).items() if times > 1]
    of_people = {event["command"] for event in export.events if event["by"] in people}
    found = [f"game {game}: commands are there twice: {doubled[:5]}"] if doubled else []
    if len(of_people) != acknowledged:
        found.append(f"game {game}: {acknowledged} commands were acknowledged, and {len(of_people)} are in the log")
    return found
