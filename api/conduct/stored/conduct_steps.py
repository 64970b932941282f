"""Steps that moderators take: a warning, a mute, a suspension, a ban; appeals against them, and the acts they forbid.

A step is in force from its beginning until its end, or until another moderator reverses it. The reason lies beside the
moderation log, which holds its salted hash, so that it can be erased.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from domain.engine.timestamps import format_time
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS conduct_steps (
        id TEXT PRIMARY KEY, report TEXT NOT NULL, player TEXT NOT NULL, kind TEXT NOT NULL, since BIGINT NOT NULL,
        until BIGINT, ruled_by TEXT NOT NULL, salt TEXT, reason TEXT, reversed BIGINT)""",
    "CREATE INDEX IF NOT EXISTS conduct_steps_of_player ON conduct_steps (player)",
    """CREATE TABLE IF NOT EXISTS conduct_appeals (
        step TEXT PRIMARY KEY, text TEXT, written BIGINT NOT NULL, decision TEXT, decided_by TEXT, decided BIGINT,
        salt TEXT, reason TEXT)""",
)
StepKind = Literal["none", "warn", "mute", "suspend", "ban"]
STEP_KINDS: tuple[StepKind, ...] = get_args(StepKind)
NONE, _, MUTE, SUSPEND, BAN = STEP_KINDS
LIMITED_KINDS = (MUTE, SUSPEND)
"""The steps that end by themselves."""
StepDecision = Literal["upheld", "reversed"]
UPHELD: StepDecision = "upheld"
REVERSED: StepDecision = "reversed"
StatusWord = Literal["good", "muted", "suspended", "banned"]
SELECT = """SELECT s.id, s.report, s.player, s.kind, s.since, s.until, s.ruled_by, s.salt, s.reason, s.reversed,
    a.text, a.written, a.decision, a.decided, a.salt, a.reason
    FROM conduct_steps s LEFT JOIN conduct_appeals a ON a.step = s.id"""
MAX_AGE_S = 0.5
"""How long a process may take players' status as it was."""


@dataclass(frozen=True)
class ConductStep:
    """A step against a player, with its appeal if there is one. Times are in UTC microseconds since 1970.

    With a salt, a reason proves its hash in the moderation log (`dispute_texts.note_of`).
    """

    id: str
    report: str
    player: str
    kind: StepKind
    since: int
    until: int | None
    ruled_by: str
    salt: str | None = field(repr=False)
    reason: str | None = field(repr=False)
    reversed: int | None
    appeal_text: str | None = field(repr=False)
    appealed: int | None
    decision: StepDecision | None
    decided: int | None
    decision_salt: str | None = field(repr=False)
    decision_reason: str | None = field(repr=False)


@dataclass(frozen=True)
class ConductStatus:
    """The limits of a player now: until when they're muted or suspended, and whether they're banned."""

    muted: int | None = None
    suspended: int | None = None
    banned: bool = False

    @property
    def word(self) -> StatusWord:
        """The status in one word; the gravest one counts."""
        if self.banned:
            return "banned"
        return "suspended" if self.suspended is not None else "muted" if self.muted is not None else "good"

    @property
    def until(self) -> int | None:
        """When this status ends."""
        return None if self.banned else self.suspended if self.suspended is not None else self.muted


GOOD_STATUS = ConductStatus()


@dataclass(frozen=True)
class StepsInForce:
    """The steps that restrict players, by player, as they were at a moment; `acts` are those of the moderation log."""

    acts: int
    checked: float
    ends: Mapping[str, Mapping[str, int | None]] = field(repr=False)

    def status(self, player: str, at: int) -> ConductStatus:
        """Return a player's status at a time, from the last end of each kind of step."""
        found = self.ends.get(player)
        if found is None:
            return GOOD_STATUS
        muted, suspended = (
            end if (end := found.get(kind)) is not None and at < end else None for kind in LIMITED_KINDS
        )
        return ConductStatus(muted, suspended, BAN in found)


