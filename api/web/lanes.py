"""Lanes: which part of the server runs a request, and what it may cost, so that dear requests never delay cheap ones.

`light` runs in one thread of the request process (`api.server.batch_lane`). All others run in other processes, at
a lower priority: `login` hashes passwords, `waiting` has lists that wait until they include a position or that are
long, `heavy` reads whole games or long lists, and `export` has downloads without an end in sight. Every endpoint
chooses a lane here, and says here how much it reads of a game; `api.lines.routes` does that for command
lines.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote_plus

Lane = Literal["light", "login", "waiting", "heavy", "export"]
ChooseLane = Callable[[str, str], Lane]
"""Takes the query string and the Accept header as sent."""

MAX_LIGHT_PAGE = 100
MAX_LIGHT_QUERY = 4096
"""A longer query, which no client needs, is heavy: decoding it takes time in the one event loop."""
EVENT_STREAM = "text/event-stream"
WAIT = re.compile("(?:^|&)wait=")
LIMIT = re.compile(r"(?:^|&)limit=([0-9]{1,9})(?=&|$)")


def by_page_size(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a page of over `MAX_LIGHT_PAGE` items, however the query is percent-encoded."""
    limits = LIMIT.findall(unquote_plus(query_string))
    return "heavy" if any(int(limit) > MAX_LIGHT_PAGE for limit in limits) else "light"


def by_events(query_string: str, accept: str) -> Lane:
    """Return `light` for an event stream, a small page or a wait, `heavy` for the rest of a log, which may be long.

    A stream is what a client gets that accepts nothing else. A request that waits holds no thread meanwhile.
    """
    if accept.strip().lower() == EVENT_STREAM or WAIT.search(unquote_plus(query_string)):
        return "light"
    return by_page_size(query_string) if LIMIT.search(unquote_plus(query_string)) else "heavy"


def by_wait(query_string: str, _accept: str = "") -> Lane:
    """Return `heavy` for a large page, otherwise `waiting` for a list that waits for a position."""
    lane = by_page_size(query_string)
    return "waiting" if lane == "light" and WAIT.search(unquote_plus(query_string)) else lane


def by_line(_query_string: str, _accept: str = "") -> Lane:
    """Return `light`: what a line reads and hashes is in its body, by which `line_lanes` chooses."""
    return "light"


@dataclass(frozen=True)
class Work:
    """A lane, and how often a request there goes through all events of a game, as reading them once is one time.

    `reads` is how often it reads them from the store; other passes work on what is read. In the light lane, the route
    reads at most a page of a game that the server has in memory.
    """

    lane: Lane | ChooseLane
    passes: float = 0
    reads: int = 0


