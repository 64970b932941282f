"""The check of one game: load it as a server does, audit it, and rejudge it by today's rules.

Its rows and receipts come exactly as they are stored.
Receipts and the lists that follow the log contradict a log that was changed alone.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

from api.ops.check.raw_store import ACCOUNTS, VIEWS, RawRow, RawStore, StoreDamaged
from domain.events import GameEnded, GameOpened
from domain.events.codec import is_surely_canonical
from domain.protocols.signed_notes import Key, NotANote, parse_checkpoint, parse_key, parse_note
from domain.store.aggregate import Corrupt, Entry, Game, read_row
from domain.store.log import numbers_of
from projections.storage.tables import DamagedRow, read_positions
from projections.views.audience import revealed_ceremonies, visible
from replay.audit import Report, audit
from replay.audit.log.hash_chain import check_log
from replay.history import History, from_entries, is_canonical
from replay.history.findings import Finding
from replay.history.receipts import check_receipts
from replay.history.signatures import BadSignature, read_rotation
from replay.rejudge import rejudge

KEYS, LISTS, RECEIPTS, BOARDS = "keys", "lists", "receipts", "boards"
ReceiptRow = tuple[int, str, str]
"""A row of a receipt: size, root in hex, note."""


@dataclass
class GameRecords:
    """The records of a few games: receipts, the version that the lists followed each to, and board numbers.

    `unmatched` holds, for each game, the sizes at which a witness has signed a receipt that isn't stored.
    """

    receipts: dict[str, list[ReceiptRow]] = field(default_factory=dict)
    unmatched: dict[str, list[int]] = field(default_factory=dict)
    lobby: dict[str, int] = field(default_factory=dict)
    boards: dict[str, Any] = field(default_factory=dict)

    def receipts_of(self, game: str) -> tuple[ReceiptRow, ...]:
        """Return the receipts of a game by size."""
        return tuple(sorted(self.receipts.get(game, ()), key=lambda receipt: repr(receipt[0]).zfill(20)))


@dataclass
class SideRecords:
    """The records of a store, a few games at a time, the keys of its receipts, and what's wrong with both.

    `tails` are the numbers that the lists reached in each shard, and `seen` those at which the accounts saw its end;
    `lobbies` are the tables with the version of each game.
    `damaged` holds (where, error) for kinds of records that can't be read, `forged` the faults of the keys.
    """

    store: RawStore
    keys: list[Key] = field(default_factory=list)
    tails: dict[int, int] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    lobbies: list[str] = field(default_factory=list)
    damaged: dict[str, tuple[str, str]] = field(default_factory=dict)
    forged: list[str] = field(default_factory=list)

    def of(self, games: Sequence[str]) -> GameRecords:
        found = GameRecords()
        with self.unless_damaged(RECEIPTS):
            self._read_receipts(found, games)
        with self.unless_damaged(LISTS):
            for table in self.lobbies:
                rows = self.store.select_games(VIEWS, table, ("id", "version"), games)
                found.lobby.update((str(game), version) for game, version in rows)
        with self.unless_damaged(BOARDS):
            found.boards = {str(game): number for game, number in self.store.boards_of(games)}
        return found

    def _read_receipts(self, found: GameRecords, games: Sequence[str]) -> None:
        """Add the receipts of games, each with the lines of its witnesses."""
        lines: dict[tuple[str, Any], str] = {}
        columns: tuple[str, ...] = ("game", "size", "witness", "line")
        for game, size, _, line in sorted(self.store.select_games(ACCOUNTS, "cosignatures", columns, games), key=repr):
            lines[str(game), size] = lines.get((str(game), size), "") + str(line)
        columns = ("game", "size", "root", "note")
        for game, size, root, note in self.store.select_games(ACCOUNTS, "receipts", columns, games):
            whole = str(note) + lines.pop((str(game), size), "")
            found.receipts.setdefault(str(game), []).append((size, str(root), whole))
        for game, size in lines:
            found.unmatched.setdefault(game, []).append(size)

    def missing_from(self, games: Container[str]) -> dict[str, str]:
        """Return `{game: kind of record}` for every game with receipts, or in the lists, that isn't in `games`."""
        missing = dict[str, str]()
        tables = [(RECEIPTS, ACCOUNTS, "receipts", "game"), *((LISTS, VIEWS, lobby, "id") for lobby in self.lobbies)]
        for kind, schema, table, column in tables:
            with self.unless_damaged(kind):
                for game, _ in groupby(self.store.scan(schema, table, (column,))):
                    if str(game[0]) not in games:
                        missing.setdefault(str(game[0]), kind)
        return missing

    @contextmanager
    def unless_damaged(self, kind: str) -> Iterator[None]:
        """Note that a kind of records is damaged when reading it fails."""
        try:
            yield
        except StoreDamaged as damage:
            self.damaged.setdefault(kind, (damage.where, str(damage)))
        except DamagedRow as damage:
            self.damaged.setdefault(kind, (VIEWS, str(damage)))


