"""The text of a mail about a board: the news, the board with the reader's own cards, and how to reply.

It's made from the view that the reader's seat gets over HTTP, so it can't show more. The last lines name the size and
the root of the log with the server's receipt: players who keep their mails can prove a log that was changed later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from api.conduct.services.chat import ChatAccess
from api.conduct.stored.chat_messages import PARTNER
from api.container import Services
from api.evidence.services.dispute_commands import disputes_seen
from api.evidence.services.receipts import TEMPORARY_ERRORS
from api.lines.list_texts import dispute_lines, table_text
from api.mail.outgoing.messages import SENTINEL
from api.play.services.gate import GameAccess
from domain.engine.timestamps import iso_time
from domain.events import DisputeOpened, DisputeWithdrawn, RulingAppealed, RulingDecided, RulingGiven
from domain.rules.variants import KNOWN
from projections.lists.scoreboard_pages import scoreboard
from projections.views.audience import ceremonies_revealed_in, visible
from replay.text.board import board_text, seat_names
from replay.text.layout import fold_text
from replay.text.narrate import narrate

MOST_FACTS, MOST_MESSAGES, MOST_READ = 30, 10, 50
"""The most facts and messages that a mail tells, and the most messages that are read for them."""
TO_PARTNER = " (to the partner alone)"
DISPUTE_FACTS = (DisputeOpened, DisputeWithdrawn, RulingGiven, RulingAppealed, RulingDecided)
HEADLINES = {
    "over": "The game is over.",
    "forfeit": "A player ran out of time.",
    "reminder": "Reminder: the table waits for you.",
    "turn": "It's your turn.",
    "question": "The table waits for your answer.",
    "dispute": "There is news of a dispute.",
    "move": "There is news.",
    "answer": "This is the board after your mail.",
}
"""The first line, for the most important kind of a mail."""
HOW_TO_REPLY = """To move, reply with the move alone in the first line, like: {example}
Lines right below the move go to everybody at the table, up to the first empty
line. Everything else in your reply is ignored, and so is what it quotes.
A reply counts only if nothing has happened since move #{version}."""
NOT_YOUR_TURN = """It isn't your turn. A reply may still hold a command in its first line, like:
{variant} showas {board}"""
ON_THE_WEB = "On the web: {url}/games/{board}"
LOG = """--- The log of this game
game {game}
size {version}
root {root}"""
KEEP = "Keep this mail: it proves what the log was."
Names = Mapping[str, str]


@dataclass(frozen=True)
class BoardLetter:
    """The subject and body of a mail about a board at a version."""

    subject: str
    body: str
    board: int
    version: int
    takes_replies: bool = True
    """Whether a reply to the mail is read as a line of its reader."""
    root: str = ""
    """The root of the log up to the version, if it's about a game alone."""


def write_board(
    services: Services, player: str, game: str, kinds: Sequence[str], since: int, first: str | None = None
) -> BoardLetter | None:
    """Return the mail about a game for its player, who knows it up to version `since`.

    None if nothing of the kinds is news any more, or the player has no seat. `first` stands instead of the headline.
    """
    access = services.gate.access(game, player)
    seat = access.viewer
    if not isinstance(seat, int):
        return None
    view = services.gate.view(access, seat)
    told = [kind for kind in HEADLINES if kind in kinds and _is_news(kind, view, seat)]
    if not told:
        return None
    names = services.reader.names(access.state)
    seats = seat_names(view, names)
    happened = [*_happened(services, access, since, seats), *_said(services, access, since, seats)]
    text = fold_text(
        "\n".join(
            [
                HEADLINES[told[0]] if first is None else first,
                "",
                *happened,
                board_text(view, names, _scored(services, access, view, names)),
                "",
                _how_to_reply(view),
                *web_lines(services, view["board"]),
            ]
        )
    )
    body = "\n".join([SENTINEL, "", text, "", *_log(services, view)])
    return BoardLetter(subject(view), body + "\n", view["board"], view["version"], root=view["root"])


def subject(view: Mapping[str, Any]) -> str:
    """Return the subject of all mails about a board, so that mail programs keep them together."""
    return f"Board {view['board']}, {KNOWN[view['variant']].title}"


def _is_news(kind: str, view: Mapping[str, Any], seat: int) -> bool:
    """Return whether a kind still holds: a turn that has passed doesn't."""
    you = view.get("you") or {}
    if kind in ("turn", "reminder"):
        return seat in view["turn"]["seats"] or bool(you.get("legal")) or bool(you.get("choose"))
    if kind == "question":
        return view["proposal"] is not None or view["handover"] is not None
    return kind != "over" or view["result"] is not None


def _happened(services: Services, access: GameAccess, since: int, seats: Mapping[int, str]) -> list[str]:
    """Return what has happened since a version, as far as the reader may see it."""
    revealed = ceremonies_revealed_in(access.state)
    entries = services.gate.entries(access, since)
    facts = [each.event.data for each in entries if visible(each.event, access.viewer, revealed)]
    if not facts:
        return []
    more = [] if len(facts) <= MOST_FACTS else ["  ..."]
    told = [f"  {narrate(fact, seats, access.state.rules)}" for fact in facts[-MOST_FACTS:]]
    reasons = _reasons(services, access, facts, seats)
    return [f"Since move #{since}:" if since else "So far:", *more, *told, "", *reasons]


