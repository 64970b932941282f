"""People, tables and games that only wait: whatever the clocks show, what the server says of them stays as it is.

Times may be put off by as long as the clock was held: at most the time since the first look.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.api.conftest import PASSWORD
from tests.api.live_server import first_move
from tests.campaigns.traffic.caller import Answer, Caller

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
MOVING = frozenset(("used", "failure", "failing_since"))
"""Values that change by themselves: the day on which a token was used, and why a webhook fails."""
SLACK_S = 30.0
"""How much longer than the time since the last look something may be put off: from the heartbeat before it."""
HOSTS, OTHER = ("wally", "wendy", "wilma"), "foster"
"""Players who open the games that wait, and one who plays against them."""
ADDRESS = "tim@example.net"
HOUR, DAY = 3600, 24 * 3600


def days_ahead(days: float) -> str:
    """Return the time of that many days from now."""
    return (datetime.now(UTC) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def waiting_games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield games of every pace and with every end, by what they show; nobody moves in them."""
    paces = {
        "a live pace": {"kind": "live", "base_s": HOUR, "increment_s": 15},
        "a daily pace": {"kind": "daily", "move_s": 2 * HOUR},
        "a bank of time": {"kind": "bank", "base_s": HOUR, "move_s": 600, "cap_s": 2 * HOUR},
    }
    for (what, pace), autopilot in zip(paces.items(), ("forfeit", "bot:simple", "claim"), strict=True):
        yield f"a game at {what}", {"timing": {"pace": pace}, "autopilot": autopilot}
    yield "a game with days for a turn", {"timing": {"nag_days": 1, "forfeit_days": 2}}
    yield "a game that ends after days", {"timing": {"total_days": 3}}
    yield "a game that ends at a time", {"timing": {"ends_at": days_ahead(2)}}
    session = {"variant": "corellian", "options": {"ends_at": days_ahead(2)}}
    yield "a session that ends at a time", session | {"seats": [OTHER, "bot:simple", "bot:simple"]}
    yield "a game that waits for cuts", {"fairness": {"cuts": "open", "window_s": 5 * DAY}}
    yield "practice", {"undo": "practice", "seats": ["bot:simple"]}
    yield "a private game", {"watch": {"public": False, "delay": 0}}
    yield "a delayed game", {"watch": {"public": True, "delay": 50}}


@dataclass
class Still:
    """An answer of the server that stays as it is. `seen` is the first one, and when it came on a counter."""

    what: str
    caller: Caller
    path: str
    seen: tuple[Answer, float] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = self.look()

    def look(self) -> tuple[Answer, float]:
        """Ask now."""
        return self.caller.ask("GET", self.path), time.monotonic()

    def faults(self) -> list[str]:
        """Return how the answer differs from the first one."""
        before, began = self.seen
        now, ended = self.look()
        if now.status != before.status:
            return [f"{self.what}: {before.status} at first, and then {now.status} {now.content[:300]!r}"]
        if before.status != 200:
            return []
        odd = list(differences(before.body, now.body, ended - began + SLACK_S))
        return [f"{self.what}: {', '.join(odd)}"] if odd else []