def read_side_records(store: RawStore) -> SideRecords:
    """Read the keys of a store, and how far its lists followed the log."""
    records = SideRecords(store)
    with records.unless_damaged(KEYS):
        _read_keys(store, records)
    with records.unless_damaged(LISTS):
        _read_lists(store, records)
    with records.unless_damaged(ACCOUNTS):
        for shard, number in sorted(store.select(ACCOUNTS, "log_positions", ("shard", "number")) or ()):
            records.seen[shard] = number
    return records


def _read_keys(store: RawStore, records: SideRecords) -> None:
    rows = store.select(ACCOUNTS, "signing_keys", ("number", "vkey", "note")) or []
    for number, vkey, _ in rows:
        try:
            records.keys.append(parse_key(str(vkey)))
        except NotANote as error:
            records.forged.append(f"key {number} is invalid: {error}")
    if not records.forged:
        records.forged += _rotation_faults(records.keys, [note for _, _, note in rows])


def _rotation_faults(keys: Sequence[Key], notes: Sequence[str | None]) -> Iterator[str]:
    """Yield the faults of rotation notes: each key replaced the one before, by a note of both unless that was lost."""
    for number, (pair, note) in enumerate(zip(pairwise(keys), notes[1:], strict=True), 2):
        try:
            if note is not None and read_rotation(note) != pair:
                yield f"the note of key {number} names other keys"
        except (NotANote, BadSignature) as error:
            yield f"the note of key {number} is invalid: {error}"


def _read_lists(store: RawStore, records: SideRecords) -> None:
    for projection, generation, positions in _followers(store):
        reached = numbers_of(read_positions(positions))
        for shard, number in enumerate(reached if len(reached) == store.shards else ()):
            records.tails[shard] = max(records.tails.get(shard, 0), number)
        if projection == "lobby":
            records.lobbies.append(f"lobby_{int(generation)}_games")


def _followers(store: RawStore) -> Iterator[tuple[str, int, str]]:
    """Yield projection, generation and positions of the live rows. An older version kept a number before the state."""
    for projection, generation, _, *rest in store.select(VIEWS, "followers", ("*",), state="live") or ():
        yield projection, generation, f"{rest[0]}:" if isinstance(rest[0], int) else rest[1]


NOT_CANONICAL = "its bytes are not canonical JSON"
CONTRADICTS_HIDDEN = "it contradicts data that stays hidden while the hand is live"


@dataclass(frozen=True)
class GameCheck:
    """The result for one game: (check, finding) pairs, its size and root, and the board named in its opening.

    `ended` is the version of the event that ended it.
    """

    findings: tuple[tuple[str, Finding], ...]
    size: int = 0
    root: str = ""
    board: int | None = None
    ended: int | None = None


