"""Promises that must hold in a simulation after every step, and at its end."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from domain.events import Event
from domain.store import Games
from projections.followers import PROJECTIONS
from projections.views.seat import ViewFold, view_json
from replay.audit import CANNOT_TELL, GREEN, audit
from replay.history import export_bytes, from_entries, read_export
from replay.rejudge import rejudge
from tests.api.log_reference import check_export
from tests.api.worlds import vary_hidden_facts
from tests.campaigns.simulation.clients import Client, Sent
from tests.campaigns.simulation.observer import GameLog, Observer, Violation
from tests.campaigns.simulation.servers import SimulatedServer
from tests.campaigns.simulation.simulated_time import parse_us
from tests.projections.playing_stored import refolded, rows_of

TOLERANCE_S = 3600 + 120
"""How far the time of an event may be from the true time: a clock that jumps by more isn't believed."""
ANSWERS = ("DelayVoted", "DrawAnswered", "UndoAnswered")
"""Facts of a player that change no duty, so that If-Match lets a move pass (docs/http.md#moves)."""
COMMITMENT = re.compile('"commit": "[0-9a-f]{64}"')
BESIDE_THE_FACTS = ("root", "names")
"""The fields of a view beside the facts that its viewer may see."""


def check_time(event: Event[Any], now_us: int) -> None:
    """Check that an event isn't dated by a clock that jumped."""
    off_s = (parse_us(event.at) - now_us) / 1_000_000
    if abs(off_s) > TOLERANCE_S:
        raise Violation("events have the true time", f"{event.fact} is {off_s:.0f} s off")


def check_answer(sent: Sent, client: Client, observer: Observer, secret: bytes) -> None:
    """Check a command whose answer is known: it's in the log once as acknowledged, or not at all as refused."""
    answer = sent.answer
    if answer is None:
        return
    if answer.status >= 500:
        raise Violation("no 5xx but 503", f"{sent.key}: {answer.status} {answer.body}")
    if answer.status != 201:
        command = sent.command(secret, client.player)
        if any(command in log.commands for log in observer.logs.values()):
            raise Violation("a refusal stores nothing", f"{sent.key} {sent.body}: {answer.status} {answer.body}")
        return
    log = observer.logs.get(answer.body["id"] if sent.path == "/games" else sent.game)
    if "events" not in answer.body:  # a table that formed then, in its state of now
        return
    for line in answer.body["events"]:
        version = line["version"]
        if log is None or version > len(log.leaves) or log.leaves[version - 1] != line["leaf"]:
            raise Violation("every acknowledged event is in the log", f"{sent.key}: version {version}")
    first = answer.body["events"][0]["version"]
    if log is not None and sent.if_match is not None:
        own = (event for event in log.events[sent.if_match : first - 1] if event.by == client.player)
        moved = [event.version for event in own if event.fact not in ANSWERS]
        if moved:
            raise Violation("If-Match guards a move", f"{sent.key} at {sent.if_match}, but {moved} came before {first}")


def check_view(
    shown: dict[str, Any], seat: int, last: dict[tuple[str, str], int], client: str, log: GameLog, chance: Random
) -> None:
    """Check a view: no older than the client's last one, and a fold of facts in which hidden cards lie elsewhere."""
    game, version = shown["id"], shown["version"]
    if version < last.get((client, game), 0):
        raise Violation("reads go forward", f"{client} saw {last[client, game]} and then {version}")
    last[client, game] = version
    if version > len(log.events):
        raise Violation("views show what is stored", f"version {version} of {len(log.events)}")
    events = vary_hidden_facts(log.events[:version], seat, chance, alike=False)
    fold = ViewFold(seat)
    for event in events:
        fold.add(event)
    expected = _plain(view_json(fold, ""))
    found = _plain(shown)
    if found != expected:
        odd = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        raise Violation("a view is the fold of what its seat may see", f"seat {seat}, version {version}: {odd}")


def _plain(view: Mapping[str, Any]) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(COMMITMENT.sub('"commit": ""', json.dumps(view)))
    return {name: value for name, value in parsed.items() if name not in BESIDE_THE_FACTS}


def check_lists(server: SimulatedServer, games: Games) -> None:
    """Check that the lists of a server that has caught up equal lists that are folded from the first event."""
    for projection in PROJECTIONS:
        kept, expected = rows_of(server.services.rows, projection), refolded(games, projection)
        if kept != expected:
            odd = [name for name in expected if kept[name] != expected[name]]
            raise Violation("lists equal a rebuild", f"{projection.name}: {odd}")


def check_game(game: str, servers: list[SimulatedServer], games: Games, *, is_over: bool) -> None:
    """Check a game by an independent reading of its export, and by the audit, which judges every fact again."""
    texts = set[bytes]()
    for server in servers:
        answer = server.ask(None, "GET", f"/games/{game}/export")
        if answer is None or answer.status != 200:
            raise Violation("every game can be exported", f"{game}: {answer and answer.status}")
        texts.add(answer.body)
    if len(texts) != 1:
        raise Violation("servers export alike", game)
    try:
        check_export(texts.pop())
    except AssertionError as error:
        raise Violation("links and roots hold", f"{game}: {error}") from None
    whole = read_export(export_bytes(from_entries(games.entries(game), {})))
    report = audit(whole, rejudge(whole))
    expected = (GREEN,) if is_over else (GREEN, CANNOT_TELL)
    if whole.faults or report.findings or report.code() not in expected:
        raise Violation("the audit finds nothing", f"{game}: {whole.faults} {report.findings[:3]} {report.code()}")


def check_tables(server: SimulatedServer, clients: list[Client], observer: Observer) -> None:
    """Check that every full table is dealt, and that each player has the seat that the server has given them."""
    for client in clients:
        found = server.ask(client.token, "GET", "/games?status=forming")
        if found is None or found.status != 200:
            raise Violation("the tables can be listed", f"{client.name}: {found and found.status}")
        closing = [table["id"] for table in found.body["items"] if table["status"] == "closing"]
        if closing:
            raise Violation("full tables are dealt", str(closing))
        for game in client.claims & observer.logs.keys():
            opened = observer.logs[game].events[0].data
            if [each.player for each in opened.players].count(client.player) != 1:
                raise Violation("a seat that was given is kept", f"{client.name} in {game}")


def check_texts(server: SimulatedServer, clients: list[Client]) -> None:
    """Check that every acknowledged message is there once, and every other one at most once."""
    for client in clients:
        for game in {game for game, _ in client.texts}:
            answer = server.ask(client.token, "GET", f"/games/{game}/chat")
            if answer is None or answer.status != 200:
                raise Violation("every chat can be read", f"{game}: {answer and answer.status}")
            counts = Counter(each["text"] for each in answer.body["items"])
            for (about, text), is_acknowledged in client.texts.items():
                if about == game and not is_acknowledged <= counts[text] <= 1:
                    raise Violation("each message once", f"{text}: {counts[text]}")


def check_inboxes(server: SimulatedServer, clients: list[Client]) -> None:
    """Check that every player has each entry of their inbox once."""
    for client in clients:
        answer = server.ask(client.token, "GET", "/me/events")
        if answer is None or answer.status != 200:
            raise Violation("every inbox can be read", f"{client.name}: {answer and answer.status}")
        entries = [json.dumps({**entry, "id": None}, sort_keys=True) for entry in answer.body["items"]]
        twice = [entry for entry, count in Counter(entries).items() if count > 1]
        if twice:
            raise Violation("each entry of an inbox once", f"{client.name}: {twice[:3]}")
