"""What must hold for each game after the kills."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from tests.api.log_reference import Export, check_export
from tests.api.remote_server import RemoteResponse, RemoteServer
from tests.api.server_process import run_program
from tests.campaigns.kills.load import PATIENCE_S, PAUSE_S, Notes, Reader, Table
from tests.conftest import Database


def faults_of(tables: Sequence[Table], readers: Sequence[Reader], url: str) -> list[str]:
    """Return what is wrong with the games of all tables, as a server shows them now."""
    found = [fault for table in tables for fault in table.faults]
    found += [fault for reader in readers for fault in reader.faults]
    exports = {}
    for table in tables:
        for notes in table.notes:
            answer = _get(url, f"/games/{notes.game}/export")
            if answer.status_code != 200:
                found.append(f"game {notes.game}, with {len(notes.commands)} acknowledged commands: {answer.text}")
                continue
            exports[notes.game] = check_export(answer.data)
            found += faults_of_game(notes, exports[notes.game]) + _faults_of_audit(notes.game, url)
    streams = [(reader, exports[reader.game]) for reader in readers if reader.game in exports]
    return found + [fault for reader, export in streams for fault in _gaps(reader, export)]


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


def faults_of_game(notes: Notes, export: Export) -> list[str]:
    """Return what is wrong: each acknowledged command is there once, and there is no other."""
    leaves = {line["version"]: line["leaf"] for line in export.lines}
    commands = [command for command, _ in groupby(event["command"] for event in export.events)]
    lost = [version for version, leaf in notes.leaves.items() if leaves.get(version) != leaf]
    doubled = [command for command, times in Counter(commands).items() if times > 1]
    unknown = set(commands) - set(notes.commands)
    named = (("events were lost or changed", lost), ("commands are there twice", doubled),
             ("commands were refused or never sent", sorted(unknown)),
             ("commands are missing", sorted(set(notes.commands) - set(commands))))  # fmt: skip
    return [f"game {notes.game}: {what}: {which[:5]}" for what, which in named if which]


def _faults_of_audit(game: str, url: str) -> list[str]:
    answer = _get(url, f"/games/{game}/audit")
    green = answer.status_code == 200 and not answer.get_json()["verdict"]["findings"]
    return [] if green else [f"the audit of game {game}: {answer.text[:300]}"]


def _get(url: str, path: str) -> RemoteResponse:
    """Return the answer, after retries: a server that starts answers 503 until its heavy process runs."""
    until = time.monotonic() + PATIENCE_S
    while (answer := RemoteServer(url).nobody.get(path)).status_code == 503 and time.monotonic() < until:
        time.sleep(PAUSE_S)
    return answer


def _gaps(reader: Reader, export: Export) -> list[str]:
    """Return what is wrong with the lines of a resumed stream: it has each version once, in order."""
    lines = [json.loads(line) for line in reader.lines]
    told = [(line["version"], line["leaf"]) for line in lines]
    stored = [(line["version"], line["leaf"]) for line in export.lines]
    fault = f"game {reader.game}: the stream had {len(told)} of {len(stored)} events, or others"
    return [] if told == stored else [fault]