def check_game(game: str, rows: Sequence[RawRow], receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> GameCheck:
    """Check the decrypted rows of one game with its stored receipts and the keys that signed them."""
    loaded = Game(game)
    try:
        entries = loaded.read(rows)
    except Corrupt as error:
        return _with_ledger_findings(unreadable_game(error), game, rows)
    return _check_entries(entries, loaded.root, receipts, keys)


def _entries(game: str, rows: Iterable[RawRow]) -> list[Entry]:
    return [read_row(game, *row) for row in rows]


def _with_ledger_findings(check: GameCheck, game: str, rows: Iterable[RawRow]) -> GameCheck:
    """If only the fold failed, add the findings of the audit's ledger: they name the event at fault, an earlier one."""
    with suppress(Corrupt):
        entries = _entries(game, rows)
        if entries[0].event.fact == "GameOpened" and not check_log(from_entries(entries, {})):
            ledger = [("books", finding) for finding in _public_report(entries).findings]
            by_version = sorted([*check.findings, *ledger], key=lambda each: each[1].version or 0)
            return replace(check, findings=tuple(by_version))
    return check


def _check_entries(entries: list[Entry], root: str, receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> GameCheck:
    report = _report_on(from_entries(entries, {}), receipts, keys)
    findings = [("log", Finding(each.event.version, NOT_CANONICAL)) for each in entries if not _is_canonical(each)]
    findings += [("receipts", each) for each in _receipt_column_findings(receipts)]
    findings += _report_findings(entries, report)
    first = entries[0].event.data
    board = first.board if isinstance(first, GameOpened) else None
    ended = max((each.event.version for each in entries if isinstance(each.event.data, GameEnded)), default=None)
    return GameCheck(tuple(findings), len(entries), root, board, ended)


def _is_canonical(entry: Entry) -> bool:
    return is_surely_canonical(entry.raw, entry.event) or is_canonical(entry.raw)


def unreadable_game(error: Corrupt) -> GameCheck:
    """Return the result for a game that can't be loaded: the first event that doesn't fit."""
    says = str(error).removeprefix(f"event {error.version} of game {error.game}: ")
    return GameCheck((("links", Finding(error.version, says)),))


def _public_report(entries: list[Entry]) -> Report:
    """Return the report on what everybody may see of a game."""
    revealed = revealed_ceremonies(entry.event for entry in entries)
    return _report_on(from_entries(entries, {}, [visible(entry.event, None, revealed) for entry in entries]), (), ())


def _report_on(history: History, receipts: Sequence[ReceiptRow], keys: Sequence[Key]) -> Report:
    checked = check_receipts(history, kept=[note for _, _, note in receipts], store=keys)
    return audit(history, rejudge(history), receipts=checked)


def _receipt_column_findings(receipts: Sequence[ReceiptRow]) -> Iterator[Finding]:
    """Yield the receipts whose rows have another size or root than their notes."""
    for size, root, note in receipts:
        try:
            head = parse_checkpoint(parse_note(note).body)
        except NotANote:
            continue  # the audit reports it
        if (head.size, head.root.hex()) != (size, root):
            yield Finding(head.size, f"the row of its receipt has size {size} or a different root")


def _report_findings(entries: list[Entry], report: Report) -> Iterator[tuple[str, Finding]]:
    """Yield the report's findings and the checks behind them, hiding the details of those that reveal a live hand."""
    live = bool(report.findings) and bool(report.unrevealed)
    public = {*report.log, *report.receipts.findings}
    if live:
        public |= set(_public_report(entries).findings)
    parts = {
        "log": report.log,
        "receipts": report.receipts.findings,
        "rules": report.rejudged.findings if report.rejudged else (),
    }
    for finding in report.findings:
        by = next((name for name, findings in parts.items() if finding in findings), "books")
        yield by, finding if not live or finding in public else Finding(finding.version, CONTRADICTS_HIDDEN)