class ConductSteps:
    """The tables of steps and appeals. Safe for concurrent use by several processes.

    Every request of a player asks for their status. So a process remembers all steps in force, and asks every
    `MAX_AGE_S` whether the moderation log has grown: each change of a step is an entry there.
    """

    def __init__(self, database: Database, timer: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self.timer = timer
        self._in_force: StepsInForce | None = None

    def status(self, player: str) -> ConductStatus:
        """Return a player's status now, by the steps of at most `MAX_AGE_S` ago."""
        asked_at, known = self.timer(), self._in_force
        if known is None or asked_at - known.checked >= MAX_AGE_S:
            self._in_force = known = self._refresh(known, asked_at)
        return known.status(player, self._database.now())

    def forget(self) -> None:
        """Read the steps from the database next time."""
        self._in_force = None

    def _refresh(self, known: StepsInForce | None, asked_at: float) -> StepsInForce:
        acts = int(self._database.run("SELECT COALESCE(MAX(number), 0) FROM moderation_log")[0][0])
        if known is not None and known.acts == acts:
            return replace(known, checked=asked_at)
        rows = self._database.run(
            "SELECT player, kind, MAX(until) FROM conduct_steps"
            " WHERE reversed IS NULL AND (kind = ? OR until > ?) GROUP BY player, kind",
            BAN, self._database.now(),
        )  # fmt: skip
        ends: dict[str, dict[str, int | None]] = {}
        for player, kind, until in rows:
            ends.setdefault(player, {})[kind] = until
        return StepsInForce(acts, asked_at, ends)

    def of(self, player: str) -> list[ConductStep]:
        """Return all steps against a player, the newest first."""
        rows = self._database.run(f"{SELECT} WHERE s.player = ? ORDER BY s.since DESC, s.id", player)
        return [ConductStep(*row) for row in rows]

    def find(self, step: str) -> ConductStep | None:
        rows = self._database.run(f"{SELECT} WHERE s.id = ?", step)
        return ConductStep(*rows[0]) if rows else None

    def decisions(self, reports: Collection[str]) -> dict[str, StepDecision]:
        """Return the decision on the appeal for each of these reports whose step has one."""
        if not reports:
            return {}
        marks = ", ".join("?" * len(reports))
        rows = self._database.run(
            "SELECT s.report, a.decision FROM conduct_steps s JOIN conduct_appeals a ON a.step = s.id"
            f" WHERE a.decision IS NOT NULL AND s.report IN ({marks})",
            *reports,
        )
        return dict(rows)

    def appeals(self) -> list[ConductStep]:
        """Return the steps whose appeals wait for a decision, the oldest appeal first."""
        where = "WHERE a.step IS NOT NULL AND a.decision IS NULL ORDER BY a.written, s.id"
        return [ConductStep(*row) for row in self._database.run(f"{SELECT} {where}")]


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase the reasons of steps against a player and the texts of their appeals; the steps stay."""
    transaction.run("UPDATE conduct_steps SET salt = NULL, reason = NULL WHERE player = ?", player)
    transaction.run(
        "UPDATE conduct_appeals SET text = NULL, salt = NULL, reason = NULL"
        " WHERE step IN (SELECT id FROM conduct_steps WHERE player = ?)",
        player,
    )


class ForbiddenByStep(Exception):
    """A moderator's step forbids this. `slug` is muted, suspended or banned; `until` is a time, or None for a ban."""

    def __init__(self, slug: str, detail: str, until: int | None) -> None:
        self.slug = slug
        self.until = None if until is None else format_time(until)
        ending = "" if self.until is None else f" until {self.until}"
        super().__init__(detail.format(ending) + " GET /me/standing says why, and how to appeal.")


def require_voice(steps: ConductSteps, player: str) -> None:
    """Raise ForbiddenByStep for a muted player."""
    muted = steps.status(player).muted
    if muted is not None:
        raise ForbiddenByStep("muted", "You can't write in chats{}.", muted)


def require_unrestricted(steps: ConductSteps, player: str, *, reads: bool, own: bool) -> None:
    """Raise ForbiddenByStep if the player is banned, or suspended and the request doesn't only read.

    `own` requests are about the player's own account: they're always allowed.
    """
    status = steps.status(player)
    if own or (status.suspended is None and not status.banned):
        return
    if status.banned:
        raise ForbiddenByStep("banned", "You're banned from this server.", None)
    if not reads:
        raise ForbiddenByStep("suspended", "You're suspended{}, and can only read.", status.suspended)