LANES: Mapping[str, Lane | ChooseLane | Work] = {
    "audits.game_audit": Work("heavy", passes=7, reads=1),
    "audits.hand_audit": Work("heavy", passes=7, reads=1),
    "audits.transcript": Work("heavy", passes=2, reads=1),
    "blocks.block": "light",
    "blocks.list_blocks": "light",
    "blocks.unblock": "light",
    "bot_choices.hand_choices": Work("heavy", passes=2, reads=1),
    "bot_choices.hint": "heavy",
    "branches.play_branch": Work("heavy", passes=3, reads=2),
    "bulk_export.export_games": "export",
    "chat.erase": "light",
    "chat.read_chat": by_page_size,
    "chat.write": "light",
    "commands.run": by_line,
    "description.asset": "light",
    "description.for_generators": "heavy",
    "description.newest": "heavy",
    "description.page": "light",
    "disputes.answer": "light",
    "disputes.appeal": "light",
    "disputes.decide": "light",
    "disputes.erase": "heavy",
    "disputes.list_disputes": Work("heavy", passes=1, reads=1),
    "disputes.open_dispute": "light",
    "disputes.queue": by_wait,
    "disputes.rule": "light",
    "events.export": Work("heavy", passes=2, reads=1),
    "events.list_events": Work(by_events, passes=2, reads=1),
    "forming.cancel": "light",
    "forming.claim": "light",
    "forming.leave": "light",
    "forming.questions": "light",
    "forming.start": "light",
    "games.move": "light",
    "games.public_view": "light",
    "games.seat_view": "light",
    "handovers.accept": "light",
    "handovers.ask": "light",
    "handovers.decline": "light",
    "handovers.list_offers": "light",
    "handovers.own_offers": "light",
    "handovers.take_back": "light",
    "handovers.withdraw": "light",
    "hands.replay": Work("heavy", passes=2, reads=2),
    "hands.result": Work("heavy", passes=2, reads=2),
    "guests.create": "light",
    "guests.take_name": "login",
    "health.live": "light",
    "health.ready": "light",
    "hours.set_hours": "light",
    "hours.show_hours": "light",
    "inbox.list_entries": "light",
    "leaving.come_back": "login",
    "leaving.leave": "login",
    "lists.game_scoreboard": Work("waiting", passes=0.1),
    "lists.lobby": by_wait,
    "metrics.scrape": "light",
    "own_account.export": "heavy",
    "own_account.show": "light",
    "own_email.confirm": "light",
    "own_email.remove": "light",
    "own_email.set_address": "light",
    "own_mail.set_level": "light",
    "own_mail.unsubscribe": "light",
    "own_tokens.change_password": "login",
    "own_tokens.end_others": "light",
    "own_tokens.end_token": "light",
    "own_tokens.list_own": "light",
    "messages.broadcast": "light",
    "messages.read_messages": by_page_size,
    "messages.write": "light",
    "invitations.invite": "light",
    "invitations.invited_table": "light",
    "invitations.list_invitations": "light",
    "invitations.revoke": "light",
    "opening.open_game": "light",
    "opening.rematch": "light",
    "moderation.appeals": "heavy",
    "moderation.claim": "light",
    "moderation.decide": "light",
    "moderation.log": by_page_size,
    "moderation.queue": "heavy",
    "moderation.rule": "light",
    "game_pages.audit": "light",
    "game_pages.disputes": "light",
    "game_pages.embed": "light",
    "game_pages.game_disputes": "light",
    "game_pages.replay": "light",
    "game_pages.score": "light",
    "game_pages.standings": "light",
    "game_pages.text": "light",
    "mail_links.one_click": "light",
    "mail_links.page": "light",
    "pages.app": "light",
    "pages.join": "light",
    "pages.manifest": "light",
    "pages.me": "light",
    "pages.new": "light",
    "pages.offline": "light",
    "pages.player": "light",
    "pages.recover": "light",
    "pages.sign_in": "light",
    "pages.sign_up": "light",
    "pages.table": "light",
    "pages.worker": "light",
    "problems.problem_page": "light",
    "proofs.add_cosignatures": "light",
    "proofs.consistency_proof": Work("heavy", passes=1, reads=1),
    "proofs.inclusion_proof": Work("heavy", passes=1, reads=1),
    "proofs.make_receipt": Work("heavy", passes=1, reads=1),
    "proofs.receipt": "light",
    "queries.clock": Work("heavy", passes=3, reads=1),
    "queries.commits_between": Work("heavy", passes=2, reads=1),
    "queries.compare_root": Work("heavy", passes=2, reads=1),
    "queries.draws": Work("heavy", passes=11, reads=1),
    "queries.hand_deal": Work("heavy", passes=5, reads=1),
    "queries.legal_moves": Work("heavy", passes=3, reads=2),
    "queries.replay": Work("heavy", passes=3, reads=2),
    "queries.revokes": Work("heavy", passes=2, reads=1),
    "queries.score": Work("heavy", passes=2, reads=1),
    "queries.sight": Work("heavy", passes=3, reads=1),
    "recovery.recover": "login",
    "recovery.renew": "login",
    "reports.appeal": "light",
    "ratings.list_changes": by_wait,
    "ratings.list_ratings": by_wait,
    "ratings.show_ratings": by_wait,
    "reports.own_reports": "light",
    "reports.own_standing": "light",
    "reports.report": "light",
    "root.links": "light",
    "rules.overview": "light",
    "rules.rule_sheet": "light",
    "seating.read_seating": "light",
    "seating.set_seating": "light",
    "session.begin_as_guest": "light",
    "session.log_in": "login",
    "session.log_out": "light",
    "session.recover": "login",
    "session.restore": "login",
    "session.show": "light",
    "standings.against": by_wait,
    "standings.list_standings": by_wait,
    "standings.player_history": by_wait,
    "standings.player_standings": by_wait,
    "static_files.static_file": "light",
    "users.log_in": "login",
    "users.log_out": "light",
    "users.register": "login",
    "variants.list_variants": "light",
    "verify_page.page": "light",
    "verify_page.static": "light",
    "webhooks.add_webhook": "light",
    "webhooks.list_webhooks": "light",
    "webhooks.remove_webhook": "light",
    "well_known.keys": "light",
}


BUDGETED = frozenset[Lane](("waiting", "heavy", "export"))
"""The lanes whose requests count against a budget of their address and their player."""


def work_of(endpoint: str | None) -> Work:
    """Return the work of an endpoint; light for an address without one, which gets 404 or 405."""
    choice = LANES.get(endpoint or "", "light")
    return choice if isinstance(choice, Work) else Work(choice)


def is_always_light(endpoint: str | None) -> bool:
    """Return whether every request to an endpoint is light, whatever its query and headers are."""
    return LANES.get(endpoint or "", "light") == "light"


def lane_of_endpoint(endpoint: str | None, query_string: str, accept: str = "") -> Lane:
    """Return the lane of a request to an endpoint."""
    choice = work_of(endpoint).lane
    if isinstance(choice, str):
        return choice
    return "heavy" if len(query_string) > MAX_LIGHT_QUERY else choice(query_string, accept)
