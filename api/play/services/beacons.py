"""Fetches the rounds that deals wait for, and brings them to their games.

The host names the relays of drand's HTTP API that answer with the signature of a round.

It runs in a thread of its own, so a slow relay delays nothing else. A relay's answer counts only if it's the signature
of the round: a relay that lies, or doesn't answer, changes nothing, and the deal goes on without it.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from time import monotonic

import httpx
import msgspec

from api.container import Services
from api.play.services.server_commands import UNAVAILABLE, FailingGames, new_command_id
from domain.commands import RecordBeacon
from domain.engine.cuts import is_beacon_missing
from domain.protocols.beacon import is_signed, parse_source, publication_time
from domain.rejections import Rejected
from domain.state import SERVER
from projections.followers.troubles import TroubleLog
from projections.lists.deadlines import DEADLINES, games_awaiting_beacons

TIMEOUT_S = 5.0
"""How long an answer may take in all, give or take one read of it."""
READ_TIMEOUT_S = 2.0
MAX_ANSWER = 4096
"""The longest answer that is read, in bytes. A round has about 300."""


class NoSignature(Exception):
    """The relay gave no valid signature of the round in time. The message says why, without the answer's text."""


class _Round(msgspec.Struct):
    signature: str


class Relay:
    """Asks one relay. Redirects aren't followed and proxies aren't used."""

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._url, self._timeout_s = url.rstrip("/"), timeout_s
        self._client = httpx.Client(timeout=min(READ_TIMEOUT_S, timeout_s), trust_env=False, follow_redirects=False)

    def signature_of(self, source: str) -> str:
        """Return the signature of a round, verified. Raise NoSignature if the relay doesn't give it."""
        named = parse_source(source)
        if named is None:
            raise NoSignature("the round isn't known")
        chain, number = named
        try:
            answer = self._get(f"{self._url}/{chain.hash}/public/{number}")
            signature = msgspec.json.decode(answer, type=_Round).signature
        except httpx.HTTPError as error:
            raise NoSignature(f"no answer came ({type(error).__name__})") from error
        except msgspec.DecodeError as error:
            raise NoSignature("the answer isn't a round in JSON") from error
        if not is_signed(source, signature):
            raise NoSignature("the answer's signature isn't that of the round")
        return signature

    def close(self) -> None:
        self._client.close()

    def _get(self, url: str) -> bytes:
        until, body = monotonic() + self._timeout_s, b""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        with self._client.stream("GET", url, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                raise NoSignature(f"the answer has the status {answer.status_code}")
            for part in answer.iter_raw():
                body += part
                if len(body) > MAX_ANSWER:
                    raise NoSignature("the answer is too long")
                if monotonic() > until:
                    raise NoSignature("the answer took too long")
        return body


LOG = logging.getLogger("trickbook.beacons")
POLL_S = 0.5
MAX_GAMES = 1000
"""How many waiting games one turn looks at."""
MAX_ROUNDS = 20
"""How many rounds one turn asks for."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""How long a round isn't asked for again after a failure: twice as long each time."""


class BeaconFetcher:
    """Brings published rounds to the games that wait for them. Several processes may run one."""

    def __init__(
        self,
        services: Services,
        relay: Relay,
        now: Callable[[], str] | None = None,
        steady: Callable[[], float] = monotonic,
    ) -> None:
        """`now` returns the time in the format of events, by default that of the server's clock."""
        self._services, self._relay, self._now, self._steady = services, relay, now or services.clock.now, steady
        self._failing = FailingGames(services.rows)
        self._trouble = TroubleLog(LOG, "asking the beacon's relay")
        self._waits: dict[str, tuple[float, float]] = {}
        """For each round that the relay failed to give: when to ask again, and the wait after that."""

    def run(self, stop: threading.Event) -> None:
        """Fetch until `stop` is set, despite errors."""
        trouble = TroubleLog(LOG, "bringing rounds of the beacon")
        while not stop.wait(POLL_S):
            with trouble.attempt(*UNAVAILABLE):
                self.run_once()
        self._relay.close()

    def run_once(self) -> int:
        """Ask for each published round that a deal waits for; return the number of games that got theirs."""
        waiting = self._published_rounds()
        self._waits = {source: wait for source, wait in self._waits.items() if source in waiting}
        due = [source for source in waiting if self._steady() >= self._waits.get(source, (0.0, 0.0))[0]]
        return sum(self._bring(source, waiting[source]) for source in due[:MAX_ROUNDS])

    def _published_rounds(self) -> Mapping[str, list[str]]:
        """Return the games that wait for a published round, by its source."""
        with self._services.rows.snapshot(DEADLINES.name) as reading:
            games = games_awaiting_beacons(reading, MAX_GAMES)
        now, waiting = self._now(), dict[str, list[str]]()
        for source, game in games:
            published = publication_time(source)
            if published is not None and published <= now:
                waiting.setdefault(source, []).append(game)
        return waiting

    def _bring(self, source: str, games: list[str]) -> int:
        try:
            signature = self._relay.signature_of(source)
        except NoSignature as error:
            wait = self._waits.get(source, (0.0, FIRST_WAIT_S))[1]
            self._waits[source] = self._steady() + wait, min(2 * wait, LONGEST_WAIT_S)
            self._trouble.failed(str(error))
            return 0
        self._trouble.succeeded()
        brought = list[str]()

        def bring(game: str) -> None:
            if self._record(game, source, signature):
                brought.append(game)

        self._failing.each(games, bring)
        return len(brought)

    def _record(self, game: str, source: str, signature: str) -> bool:
        """Record the round if the game still waits for it; the autoplayer plays on at once."""
        ceremony = self._services.games.state(game).pending_deal
        if ceremony is None or ceremony.beacon != source or not is_beacon_missing(ceremony):
            return False
        command_id, command = new_command_id(), RecordBeacon(0, ceremony.n, source, signature)
        try:
            commit = self._services.games.act(game, command, by=SERVER, command_id=command_id)
        except Rejected as refusal:  # a player was faster, or the deal went on
            LOG.debug("game %s: %s", game, refusal.code)
            return False
        self._services.autoplayer.play(commit.state, command_id)
        return True
