"""The work of moderators: claim a report, rule on it, decide an appeal, but never in a case of their own.

Each act is an entry of the moderation log.

No moderator judges a case of their own: for the player who reported, the one who is reported, and everybody who played
in that game, the report doesn't exist. Another moderator than the one who ruled decides the appeal. Nobody erases in a
case of their own either, and whatever a moderator erases, by whichever way, is an entry of the log.
"""

import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from api.accounts.accounts import Accounts
from api.conduct.stored.chat_messages import erase_message
from api.conduct.stored.conduct_reports import ConductReport, read_report
from api.conduct.stored.conduct_steps import BAN, NONE, REVERSED, ConductStep, StepDecision, StepKind
from api.conduct.stored.moderation_log import ModerationAct, append_entry
from api.evidence.services.disputes import DisputeRecord
from api.evidence.services.keys import SigningKeys
from api.evidence.stored.dispute_texts import SALT_BYTES, erase_texts, note_of
from api.inbox.stored.outbox import InboxNote, leave_notes
from api.people.stored.user_admin import REVOKE
from api.tables.stored.rulebooks import erase_words
from domain.engine.timestamps import format_time
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from domain.store.sql.database import Transaction
from projections.lists.inbox_entries import NoteDetails
from projections.views.audience import viewer_of


class OwnCase(Exception):
    """The moderator has a part in what they want to erase."""

    def __init__(self) -> None:
        super().__init__("You have a part in this game or in a report about it. Ask another moderator to erase this.")


def require_no_part(accounts: Accounts, games: Games, game: str, moderator: str, others: Collection[str] = ()) -> None:
    """Raise OwnCase for a moderator who took part in a game, or in a report about it, or who is one of `others`."""
    if moderator in others or took_part(accounts, games, game, moderator) or accounts.reports.names(game, moderator):
        raise OwnCase


def took_part(accounts: Accounts, games: Games, game: str, player: str) -> bool:
    """Return whether a player sits or sat in a game, or belongs to the table that formed it."""
    with suppress(NoSuchGame, Corrupt):
        if viewer_of(games.state(game), player) is not None:
            return True
    table = accounts.forming.read(game)
    return table is not None and table.concerns(player)


MOST_WAITING = 500
"""The most reports that are looked at for a queue."""


class NoSuchCase(Exception):
    """The report or step doesn't exist, or this player may not know of it."""


class AlreadyClaimed(Exception):
    """Another moderator has claimed the report."""


class NotClaimed(Exception):
    """The moderator hasn't claimed the report."""


class AlreadyJudged(Exception):
    """The report has its ruling, or the step its appeal or decision."""


@dataclass(frozen=True)
class ConductRuling:
    """A ruling on a report: a kind of step, until when (UTC microseconds), and the reason."""

    step: StepKind
    until: int | None
    reason: str = field(repr=False)