def _reasons(services: Services, access: GameAccess, facts: Sequence[Any], seats: Mapping[int, str]) -> list[str]:
    """Return the disputes that these facts are about, with their texts as far as the reader may read them."""
    about = {fact.dispute for fact in facts if isinstance(fact, DISPUTE_FACTS)}
    items = disputes_seen(services, access)[0] if about else []
    lines = [line for each in items if each["dispute"] in about for line in dispute_lines(each, seats)]
    return [*lines, ""] if lines else []


def _said(services: Services, access: GameAccess, since: int, seats: Mapping[int, str]) -> list[str]:
    """Return the newest messages of others that came after a version, or with it: the last mail may not have them."""
    chat = ChatAccess(access.game, access.player or "", cast("int", access.viewer), access.state)
    found = services.accounts.chat.before(access.game, None, services.conduct.chat.reader(chat), MOST_READ)
    news = [each for each in found if each.author != access.player and each.version >= since and each.text is not None]
    authors = services.accounts.users.names_of([each.author for each in news])
    lines = [
        f"  {authors.get(each.author, 'somebody')}{TO_PARTNER if each.channel == PARTNER else ''}: {each.text}"
        for each in news[-MOST_MESSAGES:]
    ]
    return ["They write:", *lines, ""] if lines else []


def _scored(services: Services, access: Any, view: Mapping[str, Any], names: Names) -> list[str]:
    """Return a line for each seat of the last hand scored (S40)."""
    last = view["last_hand"]
    if last is None:
        return []
    with services.rows.snapshot("scoreboard") as reading:
        board = scoreboard(reading, access.game, names, last["hand"])
    if board is None or not board["hands"]:  # the list is behind
        board = services.late_boards.board(access, names, last["hand"])
    hands = [] if board is None else board["hands"]
    return [line["text"] for line in hands[-1]["lines"]] if hands else []


def _how_to_reply(view: Mapping[str, Any]) -> str:
    if view["result"] is not None:
        return "The game is over, so there is nothing to reply."
    you = view.get("you") or {}
    legal = you.get("legal") or ()
    if not legal and not you.get("choose"):
        return NOT_YOUR_TURN.format(variant=view["variant"], board=view["board"])
    return HOW_TO_REPLY.format(example=_example(legal), version=view["version"])


def _example(legal: Sequence[Mapping[str, Any]]) -> str:
    kinds = {move["type"] for move in legal}
    return "AD" if "play" in kinds else "2" if kinds & {"bid", "pass"} else "the move as listed above"


def _log(services: Services, view: Mapping[str, Any]) -> list[str]:
    """Return the footer: size and root of the log, and the server's receipt for them."""
    game, version = view["id"], view["version"]
    lines = [LOG.format(game=game, version=version, root=view["root"])]
    try:
        note = services.receipts.issue(game, version).note
    except TEMPORARY_ERRORS:
        return [*lines, KEEP]
    return [*lines, "receipt", note.rstrip("\n"), "", KEEP]


INVITED = """{headline}

{table}

To sit down, reply with: join
To decline, reply with: decline
{web}"""


def write_invitation(services: Services, player: str, game: str) -> BoardLetter | None:
    """Return the mail that asks a player to sit at a table; None if the table doesn't wait for them."""
    table = services.accounts.forming.read(game)
    seat = None if table is None else table.seat_of(player)
    if table is None or seat is None or seat.state != "asked" or table.status != "forming":
        return None
    people = [each.player for each in table.seats if each.player is not None] + [table.opener]
    names = services.accounts.users.names_of(people)
    variant = str(table.body["variant"])
    shown = _table_view(table, variant)
    body = INVITED.format(
        headline=f"{names.get(table.opener, 'Somebody')} asks you to sit at a table of {KNOWN[variant].title}.",
        table=table_text(shown, names),
        web="\n".join(web_lines(services, table.board)),
    )
    about = f"Board {table.board}, {KNOWN[variant].title}"
    return BoardLetter(about, f"{SENTINEL}\n\n{fold_text(body)}\n", table.board, 0)


def _table_view(table: Any, variant: str) -> dict[str, Any]:
    """Return what the text of a table that forms needs."""
    return {
        "board": table.board,
        "variant": variant,
        "expires": iso_time(table.expires) or "",
        "seats": [
            {"seat": each.seat, "player": each.player or each.bot, "state": each.state}
            if each.kind != "bot"
            else {"seat": each.seat, "player": f"bot:{each.bot}", "state": "claimed"}
            for each in table.seats
        ],
    }


def web_lines(services: Services, board: int) -> list[str]:
    """Return the line that says where a board is on the web, if the server has an address there."""
    url = services.config.url
    return [] if url is None else [ON_THE_WEB.format(url=url, board=board)]