def differences(before: Any, now: Any, most_s: float, name: str = "") -> Iterator[str]:
    """Yield what differs between two JSON values, except times that are put off by no more than that."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            if key not in MOVING:
                yield from differences(before.get(key), now.get(key), most_s, f"{name}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for at, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, most_s, f"{name}[{at}]")
    elif before != now and not _is_put_off(before, now, most_s):
        yield f"{name} was {str(before)[:200]} and is {str(now)[:200]}"


def _is_put_off(before: Any, now: Any, most_s: float) -> bool:
    if not all(isinstance(each, str) and TIME.match(each) for each in (before, now)):
        return False
    one, other = (datetime.fromisoformat(each) for each in (before, now))
    return 0 <= (other - one).total_seconds() <= most_s


@dataclass
class Bystanders:
    """Everybody and everything that waits. `callers` returns a caller of nobody, by a name.

    `give_role` is what an operator does on the command line, and `settle` waits for the lists. `codes` returns the
    codes that came by mail to an address, if the server sends mail. `webhook` is an address that answers nobody.
    """

    callers: Callable[[str], Caller]
    give_role: Callable[[str, str], object]
    settle: Callable[[], object]
    codes: Callable[[str], list[str]] | None = None
    webhook: str | None = None
    stills: list[Still] = field(default_factory=list)
    people: dict[str, Caller] = field(default_factory=dict)
    recovery: dict[str, str] = field(default_factory=dict)
    """A recovery code of each player."""
    games: dict[str, str] = field(default_factory=dict)
    """The games by what they show."""
    guests: list[Caller] = field(default_factory=list)
    table: str = ""
    invitation: str = ""

    def gather(self) -> None:
        """Let everybody come, and note what the server says of them."""
        self._join(*HOSTS, OTHER, "levi", "lola", "tara", "tim", "muted", "moira")
        if self.webhook is not None:
            _made(self.people[OTHER].ask("POST", "/me/webhooks", {"url": self.webhook}))
        if self.codes is not None:
            asked = self.people["tim"].ask("PUT", "/me/email", {"email": ADDRESS})
            assert asked.status == 202, asked
        self._open_games()
        self._form_tables()
        self._make_guests()
        self._mute()
        self._make_tokens()
        offer = f"/games/{self.games['a game with days for a turn']}/handovers"
        _made(self.people[HOSTS[0]].ask("POST", offer, {"to": "tim"}))
        for name in ("levi", "lola"):
            left = self.people[name].ask("DELETE", "/me", {"password": PASSWORD})
            assert left.status == 202, left
        self.settle()
        for name, caller in self.people.items():
            if name not in ("levi", "lola"):
                for path in ("/me", "/me/tokens", "/me/standing", "/me/hours", "/me/handovers", "/me/events"):
                    self._note(f"{path} of {name}", caller, path)
        if self.webhook is not None:
            self._note("a webhook that nobody answers", self.people[OTHER], "/me/webhooks")

    def faults(self) -> list[str]:
        """Return what isn't as it was."""
        return [fault for still in self.stills for fault in still.faults()]

    def go_on(self) -> list[str]:
        """Let everybody do what they waited for, and return what isn't possible."""
        nobody, again = self.callers("who comes back"), {"password": PASSWORD}
        done: dict[str, tuple[Answer, int]] = {}
        for name in ("levi", "lola"):
            done[f"{name} comes back"] = nobody.ask("POST", "/me/restore", {"name": name, **again}), 201
        recover = {"name": "tara", "code": self.recovery["tara"], "new_password": "violet-otter-lantern"}
        done["a recovery code"] = nobody.ask("POST", "/tokens/recovery", recover), 201
        named = {"name": "gustav", **again}
        done["a guest takes a name"] = self.guests[0].ask("POST", "/me/account", named), 201
        seat = {"invitation": self.invitation}
        done["an invitation"] = self.people["tim"].ask("POST", f"/games/{self.table}/seats", seat), 201
        if self.codes is not None:
            code = {"code": self.codes(ADDRESS)[0]}
            done["a code by mail"] = self.people["tim"].ask("POST", "/me/email/confirmation", code), 200
        for what, game in self.games.items():
            if what != "a game that waits for cuts":
                done[f"a move in {what}"] = self._move(game), 201
        return [f"{what}: {got.status} {got.content[:300]!r}" for what, (got, right) in done.items()
                if got.status != right]  # fmt: skip

    def _join(self, *names: str) -> None:
        for name in names:
            caller, body = self.callers(name), {"name": name, "password": PASSWORD}
            self.recovery[name] = _made(caller.ask("POST", "/users", body))["recovery_codes"][0]
            caller.token = _made(caller.ask("POST", "/tokens", body))["token"]
            self.people[name] = caller

    def _note(self, what: str, caller: Caller, path: str) -> None:
        self.stills.append(Still(what, caller, path))

    def _open_games(self) -> None:
        nobody = self.callers("who watches")
        for at, (what, body) in enumerate(waiting_games()):
            name = HOSTS[at % len(HOSTS)]
            seats = [name, *body.get("seats", [OTHER])]
            opened = _made(self.people[name].ask("POST", "/games", {"variant": "pitch"} | body | {"seats": seats}))
            self.games[what] = game = str(opened["id"])
            self._note(what, self.people[name], f"/games/{game}/seats/0")
            self._note(f"{what}, for those who watch,", nobody, f"/games/{game}")
            self._note(f"the events of {what}, for those who watch,", nobody, f"/games/{game}/events")

    def _form_tables(self) -> None:
        opener = self.people["tara"]
        for long, seconds in (("two hours", 2 * HOUR), ("a day", DAY), ("a week", 7 * DAY)):
            what = f"a table for {long}"
            table = {"variant": "pitch", "seats": ["tara", "open", "invite"], "expires_s": seconds}
            self.table = str(_made(opener.ask("POST", "/games", table))["id"])
            link = _made(opener.ask("POST", f"/games/{self.table}/invitations", {}))
            self.invitation = str(link["token"])
            self._note(what, opener, f"/games/{self.table}")
            self._note(f"the invitations to {what}", opener, f"/games/{self.table}/invitations")
            self._note(f"an invitation to {what}", self.callers("who has a link"), f"/invitations/{self.invitation}")

    def _make_guests(self) -> None:
        for number in range(3):
            caller = self.callers(f"guest {number}")
            made = _made(caller.ask("POST", "/guests", {}))
            caller.token = made["token"]
            self.guests.append(caller)
            if number:
                seats = {"variant": "pitch", "seats": [made["name"], "bot:simple"]}
                game = str(_made(caller.ask("POST", "/games", seats))["id"])
                self._note(f"the game of guest {number}", caller, f"/games/{game}/seats/0")
            self._note(f"guest {number}", caller, "/me")

    def _mute(self) -> None:
        self.give_role("moira", "moderator")
        body = {"name": "moira", "password": PASSWORD, "scope": "moderate"}
        judge = self.callers("moira judges")
        judge.token = _made(judge.ask("POST", "/tokens", body))["token"]
        report = {"about": "muted", "kind": "abuse", "text": "insults"}
        case = f"/moderation/reports/{_made(self.people['tim'].ask('POST', '/reports', report))['report']}"
        claimed = judge.ask("POST", f"{case}/claim", {})
        assert claimed.status == 200, claimed
        step = {"step": "mute", "reason": "Insults aren't welcome.", "until": days_ahead(2)}
        _made(judge.ask("POST", f"{case}/ruling", step))

    def _make_tokens(self) -> None:
        for days in (1, 90):
            caller = self.callers(f"a token for {days} days")
            body = {"name": "tim", "password": PASSWORD, "days": days, "label": f"{days} days"}
            caller.token = _made(caller.ask("POST", "/tokens", body))["token"]
            self._note(f"a token for {days} days", caller, "/me")

    def _move(self, game: str) -> Answer:
        """Let the player in turn make the first legal move."""
        for name in (*HOSTS, OTHER):
            for seat in range(2):
                got = self.people[name].ask("GET", f"/games/{game}/seats/{seat}")
                if got.status == 200 and (got.body["you"]["legal"] or got.body["you"]["choose"]):
                    return self.people[name].ask("POST", f"/games/{game}/moves", first_move(got.body))
        return Answer(0, b"nobody is in turn")


def _made(answer: Answer) -> Any:
    assert answer.status == 201, answer
    return answer.body