class Moderation:
    """The acts of moderators and the appeals against them. Safe for concurrent use by several processes."""

    def __init__(self, accounts: Accounts, games: Games, keys: SigningKeys) -> None:
        self._accounts, self._games, self._keys = accounts, games, keys

    def queue(self, moderator: str) -> list[ConductReport]:
        """Return the reports that wait for a ruling that this moderator may give, the oldest first."""
        waiting = self._accounts.reports.waiting(MOST_WAITING, but=moderator)
        return [each for each in waiting if not self._is_own_case(each, moderator)]

    def claim(self, moderator: str, report_id: str) -> ConductReport:
        """Claim a report, and return it. Claiming it again changes nothing. Raise AlreadyClaimed or AlreadyJudged."""
        report = self._require_case(moderator, report_id)

        def change(transaction: Transaction) -> ModerationAct | None:
            current, at = read_report(transaction, report.id) or report, transaction.now()
            _require_waiting(current)
            if current.holder(at) == moderator:
                return None
            if current.holder(at) is not None:
                raise AlreadyClaimed("Another moderator looks at this report.")
            transaction.run(
                "UPDATE conduct_reports SET claimed_by = ?, claimed = ? WHERE id = ?", moderator, at, report.id
            )
            return {"act": "claim", "by": moderator, "report": report.id}

        self._record(change)
        return self._require_case(moderator, report_id)

    def rule(self, moderator: str, report_id: str, ruling: ConductRuling) -> str | None:
        """Rule on a claimed report, and return the id of the step against the player; None without a step.

        A ban ends all sessions of the player. Raise NotClaimed or AlreadyJudged.
        """
        report = self._require_case(moderator, report_id)
        step = None if ruling.step == NONE else "s_" + secrets.token_hex(12)
        salt = secrets.token_hex(SALT_BYTES)

        def change(transaction: Transaction) -> ModerationAct:
            current, at = read_report(transaction, report.id) or report, transaction.now()
            _require_waiting(current)
            if current.holder(at) != moderator:
                raise NotClaimed("Claim the report first, so that no two moderators judge it.")
            transaction.run(
                "UPDATE conduct_reports SET step = ?, ruled = ?, claimed_by = ? WHERE id = ?",
                ruling.step, at, moderator, report.id,
            )  # fmt: skip
            if step is not None:
                transaction.run(
                    "INSERT INTO conduct_steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                    step, report.id, report.about, ruling.step, at, ruling.until, moderator, salt, ruling.reason,
                )  # fmt: skip
            if ruling.step == BAN:
                transaction.run(REVOKE, at, report.about)
            leave_notes(transaction, _ruling_notes(report, step, ruling.step))
            until = None if ruling.until is None else format_time(ruling.until)
            player = None if step is None else report.about
            hashed = note_of(salt, ruling.reason)
            return {"act": "rule", "by": moderator, "report": report.id, "kind": ruling.step, "step": step,
                    "player": player, "until": until, "reason": hashed}  # fmt: skip

        self._record(change)
        self._accounts.steps.forget()
        return step

    def appeal(self, player: str, step_id: str, text: str) -> None:
        """Appeal against a step. Raise NoSuchCase for a step against somebody else, AlreadyJudged if it's appealed."""
        step = self._accounts.steps.find(step_id)
        if step is None or step.player != player:
            raise NoSuchCase("There is no such step against you. GET /me/standing lists them.")

        def change(transaction: Transaction) -> ModerationAct:
            added = transaction.run(
                "INSERT INTO conduct_appeals VALUES (?, ?, ?, NULL, NULL, NULL, NULL, NULL)"
                " ON CONFLICT DO NOTHING RETURNING step",
                step.id, text, transaction.now(),
            )  # fmt: skip
            if not added:
                raise AlreadyJudged("You have appealed against this step. An appeal is possible once.")
            return {"act": "appeal", "by": player, "step": step.id}

        self._record(change)

    def appeals(self, moderator: str) -> list[ConductStep]:
        """Return the steps whose appeals this moderator may decide, the oldest appeal first."""
        return [each for each in self._accounts.steps.appeals() if self._may_decide(each, moderator)]

    def decide(self, moderator: str, step_id: str, decision: StepDecision, reason: str) -> None:
        """Decide an appeal: uphold or reverse the step. Raise AlreadyJudged if it's decided."""
        step = self._accounts.steps.find(step_id)
        if step is None or step.appealed is None or not self._may_decide(step, moderator):
            raise NoSuchCase("There is no such appeal, or you may not decide it.")
        salt = secrets.token_hex(SALT_BYTES)

        def change(transaction: Transaction) -> ModerationAct:
            at = transaction.now()
            if not transaction.count_changes(
                "UPDATE conduct_appeals SET decision = ?, decided_by = ?, decided = ?, salt = ?, reason = ?"
                " WHERE step = ? AND decision IS NULL",
                decision, moderator, at, salt, reason, step.id,
            ):  # fmt: skip
                raise AlreadyJudged("This appeal is decided.")
            if decision == REVERSED:
                transaction.run("UPDATE conduct_steps SET reversed = ? WHERE id = ?", at, step.id)
            about: NoteDetails = {"act": "decided", "step": step.id, "decision": decision}
            leave_notes(transaction, [InboxNote(step.player, "moderation", None, about)])
            return {"act": "decide", "by": moderator, "step": step.id, "decision": decision,
                    "reason": note_of(salt, reason)}  # fmt: skip

        self._record(change)
        self._accounts.steps.forget()

    def erase_message(self, moderator: str, game: str, message: str) -> None:
        """Erase the text of a message, which the log names by its id. It doesn't name the game: that may be private.

        Raise OwnCase.
        """
        require_no_part(self._accounts, self._games, game, moderator)

        def change(transaction: Transaction) -> ModerationAct | None:
            if not erase_message(transaction, message):
                return None
            return {"act": "erase", "by": moderator, "message": message}

        self._record(change)

    def erase_rulebook_words(self, moderator: str, address: str) -> None:
        """Erase the name, the text and the author of a rulebook, which the log names by its address."""

        def change(transaction: Transaction) -> ModerationAct | None:
            if not erase_words(transaction, address):
                return None
            return {"act": "erase", "by": moderator, "rulebook": address}

        self._record(change)

    def erase_texts(self, moderator: str, game: str, dispute: DisputeRecord) -> int:
        """Erase the texts of a dispute, and return how many; the log names them by the notes of their facts.

        Raise OwnCase, also for the arbiters who gave the texts.
        """
        authors = [event.by for event in dispute.parts.values()]
        commands = [*dispute.commands, *self._accounts.dispute_texts.answer_keys(game, dispute.number)]
        require_no_part(self._accounts, self._games, game, moderator, authors)
        notes = list[str]()

        def change(transaction: Transaction) -> ModerationAct | None:
            notes[:] = erase_texts(transaction, commands)
            return {"act": "erase", "by": moderator, "notes": notes} if notes else None

        self._record(change)
        return len(notes)

    def _require_case(self, moderator: str, report_id: str) -> ConductReport:
        report = self._accounts.reports.find(report_id)
        if report is None or self._is_own_case(report, moderator):
            raise NoSuchCase("There is no such report, or you may not judge it.")
        return report

    def _is_own_case(self, report: ConductReport, moderator: str) -> bool:
        if moderator in (report.reporter, report.about):
            return True
        return report.game is not None and took_part(self._accounts, self._games, report.game, moderator)

    def _may_decide(self, step: ConductStep, moderator: str) -> bool:
        report = self._accounts.reports.find(step.report)
        return step.ruled_by != moderator and report is not None and not self._is_own_case(report, moderator)

    def _record(self, change: Callable[[Transaction], ModerationAct | None]) -> None:
        """Run `change` and add the entry that it returns, both or neither."""
        key = self._keys.current()
        with self._accounts.database.transaction(writes=True) as transaction:
            transaction.lock_schema()  # no other act on reports and steps runs meanwhile
            act = change(transaction)
            if act is not None:
                at = format_time(transaction.now())
                append_entry(transaction, key.name, at, act, lambda head: self._keys.sign(head, key))


def _ruling_notes(report: ConductReport, step: str | None, kind: StepKind) -> list[InboxNote]:
    """Return the note for the reporter, who learns that there is a ruling, and for the player of the step."""
    notes = [InboxNote(report.reporter, "moderation", None, {"act": "answered", "report": report.id})]
    if step is not None:
        notes.append(InboxNote(report.about, "moderation", None, {"act": "ruled", "step": step, "ruling": kind}))
    return notes


def _require_waiting(report: ConductReport) -> None:
    if report.ruled is not None:
        raise AlreadyJudged("This report has its ruling.")
